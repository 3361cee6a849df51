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


class Batches:
    """A layer in double precision, over what the program gives it: x2, x, and x2 again in inference."""

    def __init__(self, words: str, ddof: int = 1, momentum: float = MOMENTUM) -> None:
        seed, pixels, channels = map(int, words.split())
        x, self.x2, self.dy = (values(seed, which, pixels, channels) for which in range(3))
        self.gamma, self.beta = values(seed, 3, channels), values(seed, 4, channels)
        place = numpy.arange(pixels * channels).reshape(pixels, channels) % channels
        self.x = (x.astype(numpy.float32) * (1 + place).astype(numpy.float32) + numpy.float32(3)).astype(numpy.float64)
        self.mean, self.var = numpy.zeros(channels), numpy.ones(channels)
        for batch in (self.x2, self.x):
            self.mean = (1 - momentum) * self.mean + momentum * batch.mean(axis=0)
            self.var = (1 - momentum) * self.var + momentum * batch.var(axis=0, ddof=ddof)

    def normalised(self, batch: numpy.ndarray, ddof: int = 0) -> numpy.ndarray:
        return (batch - batch.mean(axis=0)) / numpy.sqrt(batch.var(axis=0, ddof=ddof) + EPS)


def expected_of(words: str) -> dict[str, numpy.ndarray]:
    """In the order of the program's results (src/harness/batch_norm.cpp)."""
    of = Batches(words)
    xhat, dy = of.normalised(of.x), of.dy
    dx = of.gamma / numpy.sqrt(of.x.var(axis=0) + EPS) * (dy - dy.mean(axis=0) - xhat * (dy * xhat).mean(axis=0))
    inference = (of.x2 - of.mean) / numpy.sqrt(of.var + EPS) * of.gamma + of.beta
    return {"first y": of.normalised(of.x2) * of.gamma + of.beta, "y": xhat * of.gamma + of.beta, "mean": of.mean, "var": of.var,
            "dx": dx, "dgamma": (dy * xhat).sum(axis=0), "dbeta": dy.sum(axis=0), "inference y": inference,
            "mean after inference": of.mean, "var after inference": of.var}


def mistakes_of(words: str) -> list[tuple[str, numpy.ndarray, str]]:
    """A result, what a likely mistake makes of it, and what to do about it."""
    of = Batches(words)
    running = "inference takes the running mean and variance, not those of a batch"
    inferences = [(batch.mean(axis=0), var) for batch in (of.x, of.x2) for var in (batch.var(axis=0), of.var)]
    return [
        ("first y", of.normalised(of.x2, ddof=1) * of.gamma + of.beta, "a batch is normalised with its variance over n, not n - 1"),
        ("mean", Batches(words, momentum=1 - MOMENTUM).mean, "the batch counts `momentum`, what was there before 1 - momentum"),
        ("var", Batches(words, ddof=0).var, "the running variance takes the batch's over n - 1, not n"),
        *(("inference y", (of.x2 - mean) / numpy.sqrt(var + EPS) * of.gamma + of.beta, running) for mean, var in inferences)]


def differs(got: numpy.ndarray, expected: numpy.ndarray) -> str:
    return first_wrong(got, expected, RELATIVE * max(1.0, float(abs(expected).max())))


def advice(words: str, name: str, got: numpy.ndarray) -> str:
    return next((f": {what}" for result, mistaken, what in mistakes_of(words) if result == name and not differs(got, mistaken)), "")


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
            said = differs(got, expected)
            if said and name in wanted:
                return wrong_at(run, f"{name}, {said}{advice(run.case.args, name, got)}", checked)
    return accepted(checked)
