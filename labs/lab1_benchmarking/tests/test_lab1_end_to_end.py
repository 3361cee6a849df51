"""The whole way: the solution gets everything, the starter its floor, each wrong answer loses what it says."""
import tomllib

import pytest
from hpml_autograder.case import Case, Run
from hpml_autograder.paths import find_lab
from hpml_autograder.pipeline import Graded, Request, grade
from hpml_autograder.score import millipoints
from hpml_autograder.verdict import Verdict

DIRS = find_lab("lab1")
BAD = sorted((DIRS.solution / "bad").iterdir())
KNOWN: dict[tuple[str, Case], Run] = {}


def graded(tmp_path_factory, **request) -> Graded:
    return grade(Request("lab1", **request), scratch=tmp_path_factory.mktemp("grade"), known=KNOWN)


def losses(result: Graded) -> dict[str, tuple[int, str, str]]:
    """test -> (millipoints lost, verdict, message) of everything that did not earn its points.

    A measurement that a busy machine leaves without a verdict is no loss: its points are pending."""
    lost = {}
    for test in result.tests:
        outcome = result.outcomes[test.id]
        if test.kind == "perf" and outcome.verdict is Verdict.INC:
            continue
        missing = test.max_millipoints - millipoints(outcome, test.max_millipoints)
        if missing:
            lost[test.id] = (missing, outcome.verdict.value, outcome.detail)
    return lost


def test_the_solution_gets_every_point(tmp_path_factory):
    assert losses(graded(tmp_path_factory, solution=True)) == {}


def test_the_starter_gets_its_declared_floor(tmp_path_factory):
    result = graded(tmp_path_factory)
    assert result.total == result.spec.floor_millipoints, losses(result)


@pytest.mark.parametrize("folder", BAD, ids=lambda path: path.name)
def test_a_wrong_answer_loses_exactly_what_it_declares(folder, tmp_path_factory):
    declared = tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))
    result = graded(tmp_path_factory, solution=True, source=folder, full=declared.get("full", False))
    lost = losses(result)
    pending = {test for test in declared["lost"] if result.outcomes[test].verdict is Verdict.INC}
    wanted = {test: loss for test, loss in declared["lost"].items() if test not in pending}
    assert {test: (points, verdict) for test, (points, verdict, _) in lost.items()} == {
        test: (points, verdict) for test, (points, verdict, _) in wanted.items()}, lost
    for test, (_, _, words) in wanted.items():
        assert words in lost[test][2]
