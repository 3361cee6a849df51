"""E6: products of 8-bit integers. lab5_worker compares every element with 64-bit sums, on every level that the machine has,
counts the instructions of a vector level, and measures beside a chain of the level's own multiplications that never leaves the registers."""
import json
from collections.abc import Sequence

from hpml_autograder.lab import (
    Case, Context, Outcome, Run, Test, Verdict, accepted, interpolate, paired, worker_trouble, wrong)
from lab5_data import seeds

# Share of the processor's own rate at the level -> share of the points.
KNOTS = ((0.005, 0.0), (0.1, 0.25), (0.3, 0.5), (0.5, 0.8), (0.7, 1.0))


def plan(test: Test, context: Context) -> list[Case]:
    what, level = test.params["what"], test.params["level"]
    return [Case("lab5_worker", f"{what} {{qgemm}} {level} {seeds(test, context, 1)[0]}")]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    problem = worker_trouble(runs[0], context)
    if problem:
        return problem
    found = json.loads(runs[0].stdout)
    if context.for_record and not found["counted"]:
        return Outcome(Verdict.INC, "this machine lets no process count another's instructions (ptrace), which show that the code is vector code")
    return accepted(found["checked"])


def plan_speed(test: Test, context: Context) -> list[Case]:
    return [Case("lab5_worker", f"speed {{qgemm}} {test.params['what']}", alone=True)]


def judge_speed(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "beside the processor's own rate"
    problem = worker_trouble(runs[0], context)
    if problem:
        return problem
    level = json.loads(runs[0].stdout)["level"]

    def points(ratio: float) -> Outcome:
        share = interpolate(KNOTS, ratio)
        said = f"{test.params['what']} at level {level}: {100 * ratio:.0f} % of the processor's own rate"
        if share >= 1:
            return accepted(said)
        detail = f"{said}; full points from {100 * KNOTS[-1][0]:.0f} %"
        return Outcome(Verdict.PA, detail, checked, fraction=share) if share > 0 else wrong(detail, checked)
    return paired(runs[0].stdout, checked, points)
