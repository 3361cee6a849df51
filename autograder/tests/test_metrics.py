"""What is wrong with metrics.json is an error of the grader; how the file is read is tested in simulator/metrics."""
import json

import pytest
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
