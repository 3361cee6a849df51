"""Do the last lines name the failed test, its file, and a command that shows more?"""
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hpml_autograder import labspec
from hpml_autograder.case import Case, Run
from hpml_autograder.countdown import Countdown
from hpml_autograder.graded import Graded
from hpml_autograder.next_step import next_step
from hpml_autograder.paths import find_lab
from hpml_autograder.table import render
from hpml_autograder.verdict import Outcome, Verdict, accepted, wrong

LAB3 = find_lab("lab3")
SPEC = labspec.load(LAB3.lab / "lab.toml")


def graded(runs: dict[Case, Run] | None = None, **of_tests: Outcome) -> Graded:
    """Every test of lab 3 is passed, but those named (with _ for .)."""
    outcomes = {test.id: of_tests.get(test.id.replace(".", "_"), accepted("")) for test in SPEC.test}
    context = SimpleNamespace(built={}, gpu="t4", target="sim", cuda="clang")
    return Graded(SPEC, LAB3, context, [], outcomes, SimpleNamespace(runs=runs or {}), "feedback", "")


def test_full_marks_need_no_next_step():
    assert next_step(graded()) == []


def test_a_wrong_result_names_the_run_to_look_at():
    lines = next_step(graded(B2_correct_one_block=wrong("`vecaddgpu00 1 256 1 --n 1000`: 3 of 1000 elements are wrong"),
                             B2_launch=Outcome(Verdict.SK, "not looked at: B2.correct.one_block must pass first")))
    assert lines == ["Next: B2, labs/lab3_cuda/src/vecaddgpu00.cu: correct what B2.correct.one_block found, above.",
                     'See this run, with every access checked: make lab3 run PROG="vecaddgpu00 1 256 1 --n 1000" CHECK=1',
                     'Step through it, forward and back: make lab3 debug PROG="vecaddgpu00 1 256 1 --n 1000"',
                     "Rerun this test alone: make lab3 test TEST=B2.correct.one_block"]


@pytest.mark.parametrize("verdict, words", [(Verdict.CE, "the first error that the compiler names"), (Verdict.TO, "does not end"),
                                            (Verdict.SG, "crashes"), (Verdict.PV, "not allowed")])
def test_the_advice_follows_the_verdict(verdict, words):
    assert words in next_step(graded(B2_build=Outcome(verdict, "vecaddgpu00")))[0]


def test_a_file_that_does_not_compile_is_next_even_where_its_build_has_no_points():
    lab4 = find_lab("lab4")
    spec = labspec.load(lab4.lab / "lab.toml")
    outcomes = {test.id: accepted("") for test in spec.test} | {
        "E2.build": Outcome(Verdict.CE, "tree_mpi does not compile"), "E2.correct.public": Outcome(Verdict.SK, "E2.build must pass first")}
    lines = next_step(replace(graded(), spec=spec, dirs=lab4, outcomes=outcomes))
    assert lines[0] == "Next: E2, labs/lab4_allreduce/src/tree.cpp: correct the first error that the compiler names, above."


def test_a_counter_is_looked_at_in_the_profile():
    lines = next_step(graded(A2_loads=wrong("`vecadd01 500`: 32.00 sectors")))
    assert lines[1] == "See your counters, line by line: make lab3 profile"


def test_an_exercise_with_nothing_right_begins_with_its_first_step():
    tests = {test.id.replace(".", "_"): wrong("no") for test in SPEC.test if test.exercise == "A2" and test.kind != "build"}
    first = next(exercise.first_step for exercise in SPEC.exercise if exercise.id == "A2")
    assert next_step(graded(**tests))[0].startswith(
        f"Next: A2, labs/lab3_cuda/src/vecaddKernel01.cu: {first}; if you have done that, correct what A2.")


def test_a_test_that_was_run_alone_is_what_to_correct():
    """`TEST=A4.loads`: that no other test of the exercise has points says nothing about the student's file."""
    alone = replace(graded(), outcomes={"A4.build": accepted(""), "A4.loads": wrong("no")})
    assert next_step(alone)[0] == "Next: A4, labs/lab3_cuda/src/matmultKernel01.cu: correct what A4.loads found, above."


def test_what_cannot_be_measured_here_is_no_next_step():
    assert next_step(graded(A2_time=Outcome(Verdict.INC, "busy"))) == []


def test_a_mistake_that_costs_nothing_is_told_all_the_same():
    case = Case("vecaddgpu01", "1 256 1", gpu="t4")
    run = Run(case, "exit", stderr="gpusim: the program ended while a kernel was still running: call cudaDeviceSynchronize() "
                                   "before the end\ngpusim: t4 (auto): 1 kernels\n")
    text = render(graded({case: run, replace(case, args="0 256 1"): replace(run, case=replace(case, args="0 256 1"))}))
    assert text.count("call cudaDeviceSynchronize() before the end") == 1
    assert "Mistakes that cost no points here:" in text and "Mistakes" not in render(graded())


def test_a_series_says_how_long_the_others_may_take():
    now, said = [0.0], []
    countdown = Countdown(30, said.append, lambda: now[0])
    for second in range(30):
        now[0] = second + 1.0
        countdown.ended("vecadd01 500")
    assert said[0] == "2 of 30 runs are done, the last one `vecadd01 500`; about 28 s left" and len(said) == 14
    now[0] += 2.0
    countdown.ended("ring_mpi " + "ring:1000:int " * 30)
    assert len(said[-1]) < 130 and "ring:1000:int ...`" in said[-1]


def test_the_same_error_of_several_programs_of_one_file_is_told_once():
    log = "tree.cpp:22:2: error: expected '}' at end of input"
    built = {name: SimpleNamespace(program=name, path=None, log=log) for name in ("tree_mpi", "tree_smpi")}
    text = render(replace(graded(A2_build=Outcome(Verdict.CE, "no")), context=SimpleNamespace(built=built, gpu="t4", target="sim", cuda="clang")))
    assert text.count(log) == 1 and "What the compiler says about tree_mpi, tree_smpi:" in text
