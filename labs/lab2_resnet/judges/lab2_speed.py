"""K1: the convolution's share of this core's peak, measured by lab2_worker beside a loop of multiply-adds in the same run."""
from collections.abc import Sequence

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted, interpolate, paired, worker_trouble

# (share of the peak, share of the points). Seven loops in the order of the definition reach about 0.01; the reference solution
# reaches 0.60 with AVX-512.
KNOTS = ((0.012, 0.0), (0.06, 0.25), (0.15, 0.5), (0.3, 0.8), (0.42, 1.0))


def plan(test: Test, context: Context) -> list[Case]:
    return [Case("lab2_worker", f"speed {{{test.params['program']}}}", alone=True)]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "ten layers, forward and backward, as a share of this core's peak"
    problem = worker_trouble(runs[0], context)
    return problem or paired(runs[0].stdout, checked, lambda share: points(share, checked))


def points(share: float, checked: str) -> Outcome:
    fraction = interpolate(KNOTS, share)
    if fraction >= 1:
        return accepted(f"{checked}: {share:.2f}")
    detail = f"{share:.3f} of the peak: {KNOTS[-1][0]} or more for all points"
    return Outcome(Verdict.PA if fraction > 0 else Verdict.WA, detail, checked, fraction=fraction)
