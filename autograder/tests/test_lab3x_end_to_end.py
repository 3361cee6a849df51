"""The extensions of lab 3 on the simulated GPU: the solution gets everything, the starter its floor, mistakes their price."""
import pytest
from hpml_autograder import wrong_answer
from hpml_autograder.case import Case, Run
from hpml_autograder.paths import find_lab
from hpml_autograder.pipeline import Graded, Request, grade

DIRS = find_lab("lab3x")
KNOWN: dict[tuple[str, Case], Run] = {}  # programs that a wrong answer leaves as they are run once


def graded(tmp_path_factory, **request) -> Graded:
    return grade(Request("lab3x", cuda="clang", **request), scratch=tmp_path_factory.mktemp("grade"), known=KNOWN)


def test_the_solution_gets_every_point(tmp_path_factory):
    solution = graded(tmp_path_factory, solution=True)
    assert wrong_answer.losses(solution.tests, solution.outcomes) == {}
    assert solution.total == solution.spec.total_millipoints


def test_the_starter_gets_its_declared_floor(tmp_path_factory):
    result = graded(tmp_path_factory)
    assert result.total == result.spec.floor_millipoints, wrong_answer.losses(result.tests, result.outcomes)


@pytest.mark.parametrize("name", wrong_answer.names(DIRS))
def test_a_wrong_answer_loses_exactly_what_it_declares(name, tmp_path_factory):
    result = graded(tmp_path_factory, wrong=name)
    assert wrong_answer.surprises(wrong_answer.load(DIRS, name), result.tests, result.outcomes) == []
