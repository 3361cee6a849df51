"""Verdicts of measurements, from made-up samples: a busy machine never costs points."""
import json
from types import SimpleNamespace

import lab1_measured as measured
import pytest
from hpml_autograder.case import Case, Run
from hpml_autograder.verdict import Verdict


def samples(walls, cpu=None):
    return [{"wall_ns": wall, "cpu_ns": cpu or wall} for wall in walls]


def test_a_quiet_reference_allows_a_verdict_and_a_busy_one_does_not():
    assert measured.busy(samples([1000, 1010, 1020, 1500])) == ""
    assert "unsteady" in measured.busy(samples([1000, 1200, 1300, 1500]))
    assert "waited for the processor" in measured.busy(samples([1300, 1310, 1320, 1330], cpu=1000))


def test_a_crowded_machine_is_named(monkeypatch):
    monkeypatch.setattr(measured.os, "sched_getaffinity", lambda process: {0, 1})
    monkeypatch.setattr(measured.os, "getloadavg", lambda: (2.0, 9.0, 9.0))
    assert measured.crowded() == ""
    monkeypatch.setattr(measured.os, "getloadavg", lambda: (3.0, 0.0, 0.0))
    assert measured.crowded() == "load 3.0 on 2 processors"


def test_bands_give_full_half_and_nothing():
    bands = ((0.8, 1.25), (0.6, 1.6))
    verdicts = [measured.banded(ratio, bands, "x", "").verdict for ratio in (0.8, 1.25, 0.7, 1.5, 0.5, 1.7)]
    assert verdicts == [Verdict.AC, Verdict.AC, Verdict.PA, Verdict.PA, Verdict.WA, Verdict.WA]


def line(t: float) -> str:
    n = 1000000
    return f"N: {n} <T>: {t:.9f} sec B: {8 * n / t / 1e9:.6f} GB/sec F: {2 * n / t / 1e9:.6f} GFLOP/sec\nR: 1.0\n"


def test_printed_time_is_compared_with_a_call_of_the_kernel():
    result = {"samples": {"kernel": samples([1_000_000] * 8)}}
    verdicts = {t: measured.time_scale([line(t)], result, "") for t in (0.0011, 0.000000035, 0.003)}
    assert verdicts[0.0011][0].verdict is Verdict.AC
    assert (verdicts[0.000000035][0].verdict, verdicts[0.000000035][1]) == (Verdict.WA, False)  # the loop was left out
    assert (verdicts[0.003][0].verdict, verdicts[0.003][1]) == (Verdict.WA, True)  # more than the kernel was timed


def test_stream_names_the_kernel_that_is_slow():
    result = {"samples": {name: samples([1000] * 8) for name in measured.KERNELS},
              "units": {name: 10000.0 for name in measured.KERNELS}}
    text = "Copy: 10.000 GB/s\nScale: 9.500 GB/s\nAdd: 3.000 GB/s\nTriad: 10.000 GB/s\nCheck: 22\n"
    outcome, too_slow = measured.stream_ratio([text], result, "")
    assert outcome.verdict is Verdict.WA and outcome.detail.startswith("Add: ") and too_slow


@pytest.mark.parametrize("t, runs, verdict", [
    (0.003, samples([3000] * 7, cpu=1000), Verdict.INC),                               # every run waited
    (0.003, samples([1000, *[3000] * 6], cpu=1000), Verdict.WA),                       # one did not, and is as slow
    (0.000000035, samples([3000] * 7, cpu=1000), Verdict.WA),                          # waiting makes nothing faster
    (0.0011, samples([3000] * 7, cpu=1000), Verdict.AC)])
def test_waiting_excuses_what_is_too_slow_only(t, runs, verdict, monkeypatch):
    monkeypatch.setattr(measured.os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr(measured, "failure", lambda run, context: None)
    found = {"outputs": [line(t)] * 7, "runs": runs, "samples": {"kernel": samples([1_000_000] * 8)}}
    run = SimpleNamespace(stdout=json.dumps(found))
    assert measured.beside(measured.time_scale)(None, None, [run]).verdict is verdict


def test_who_says_to_have_worked_but_had_no_processor_has_not():
    run = Run(Case("lab1_worker", "beside dot 1000000 {dp1_kernel} dp {dp1} 1000000 20"), "exit")
    result = {"outputs": [line(0.001)], "runs": [{"wall_ns": 4_000_000, "cpu_ns": 4_000_000}]}  # ten calls of 1 ms are in the mean alone
    assert measured.idle(measured.dot_claim, run, result, "").verdict is Verdict.WA
    result = {"outputs": [line(0.001)] * 2, "runs": [*result["runs"], {"wall_ns": 20_000_000, "cpu_ns": 20_000_000}]}
    assert measured.idle(measured.dot_claim, run, result, "") is None  # the other run was held up
    text = "Copy: 8.000 GB/s\nScale: 8.000 GB/s\nAdd: 12.000 GB/s\nTriad: 12.000 GB/s\nCheck: 22\n"
    assert measured.stream_claim(text, 8000, 3) == 3 * (2000 + 2000 + 2000 + 2000)
