"""Is a second formula told from the first one with its terms moved about?"""
import pytest
from hpml_quizzes.expr import Expression
from hpml_quizzes.rearranged import computed_by_both, rearranged

STEPS = {"area": Expression("a*b"), "given": Expression("c")}


@pytest.mark.parametrize("one, other", [
    ("a*b/c", "b/c*a"), ("2*a/(c/b)/2", "a*b/c"), ("a - b + c", "c - (b - a)"), ("x < y", "y > x"), ("max(a, b)", "max(b, a)"),
    ("a + b", "b - (-2*a)/2"), ("a/b + 0", "a/b"), ("1*a", "a"), ("2*a", "a + a"), ("-a*b", "b*(-a)"), ("0.5*a", "a/2"),
    ("a + 1 + 2", "3 + a"), ("area/c", "b/(c/a)"), ("ln(a*b)", "ln(b*a)"), ("a if b > c else 0", "a if c < b else 0")])
def test_terms_moved_about_are_the_same_formula(one, other):
    assert rearranged(Expression(one), Expression(other), STEPS)


@pytest.mark.parametrize("one, other", [
    ("a*(b + c)", "a*b + a*c"), ("a/b", "b/a"), ("a - b", "b - a"), ("-a", "a"), ("a + 1", "a"), ("x < y", "y < x"), ("a*b", "a*b*b"),
    ("sum([a, b])", "a + b"), ("ln(a/b)", "ln(a) - ln(b)"), ("area + 1", "a + b + 1")])
def test_another_road_is_another_formula(one, other):
    assert not rearranged(Expression(one), Expression(other), STEPS)


def test_a_step_that_computes_is_named_when_both_need_it():
    assert computed_by_both(Expression("area + c"), Expression("sum([c, area])"), STEPS) == ["area"]
    assert computed_by_both(Expression("given + a"), Expression("sum([given, a])"), STEPS) == []
