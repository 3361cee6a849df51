"""Every lab, the whole way: the solution gets everything, the starter its floor, each wrong answer loses what it says. What
a machine measures is no fact about the grader (test_sessions.py and the labs' own tests judge samples that are given): such
a test counts here only where a wrong answer says that it loses it."""
import pytest
from hpml_autograder import wrong_answer
from hpml_autograder.labspec import Test as LabTest
from hpml_autograder.labspec import load
from hpml_autograder.paths import ROOT, find_lab
from hpml_autograder.pipeline import Graded
from hpml_autograder.verdict import Verdict

LABS = [path.parent.name.split("_")[0] for path in sorted((ROOT / "labs").glob("lab*_*/lab.toml"))]
WRONG = [(lab, name) for lab in LABS for name in wrong_answer.names(find_lab(lab))]


def decided(result: Graded, declared=()) -> list[LabTest]:
    """The tests whose outcome is the same on every machine, and those that are declared to be lost."""
    return [test for test in result.tests
            if result.spec.uses("gpusim") or test.kind != "perf" or test.id in declared]


@pytest.mark.parametrize("lab", LABS)
def test_the_solution_gets_every_point(lab, solution_of):
    result = solution_of(lab)
    assert wrong_answer.losses(decided(result), result.outcomes) == {}
    judged = (Verdict.AC, Verdict.PA, Verdict.WA, Verdict.INC)  # the others: it could not even be measured
    assert [test.id for test in result.tests if result.outcomes[test.id].verdict not in judged] == []
    assert sum(test.max_millipoints for test in result.required) == result.spec.total_millipoints


@pytest.mark.parametrize("lab", LABS)
def test_the_starter_gets_its_declared_floor(lab, graded):
    result = graded(lab)
    earned = sum(result.millipoints(test) for test in decided(result))
    assert earned == result.spec.floor_millipoints, wrong_answer.losses(decided(result), result.outcomes)


@pytest.mark.parametrize("lab, name", WRONG)
def test_a_wrong_answer_loses_exactly_what_it_declares(lab, name, graded):
    answer = wrong_answer.load(find_lab(lab), name)
    result = graded(lab, wrong=name, full=answer.full)
    assert wrong_answer.surprises(answer, decided(result, answer.lost), result.outcomes) == []


def test_every_lab_has_wrong_answers():
    assert {lab for lab, _ in WRONG} == set(LABS) == {load(find_lab(lab).lab / "lab.toml").id for lab in LABS}
