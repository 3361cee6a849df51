"""What a replay's report means for the run it belongs to."""
import json
from types import SimpleNamespace

import pytest
from hpml_autograder.backends import gpusim
from hpml_autograder.case import Case, Run
from hpml_autograder.check import trouble
from hpml_autograder.errors import InfraError
from hpml_autograder.metrics import ApiCall
from hpml_autograder.replay import load
from hpml_autograder.verdict import Verdict

HONEST = {"schema": "gpusim/replay/v1", "problem": "", "complete": True, "too_large": False, "unrepeatable": "",
          "mismatches": 0, "foreign_bytes": 0, "ambiguous": 0, "check_errors": 0, "alike": True, "transfers": []}


def verdict_of(tmp_path, **changes):
    report = tmp_path / "report.json"
    report.write_text(json.dumps(HONEST | changes), encoding="utf-8")
    state, problem = load(report, tmp_path).verdict
    outcome = trouble(Run(Case("program", "1"), state, problem=problem), 10)
    return outcome.verdict if outcome else Verdict.AC, outcome.detail if outcome else ""


def test_an_honest_run_has_no_trouble(tmp_path):
    assert verdict_of(tmp_path) == (Verdict.AC, "")


@pytest.mark.parametrize("changes, verdict, word", [
    ({"problem": "a copy of an impossible shape"}, Verdict.PV, "impossible shape"),
    ({"mismatches": 1}, Verdict.PV, "something else"),
    ({"mismatches": 1, "foreign_bytes": 400}, Verdict.PV, "400 other bytes"),
    ({"complete": False}, Verdict.RE, "without coming to its end"),
    ({"complete": False, "too_large": True}, Verdict.OL, "")])
def test_a_run_that_cannot_be_done_again_earns_nothing(tmp_path, changes, verdict, word):
    found, detail = verdict_of(tmp_path, **changes)
    assert found is verdict and word in detail


def test_work_of_a_library_that_cannot_be_done_again_is_pending_and_named(tmp_path):
    found, detail = verdict_of(tmp_path, complete=False, unrepeatable="cublasSgemm_v2")
    assert found is Verdict.INC and "cannot be graded for record: it uses cublasSgemm_v2" in detail


def test_such_a_call_does_not_hide_results_that_differ(tmp_path):
    assert verdict_of(tmp_path, complete=False, unrepeatable="cublasSgemm_v2", mismatches=1)[0] is Verdict.PV


@pytest.mark.parametrize("damage", [{"schema": "gpusim/replay/v2"}, {"mismatches": None}, {"transfers": 7}])
def test_a_report_that_is_none_is_our_fault(tmp_path, damage):
    with pytest.raises(InfraError):
        verdict_of(tmp_path, **damage)


@pytest.mark.parametrize("calls, named", [(["cudaMalloc", "cudaCreateTextureObject"], "cudaCreateTextureObject"), (["cudaMalloc"], "")])
def test_calls_that_a_recording_does_not_hold_are_named(monkeypatch, tmp_path, calls, named):
    monkeypatch.setattr(gpusim.metrics, "load", lambda file: SimpleNamespace(api=[ApiCall(name, 1.0, "cudaSuccess") for name in calls]))
    assert gpusim._unrecorded(tmp_path) == named
