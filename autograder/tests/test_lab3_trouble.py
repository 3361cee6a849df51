"""Lab 3 where it is not as the student means it: the same record twice, programs that do not end, wrong command lines."""
from pathlib import Path

import pytest
from hpml_autograder import record
from hpml_autograder.cli import main
from hpml_autograder.pipeline import Request, grade


@pytest.mark.xdist_group("grading lab3")  # whose process has graded the solution
def test_a_test_has_the_same_record_whatever_else_is_graded(solution_of, tmp_path_factory):
    """Every seventh test, graded again without the others: its entry is the same bytes."""
    first = solution_of("lab3")
    some = [test.id for test in first.tests][::7]
    again = grade(Request("lab3", cuda="clang", solution=True, only=",".join(some)), scratch=tmp_path_factory.mktemp("again"))
    entries = [{entry["id"]: record.canonical(entry) for entry in record.make_record(one, {})["tests"]} for one in (first, again)]
    assert {name: entries[1][name] for name in some} == {name: entries[0][name] for name in some}


@pytest.mark.xdist_group("grading lab3")
def test_the_record_is_the_same_bytes_from_two_gradings(solution_of, tmp_path_factory):
    again = grade(Request("lab3", cuda="clang", solution=True), scratch=tmp_path_factory.mktemp("again"))
    first, second = (record.make_record(one, {"attempt": number}) for number, one in enumerate((solution_of("lab3"), again)))
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
    monkeypatch.setattr(runner.Runner, "limits", lambda self: limits)
    result = graded("lab3", source=source, only="B1.correct.public")
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

    def without_cpu(*arguments, **more):
        place = plain(*arguments, **more)
        (place.src / "vecaddcpu.cpp").unlink()
        return place

    monkeypatch.setattr("hpml_autograder.staging.stage", without_cpu)
    result = graded("lab3", only="B1.build")
    assert "vecaddcpu.cpp is missing" in result.outcomes["B1.build"].detail


def test_a_simulator_that_does_not_start_is_no_fault_of_the_program(tmp_path, monkeypatch):
    from hpml_autograder.backends import gpusim
    monkeypatch.setattr(gpusim, "simulator_paths", lambda: (gpusim.find_gpusim(), gpusim.build_dir() / "lib"))  # no GPUs
    found = [grade(Request("lab3", cuda="clang", solution=True, only="B2.correct.one_block", trusted=trusted, feedback=True),
                   scratch=tmp_path / str(trusted)).outcomes["B2.correct.one_block"] for trusted in (False, True)]
    assert {outcome.verdict.value for outcome in found} == {"XX"}
    assert all("the simulator does not work here: gpusim: --gpu: error: no GPU 't4'" in outcome.detail for outcome in found)


def test_a_program_that_says_what_a_broken_simulator_says_is_at_fault(tmp_path):
    text = '#include <stdio.h>\nint main() { fputs("gpusim: --gpu: error: no GPU \'t4\'", stderr); return 2; }\n'
    graded = grade(Request("lab3", source=write_submission(tmp_path, "vecaddgpu00.cu", text), cuda="clang",
                           only="B2.correct.one_block"), scratch=tmp_path / "scratch")
    assert graded.outcomes["B2.correct.one_block"].verdict.value == "RE"


@pytest.mark.parametrize("text", ['#include <stdio.h>\nint main(int, char** argv) { fputs(argv[0], stderr); return 7; }\n',
                                  'asm(".incbin \\"/nowhere\\"");\nint main() { return 0; }\n'])
def test_a_reason_does_not_depend_on_where_it_was_graded(text, tmp_path):
    source = write_submission(tmp_path, "vecaddcpu.cpp", text)
    first, second = (grade(Request("lab3", source=source, cuda="clang", only="B1.correct.public"), scratch=tmp_path / name).outcomes
                     for name in ("one", "another"))
    assert first == second and any(outcome.detail for outcome in first.values())
