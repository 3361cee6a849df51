"""Verdicts of measurements, from made-up samples: a busy machine never costs points, and excuses nothing else."""
import json
import os

import pytest
from hpml_autograder import machine, measuring
from hpml_autograder.case import Case, Run
from hpml_autograder.check import Context
from hpml_autograder.errors import InfraError
from hpml_autograder.harness import scored_files
from hpml_autograder.labspec import load
from hpml_autograder.measuring import Beside
from hpml_autograder.paths import ROOT, find_lab
from hpml_autograder.verdict import Outcome, Verdict, accepted
from hpml_autograder.worker_runs import missing, values, worker_trouble

BANDS = ((0.8, 1.25), (0.6, 1.6))


def times(walls, cpu=None):
    return [{"wall_ns": wall, "cpu_ns": cpu or wall} for wall in walls]


def test_a_quiet_reference_allows_a_verdict_and_a_busy_one_does_not():
    assert measuring.busy(times([1000, 1010, 1020, 1500])) == ""
    assert "unsteady" in measuring.busy(times([1000, 1200, 1300, 1500]))
    assert "waited for the processor" in measuring.busy(times([1300, 1310, 1320, 1330], cpu=1000))


def test_a_crowded_machine_is_named(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1})
    monkeypatch.setattr(os, "getloadavg", lambda: (2.0, 9.0, 9.0))
    assert measuring.crowded() == ""
    monkeypatch.setattr(os, "getloadavg", lambda: (3.0, 0.0, 0.0))
    assert measuring.crowded() == "load 3.0 on 2 processors"


def test_bands_give_full_half_and_nothing():
    verdicts = [measuring.banded(ratio, BANDS, "x", "").verdict for ratio in (0.8, 1.25, 0.7, 1.5, 0.5, 1.7)]
    assert verdicts == [Verdict.AC, Verdict.AC, Verdict.PA, Verdict.PA, Verdict.WA, Verdict.WA]
    assert measuring.banded(1.0, ((2.0, 1e9), (1.5, 1e9)), "your speed", "").detail == \
        "your speed: expected 2 or more, got 1.00"


def test_a_comparison_on_a_busy_machine_is_inconclusive():
    stdout = json.dumps({"valid": True, "ratio": 2.0, "verdict": "valid"})
    assert measuring.paired(stdout, "", lambda ratio: accepted(f"{ratio}")) == accepted("2.0")
    stdout = json.dumps({"valid": False, "ratio": 2.0, "verdict": "stolen"})
    found = measuring.paired(stdout, "", lambda ratio: accepted(""))
    assert found.verdict is Verdict.INC and "(stolen)" in found.detail


def beside(sentence, runs, outputs=("x",) * 2, samples=times([1000] * 8), claim=None):
    found = Beside(list(outputs), runs, {"kernel": samples}, {"kernel": 500.0})
    return measuring.judge_beside(found, lambda texts, found: sentence, claim, "").verdict


@pytest.fixture
def quiet(monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0))


WRONG, PART = Outcome(Verdict.WA), Outcome(Verdict.PA, fraction=0.5)
WAITED, WORKED = times([3000] * 2, cpu=1000), times([1000, 3000], cpu=1000)


@pytest.mark.parametrize("sentence, runs, verdict", [
    ((accepted(""), True), WAITED, Verdict.AC),
    ((WRONG, True), WAITED, Verdict.INC), ((PART, True), WAITED, Verdict.INC),
    ((WRONG, True), WORKED, Verdict.WA),    # one run did not wait, and is as slow
    ((WRONG, False), WAITED, Verdict.WA)])  # waiting makes nothing faster
def test_waiting_excuses_what_is_too_slow_only(sentence, runs, verdict, quiet):
    assert beside(sentence, runs) is verdict


def test_an_unsteady_reference_excuses_and_a_crowd_does(quiet, monkeypatch):
    unsteady = times([1000, 1500, 1500, 1500])
    assert beside((WRONG, False), WORKED, samples=unsteady) is Verdict.INC
    monkeypatch.setattr(os, "getloadavg", lambda: (1e6, 0.0, 0.0))
    assert beside((WRONG, False), WORKED) is Verdict.INC
    assert beside((accepted(""), False), WORKED) is Verdict.AC


def test_a_program_that_never_ends_well_has_no_time(quiet):
    assert beside((accepted(""), False), WORKED, outputs=["", ""]) is Verdict.RE


def test_a_program_that_claims_work_but_had_no_processor_has_not_worked(quiet):
    assert beside((accepted(""), False), times([4, 4]), claim=lambda text: 10.0) is Verdict.WA
    assert beside((accepted(""), False), times([4, 20]), claim=lambda text: 10.0) is Verdict.AC  # the other was held up
    assert beside((accepted(""), False), times([4, 20]), ["x", ""], claim=lambda text: 10.0) is Verdict.WA


def test_a_time_that_a_crowd_made_long_is_no_false_claim(quiet, monkeypatch):
    """Where others have the processor, right programs print times that are many times their processor time."""
    runs, claim = times([40, 40], cpu=4), lambda text: 30.0
    assert beside((WRONG, True), runs, claim=claim) is Verdict.WA
    monkeypatch.setattr(os, "getloadavg", lambda: (1e6, 0.0, 0.0))
    assert beside((WRONG, True), runs, claim=claim) is Verdict.INC
    assert beside((accepted(""), True), runs, claim=claim) is Verdict.WA  # nobody waits into the right time
    assert beside((WRONG, False), runs, claim=claim) is Verdict.WA


def test_the_fastest_call_is_the_reference():
    found = Beside([], [], {"copy": times([50, 20, 30])}, {"copy": 100.0})
    assert (found.fastest("copy"), found.rate("copy")) == (20, 5.0)


def run_of(code, stderr="", stdout=""):
    return Run(Case("lab9_worker", "pair"), "exit", code, stdout, stderr)


def test_what_a_worker_did_wrong_is_said_by_the_program_that_asked_it():
    context = Context(load(find_lab("lab1").lab / "lab.toml"), None, {}, "", "", "sim")
    assert worker_trouble(run_of(0), context) is None
    found = worker_trouble(run_of(4, "noise\nlab9_worker: it answered before it was asked\n"), context)
    assert (found.verdict, found.detail) == (Verdict.PV, "`lab9_worker pair`: it answered before it was asked")
    assert worker_trouble(run_of(5), context).verdict is Verdict.WA
    assert worker_trouble(run_of(1), context).verdict is Verdict.RE


def test_lines_are_numbers_or_none():
    run = run_of(0, stdout="1.5 2\nx\n\n")
    assert values(run)[0] == 1.5 and all(value != value for value in values(run)[1:])
    assert missing(run, "abc", "") is None and missing(run, "ab", "").verdict is Verdict.RE


def test_a_machine_without_the_measuring_program_is_our_fault(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "build_dir", lambda: tmp_path)
    with pytest.raises(InfraError, match="tools/build.sh hpml-bench"):
        machine.hpml_bench("machine")


def test_what_measures_is_part_of_a_scores_identity_and_tests_and_benches_of_the_simulator_are_not():
    lab = find_lab("lab1").lab
    names = {str(path.relative_to(ROOT)) for _, path in scored_files(lab)}
    assert {"common/bench/paired.cpp", "common/worker/host.cpp", "autograder/hpml_autograder/measuring.py",
            f"labs/{lab.name}/judges/worker/main.cpp"} <= names
    names |= {str(path.relative_to(ROOT)) for _, path in scored_files(find_lab("lab3").lab)}
    assert not [name for name in names if "/tests/" in name or name.startswith("simulator/bench/")]
