"""Points from verdicts: pure functions, integer millipoints."""
from collections.abc import Mapping, Sequence

from .labspec import LabSpec, Test
from .verdict import Outcome, Verdict

NOT_ATTEMPTED = Outcome(Verdict.SK, "bonus, not attempted")
GRAIN = 10  # fractions are rounded down to 10 millipoints, so that centipoints are exact


def interpolate(knots: Sequence[tuple[float, float]], x: float) -> float:
    """Piecewise linear through the knots, constant outside them."""
    if x <= knots[0][0]:
        return knots[0][1]
    for (left, low), (right, high) in zip(knots, knots[1:]):
        if x <= right:
            return low + (high - low) * (x - left) / (right - left)
    return knots[-1][1]


def millipoints(outcome: Outcome, maximum: int) -> int:
    """Full for AC, a fraction rounded down for PA, nothing otherwise."""
    if outcome.verdict is Verdict.AC:
        return maximum
    if outcome.verdict is Verdict.PA:
        return min(maximum, max(0, int(maximum * outcome.fraction + 1e-9) // GRAIN * GRAIN))
    return 0


def standing(outcome: Outcome) -> tuple[int, float]:
    """Orders the sessions of one measurement: a verdict is more than none, and of two verdicts the better one is."""
    rank = {Verdict.AC: 3, Verdict.PA: 2, Verdict.INC: 0, Verdict.XX: 0}.get(outcome.verdict, 1)
    return rank, outcome.fraction


def gate(test: Test, outcomes: Mapping[str, Outcome]) -> Outcome | None:
    """The outcome of a test whose prerequisites failed, or None when it may be judged."""
    for required in test.requires:
        before = outcomes[required]
        if before.verdict in (Verdict.INC, Verdict.XX):
            return Outcome(Verdict.INC, f"pending because {required} is pending")
        if before.verdict is not Verdict.AC:
            return Outcome(Verdict.SK, f"not looked at: {required} must pass first")
    return None


def pass_over_bonuses(spec: LabSpec, outcomes: Mapping[str, Outcome]) -> dict[str, Outcome]:
    """Of a bonus that nobody has tried, every test says that and no more. Not tried: what pays points was passed over
    (a judge says SK of a file that is as it was given), and at most the build was accepted."""
    result = dict(outcomes)
    for exercise in spec.exercise:
        tests = [test for test in spec.test if test.exercise == exercise.id and test.id in outcomes]
        if exercise.bonus and all(_untouched(test, outcomes[test.id]) for test in tests):
            result.update({test.id: NOT_ATTEMPTED for test in tests})
    return result


def _untouched(test: Test, outcome: Outcome) -> bool:
    return outcome.verdict is Verdict.SK or outcome.verdict is Verdict.AC and test.kind == "build"
