"""K1: convolutions against a double-precision oracle, with the error bound of float sums."""
import random
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab2_data import Reader, first_wrong, problem_of, values, wrong_at

U = 2.0 ** -24


def shapes(test: Test, context: Context) -> list[str]:
    if test.params.get("data") != "hidden":
        return context.shapes(test, 0)
    draw = random.Random(context.seed(test, 0))
    found = []
    for _ in range(int(test.params["count"])):
        k, stride = draw.choice((1, 2, 3, 5)), draw.choice((1, 1, 2, 3))
        h, w = draw.randint(k, 13), draw.randint(k, 13)
        found.append(f"{draw.randint(0, 1 << 30)} {draw.randint(1, 9)} {h} {w} {draw.randint(1, 19)} {draw.randint(1, 35)} "
                     f"{k} {stride} {draw.randint(0, k // 2)}")
    return found


def plan(test: Test, context: Context) -> list[Case]:
    return [Case("conv", f"{what} {shape}", dump=True) for shape in shapes(test, context) for what in test.params["passes"]]


def gamma(terms: int) -> float:
    """Higham: n roundings multiply the magnitudes of a sum by at most 1 + gamma_n."""
    return terms * U / (1 - terms * U)


class Convolution:
    """Inputs of one run and what must come of them: pairs of result and bound."""

    def __init__(self, words: str) -> None:
        seed, self.n, self.h, self.w, self.ci, self.co, self.k, self.stride, self.pad = map(int, words.split())
        self.oh = (self.h + 2 * self.pad - self.k) // self.stride + 1
        self.ow = (self.w + 2 * self.pad - self.k) // self.stride + 1
        self.x = values(seed, 0, self.n, self.h, self.w, self.ci)
        self.weights = values(seed, 1, self.k, self.k, self.ci, self.co)
        self.dy = values(seed, 2, self.n, self.oh, self.ow, self.co)

    def padded(self, x: numpy.ndarray) -> numpy.ndarray:
        return numpy.pad(x, ((0, 0), (self.pad, self.pad), (self.pad, self.pad), (0, 0)))

    def tap(self, padded: numpy.ndarray, i: int, j: int) -> numpy.ndarray:
        """What filter place (i, j) meets, for every output pixel; a view."""
        return padded[:, i:i + self.stride * self.oh:self.stride, j:j + self.stride * self.ow:self.stride]

    def taps(self):
        return ((i, j) for i in range(self.k) for j in range(self.k))

    def forward(self, x: numpy.ndarray, w: numpy.ndarray) -> numpy.ndarray:
        padded = self.padded(x)
        return sum(self.tap(padded, i, j) @ w[i, j] for i, j in self.taps())

    def by_input(self, w: numpy.ndarray, dy: numpy.ndarray) -> numpy.ndarray:
        padded = self.padded(numpy.zeros_like(self.x))
        for i, j in self.taps():
            self.tap(padded, i, j)[...] += dy @ w[i, j].T
        return padded[:, self.pad:self.pad + self.h, self.pad:self.pad + self.w]

    def by_weights(self, x: numpy.ndarray, dy: numpy.ndarray) -> numpy.ndarray:
        padded = self.padded(x)
        found = numpy.zeros_like(self.weights)
        for i, j in self.taps():
            found[i, j] = numpy.tensordot(self.tap(padded, i, j), dy, axes=((0, 1, 2), (0, 1, 2)))
        return found

    def results(self, what: str):
        """(name, expected, bound) in the order of the program's results."""
        if what == "forward":
            yield "y", self.forward(self.x, self.weights), gamma(self.k * self.k * self.ci) * self.forward(
                abs(self.x), abs(self.weights))
            return
        if what == "backward":
            yield "dx", self.by_input(self.weights, self.dy), gamma(self.k * self.k * self.co) * self.by_input(
                abs(self.weights), abs(self.dy))
        yield "dw", self.by_weights(self.x, self.dy), gamma(self.n * self.oh * self.ow) * self.by_weights(
            abs(self.x), abs(self.dy))


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """only: the one array of "backward" that this test pays for."""
    only = test.params.get("only", "")
    checked = f"{len(runs)} runs against double precision"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        what, words = run.case.args.split(maxsplit=1)
        reader = Reader(run)
        for name, expected, bound in Convolution(words).results(what):
            got = reader.take(numpy.float32, *expected.shape)
            said = first_wrong(got, expected, bound)
            if said and only in ("", name):
                return wrong_at(run, f"{name}, {said}", checked)
    return accepted(checked)
