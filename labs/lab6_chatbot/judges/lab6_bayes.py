"""S5: the runs that a Bayesian search proposes, beside random search; every value is computed here."""
import math
import random
from collections.abc import Sequence

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, numbers, trouble, wrong
from lab6_search import uniform_of

SEEDS, RUNS, SHARE = 50, 25, 0.8
LIMITS = ((-5.0, 10.0), (0.0, 15.0))  # of x and y, as harness/bayes_check.cpp has them
SHIFT, STRETCH = 2.0, 0.2
STREAM = 1000003  # random search has seeds of its own


def value_of(secret: int, seed: int, x: float, y: float) -> float:
    """Branin's function (Dixon, Szego: "Towards Global Optimisation 2", 1978), moved, stretched and with other waves for each
    seed, so that nobody knows its minima. As harness/bayes_check.cpp has it."""
    def drawn(which: int, most: float) -> float:
        return most * (2 * uniform_of(secret, seed, which) - 1)

    x, y = x + drawn(0, SHIFT), y + drawn(1, SHIFT)
    bowl = (1 + drawn(2, STRETCH)) * y - 5.1 / (4 * math.pi**2) * x * x + 5 / math.pi * x - 6
    return bowl * bowl + 10 * (1 - 1 / (8 * math.pi)) * math.cos((1 + drawn(3, STRETCH)) * x + drawn(4, math.pi)) + 10


def best_of_random(secret: int, seed: int) -> float:
    """The best of RUNS random runs."""
    points = [[low + uniform_of(seed + STREAM, run, i) * (high - low) for i, (low, high) in enumerate(LIMITS)]
              for run in range(RUNS)]
    return min(value_of(secret, seed, x, y) for x, y in points)


def plan_bayes(test: Test, context: Context) -> list[Case]:
    draw = random.Random(context.seed(test, 0))
    return [Case(test.params["program"], f"{draw.randrange(1, 1 << 31)} {SEEDS} {RUNS} {draw.randrange(1 << 31, 1 << 62)}")]


def judge_bayes(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"Bayes beside random search on {SEEDS} seeds, {RUNS} runs each"
    problem = trouble(runs[0], context.spec.limits.wall_s)
    if problem:
        return problem
    words = runs[0].case.args.split()
    first, secret = int(words[0]), int(words[3])
    points = numbers(runs[0])
    if len(points) != SEEDS * RUNS or any(len(point) != len(LIMITS) for point in points):
        return wrong(f"expected {SEEDS * RUNS} points, got {len(points)} lines", checked)
    outside = [point for point in points if not all(low <= value <= high for value, (low, high) in zip(point, LIMITS))]
    if outside:
        return wrong(f"the point {outside[0]} is outside the limits of its parameters", checked)
    better = sum(min(value_of(secret, first + i, x, y) for x, y in points[RUNS * i:RUNS * (i + 1)]) < best_of_random(secret, first + i)
                 for i in range(SEEDS))
    if better < SHARE * SEEDS:
        return wrong(f"better than random search on {better} of {SEEDS} seeds, expected {SHARE:.0%} at least", checked)
    return accepted(checked)
