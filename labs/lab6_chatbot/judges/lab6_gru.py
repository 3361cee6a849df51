"""M1: a GRU layer in double precision, one sequence at a time, with its gradients by the chain rule."""
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab6_data import BEFORE, Reader, bound_of, first_wrong, lengths, problem_of, values, wrong_at
from lab6_random import stream_id, uniforms

NAMES = ("y", "last", "dx", "d_start", "dw_ih", "dw_hh", "db_ih", "db_hh")


def sigmoid(x: numpy.ndarray) -> numpy.ndarray:
    return 1 / (1 + numpy.exp(-x))


@dataclass
class Weights:
    w_ih: numpy.ndarray
    w_hh: numpy.ndarray
    b_ih: numpy.ndarray
    b_hh: numpy.ndarray


class Steps:
    """One sequence through the layer. recurrent: w_hh of each of its steps, where they differ."""

    def __init__(self, weights: Weights, x: numpy.ndarray, start: numpy.ndarray, recurrent: Sequence[numpy.ndarray] = ()) -> None:
        self.weights, self.x, self.states, self.gates = weights, x, [start], []
        hidden = len(start)
        for number, inputs in enumerate(x):
            state = self.states[-1]
            from_x = weights.w_ih @ inputs + weights.b_ih
            from_state = (recurrent[number] if recurrent else weights.w_hh) @ state + weights.b_hh
            r = sigmoid(from_x[:hidden] + from_state[:hidden])
            z = sigmoid(from_x[hidden:2 * hidden] + from_state[hidden:2 * hidden])
            n = numpy.tanh(from_x[2 * hidden:] + r * from_state[2 * hidden:])
            self.states.append((1 - z) * n + z * state)
            self.gates.append((r, z, n, from_state[2 * hidden:]))

    def backward(self, dy: numpy.ndarray, d_last: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray, Weights]:
        """dx, d_start, gradients of the weights."""
        w = self.weights
        sums = Weights(*(numpy.zeros_like(one) for one in (w.w_ih, w.w_hh, w.b_ih, w.b_hh)))
        dx, d_state = numpy.zeros_like(self.x), d_last
        for t in reversed(range(len(self.x))):
            r, z, n, recurrent = self.gates[t]
            d_state = d_state + dy[t]
            d_n = d_state * (1 - z) * (1 - n * n)
            d_r = d_n * recurrent * r * (1 - r)
            d_z = d_state * (self.states[t] - n) * z * (1 - z)
            d_input, d_recurrent = numpy.concatenate([d_r, d_z, d_n]), numpy.concatenate([d_r, d_z, d_n * r])
            sums.w_ih += numpy.outer(d_input, self.x[t])
            sums.w_hh += numpy.outer(d_recurrent, self.states[t])
            sums.b_ih += d_input
            sums.b_hh += d_recurrent
            dx[t] = w.w_ih.T @ d_input
            d_state = d_state * z + w.w_hh.T @ d_recurrent
        return dx, d_state, sums


@dataclass
class Marks:
    """What src/harness/marked_products.hpp multiplies each weight by. first: the step in which a reversed layer begins, which may be the
    last of all, that of the longest sequence, or each sequence's own."""
    secret: int
    rows: int  # 3H
    first: str

    def of(self, others: int, depth: int, before: int) -> numpy.ndarray:
        """others: rows of the other matrix; before: products of the same size that came before."""
        numbers = uniforms(self.secret, stream_id(f"mark {others} {depth} {before}"), self.rows * depth)
        return 1 + numbers.reshape(self.rows, depth) / 2


class Layer:
    """Inputs of one run of the check program and what must come of them."""

    def __init__(self, words: str, marks: "Marks | None" = None) -> None:
        seed, steps, batch, inputs, hidden, reverse = map(int, words.split()[:6])
        self.shapes = (steps, batch, inputs, hidden)
        self.lengths = lengths(seed, batch, steps)
        self.reversed = bool(reverse)
        self.x, self.start = values(seed, 0, steps, batch, inputs), values(seed, 1, batch, hidden)
        self.weights = Weights(values(seed, 2, 3 * hidden, inputs), values(seed, 3, 3 * hidden, hidden),
                               values(seed, 4, 3 * hidden), values(seed, 5, 3 * hidden))
        self.dy, self.d_last = values(seed, 6, steps, batch, hidden), values(seed, 7, batch, hidden)
        self.marks = marks
        if marks:
            self.weights.w_ih = self.weights.w_ih * marks.of(steps * batch, inputs, 0)

    def _order(self, b: int) -> numpy.ndarray:
        """The steps of sequence b in the order in which they are taken."""
        order = numpy.arange(self.lengths[b])
        return order[::-1] if self.reversed else order

    def _recurrent(self, b: int) -> list[numpy.ndarray]:
        """w_hh of each step of sequence b as its product was marked."""
        if not self.marks:
            return []
        steps, batch, _, hidden = self.shapes
        first = {"all": steps, "longest": int(self.lengths.max()), "own": int(self.lengths[b])}[self.marks.first] - self.lengths[b]
        return [self.weights.w_hh * self.marks.of(batch, hidden, int(first * self.reversed + i)) for i in range(self.lengths[b])]

    def results(self) -> dict[str, numpy.ndarray]:
        steps, batch, inputs, hidden = self.shapes
        w = self.weights
        found = {"y": numpy.zeros((steps, batch, hidden)), "last": numpy.zeros((batch, hidden)),
                 "dx": numpy.zeros((steps, batch, inputs)), "d_start": numpy.zeros((batch, hidden)),
                 "dw_ih": numpy.full_like(w.w_ih, BEFORE), "dw_hh": numpy.full_like(w.w_hh, BEFORE),
                 "db_ih": numpy.full_like(w.b_ih, BEFORE), "db_hh": numpy.full_like(w.b_hh, BEFORE)}
        for b in range(batch):
            order = self._order(b)
            sequence = Steps(w, self.x[order, b], self.start[b], self._recurrent(b))
            found["y"][order, b] = sequence.states[1:]
            found["last"][b] = sequence.states[-1]
            dx, found["d_start"][b], sums = sequence.backward(self.dy[order, b], self.d_last[b])
            found["dx"][order, b] = dx
            for name in ("w_ih", "w_hh", "b_ih", "b_hh"):
                found[f"d{name}"] += getattr(sums, name)
        return found


def hidden_shapes(test: Test, context: Context) -> list[str]:
    draw = random.Random(context.seed(test, 0))
    return [f"run {draw.randint(1, 1 << 30)} {draw.randint(2, 9)} {draw.randint(1, 9)} {draw.randint(1, 20)} "
            f"{draw.randint(1, 24)} {reverse}" for reverse in (0, 1, 0, 1)]


def plan(test: Test, context: Context) -> list[Case]:
    shapes = hidden_shapes(test, context) if test.params.get("data") == "hidden" else context.shapes(test, 1)
    return [Case("gru", shape, dump=True) for shape in shapes]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} runs against double precision"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        said = compare(run, Layer(run.case.args.split(maxsplit=1)[1]), test.params.get("only", NAMES))
        if said:
            return wrong_at(run, said, checked)
    return accepted(checked)


def compare(run: Run, layer: Layer, names: Sequence[str]) -> str:
    reader, expected = Reader(run), layer.results()
    for name in NAMES[:2] if run.case.args.startswith("structure") else NAMES:
        got = reader.take(numpy.float32, *expected[name].shape)
        said = first_wrong(got, expected[name], bound_of(expected[name]))
        if said and name in names:
            return f"{name}, {said}"
    return ""


def plan_structure(test: Test, context: Context) -> list[Case]:
    """Products that are deep beside their number of rows: their results say too little of the marks to do without the products."""
    draw = random.Random(context.seed(test, 0))
    return [Case("gru", f"structure {draw.randint(1, 1 << 30)} {draw.randint(3, 5)} {draw.randint(3, 5)} 64 16 {reverse} "
                 f"{draw.randrange(1 << 62)}", dump=True) for reverse in (0, 1)]


def judge_structure(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "one product for the inputs of all steps, one for the state of each"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        words = run.case.args.split(maxsplit=1)[1]
        hidden, _, secret = map(int, words.split()[4:])
        if all(compare(run, Layer(words, Marks(secret, 3 * hidden, first)), NAMES[:2]) for first in ("all", "longest", "own")):
            plain = compare(run, Layer(words), NAMES[:2])
            return wrong_at(run, "the inputs do not go through one call of multiply() with steps * batch rows, and the states "
                            f"through one with batch rows per step{'' if plain else ': no product went through multiply()'}", checked)
    return accepted(checked)


ALLOCATED = 97  # exit code of src/harness/allocations.hpp


def judge_allocations(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "no allocation in a second pass"
    for run in runs:
        if run.state == "exit" and run.code == ALLOCATED:
            return wrong_at(run, f"{run.stderr.strip()[-80:] or 'an allocation'} in a second forward and backward pass, expected none: all "
                            "memory that is needed is in GruMemory", checked)
        problem = problem_of(run, context)
        if problem:
            return problem
        seed, *words = run.case.args.split()[1:]
        said = compare(run, Layer(" ".join((str(int(seed) + 1), *words))), NAMES)
        if said:
            return wrong_at(run, f"in the second pass, {said}", checked)
    return accepted(checked)
