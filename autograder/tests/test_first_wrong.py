"""Does the debugger get the first wrong element of a public test, and no more than the table says?"""
import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hpml_autograder import debugging, element_place, first_wrong, labspec
from hpml_autograder.case import Case, Run
from hpml_autograder.check import load_data
from hpml_autograder.errors import UsageError
from hpml_autograder.graded import Graded
from hpml_autograder.paths import ROOT, build_dir, find_lab, known_labs
from hpml_autograder.seeds import PUBLIC_KEY
from hpml_autograder.table import render
from hpml_autograder.verdict import Outcome, Verdict, accepted, wrong

LAB3 = find_lab("lab3")
SPEC = labspec.load(LAB3.lab / "lab.toml")
DATA = load_data(LAB3.lab, SPEC)


def failed(tmp_path: Path, words: str, index: int, test: str, **of_graded) -> Graded:
    """A run of matmult01 with one element that is 1 too large, and the outcome that follows."""
    program, _, args = words.partition(" ")
    case = Case(program, args, (("HPML_DATA", "3,5,7,9"),), dump=True, gpu="t4")
    values = DATA.result(case).values.copy()
    values.reshape(-1)[index] += 1
    dump = tmp_path / f"{words}.bin"
    values.tofile(dump)
    run = Run(case, "exit", dump=dump)
    outcomes = {one.id: accepted("") for one in SPEC.test}
    outcomes[test] = wrong(f"`{case}`: 1 of {values.size} elements are wrong; first C[0][{index}]: expected 1, got 2")
    context = SimpleNamespace(built={}, gpu="t4", target="sim", cuda="clang", key=PUBLIC_KEY)
    graded = Graded(SPEC, LAB3, context, [], outcomes, SimpleNamespace(runs={case: run}), "feedback", "")
    return replace(graded, **of_graded)


def test_the_element_the_data_and_the_command_are_handed_over(tmp_path):
    graded = failed(tmp_path, "matmult01 1", 5, "A4.correct.public")
    (found,) = first_wrong.of(graded)
    assert (found.words, found.index, found.place, found.size) == ("matmult01 1", 5, "C[0][5]", 1024)
    assert found.env == {"HPML_DATA": "3,5,7,9"} and float(found.got) == float(found.expected) + 1
    text = render(replace(graded, wrong=(found,)))
    assert '\n    See C[0][5] being written: make lab3 debug PROG="matmult01 1"\n' in text


def test_each_lost_test_hands_over_its_own_run_and_a_program_alone_means_the_smallest(tmp_path, monkeypatch):
    large = failed(tmp_path, "matmult01 2", 70, "A4.correct.public")
    small = failed(tmp_path, "matmult01 1", 5, "A4.clean")
    both = replace(small, runner=SimpleNamespace(runs=large.runner.runs | small.runner.runs),
                   outcomes=small.outcomes | {"A4.correct.public": large.outcomes["A4.correct.public"]})
    found = first_wrong.of(both)
    assert [(one.test, one.args) for one in found] == [("A4.correct.public", "2"), ("A4.clean", "1")]
    assert render(replace(both, wrong=found)).count("being written: make lab3 debug") == 2
    monkeypatch.setattr(first_wrong, "kept_dir", lambda: tmp_path)
    first_wrong.hand_over("lab3", found)
    assert first_wrong.take("lab3", "matmult01 2").index == 70 and first_wrong.take("lab3", "matmult01").args == "1"


def test_a_bonus_has_the_command_too(tmp_path):
    graded = failed(tmp_path, "matmult01 1", 5, "A4.correct.public")
    bonus = next(one for one in SPEC.test if SPEC.is_bonus(one) and one.kind == "correct" and one.visibility == "public")
    entry = replace(first_wrong.of(graded)[0], test=bonus.id)
    outcomes = graded.outcomes | {bonus.id: graded.outcomes["A4.correct.public"], "A4.correct.public": accepted("")}
    text = render(replace(graded, outcomes=outcomes, wrong=(entry,)))
    assert text.index("Bonus that can still be earned") < text.index("See C[0][5] being written: make lab3 debug")


def ended(tmp_path: Path, verdict: Verdict, **of_case) -> Graded:
    """A run of matmult01 that did not end well, and the outcome that follows."""
    case = Case("matmult01", "1", (("HPML_DATA", "3,5,7,9"),), dump=True, gpu="t4", **of_case)
    outcomes = {one.id: accepted("") for one in SPEC.test} | {"A4.correct.public": Outcome(verdict, f"`{case}` ended with exit code 1")}
    return replace(failed(tmp_path, "matmult01 1", 5, "A4.clean"), outcomes=outcomes,
                   runner=SimpleNamespace(runs={case: Run(case, "exit", code=1)}))


@pytest.mark.parametrize("verdict, words", [("RE", "Stop where it fails"), ("SG", "Stop where it fails"), ("TO", "Look into it while it runs")])
def test_a_run_that_fails_is_handed_over_with_its_data(tmp_path, monkeypatch, capsys, verdict, words):
    graded = ended(tmp_path, Verdict(verdict))
    (found,) = first_wrong.of(graded)
    assert (found.words, found.env, found.gpu) == ("matmult01 1", {"HPML_DATA": "3,5,7,9"}, "t4")
    assert f'\n    {words}: make lab3 debug PROG="matmult01 1"\n' in render(replace(graded, wrong=(found,)))
    monkeypatch.setattr(first_wrong, "kept_dir", lambda: tmp_path)
    first_wrong.hand_over("lab3", [found])
    assert first_wrong.take("lab3", "matmult01 1") == first_wrong.take("lab3", "matmult01") == found
    assert debugging.run_to_failure(found) == ["--ex", "run"]
    assert "ended with exit code 1" in (said := capsys.readouterr().out) and ("Ctrl-C" in said) is (verdict == "TO")


def test_a_failure_that_is_not_of_a_run_is_not_handed_over(tmp_path):
    for verdict in (Verdict.CE, Verdict.SK, Verdict.ML, Verdict.AC):
        assert first_wrong.of(ended(tmp_path, verdict)) == ()
    assert first_wrong.of(ended(tmp_path, Verdict.RE, check="memcheck")) == ()  # that run is one of the check tools


@pytest.mark.skipif(not (build_dir() / "bin" / "gpusim").exists() or shutil.which("clang") is None, reason="needs gpusim and clang")
@pytest.mark.parametrize("element", ["1 << 28", "threadIdx.x + 64"], ids=["far", "near"])
def test_the_debugger_stops_at_the_fault_of_a_run_that_was_handed_over(tmp_path, element):
    source = tmp_path / "fill.cu"
    source.write_text(PROGRAM.replace("out[threadIdx.x] =", f"out[threadIdx.x == FAILING ? {element} : threadIdx.x] =")
                      .replace("FAILING", "(value == 3 ? 17 : -1)"), encoding="utf-8")
    import subprocess
    subprocess.run(["/usr/bin/python3", ROOT / "tools" / "cuda_compile.py", "--frontend", "clang", "-g", "-o", tmp_path / "fill",
                    source], check=True)
    entry = first_wrong.FirstFailure("A1.correct", "fill", "", {"FACTOR": "3"}, "t4", "RE", "`fill` ended with exit code 1")
    done = subprocess.run([build_dir() / "bin" / "gpusim", "debug", *debugging.AS_GRADED, *debugging.run_to_failure(entry), "--batch", "--", tmp_path / "fill"],
                          check=False, env=entry.env | {"HPML_DUMP": "/dev/null", "PATH": "/usr/bin"}, capture_output=True, text=True)
    assert "Fault: 4-byte write out of bounds" in done.stdout and "thread (17,0,0), warp 0 lane 17" in done.stdout, done.stdout


@pytest.mark.skipif(not (build_dir() / "bin" / "gpusim").exists() or shutil.which("clang") is None, reason="needs gpusim and clang")
def test_programs_of_every_lab_compile_for_the_debugger(tmp_path, monkeypatch):
    """With the options of their lab: those of its other programs are none of the CUDA compiler's."""
    monkeypatch.setattr(debugging, "kept_dir", lambda: tmp_path)
    for lab in known_labs():
        place = find_lab(lab)
        spec = labspec.load(place.lab / "lab.toml")
        program = next((one for one in spec.program if one.backend == "gpusim" and one.sources), None)
        if program is None:
            continue
        assignment = SimpleNamespace(spec=spec, dirs=place, source=place.src, backends=SimpleNamespace(setup=SimpleNamespace(cuda="clang")))
        assert debugging.compile_for_debugger(assignment, program) is not None, (lab, program.name)


@pytest.mark.parametrize("change", ["hidden", "record", "course key", "real GPU"])
def test_what_is_not_public_stays_with_the_grader(tmp_path, change):
    graded = failed(tmp_path, "matmult01 1", 5, "A4.correct.hidden" if change == "hidden" else "A4.correct.public")
    if change == "record":
        graded = replace(graded, standing="record")
    if change == "course key":
        graded.context.key = b"course"
    if change == "real GPU":
        graded.context.target = "gpu"
    assert first_wrong.of(graded) == ()


def test_a_run_is_taken_by_its_words_or_its_program_and_goes_with_the_next_test(tmp_path, monkeypatch):
    monkeypatch.setattr(first_wrong, "kept_dir", lambda: tmp_path)
    (found,) = first_wrong.of(failed(tmp_path, "matmult01 1", 5, "A4.correct.public"))
    first_wrong.hand_over("lab3", [found])
    assert first_wrong.take("lab3", " matmult01   1 ") == first_wrong.take("lab3", "matmult01") == found
    assert first_wrong.take("lab3", "matmult01 2") is None
    first_wrong.hand_over("lab3", [])
    assert first_wrong.take("lab3", "matmult01 1") is None


def test_a_file_that_is_no_handover_says_how_to_get_one(tmp_path, monkeypatch):
    monkeypatch.setattr(first_wrong, "kept_dir", lambda: tmp_path)
    place = tmp_path / "debug" / "lab3" / "wrong.json"
    place.parent.mkdir(parents=True)
    for text in ("{", '{"schema": "hpml.wrong/v1"}', json.dumps({"schema": "hpml.wrong/v1", "wrong": [{"test": 1}], "failed": []})):
        place.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=r"wrong.json"):
            first_wrong.take("lab3", "matmult01")


def copied(content: bytes, address: int, launches: int, width: int = 0, pitch: int = 0) -> element_place.Copied:
    return element_place.Copied(content, address, width or len(content), pitch or width or len(content), launches)


def test_the_last_copy_that_holds_the_result_counts():
    copies = [copied(b"abcdefgh", 1000, 1), copied(b"..abcdefgh", 2000, 2), copied(b"other", 3000, 3)]
    assert element_place._place_of(b"abcdefgh", 5, copies) == (2007, 2)
    assert element_place._place_of(b"nowhere", 1, copies) is None


def test_a_result_may_come_in_parts_and_in_rows_that_are_apart():
    parts = [copied(b"abcd", 1000, 1), copied(b"efgh", 5000, 2)]
    assert element_place._place_of(b"abcdefgh", 5, parts) == (5001, 2)
    rows = [copied(b"abcdefgh", 1000, 1, width=4, pitch=64)]
    assert element_place._place_of(b"abcdefgh", 6, rows) == (1066, 1)


PROGRAM = r"""
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void fill(float* out, float value) {
  out[threadIdx.x] = value * threadIdx.x;
}
int main() {
  float *skipped, *out, result[32];
  cudaMalloc(&skipped, 4096);
  cudaMalloc(&out, sizeof result);
  fill<<<1, 32>>>(out, 1.0f);
  fill<<<1, 32>>>(out, atof(getenv("FACTOR")));
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  FILE* file = fopen(getenv("HPML_DUMP"), "wb");
  fwrite(result, 1, sizeof result, file);
  fclose(file);
}
"""


@pytest.mark.skipif(not (build_dir() / "bin" / "gpusim").exists() or shutil.which("clang") is None, reason="needs gpusim and clang")
def test_the_debugger_begins_in_the_launch_and_at_the_address_of_the_element(tmp_path, capsys):
    source = tmp_path / "fill.cu"
    source.write_text(PROGRAM, encoding="utf-8")
    import subprocess
    subprocess.run(["/usr/bin/python3", ROOT / "tools" / "cuda_compile.py", "--frontend", "clang", "-g", "-o", tmp_path / "fill",
                    source], check=True)
    entry = first_wrong.FirstWrong("A1.correct", "fill", "", {"FACTOR": "3"}, "t4", 32, "float32", "out[7]", 7, "20", "21")
    options = debugging.begin_at(entry, tmp_path / "fill", lambda text: None)
    assert "expected 20, got 21" in capsys.readouterr().out and options[0] == "--ex"
    done = subprocess.run([build_dir() / "bin" / "gpusim", "debug", *options, "--batch", "--", tmp_path / "fill"], check=False,
                          env={"FACTOR": "3", "HPML_DUMP": "/dev/null", "PATH": "/usr/bin"}, capture_output=True, text=True)
    assert "[launch 2: fill" in done.stdout and "thread (7,0,0)" in done.stdout, done.stdout
    assert "out[threadIdx.x] = value * threadIdx.x;" in done.stdout
    assert done.returncode == 0
