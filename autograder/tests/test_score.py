"""Points are whole millipoints and pure functions of the verdicts."""
import pytest
from hpml_autograder.labspec import Test as LabTest
from hpml_autograder.score import gate, interpolate, millipoints
from hpml_autograder.verdict import Outcome, Verdict


@pytest.mark.parametrize("x, fraction", [(0.0, 0.0), (0.25, 0.0), (0.625, 0.5), (1.0, 1.0), (9.0, 1.0)])
def test_knots_are_joined_by_straight_lines_and_flat_outside(x, fraction):
    assert interpolate([(0.25, 0.0), (1.0, 1.0)], x) == fraction


def test_a_part_is_rounded_down_to_ten_millipoints():
    assert millipoints(Outcome(Verdict.PA, fraction=2 / 3), 1000) == 660
    assert millipoints(Outcome(Verdict.PA, fraction=1.5), 1000) == 1000


@pytest.mark.parametrize("verdict", [v for v in Verdict if v not in (Verdict.AC, Verdict.PA)])
def test_only_accepted_work_earns_points(verdict):
    assert millipoints(Outcome(verdict, fraction=1.0), 1000) == 0


def test_a_failed_prerequisite_skips_and_a_pending_one_keeps_pending():
    test = LabTest("t", "B1", "perf", "public", 100, "sum", requires=("a",))
    assert gate(test, {"a": Outcome(Verdict.AC)}) is None
    assert gate(test, {"a": Outcome(Verdict.WA)}).verdict is Verdict.SK
    assert gate(test, {"a": Outcome(Verdict.PA)}).verdict is Verdict.SK
    assert gate(test, {"a": Outcome(Verdict.XX)}).verdict is Verdict.INC
