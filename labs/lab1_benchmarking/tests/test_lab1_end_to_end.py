"""The whole way: the solution gets everything, the starter its floor, each wrong answer loses what it says. What a
machine measures here is no fact about the grader: test_lab1_measured.py judges samples that are given, and a ratio counts
below only where a wrong answer says that it loses it."""
import pytest
from hpml_autograder import wrong_answer
from hpml_autograder.case import Case, Run
from hpml_autograder.labspec import Test as LabTest
from hpml_autograder.paths import find_lab
from hpml_autograder.pipeline import Graded, Request, grade
from hpml_autograder.verdict import Verdict

DIRS = find_lab("lab1")
MEASURED = (Verdict.AC, Verdict.PA, Verdict.WA, Verdict.INC)
KNOWN: dict[tuple[str, Case], Run] = {}


def graded(tmp_path_factory, **request) -> Graded:
    return grade(Request("lab1", **request), scratch=tmp_path_factory.mktemp("grade"), known=KNOWN)


def unmeasured(result: Graded, but=()) -> list[LabTest]:
    return [test for test in result.tests if test.kind != "perf" or test.id in but]


def test_the_solution_gets_every_point(tmp_path_factory):
    result = graded(tmp_path_factory, solution=True)
    assert wrong_answer.losses(unmeasured(result), result.outcomes) == {}
    unable = [test.id for test in result.tests if result.outcomes[test.id].verdict not in MEASURED]
    assert unable == [], "a ratio can be bad luck, but it was there"


def test_the_starter_gets_its_declared_floor(tmp_path_factory):
    result = graded(tmp_path_factory)
    earned = sum(result.millipoints(test) for test in unmeasured(result))
    assert earned == result.spec.floor_millipoints, wrong_answer.losses(result.tests, result.outcomes)


@pytest.mark.parametrize("name", wrong_answer.names(DIRS))
def test_a_wrong_answer_loses_exactly_what_it_declares(name, tmp_path_factory):
    answer = wrong_answer.load(DIRS, name)
    result = graded(tmp_path_factory, wrong=name, full=answer.full)
    assert wrong_answer.surprises(answer, unmeasured(result, answer.lost), result.outcomes) == []
