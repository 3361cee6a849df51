"""M2: attention in double precision."""
import random
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab6_data import BEFORE, Reader, bound_of, first_wrong, lengths, out_of_range, problem_of, values, wrong_at

NAMES = ("weights", "context", "d_query", "d_keys", "d_w")

# A form of the program: the first query is (LARGE_QUERY, 0, 0, ...). Its scores are beyond the range of exp, and exact, since
# each is one product with a power of two.
LARGE, LARGE_QUERY = 2, 512


class Attention:
    def __init__(self, words: str) -> None:
        seed, self.queries, self.keys, self.batch, self.hidden, form = map(int, words.split())
        self.lengths = lengths(seed, self.batch, self.keys)
        self.query = values(seed, 0, self.queries, self.batch, self.hidden)
        self.key = values(seed, 1, self.keys, self.batch, self.hidden)
        self.general = form == 1
        self.w = values(seed, 2, self.hidden, self.hidden) if self.general else numpy.eye(self.hidden)
        if form == LARGE:
            self.query[0] = numpy.eye(self.hidden)[0] * LARGE_QUERY
        self.d_context = values(seed, 3, self.queries, self.batch, self.hidden)

    def scores(self) -> numpy.ndarray:
        scores = numpy.einsum("qbh,kbh->qbk", self.query @ self.w, self.key)
        scores[:, numpy.arange(self.keys)[None, :] >= self.lengths[:, None]] = -numpy.inf
        return scores

    def results(self) -> dict[str, numpy.ndarray]:
        projected, scores = self.query @ self.w, self.scores()
        weights = numpy.exp(scores - scores.max(axis=2, keepdims=True))
        weights /= weights.sum(axis=2, keepdims=True)
        d_weights = numpy.einsum("qbh,kbh->qbk", self.d_context, self.key)
        d_scores = weights * (d_weights - (weights * d_weights).sum(axis=2, keepdims=True))
        d_projected = numpy.einsum("qbk,kbh->qbh", d_scores, self.key)
        d_keys = numpy.einsum("qbk,qbh->kbh", weights, self.d_context) + numpy.einsum("qbk,qbh->kbh", d_scores, projected)
        d_w = numpy.einsum("qbh,qbg->hg", self.query, d_projected) if self.general else numpy.zeros_like(self.w)
        return {"weights": weights, "context": numpy.einsum("qbk,kbh->qbh", weights, self.key),
                "d_query": d_projected @ self.w.T, "d_keys": BEFORE + d_keys, "d_w": BEFORE + d_w}


def hidden_shapes(test: Test, context: Context) -> list[str]:
    draw = random.Random(context.seed(test, 0))
    return [f"{draw.randint(1, 1 << 30)} {draw.randint(1, 7)} {draw.randint(2, 9)} {draw.randint(1, 8)} {draw.randint(1, 40)} {form}"
            for form in (0, 0, LARGE, 1)]


def plan(test: Test, context: Context) -> list[Case]:
    shapes = hidden_shapes(test, context) if test.params.get("data") == "hidden" else context.shapes(test, 0)
    return [Case("attention", shape, dump=True) for shape in shapes]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} runs against double precision, padding has weight 0"
    names = test.params.get("only", NAMES)
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        reader, layer = Reader(run), Attention(run.case.args)
        expected, scores = layer.results(), layer.scores()
        for name in NAMES:
            got = reader.take(numpy.float32, *expected[name].shape)
            bound = numpy.where(numpy.isinf(scores), 0, 2e-6) if name == "weights" else bound_of(expected[name])
            said = first_wrong(got, expected[name], bound)
            if said and name in names:
                advice = out_of_range(got, expected[name], bound, scores.max(axis=2)) if name == "weights" else ""
                return wrong_at(run, f"{name}, {said}{advice}", checked)
    return accepted(checked)
