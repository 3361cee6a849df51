"""A record says whether its score may stand: asked of the back ends, assumed of none."""
from dataclasses import replace

import pytest
from hpml_autograder import labspec, trust
from hpml_autograder.backends import KINDS, Backends, Counted, Setup
from hpml_autograder.case import Case
from hpml_autograder.labspec import Program
from hpml_autograder.paths import find_lab

LAB3 = labspec.load(find_lab("lab3").lab / "lab.toml")
PERF = next(test for test in LAB3.test if test.kind == "perf")
CORRECT = next(test for test in LAB3.test if test.kind == "correct")


def standing(backend: str, test, trusted: bool = True, program: Program | None = None) -> str:
    own = program or Program("own", backend, ("own.cpp",))
    spec = replace(LAB3, program=(own, Program("student", backend, ("own.cpp",))))
    backends = Backends(spec, Setup(gpu="t4", cuda="clang", trusted=trusted))
    return trust.standing(trusted, [test], {test.id: [Case("own", "{student}" if own.is_tool else "1", ranks=2)]}, backends)


@pytest.mark.parametrize("backend", ["native", "mpi", "smpi"])
def test_what_a_students_program_counts_of_itself_never_gets_the_standing_of_a_record(backend):
    assert standing(backend, PERF) == "feedback"


@pytest.mark.parametrize("backend", sorted(KINDS))
def test_a_result_that_the_judge_compares_with_its_own_may_come_from_any_back_end(backend):
    assert standing(backend, CORRECT) == "record"


@pytest.mark.parametrize("backend", ["native", "mpi"])
def test_the_time_of_whole_runs_is_the_graders_own_measurement(backend):
    assert standing(backend, replace(PERF, params={"figures": "elapsed"})) == "record"


def test_counters_of_the_simulated_gpu_stand_where_they_come_from_the_replay():
    assert standing("gpusim", PERF) == "record"
    assert standing("gpusim", PERF, trusted=False) == standing("gpusim", CORRECT, trusted=False) == "feedback"


def test_a_worker_of_the_graders_measures_from_outside():
    assert standing("native", PERF, program=Program("own", "native")) == "record"


@pytest.mark.parametrize("target, own, counted", [("sim", True, Counted.INSIDE), ("sim", False, Counted.OUTSIDE),
                                                  ("gpu", True, Counted.NOWHERE)])
def test_untrusted_runs_on_the_simulated_gpu_are_counted_inside_the_program(target, own, counted):
    spec = replace(LAB3, program=(Program("own", "gpusim", ("own.cu",) if own else (), () if own else ("given.cu",)),))
    assert Backends(spec, Setup(gpu="t4", target=target)).of("own").counted(Case("own", "")) is counted


def test_the_records_word_for_trust_is_that_of_the_back_ends_that_count():
    backends = Backends(LAB3, Setup(gpu="t4", cuda="clang", trusted=True))
    assert trust.metrics_trust(backends) == "replay"
    lab1 = labspec.load(find_lab("lab1").lab / "lab.toml")
    assert trust.metrics_trust(Backends(lab1, Setup(trusted=True))) == "in_process"
