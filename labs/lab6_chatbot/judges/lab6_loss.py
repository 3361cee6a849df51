"""M3: loss, teacher's draws and clipping in double precision."""
import math
import random
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab6_data import Reader, bound_of, first_wrong, lengths, out_of_range, problem_of, values, wrong_at
from lab6_random import stream_id, uniforms


LARGEST = 120  # logit: beyond the range of exp


class Masked:
    def __init__(self, words: str) -> None:
        seed, steps, batch, vocabulary, extra = map(int, words.split())
        self.real_rows, self.rows, self.vocabulary = steps * batch, (steps + extra) * batch, vocabulary
        self.logits = (values(seed, 0, self.rows, vocabulary).astype(numpy.float32) * numpy.float32(LARGEST)).astype(numpy.float64)
        self.mask = (numpy.arange(self.rows) // batch) < lengths(seed, batch, steps)[numpy.arange(self.rows) % batch]
        self.targets = numpy.where(self.mask, (uniforms(seed, stream_id("target"), self.rows) * vocabulary).astype(int), 0)

    def results(self) -> tuple[numpy.ndarray, numpy.ndarray, int]:
        """Row losses, d_logits, tokens."""
        shifted = self.logits - self.logits.max(axis=1, keepdims=True)
        logarithms = shifted - numpy.log(numpy.exp(shifted).sum(axis=1, keepdims=True))
        every = numpy.arange(self.rows)
        d_logits = numpy.exp(logarithms)
        d_logits[every, self.targets] -= 1
        tokens = int(self.mask.sum())
        return -logarithms[every, self.targets] * self.mask, d_logits * self.mask[:, None] / tokens, tokens


def plan(test: Test, context: Context) -> list[Case]:
    shapes = context.shapes(test, 1)
    if test.params.get("data") == "hidden":
        draw = random.Random(context.seed(test, 0))
        shapes = [f"loss {draw.randint(1, 1 << 30)} {draw.randint(2, 9)} {draw.randint(1, 9)} {draw.randint(2, 300)} "
                       f"{draw.randint(0, 2)}" for _ in range(3)]
    return [Case("loss", shape, dump=True) for shape in shapes]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} runs against double precision"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        masked, reader = Masked(run.case.args.split(maxsplit=1)[1]), Reader(run)
        losses, d_logits, tokens = masked.results()
        total, counted = float(reader.take(numpy.float64, 1)[0]), int(reader.take(numpy.int64, 1)[0])
        said = "" if counted == tokens else f"{counted} tokens, expected {tokens}: those with mask 1"
        rows, bound = reader.take(numpy.float32, masked.rows), bound_of(losses, 1e-6)
        said = said or prefixed("row_losses", first_wrong(rows, losses, bound), out_of_range(rows, losses, bound, masked.logits.max(axis=1)))
        if not said and not abs(total - losses.sum()) <= 3e-6 * losses.sum():
            said = f"the sum is {total:.9g}, expected {losses.sum():.9g}"
        said = said or prefixed("d_logits", first_wrong(
            reader.take(numpy.float32, masked.rows, masked.vocabulary), d_logits, 3e-6 / tokens))
        if said:
            return wrong_at(run, said, checked)
    return accepted(checked)


def prefixed(name: str, said: str, advice: str = "") -> str:
    return f"{name}, {said}{advice}" if said else ""


def plan_padding(test: Test, context: Context) -> list[Case]:
    """Each run without padding steps behind it, and with some."""
    return [Case("loss", f"loss {shape.rsplit(maxsplit=1)[0]} {extra}", dump=True)
            for shape in context.shapes(test, 0) for extra in (0, int(shape.rsplit(maxsplit=1)[1]))]


def judge_padding(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "padding changes no bit of the loss and has no gradient"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
    for plain, padded in zip(runs[::2], runs[1::2]):
        masked = Masked(plain.case.args.split(maxsplit=1)[1])
        sizes = [Masked(run.case.args.split(maxsplit=1)[1]).rows for run in (plain, padded)]
        readers = [Reader(plain), Reader(padded)]
        heads = [reader.take(numpy.uint8, 16).tobytes() for reader in readers]
        if heads[0] != heads[1]:
            sums = [numpy.frombuffer(head[:8], numpy.float64)[0] for head in heads]
            return wrong_at(padded, f"{sizes[1] - sizes[0]} rows of padding change the loss from {sums[0]!r} to {sums[1]!r}", checked)
        losses = [reader.take(numpy.float32, rows) for reader, rows in zip(readers, sizes)]
        gradients = [reader.take(numpy.float32, rows, masked.vocabulary) for reader, rows in zip(readers, sizes)]
        if losses[0].tobytes() != losses[1][:sizes[0]].tobytes() or gradients[0].tobytes() != gradients[1][:sizes[0]].tobytes():
            return wrong_at(padded, "padding behind the rows changes row losses or gradients of the rows before it", checked)
        if losses[1][sizes[0]:].any() or gradients[1][sizes[0]:].any():
            return wrong_at(padded, "rows of padding have a loss or a gradient, expected 0", checked)
    return accepted(checked)


def plan_teacher(test: Test, context: Context) -> list[Case]:
    seed = context.seed(test, 0) % (1 << 40)
    return [Case("loss", f"teacher {seed + i} {ratio} 60") for i, ratio in enumerate((0, 0.5, 0.8, 1))]


def judge_teacher(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "one draw per batch"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        _, seed, ratio, count = run.case.args.split()
        draws = uniforms(int(seed), stream_id("teacher"), int(count)) < float(ratio)
        expected = "".join("1" if draw else "0" for draw in draws)
        if run.stdout.strip() != expected:
            return wrong_at(run, f"expected {expected[:30]}..., got {run.stdout.strip()[:30]}...: draw number `step` of stream "
                            "\"teacher\", below the ratio", checked)
    return accepted(checked)


def judge_clip(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} sets of gradients"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        _, seed, limit, *sizes = run.case.args.split()
        gradients = [values(int(seed), i, int(size)) for i, size in enumerate(sizes)]
        norm = math.sqrt(sum(float((gradient ** 2).sum()) for gradient in gradients))
        factor = 1.0 if limit == "null" else min(1.0, float(limit) / (norm + 1e-6))
        reader = Reader(run)
        got = float(reader.take(numpy.float64, 1)[0])
        if not abs(got - norm) <= 1e-6 * norm:
            return wrong_at(run, f"the norm of all tensors together is {norm:.9g}, got {got:.9g}", checked)
        for i, gradient in enumerate(gradients):
            said = first_wrong(reader.take(numpy.float32, gradient.size), gradient * factor, 1e-6)
            if said:
                return wrong_at(run, f"tensor {i}, {said}", checked)
    return accepted(checked)
