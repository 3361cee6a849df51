"""Every lab, the whole way: the solution gets everything, the starter its floor, a wrong answer loses what it says. What
a machine measures is no fact about the grader (test_sessions.py and the labs' own tests judge samples that are given): such
a test counts here only where a wrong answer says that it loses it."""
import shutil

import pytest
from hpml_autograder import wrong_answer
from hpml_autograder.labspec import Test as LabTest
from hpml_autograder.labspec import load
from hpml_autograder.paths import ROOT, find_lab, known_gpus
from hpml_autograder.pipeline import Graded
from hpml_autograder.verdict import Verdict

LABS = [path.parent.name.split("_")[0] for path in sorted((ROOT / "labs").glob("lab*_*/lab.toml"))]
SPECS = {lab: load(find_lab(lab).lab / "lab.toml") for lab in LABS}
has_nvcc = pytest.mark.skipif(shutil.which("nvcc", path="/usr/bin:/usr/local/cuda/bin") is None, reason="no nvcc here")


def measures(lab: str, name: str) -> bool:
    """Whether a wrong answer must lose a test that measures this machine (and is not merely skipped)."""
    lost = wrong_answer.load(find_lab(lab), name).losses()
    measured = {test.id for test in SPECS[lab].test if SPECS[lab].measures(test)}
    return any(loss.verdict != Verdict.SK.value for test, loss in lost.items() if test in measured)


def of_lab(lab: str, *more: str, measured: bool = False):
    """One process grades all that is graded of a lab, and keeps the runs that hand-ins share."""
    marks = [pytest.mark.xdist_group(f"grading {lab}"), *[pytest.mark.alone] * measured]
    return pytest.param(lab, *more, id="-".join((lab, *more)), marks=marks)


EVERY_LAB = [of_lab(lab) for lab in LABS]
SIMULATED = [of_lab(lab) for lab in LABS if SPECS[lab].uses("gpusim")]
WRONG = [of_lab(lab, name, measured=measures(lab, name)) for lab in LABS for name in wrong_answer.names(find_lab(lab))]


def telling(lab: str) -> list[str]:
    """Wrong answers that together lose every test that any of the lab loses: each time the one that adds most to those before."""
    loses = {}
    for name in wrong_answer.names(find_lab(lab)):
        answer = wrong_answer.load(find_lab(lab), name)
        shown = wrong_answer.shows_it(answer, SPECS[lab].test)
        loses[name] = {test for test in shown if test in answer.lost}
    left, chosen = set().union(*loses.values()), []
    while left:
        chosen.append(max(loses, key=lambda name: (len(loses[name] & left), -len(loses[name]))))
        left -= loses[chosen[-1]]
    return sorted(chosen)


TELLING = [of_lab(lab, name, measured=measures(lab, name)) for lab in LABS for name in telling(lab)]


def decided(result: Graded, declared=()) -> list[LabTest]:
    """The tests whose outcome is the same on every machine, and those that are declared to be lost."""
    return [test for test in result.tests
            if not result.spec.measures(test) or test.id in declared]


@pytest.mark.parametrize("lab", EVERY_LAB)
def test_the_solution_gets_every_point(lab, solution_of):
    result = solution_of(lab)
    assert wrong_answer.losses(decided(result), result.outcomes) == {}
    judged = (Verdict.AC, Verdict.PA, Verdict.WA, Verdict.INC)  # the others: it could not even be measured
    assert [test.id for test in result.tests if result.outcomes[test.id].verdict not in judged] == []
    assert sum(test.max_millipoints for test in result.required) == result.spec.total_millipoints


@pytest.mark.parametrize("lab", EVERY_LAB)
def test_the_starter_gets_its_declared_floor(lab, graded):
    result = graded(lab)
    earned = sum(result.millipoints(test) for test in decided(result))
    assert earned == result.spec.floor_millipoints, wrong_answer.losses(decided(result), result.outcomes)


@pytest.mark.parametrize("lab, name", WRONG)
def test_a_wrong_answer_loses_exactly_what_it_declares(lab, name, graded):
    answer = wrong_answer.load(find_lab(lab), name)
    result = graded(lab, wrong=name, full=answer.full)
    assert wrong_answer.surprises(answer, decided(result, answer.lost), result.outcomes) == []


@pytest.mark.parametrize("lab, name", TELLING)
def test_a_wrong_answer_is_seen(lab, name, graded):
    """The tests that it declares to lose, and one that it must keep."""
    answer = wrong_answer.load(find_lab(lab), name)
    shown = wrong_answer.shows_it(answer, SPECS[lab].test)
    result = graded(lab, wrong=name, full=answer.full, only=",".join(shown))
    required = [test for test in decided(result, answer.lost) if test.id in shown or test.id not in answer.lost]
    assert wrong_answer.surprises(answer, required, result.outcomes) == []


@has_nvcc
@pytest.mark.parametrize("lab, name", [param for param in WRONG if SPECS[param.values[0]].uses("gpusim")])
def test_with_nvcc_a_wrong_answer_loses_exactly_what_it_declares(lab, name, graded):
    answer = wrong_answer.load(find_lab(lab), name)
    result = graded(lab, wrong=name, full=answer.full, cuda="nvcc")
    assert wrong_answer.surprises(answer, decided(result, answer.lost), result.outcomes, "nvcc") == []


@pytest.mark.parametrize("gpu", known_gpus())
@pytest.mark.parametrize("lab", SIMULATED)
def test_the_solution_computes_right_on_every_gpu(lab, gpu, graded):
    """Whether it is fast there is the reference's to say: points for speed are declared for one GPU."""
    result = graded(lab, solution=True, gpu=gpu)
    right = [test for test in result.tests if test.kind != "perf"]
    assert wrong_answer.losses(right, result.outcomes) == {}


@pytest.mark.parametrize("lab", LABS)
def test_the_telling_wrong_answers_lose_whatever_any_loses(lab):
    every = [wrong_answer.load(find_lab(lab), name) for name in wrong_answer.names(find_lab(lab))]
    chosen = [wrong_answer.load(find_lab(lab), name) for name in telling(lab)]
    lost = {test for answer in every for test in wrong_answer.shows_it(answer, SPECS[lab].test) if test in answer.lost}
    assert 0 < len(chosen) <= len(every)
    assert lost <= {test for answer in chosen for test in answer.lost}


def test_every_lab_has_wrong_answers():
    assert {param.values[0] for param in WRONG} == set(LABS) == {spec.id for spec in SPECS.values()}
