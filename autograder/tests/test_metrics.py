"""metrics.json is read as its contract says, or refused."""
import copy
import json

import pytest
from hpml_autograder.errors import InfraError
from hpml_autograder.metrics import load, parse

GOOD = {"schema": "gpusim/metrics/v1", "gpu": "t4", "kernels": [
    {"name": "_Z3add", "demangled": "add(float*)", "grid": [2, 1, 1], "block": [32, 1, 1], "duration_us": 1.5,
     "sampled": False, "metrics": {"m": 3}}],
    "memcpy": [{"kind": "HtoD", "bytes": 8, "duration_us": 3}], "unified_memory": {}, "leaks": [{"bytes": 4}],
    "api": [{"name": "cudaMalloc", "start_us": 1, "duration_us": 2, "result": "cudaSuccess"}]}


def test_the_views_hold_what_the_file_says():
    metrics = parse(GOOD)
    assert metrics.kernels[0].name == "add(float*)" and metrics.kernels[0].grid == (2, 1, 1)
    assert metrics.total("m") == 3 and metrics.leaks == (4,) and len(metrics.calls("cudaMalloc")) == 1


@pytest.mark.parametrize("key, value", [("schema", "gpusim/metrics/v2"), ("kernels", [{}]), ("kernels", 7),
                                        ("api", [{"name": "x"}]), ("unified_memory", None)])
def test_a_file_that_breaks_the_contract_is_our_fault_not_the_students(key, value):
    table = copy.deepcopy(GOOD) | {key: value}
    with pytest.raises(InfraError):
        parse(table)


def test_an_unknown_metric_is_named():
    with pytest.raises(InfraError, match="no metric 'nope'"):
        parse(GOOD).kernels[0].metric("nope")


def test_a_cut_off_file_is_refused(tmp_path):
    path = tmp_path / "metrics.json"
    path.write_text(json.dumps(GOOD)[:50], encoding="utf-8")
    with pytest.raises(InfraError):
        load(path)
