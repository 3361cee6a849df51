"""What is wrong with metrics.json is an error of the grader; how the file is read is tested in simulator/metrics."""
import json

import pytest
from hpml_autograder import metrics, untrusted
from hpml_autograder.errors import InfraError
from hpml_autograder.metrics import Kernel, load, parse


@pytest.mark.parametrize("table", [{}, {"schema": "gpusim/metrics/v2"}, {"schema": "gpusim/metrics/v1"}])
def test_a_file_that_breaks_the_contract_is_our_fault_not_the_students(table):
    with pytest.raises(InfraError):
        parse(table)


def test_a_file_that_is_cut_off_is_refused(tmp_path):
    path = tmp_path / "metrics.json"
    path.write_text(json.dumps({"schema": "gpusim/metrics/v1"})[:20], encoding="utf-8")
    with pytest.raises(InfraError, match="is not JSON"):
        load(path)


def test_an_unknown_metric_is_named():
    with pytest.raises(InfraError, match="no metric 'nope'"):
        Kernel("k", (1, 1, 1), (1, 1, 1), 1.0, False, {}).metric("nope")


def document(number):
    lists = ("kernels", "memcpy", "memset", "prefetch", "api", "faults", "leaks")
    return {"schema": "gpusim/metrics/v1", "gpu": f"t{number}{'x' * 2000}", "mode": "auto", "unified_memory": {},
            **{name: [] for name in lists}}


def test_documents_of_many_runs_do_not_stay_in_memory_together_and_are_read_again(tmp_path, monkeypatch):
    read = []
    original = metrics._read
    monkeypatch.setattr(metrics, "_read", lambda path: read.append(path.name) or original(path))
    monkeypatch.setattr(metrics, "KEPT_BYTES", 5000)
    found = []
    for number in range(8):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(document(number)), encoding="utf-8")
        found.append(load(path))
    assert sum(size for _, size in metrics._kept._found.values()) <= 5000
    assert [one.gpu for one in found] == [f"t{number}{'x' * 2000}" for number in range(8)]
    assert read[:8] == [f"{number}.json" for number in range(8)] and len(read) == 16
    assert found[7].gpu.startswith("t7") and len(read) == 16


def test_one_that_is_too_long_is_not_read(tmp_path):
    with open(tmp_path / "metrics.json", "wb") as file:
        file.truncate(metrics.MOST_BYTES + 1)
    with pytest.raises(untrusted.TooLong):
        load(tmp_path / "metrics.json")
