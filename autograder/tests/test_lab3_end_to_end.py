"""The whole way on the simulated GPU: the solution gets everything, the starter its floor, each wrong answer what it says."""
from pathlib import Path

import pytest
from hpml_autograder import record, wrong_answer
from hpml_autograder.cli import main
from hpml_autograder.paths import find_lab
from hpml_autograder.pipeline import Graded, Request, grade

DIRS = find_lab("lab3")


@pytest.fixture
def graded(tmp_path_factory, known_runs):
    """Grades a hand-in of lab 3; runs of equal programs are shared."""
    def one(**request) -> Graded:
        return grade(Request("lab3", cuda="clang", **request), scratch=tmp_path_factory.mktemp("grade"), known=known_runs)
    return one


def test_the_solution_gets_every_point(lab3_solution):
    assert wrong_answer.losses(lab3_solution.tests, lab3_solution.outcomes) == {}
    assert lab3_solution.total == lab3_solution.spec.total_millipoints == 100000


def test_the_starter_gets_its_declared_floor(graded):
    result = graded()
    assert result.total == result.spec.floor_millipoints, wrong_answer.losses(result.tests, result.outcomes)
    assert not result.pending


@pytest.mark.parametrize("name", wrong_answer.names(DIRS))
def test_a_wrong_answer_loses_exactly_what_it_declares(name, lab3_solution, graded):
    result = graded(wrong=name)
    assert wrong_answer.surprises(wrong_answer.load(DIRS, name), result.tests, result.outcomes) == []


def test_the_record_is_the_same_bytes_from_two_gradings(lab3_solution, tmp_path_factory):
    again = grade(Request("lab3", cuda="clang", solution=True), scratch=tmp_path_factory.mktemp("again"))
    first, second = (record.make_record(one, {"attempt": number}) for number, one in enumerate((lab3_solution, again)))
    first.pop("volatile")
    second.pop("volatile")
    assert record.canonical(first) == record.canonical(second)


def write_submission(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("body, verdict, words", [
    ("for (volatile int i = 0; true; i = 0) {}", "TO", "did not end within"),
    ("__builtin_trap();", "SG", "was killed by SIG"),
    ("for (;;) { puts(\"0123456789\"); }", "OL", "printed more than its limit"),
    ("return 7;", "RE", "ended with exit code 7, expected 0"),
    ("undeclared();", "CE", "vecaddcpu.cpp:2"),
])
def test_a_broken_program_gets_a_verdict(tmp_path, graded, monkeypatch, body, verdict, words):
    source = write_submission(tmp_path, "vecaddcpu.cpp", f"#include <stdio.h>\nint main() {{ {body} }}\n")
    from hpml_autograder import runner
    limits = runner.process.ProcessLimits(wall_s=2, cpu_s=20, fsize_bytes=1 << 20, output_bytes=1 << 16)
    monkeypatch.setattr(runner.Runner, "_limits", lambda self: limits)
    result = graded(source=source, only="B1.correct.public")
    outcome = result.outcomes["B1.build" if verdict == "CE" else "B1.correct.public"]
    assert outcome.verdict.value == verdict and words in outcome.detail


@pytest.mark.parametrize("arguments, status", [(["test", "lab9"], 2), (["test", "lab3", "--gpu", "gtx"], 2), ([], 2),
                                               (["test", "lab3", "--test", "B9"], 2),
                                               (["test", "lab3", "--source", "/nonexistent"], 2)])
def test_a_wrong_command_line_is_exit_code_2(arguments, status, capsys):
    assert main(arguments) == status
    assert "Traceback" not in capsys.readouterr().err


def test_a_missing_file_costs_only_its_exercise_and_is_named(graded, monkeypatch):
    from hpml_autograder import staging
    plain = staging.stage

    def without_cpu(directory, dirs, files):
        place = plain(directory, dirs, files)
        (place.src / "vecaddcpu.cpp").unlink()
        return place

    monkeypatch.setattr("hpml_autograder.pipeline.staging.stage", without_cpu)
    result = graded(only="B1.build")
    assert "vecaddcpu.cpp is missing" in result.outcomes["B1.build"].detail
