"""Verdicts on the printed times of lab 1's programs, from made-up samples."""
import json
import os
from types import SimpleNamespace

import lab1_measured as measured
import pytest
from hpml_autograder.case import Case, Run
from hpml_autograder.measuring import Beside
from hpml_autograder.verdict import Verdict


def samples(walls, cpu=None):
    return [{"wall_ns": wall, "cpu_ns": cpu or wall} for wall in walls]


def line(t: float) -> str:
    n = 1000000
    return f"N: {n} <T>: {t:.9f} sec B: {8 * n / t / 1e9:.6f} GB/sec F: {2 * n / t / 1e9:.6f} GFLOP/sec\nR: 1.0\n"


def test_printed_time_is_compared_with_a_call_of_the_kernel():
    found = Beside([], [], {"kernel": samples([1_000_000] * 8)}, {})
    verdicts = {t: measured.time_scale([line(t)], found) for t in (0.0011, 0.000000035, 0.003)}
    assert verdicts[0.0011][0].verdict is Verdict.AC
    assert (verdicts[0.000000035][0].verdict, verdicts[0.000000035][1]) == (Verdict.WA, False)  # the loop was left out
    assert (verdicts[0.003][0].verdict, verdicts[0.003][1]) == (Verdict.WA, True)  # more than the kernel was timed


def stream_samples(yours: float) -> Beside:
    """The reference's kernels at 10 bytes per ns, the student's `yours` times as fast."""
    names = [*measured.KERNELS, *(measured.YOURS + name for name in measured.KERNELS)]
    return Beside([], [], {name: samples([1000] * 8) for name in names},
                  {name: 10000.0 * (yours if name.startswith(measured.YOURS) else 1) for name in names})


def rates(gb_s: float) -> str:
    return "".join(f"{name}: {gb_s:.3f} GB/s\n" for name in measured.KERNELS) + "Check: 22\n"


@pytest.mark.parametrize("printed, yours, verdict", [
    (10, 1, Verdict.AC), (10, 0.6, Verdict.AC),
    (14, 1.4, Verdict.AC),   # the student's kernel is the faster one: it is the yardstick
    (10, 1.4, Verdict.PA),   # and then the reference's rate is not enough
    (10, 0.1, Verdict.WA),   # a rate that the student's kernel never reaches
    (90, 9, Verdict.WA)])    # faster than the work can be done: not a yardstick
def test_stream_is_measured_by_the_faster_kernel(printed, yours, verdict):
    assert measured.stream_ratio([rates(printed)], stream_samples(yours))[0].verdict is verdict


def test_stream_names_the_kernel_that_is_slow():
    found = stream_samples(yours=1.0)
    text = "Copy: 10.000 GB/s\nScale: 9.500 GB/s\nAdd: 3.000 GB/s\nTriad: 10.000 GB/s\nCheck: 22\n"
    outcome, too_slow = measured.stream_ratio([text], found)
    assert outcome.verdict is Verdict.WA and outcome.detail.startswith("Add: ") and too_slow


@pytest.mark.parametrize("t, runs, verdict", [
    (0.003, samples([3000] * 7, cpu=1000), Verdict.INC),                               # every run waited
    (0.003, samples([1000, *[3000] * 6], cpu=1000), Verdict.WA),                       # one did not, and is as slow
    (0.000000035, samples([3000] * 7, cpu=1000), Verdict.WA),                          # waiting makes nothing faster
    (0.0011, samples([3000] * 7, cpu=1000), Verdict.AC)])
def test_waiting_excuses_what_is_too_slow_only(t, runs, verdict, monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr(measured, "failure", lambda run, context: None)
    found = {"outputs": [line(t)] * 7, "runs": runs, "samples": {"kernel": samples([1_000_000] * 8)}, "units": {}}
    run = SimpleNamespace(stdout=json.dumps(found))
    assert measured.beside(measured.time_scale)(None, None, [run]).verdict is verdict


def test_claims_are_the_times_of_the_rounds_that_are_printed():
    assert measured.dot_claim(line(0.001), 1000000, 20) == pytest.approx(10_000_000)  # ten calls of 1 ms are in the mean alone
    text = "Copy: 8.000 GB/s\nScale: 8.000 GB/s\nAdd: 12.000 GB/s\nTriad: 12.000 GB/s\nCheck: 22\n"
    assert measured.stream_claim(text, 8000, 3) == 3 * (2000 + 2000 + 2000 + 2000)
    run = Run(Case("lab1_worker", "beside dot 1000000 {dp1_kernel} dp {dp1} 1000000 20"), "exit")
    assert measured.claimed_by(measured.dot_claim, run)(line(0.001)) == pytest.approx(10_000_000)
