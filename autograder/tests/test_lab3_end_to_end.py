"""The whole way on the simulated GPU: the solution gets everything, the starter its floor, each wrong answer what it says."""
import tomllib
from pathlib import Path

import pytest
from hpml_autograder import record
from hpml_autograder.case import Case, Run
from hpml_autograder.cli import main
from hpml_autograder.pipeline import Graded, Request, grade
from hpml_autograder.score import millipoints

ROOT = Path(__file__).resolve().parents[2]

BAD = sorted((ROOT / "solutions/lab3_cuda/bad").iterdir())
KNOWN: dict[tuple[str, Case], Run] = {}


def graded(tmp_path_factory, **request) -> Graded:
    return grade(Request("lab3", cuda="clang", **request), scratch=tmp_path_factory.mktemp("grade"), known=KNOWN)


@pytest.fixture(scope="module")
def solution(tmp_path_factory) -> Graded:
    return graded(tmp_path_factory, solution=True)


def losses(result: Graded) -> dict[str, tuple[int, str, str]]:
    """test -> (millipoints lost, verdict, message) of everything that did not earn its points."""
    lost = {}
    for test in result.tests:
        outcome = result.outcomes[test.id]
        missing = test.max_millipoints - millipoints(outcome, test.max_millipoints)
        if missing:
            lost[test.id] = (missing, outcome.verdict.value, outcome.detail)
    return lost


def test_the_solution_gets_every_point(solution):
    assert losses(solution) == {}
    assert solution.total == solution.spec.total_millipoints == 100000


def test_the_starter_gets_its_declared_floor(tmp_path_factory):
    result = graded(tmp_path_factory)
    assert result.total == result.spec.floor_millipoints, losses(result)
    assert not result.pending


@pytest.mark.parametrize("folder", BAD, ids=lambda path: path.name)
def test_a_wrong_answer_loses_exactly_what_it_declares(folder, solution, tmp_path_factory):
    result = graded(tmp_path_factory, solution=True, source=folder)
    expected = tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))["lost"]
    lost = losses(result)
    assert {test: (points, verdict) for test, (points, verdict, _) in lost.items()} == {
        test: (points, verdict) for test, (points, verdict, _) in expected.items()}, lost
    for test, (_, _, words) in expected.items():
        assert words in lost[test][2]


def test_the_record_is_the_same_bytes_from_two_gradings(solution, tmp_path_factory):
    again = grade(Request("lab3", cuda="clang", solution=True), scratch=tmp_path_factory.mktemp("again"))
    first, second = (record.make_record(one, {"attempt": number}) for number, one in enumerate((solution, again)))
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
def test_a_broken_program_gets_a_verdict(tmp_path, tmp_path_factory, monkeypatch, body, verdict, words):
    source = write_submission(tmp_path, "vecaddcpu.cpp", f"#include <stdio.h>\nint main() {{ {body} }}\n")
    from hpml_autograder import runner
    limits = runner.process.ProcessLimits(wall_s=2, cpu_s=20, fsize_bytes=1 << 20, output_bytes=1 << 16)
    monkeypatch.setattr(runner.Runner, "_limits", lambda self: limits)
    result = graded(tmp_path_factory, source=source, only="B1.correct.public")
    outcome = result.outcomes["B1.build" if verdict == "CE" else "B1.correct.public"]
    assert outcome.verdict.value == verdict and words in outcome.detail


@pytest.mark.parametrize("arguments, status", [(["test", "lab9"], 2), (["test", "lab3", "--gpu", "gtx"], 2), ([], 2),
                                               (["test", "lab3", "--test", "B9"], 2),
                                               (["test", "lab3", "--source", "/nonexistent"], 2)])
def test_a_wrong_command_line_is_exit_code_2(arguments, status, capsys):
    assert main(arguments) == status
    assert "Traceback" not in capsys.readouterr().err


def test_a_missing_file_costs_only_its_exercise_and_is_named(tmp_path, tmp_path_factory, monkeypatch):
    from hpml_autograder import staging
    plain = staging.stage

    def without_cpu(directory, dirs, files):
        place = plain(directory, dirs, files)
        (place.src / "vecaddcpu.cpp").unlink()
        return place

    monkeypatch.setattr("hpml_autograder.pipeline.staging.stage", without_cpu)
    result = graded(tmp_path_factory, only="B1.build")
    assert "vecaddcpu.cpp is missing" in result.outcomes["B1.build"].detail
