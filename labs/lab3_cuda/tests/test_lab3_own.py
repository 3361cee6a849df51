"""The judges of the bonus C4, on records made by hand; and the grader on hand-ins that leave it out."""
import dataclasses
import tomllib
from pathlib import Path
from types import SimpleNamespace

import lab3_conv as conv
import lab3_own as own
import numpy
import pytest
from hpml_autograder import traffic
from hpml_autograder.case import Case, Run
from hpml_autograder.metrics import Kernel, Metrics
from hpml_autograder.verdict import Verdict

LAB = Path(__file__).resolve().parents[1]
SHAPE = "3,128,128,8,3,3,1"
TEST = SimpleNamespace(shapes=(SHAPE,), params={"gpus": ["k80", "v100"], "knots": [[1.1, 0.0], [1.4, 1.0]], "program": "convolution4"})
SLOW_COURSE = {f"convolution --only 2 --shape {SHAPE}": [1.0]}  # milliseconds
LOADS = own.SHARED_LOADS


def kernel(name="k", us=100.0, **counters) -> Kernel:
    work = {f"smsp__sass_thread_inst_executed_op_{op}_pred_on.sum": counters.pop(op, 0.0) for op in ("dfma", "dmul")}
    moved = {traffic.SECTORS.format(f"global_op_{op}"): 1e6 for op in ("ld", "st")} | {traffic.REGISTERS: 1e6}
    return Kernel(name, (1, 1, 1), (32, 1, 1), us, False, {**dict.fromkeys(traffic.COUNTERS, 0.0), **moved, **work, **counters})


def metrics(*kernels: Kernel) -> Metrics:
    return Metrics("k80", kernels, (), (), {}, ())


def runs(tiled_us, own_us, tiled_loads=100.0, own_loads=50.0) -> list[Run]:
    """For each GPU C2 and C4, which launches two kernels, twice."""
    return [run for gpu in TEST.params["gpus"] for run in (
        Run(Case("convolution", f"--only 2 --shape {SHAPE}", gpu=gpu), "exit",
            metrics=metrics(kernel(us=1.0), kernel(us=tiled_us, **{LOADS: tiled_loads}))),
        Run(Case("convolution4", f"--shape {SHAPE}", gpu=gpu), "exit",
            metrics=metrics(*[kernel(name, own_us / 2, **{LOADS: own_loads / 2}) for name in "abab"])))]


@pytest.fixture
def context(tmp_path, monkeypatch):
    monkeypatch.setattr(own.reference, "read", lambda gpu, compiler: SLOW_COURSE)
    return SimpleNamespace(src=tmp_path, cuda="clang", spec=SimpleNamespace(limits=SimpleNamespace(wall_s=1)), run_seed=lambda run: 5)


@pytest.fixture
def timed_is_right(monkeypatch):
    monkeypatch.setattr(own.conv, "wrong_output", lambda run, work: "")


def answer(context, technique="register_blocking", counter=LOADS):
    (context.src / "answers.toml").write_text(f'schema = "hpml.lab3.answers/v1"\n[bonus]\ntechnique = "{technique}"\n'
                                              f'counter = "{counter}"\n', encoding="utf-8")


@pytest.mark.usefixtures("timed_is_right")
@pytest.mark.parametrize("tiled_us, own_us, fraction", [(140, 100, 1.0), (125, 100, 0.5), (110, 100, 0.0), (100, 200, 0.0)])
def test_the_points_are_those_of_the_speedup_over_c2(context, tiled_us, own_us, fraction):
    found = own.judge_time(TEST, context, runs(tiled_us, own_us))
    assert found.fraction == pytest.approx(fraction)
    assert found.verdict is (Verdict.AC if fraction == 1 else Verdict.PA if fraction else Verdict.WA)
    assert fraction == 1 or f"{tiled_us / own_us:.2f} times as fast" in found.detail


@pytest.mark.parametrize("program", ["convolution", "convolution4"])
def test_what_is_wrong_where_it_is_timed_is_not_fast(context, monkeypatch, program):
    """Another GPU than that of the comparisons, and another size: a program knows which it runs on."""
    planned = own.plan_beside(TEST, context)
    assert {case.gpu for case in planned} == {"k80", "v100"} and all(case.dump for case in planned)
    monkeypatch.setattr(own.conv, "wrong_output", lambda run, work:
                        "7 elements are wrong" if (run.case.program, run.case.gpu) == (program, "v100") else "")
    answer(context)
    for judge in (own.judge_time, own.judge_technique):
        found = judge(TEST, context, runs(140, 100))
        assert found.verdict is Verdict.WA and f"`{program} " in found.detail and "on v100: 7 elements" in found.detail


@pytest.mark.usefixtures("timed_is_right")
def test_a_slow_c2_gains_nothing(context, monkeypatch):
    monkeypatch.setattr(own.reference, "read", lambda gpu, compiler: {next(iter(SLOW_COURSE)): [0.5, 0.1]})
    found = own.judge_time(TEST, context, runs(500, 100))
    assert found.verdict is Verdict.WA and "the course's C2, which is faster than yours, takes 100.0 us" in found.detail


@pytest.mark.usefixtures("timed_is_right")
@pytest.mark.parametrize("changes, loads, words", [
    ({}, 80, ""), ({}, 81, "is 81, of C2 100; with register_blocking it is at most 0.8 times as many"),
    ({"technique": "magic"}, 50, "technique = 'magic' is none of register_blocking"),
    ({"technique": "im2col"}, 50, "does not show im2col")])
def test_the_counter_that_is_named_has_to_show_the_technique(context, changes, loads, words):
    answer(context, **changes)
    found = own.judge_technique(TEST, context, runs(100, 100, 100, loads))
    assert (found.verdict is Verdict.AC) == (not words) and words in found.detail


@pytest.mark.usefixtures("timed_is_right")
def test_a_counter_that_has_to_grow_has_to_grow(context):
    answer(context, "im2col", own.REQUESTS[1])
    for written, verdict in ((125.0, Verdict.AC), (120.0, Verdict.WA)):
        pairs = runs(100, 100)
        for run, value in zip(pairs, (100.0, written) * 2):
            for one in run.metrics.kernels:
                one.metrics[own.REQUESTS[1]] = value / (2 if run.case.program == "convolution4" else 1)
        assert own.judge_technique(TEST, context, pairs).verdict is verdict


def test_the_timed_pass_makes_all_products_by_the_kernels_of_the_warm_up():
    s = conv.Shape(1, 4, 4, 1, 3, 3, 1)
    whole = kernel("k", dfma=float(conv.products(s)))
    assert own.own_work(metrics(whole, whole), s) == ""
    assert "the launches that are timed make 0 multiplications, 144 are needed" in own.own_work(metrics(whole, kernel("k")), s)
    for launches in ((), (whole,), (whole, kernel("other"))):
        assert "expected the same launches twice" in own.own_work(metrics(*launches), s)
    library = dataclasses.replace(whole, library=True)
    assert "it calls cuDNN" in own.own_work(metrics(library, library), s)


@pytest.mark.parametrize("changes, verdict", [({}, Verdict.SK), ({"metrics": metrics(kernel())}, Verdict.WA),
                                              ({"code": 1}, Verdict.RE)])
def test_a_file_that_was_not_touched_is_no_attempt(context, tmp_path, changes, verdict):
    dump = tmp_path / "dump"
    numpy.full(8 * 8, numpy.nan).tofile(dump)
    case = Case("convolution4", "--shape 1,8,8,1,3,3,1")
    run = Run(case, "exit", stdout="nan,0.000\n", metrics=metrics(), dump=dump)
    assert own.judge(TEST, context, [dataclasses.replace(run, **changes)]).verdict is verdict


def test_the_handout_says_what_is_graded():
    handout = (LAB / "README.md").read_text(encoding="utf-8")
    tests = {test["id"]: test for test in tomllib.loads((LAB / "lab.toml").read_text(encoding="utf-8"))["test"]}
    (least, _), (most, _) = tests["C4.time"]["params"]["knots"]
    assert f"C4: {most} times as fast" in handout and f"nothing below {least}" in handout
    assert f"at most {own.FEWER} times C2's" in handout and f"at least {own.MORE} times" in handout
    listed = (LAB / "src/answers.toml").read_text(encoding="utf-8")
    for technique in own.TECHNIQUES:
        assert f"| `{technique}` |" in handout and technique in listed


def test_a_launch_that_was_given_the_time_of_another_earns_nothing():
    """Very many launches before it would decide what it takes."""
    right = traffic.untimed([kernel(), dataclasses.replace(kernel(), sampled=True, sampled_fraction=0.1)])
    taken = traffic.untimed([kernel(), dataclasses.replace(kernel("late"), sampled=True, sampled_fraction=0.0)])
    assert right == "" and "a launch of late was not timed" in taken
