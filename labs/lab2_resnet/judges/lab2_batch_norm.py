"""C7: batch normalisation against double precision."""
import random
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab2_data import Reader, first_wrong, problem_of, values, wrong_at

EPS, MOMENTUM = numpy.float64(numpy.float32(1e-5)), numpy.float64(numpy.float32(0.1))
RELATIVE = 2e-5  # of the largest magnitude of an array: float arithmetic on sums of up to some thousand values
PARTS = {"forward": ("first y", "y"),
         "running": ("inference y", "mean", "var", "mean after inference", "var after inference"),
         "backward": ("dx", "dgamma", "dbeta")}


def plan(test: Test, context: Context) -> list[Case]:
    shapes = context.shapes(test, 0)
    if test.params.get("data") == "hidden":
        draw = random.Random(context.seed(test, 0))
        shapes = [f"{draw.randint(0, 1 << 30)} {draw.randint(2, 600)} {draw.randint(1, 40)}" for _ in range(3)]
    return [Case("batch_norm", shape, dump=True) for shape in shapes]


def expected_of(words: str) -> dict[str, numpy.ndarray]:
    """In the order of the program's results (src/harness/batch_norm.cpp)."""
    seed, pixels, channels = map(int, words.split())
    x, x2, dy = (values(seed, which, pixels, channels) for which in range(3))
    gamma, beta = values(seed, 3, channels), values(seed, 4, channels)
    place = numpy.arange(pixels * channels).reshape(pixels, channels) % channels
    x = (x.astype(numpy.float32) * (1 + place).astype(numpy.float32) + numpy.float32(3)).astype(numpy.float64)
    mean, var = numpy.zeros(channels), numpy.ones(channels)

    def train(batch: numpy.ndarray) -> numpy.ndarray:
        nonlocal mean, var
        mean = (1 - MOMENTUM) * mean + MOMENTUM * batch.mean(axis=0)
        var = (1 - MOMENTUM) * var + MOMENTUM * (batch.var(axis=0, ddof=1))
        return (batch - batch.mean(axis=0)) / numpy.sqrt(batch.var(axis=0) + EPS)
    first = train(x2) * gamma + beta
    xhat = train(x)
    dx = gamma / numpy.sqrt(x.var(axis=0) + EPS) * (dy - dy.mean(axis=0) - xhat * (dy * xhat).mean(axis=0))
    inference = (x2 - mean) / numpy.sqrt(var + EPS) * gamma + beta
    return {"first y": first, "y": xhat * gamma + beta, "mean": mean, "var": var, "dx": dx, "dgamma": (dy * xhat).sum(axis=0),
            "dbeta": dy.sum(axis=0), "inference y": inference, "mean after inference": mean, "var after inference": var}


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    wanted = PARTS.get(test.params.get("part", ""), sum(PARTS.values(), ()))
    checked = f"{len(runs)} shapes against double precision"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        reader = Reader(run)
        for name, expected in expected_of(run.case.args).items():
            got = reader.take(numpy.float32, *expected.shape)
            said = first_wrong(got, expected, RELATIVE * max(1.0, float(abs(expected).max())))
            if said and name in wanted:
                return wrong_at(run, f"{name}, {said}", checked)
    return accepted(checked)
