"""C8: folding, fusing, placing."""
import random
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, whole
from lab2_data import Reader, first_wrong, problem_of, values, wrong_at

EPS = float(numpy.float32(1e-5))


def plan_fold(test: Test, context: Context) -> list[Case]:
    return [Case("optimize", f"fold {context.seed(test, i) % 10 ** 9} {shape}", dump=True) for i, shape in enumerate(test.shapes)]


def judge_fold(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "folded weights and biases"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        seed, ci, co, k = map(int, run.case.args.split()[1:])
        w, (gamma, beta, mean, var) = values(seed, 0, k, k, ci, co), (values(seed, i, co) for i in range(1, 5))
        scale = gamma / numpy.sqrt(var * var * 1e-3 + EPS)
        reader = Reader(run)
        for name, expected in (("w", w * scale), ("bias", beta - mean * scale)):
            said = first_wrong(reader.take(numpy.float32, *expected.shape), expected, 1e-4 * max(1.0, float(abs(expected).max())))
            if said:
                return wrong_at(run, f"{name}, {said}", checked)
    return accepted(checked)


def chain(shortcut: bool, batch_norm: bool) -> list[str]:
    """A basic block behind a stem, as the program's words."""
    words: list[str] = []

    def node(op: str, *inputs: int) -> int:
        words.append(f"{op}:{','.join(map(str, inputs))}")
        return len(words) - 1

    def conv(at: int) -> int:
        at = node("conv2d", at)
        return node("batch_norm", at) if batch_norm else at
    stem = node("relu", conv(-1))
    inner = node("relu", conv(stem))
    outer = conv(inner)
    other = conv(stem) if shortcut else stem
    last = node("relu", node("add", outer, other))
    node("linear", node("avg_pool", last))
    return words


# A basic block with and without shortcut and batch_norm. A value with two readers stays, and so does a batch_norm behind
# something that is no convolution.
GRAPHS = [*(" ".join(chain(a, b)) for a in (False, True) for b in (False, True)), "conv2d:-1 relu:0 conv2d:1 add:0,2 relu:3",
          "max_pool:-1 batch_norm:0 relu:1 conv2d:2 relu:3"]


def drawn_graph(draw: random.Random) -> str:
    """Layers and blocks of what GRAPHS has, one behind the other, each of them with its choices drawn."""
    words: list[str] = []

    def node(op: str, *inputs: int) -> int:
        words.append(f"{op}:{','.join(map(str, inputs))}")
        return len(words) - 1

    def layer(at: int) -> int:
        at = node(draw.choice(("conv2d", "conv2d", "conv2d", "max_pool")), at)
        at = node("batch_norm", at) if draw.random() < 0.6 else at
        return node("relu", at) if draw.random() < 0.6 else at

    def conv(at: int) -> int:
        at = node("conv2d", at)
        return node("batch_norm", at) if draw.random() < 0.6 else at
    at = layer(-1)
    for _ in range(draw.randint(2, 4)):
        at = layer(at)
        inner = conv(node("relu", conv(at)))
        other = conv(at) if draw.random() < 0.5 else at
        at = node("add", *draw.sample((inner, other), 2))
        at = node("relu", at) if draw.random() < 0.7 else at
    node("linear", node("avg_pool", at))
    return " ".join(words)


def plan_fuse(test: Test, context: Context) -> list[Case]:
    graphs = context.also_drawn(test, GRAPHS, lambda draw: [drawn_graph(draw) for _ in range(4)])
    return [Case("optimize", f"fuse {graph}") for graph in graphs]


def groups_of(words: Sequence[str]) -> list[list[int]]:
    """The handout's rule, from the end of each group backwards."""
    ops = [word.split(":")[0] for word in words]
    inputs = [[int(text) for text in word.split(":")[1].split(",")] for word in words]
    readers = {i: [j for j, ins in enumerate(inputs) for one in ins if one == i] for i in range(len(ops))}
    group_of: dict[int, int] = {}
    groups: list[list[int]] = []
    for i, op in enumerate(ops):
        if i in group_of:
            continue
        group = [i]

        def follow(wanted: str) -> None:
            following = readers[group[-1]]
            if len(following) == 1 and ops[following[0]] == wanted and following[0] not in group_of:
                other = [one for one in inputs[following[0]] if one != group[-1]]
                ready = all(one < 0 or one < i and groups[group_of[one]][-1] < i for one in other)
                if wanted != "add" or ready:
                    group.append(following[0])
        if op == "conv2d":
            for wanted in ("batch_norm", "add", "relu"):
                follow(wanted)
        for one in group:
            group_of[one] = len(groups)
        groups.append(group)
    return sorted(groups, key=lambda group: group[-1])


def judge_fuse(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "groups of fused nodes"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        expected = groups_of(run.case.args.split()[1:])
        got = [line.split() for line in run.stdout.splitlines()]
        if got != [[str(one) for one in group] for group in expected]:
            return wrong_at(run, f"expected {expected}, got [{', '.join('[' + ', '.join(line) + ']' for line in got)}]", checked)
    return accepted(checked)


def plan_memory(test: Test, context: Context) -> list[Case]:
    draw, cases = random.Random(context.seed(test, 0)), []
    resnet = "4096:0:1 4096:1:2 4096:2:6 4096:3:4 4096:4:5 4096:5:6 2048:6:7 2048:7:9 2048:8:9 40:9:10"
    for count in (6, 20, 40):
        buffers = []
        for _ in range(count):
            first = draw.randint(0, 20)
            buffers.append(f"{64 * draw.randint(1, 64) - draw.randint(0, 8)}:{first}:{first + draw.randint(0, 6)}")
        cases.append(Case("optimize", "plan " + " ".join(buffers)))
    return [Case("optimize", f"plan {resnet}"), *cases]


def greedy_peak(buffers: Sequence[tuple[int, int, int]]) -> int:
    """Greedy by size (Pisarchyk, Lee 2020): the plan that the handout describes."""
    placed: list[tuple[int, int, int, int]] = []
    for size, first, last in sorted(buffers, key=lambda one: -one[0]):
        at = 0
        for low, high, begin, end in sorted(placed):
            if begin <= last and first <= end and low < at + size and at < high:
                at = (high + 63) // 64 * 64
        placed.append((at, at + size, first, last))
    return max(high for _, high, _, _ in placed)


def judge_memory(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "no overlap, and no more memory than the plan by size"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        words = [tuple(map(int, word.split(":"))) for word in run.case.args.split()[1:]]
        offsets = [whole(word) for word in run.stdout.split()]
        if len(offsets) != len(words) or any(at < 0 or at % 64 for at in offsets):
            return wrong_at(run, f"expected {len(words)} offsets, multiples of 64 and not negative", checked)
        for i, (size, first, last) in enumerate(words):
            for j in range(i):
                other, begin, end = words[j]
                if begin <= last and first <= end and offsets[j] < offsets[i] + size and offsets[i] < offsets[j] + other:
                    return wrong_at(run, f"buffers {j} and {i} are in use at once and overlap", checked)
        peak, allowed = max(at + size for at, (size, _, _) in zip(offsets, words)), greedy_peak(words)
        if peak > allowed:
            return wrong_at(run, f"peak {peak} bytes, the plan by size takes {allowed}", checked)
    return accepted(checked)
