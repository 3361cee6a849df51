"""A signal ends a program of the processor: does its author hear where it was, and only ever of a file of the hand-in?"""
import shutil
from pathlib import Path

import pytest
from hpml_autograder import crashes, paths
from hpml_autograder.assignment import Request
from hpml_autograder.case import Case, Run
from hpml_autograder.pipeline import grade

HEAD = "#include <csignal>\n#include <cstdio>\n#include <vector>\n"


@pytest.fixture
def said(tmp_path, monkeypatch):
    """What the one test says of a hand-in."""
    shutil.copytree(Path(__file__).parent / "tiny_labs", tmp_path / "labs")
    monkeypatch.setattr(paths, "LABS", tmp_path / "labs")

    def of(body: str, limits: str = "") -> str:
        toml = tmp_path / "labs/lab91_native/lab.toml"
        toml.write_text(toml.read_text(encoding="utf-8").replace("submit =", f"{limits}\nsubmit =", 1), encoding="utf-8")
        source = tmp_path / "hand-in"
        source.mkdir()
        (source / "squares.cpp").write_text(f"{HEAD}long squares(long n) {{\n  {body}\n}}\n", encoding="utf-8")
        (outcome,) = grade(Request("lab91", source), scratch=tmp_path / "HPML Übung").outcomes.values()
        return outcome.detail
    return of


@pytest.mark.parametrize("body, words", [
    ("volatile long* where = nullptr; return *where;", "a null pointer"),
    ("volatile long a[4 << 20]; for (long i = 0; i < 4 << 20; ++i) a[i] = i; return a[n];", "its stack was full: large arrays"),
    ("volatile long zero = 0; return n / zero;", "divided a whole number by zero"),
    ("return std::vector<long>(3).at(5 + n);", "was ended by a check")])
def test_the_line_and_the_cause_are_named(said, body, words):
    detail = said(body)
    assert ": at squares.cpp:5 " in detail and words in detail, detail


@pytest.mark.skipif(shutil.which("mpirun.openmpi") is None, reason="needs Open MPI")
def test_the_line_of_a_rank_that_crashes_is_named(tmp_path, monkeypatch):
    shutil.copytree(Path(__file__).parent / "tiny_labs", tmp_path / "labs")
    monkeypatch.setattr(paths, "LABS", tmp_path / "labs")
    source = tmp_path / "hand-in"
    shutil.copytree(next((tmp_path / "labs").glob("lab92_*")) / "src", source)
    text = (source / "total.cpp").read_text(encoding="utf-8")
    body = "{\n  int rank = 0;\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  volatile long* p = nullptr;\n  return rank == 1 ? *p : 0;\n}\n"
    (source / "total.cpp").write_text(text[:text.index("{", text.index("total("))] + body, encoding="utf-8")
    (outcome,) = grade(Request("lab92", source), scratch=tmp_path / "scratch").outcomes.values()
    line = text[:text.index("{", text.index("total("))].count("\n") + 5
    assert f"at total.cpp:{line} it used a null pointer" in outcome.detail, outcome.detail


@pytest.mark.parametrize("body", ["volatile long sum = 0; for (long i = 0; i < 10 + n; i += 0) sum = sum + i; return sum;",
                                  "volatile int open = 0; while (!open) { } return n;"])
def test_a_loop_that_does_not_end_is_named_by_its_line(said, monkeypatch, body):
    monkeypatch.setattr(crashes, "STOP_AFTER_S", 1)
    detail = said(body, "limits = {wall_s = 2}")
    assert "did not end within 2 s: at squares.cpp:5 it still ran after" in detail, detail


def test_memory_that_was_overwritten_before_names_what_to_look_for(said):
    detail = said("volatile char* a = new char[24]; for (long i = 24; i < 64; ++i) a[i] = 127; return n;")
    assert "past the end of an array" in detail, detail


def test_a_forged_place_names_no_line(said):
    detail = said('std::fputs("hpml crash: 11 null ffffffffffffffff 1 2\\n", stderr); std::fflush(stderr); '
                  'volatile long* where = nullptr; return *where;')
    assert detail.startswith("`squares 1` was killed by SIGSEGV") and " at " not in detail


def test_the_names_of_other_files_are_not_quoted(said):
    """The debug information of a program names any file that its author likes."""
    detail = said('\n#line 3 "/root/secret.cpp"\nvolatile long* where = nullptr; return *where;')
    assert "secret" not in detail and "was killed by SIGSEGV" in detail


@pytest.mark.parametrize("state, code, number", [("signal", 11, 11), ("exit", 139, 11), ("exit", 11, 0), ("timeout", 11, 14),
                                                 ("signal", 9, 0), ("exit", 128, 0)])
def test_only_a_signal_of_the_programs_own_or_a_timeout_is_explained(state, code, number):
    assert crashes.number_of(Run(Case("squares", "1"), state, code)) == number
