"""Which runs of the programs a verdict about what they print looks at."""
from types import SimpleNamespace

import pytest
from hpml_autograder.case import Case, Run
from hpml_autograder.verdict import Verdict
import lab1_programs as programs
from lab1_programs import each_program

CONTEXT = SimpleNamespace(spec=SimpleNamespace(limits=SimpleNamespace(wall_s=60)))
TEST = SimpleNamespace(params={"program": "dp1"})


def judged(*runs: Run):
    return each_program(lambda run: run.stdout, "what they print")(TEST, CONTEXT, runs)


def run_of(program: str, state: str = "exit", code: int = 0, printed: str = "") -> Run:
    return Run(Case(program, "1024 2"), state, code, printed)


def test_every_program_that_ends_well_is_looked_at():
    assert judged(run_of("dp1"), run_of("dp2")).verdict is Verdict.AC
    assert judged(run_of("dp1"), run_of("dp2", printed="another R")).verdict is Verdict.WA


def test_how_another_program_ends_is_no_matter_of_this_test():
    assert judged(run_of("dp1"), run_of("dp2", "signal", 11)).checked == "what they print, 1 runs"


@pytest.mark.parametrize("state, code, verdict", [("exit", 1, Verdict.RE), ("signal", 11, Verdict.SG),
                                                  ("timeout", 0, Verdict.TO)])
def test_the_exercises_own_program_must_end_well(state, code, verdict):
    assert judged(run_of("dp2"), run_of("dp1", state, code)).verdict is verdict


def test_a_run_that_failed_through_no_fault_of_the_students_is_not_passed_over():
    assert judged(run_of("dp1"), run_of("dp2", "infra")).verdict is Verdict.XX


def test_without_a_run_that_ends_well_nothing_is_said():
    assert judged(run_of("dp2", "exit", 1)).verdict is Verdict.SK


def test_a_file_of_times_of_many_megabytes_is_not_read(tmp_path):
    path = tmp_path / "dump.bin"
    with open(path, "wb") as file:
        file.truncate(1 << 40)
    run = Run(Case("lab1_worker", "scripted {lab1_clock} 1 {dp1} 10 2"), "exit", dump=path)
    assert "more than 1 MB" in programs.read_times(run)
