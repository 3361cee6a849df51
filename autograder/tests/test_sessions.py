"""A measurement without full points is done again; the best session counts."""
from hpml_autograder import sessions
from hpml_autograder.case import Case, Run
from hpml_autograder.verdict import Outcome, Verdict

MEASURED = Case("worker", "pair", alone=True)


def best_of(outcomes, case=MEASURED, state="exit"):
    """The outcome, and how many sessions it took."""
    left = list(outcomes)
    found = sessions.best(lambda runs: left.pop(0), [Run(case, state)], lambda again: Run(again, "exit"))
    return found, len(outcomes) - len(left)


def outcome(verdict, fraction=0.0):
    return Outcome(verdict, verdict.value, fraction=fraction)


def test_full_points_need_one_session():
    assert best_of([outcome(Verdict.AC)]) == (outcome(Verdict.AC), 1)


def test_bad_luck_is_measured_again_until_it_earns_the_points():
    assert best_of([outcome(Verdict.WA), outcome(Verdict.INC), outcome(Verdict.AC)]) == (outcome(Verdict.AC), 3)


def test_three_sessions_are_enough_and_the_best_counts():
    sessions_of_it = [outcome(Verdict.WA), outcome(Verdict.PA, 0.5), outcome(Verdict.PA, 0.2), outcome(Verdict.AC)]
    assert best_of(sessions_of_it) == (outcome(Verdict.PA, 0.5), 3)


def test_a_verdict_counts_more_than_none():
    assert best_of([outcome(Verdict.INC), outcome(Verdict.WA), outcome(Verdict.INC)]) == (outcome(Verdict.WA), 3)


def test_what_the_simulator_counted_or_did_not_end_well_is_not_measured_again():
    assert best_of([outcome(Verdict.WA)], Case("matmult", "16")) == (outcome(Verdict.WA), 1)
    assert best_of([outcome(Verdict.TO)], state="timeout") == (outcome(Verdict.TO), 1)
