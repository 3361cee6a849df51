"""E5: batch norm folded, biases, requantisation, and all of ResNet-8 in integers, against 64 bits."""
import random
import struct
from collections.abc import Iterator, Sequence

import lab5_slips
import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab5_data import (
    Reader, U8, differs, multiplier, narrow, problem_of, qparams, quantize, random_bits, random_bytes, requantize, seeds,
    values, wrong_at)
from lab5_resnet import IntegerNet, load
from lab5_slips import named

IMAGES = 4
BEFORE = 99  # of the accumulators: lowering_check.cpp
BIASES = ["0.1 0.02 0.003", "-1 0.5 0.125", "0.15625 0.25 0.25", "0.21875 0.25 0.25", "1e6 1e-4 1e-4", "-3e9 1 1", "2147483520 1 1"]
MULTIPLIERS = ["0.0025", "0.3", "0.0007", "0.5", "0.999999999999", "1", "0", "-0.1", "1e-7", "1.5", "nan"]
ACCUMULATORS = {"0.0025": (20000, 200, -200, 1000, -1000, 12345), "0.3": (1, -1, 12345), "0.0007": (12345,),
                "0.5": (1, -1, 3, -3, 2147483647, -2147483648), "1e-12": (2147483647, -2147483648)}
INT32 = "0 -2147483648 2147483647"  # no zero point, no limits
SCALARS = [*(f"{acc} {m} {INT32}" for m, accs in ACCUMULATORS.items() for acc in accs), "200 0.5 10 0 105", "-200 0.5 10 12 255"]


def plan_arrays(test: Test, context: Context) -> list[Case]:
    what, cases = test.params["what"], []
    for seed in seeds(test, context, 2):
        words = {"fold": f"{9 + seed % 20} {3 + seed % 11} {{}}", "add": "400", "requantize": "2000",
                 "conv": f"{5 + seed % 4} {4 + seed % 5} {1 + seed % 5} {2 + seed % 7} 3 {1 + seed % 2} 1 {1 + seed % 255}"}[what]
        cases.append(Case("lowering", f"{what} {seed} {words.format(len(cases))}", dump=True))
    return cases


def expected_arrays(what: str, words: Sequence[int]) -> list[tuple[str, np.ndarray, type]]:
    seed, *rest = words
    if what == "fold":
        return fold(seed, *rest)
    if what == "add":
        return [("sum", add(seed, rest[0]), np.int32)]
    if what == "requantize":
        return [("result", many_requantized(seed, rest[0]), np.int32)]
    k, stride, pad, zero = rest[4:]
    x, weights, bias = convolution_data(seed, *rest[:5])
    return [("accumulator", convolution(x - zero, weights, k, stride, pad) + bias, np.int32)]


def convolution_data(seed: int, h: int, w: int, ci: int, co: int, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The image, the weights and the biases."""
    x = random_bytes(seed, 0, h, w, ci).astype(np.int64)
    weights = random_bytes(seed, 1, k * k, ci, co).view(np.int8).astype(np.int64)
    weights[weights == -128] = 0
    return x, weights, 1000 * np.arange(co, dtype=np.int64) - 70


def convolution_slips(args: str) -> Iterator[tuple[str, np.ndarray]]:
    seed, h, w, ci, co, k, stride, pad, zero = map(int, args.split()[1:])
    return lab5_slips.convolution(*convolution_data(seed, h, w, ci, co, k), zero, k, stride, pad)


def fold(seed: int, rows: int, co: int, with_bias: int) -> list[tuple[str, np.ndarray, type]]:
    w = values(seed, 0, rows, co).astype(np.float64)
    gamma, beta, mean, raw, bias = (values(seed, which, co).astype(np.float64) for which in (1, 2, 3, 4, 5))
    var = (np.float32(0.25) + raw.astype(np.float32) ** 2).astype(np.float64)
    k = gamma / np.sqrt(var + np.float64(np.float32(1e-5)))
    return [("weight", (k * w).astype(np.float32), np.float32),
            ("bias", (beta - k * mean + (k * bias if with_bias else 0)).astype(np.float32), np.float32)]


def add(seed: int, count: int) -> np.ndarray:
    qa, qb, za, zb, zy = ((random_bits(seed, which, count) >> np.uint64(56)).astype(np.int64) for which in range(5))
    ra, rb = (np.float32(1) + values(seed, which, count) for which in (5, 6))
    total = ra * (qa - za).astype(np.float32) + rb * (qb - zb).astype(np.float32)
    return np.clip(np.rint(total).astype(np.int64) + zy, np.where(np.arange(count) % 2 == 0, 0, zy), 255)


def many_requantized(seed: int, count: int) -> np.ndarray:
    place = np.arange(count)
    acc = (random_bits(seed, 0, count) >> np.uint64(32)).astype(np.uint32).view(np.int32).astype(np.int64) >> (place % 24)
    m0 = (1 << 30) + (random_bits(seed, 1, count) >> np.uint64(34)).astype(np.int64)
    return np.clip(requantize(acc, m0, place % 13) + place % 256, -1 << 30, 1 << 30)


def convolution(x: np.ndarray, w: np.ndarray, k: int, stride: int, pad: int) -> np.ndarray:
    """x: h x w x ci, already without its zero point, so that padding is 0; w: k*k x ci x co."""
    padded = np.pad(x, ((pad, pad), (pad, pad), (0, 0)))
    oh, ow = ((size - k) // stride + 1 for size in padded.shape[:2])
    return sum(padded[i // k:i // k + stride * oh:stride, i % k:i % k + stride * ow:stride] @ w[i] for i in range(k * k))


def judge_arrays(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    what = test.params["what"]
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        reader = Reader(run)
        for name, expected, dtype in expected_arrays(what, list(map(int, run.case.args.split()[1:]))):
            bound = 2e-6 * np.abs(expected) if what == "fold" else 0  # the network's test has it exactly
            got = reader.take(dtype, *expected.shape)
            said = differs(name, got, expected, bound, BEFORE if what == "conv" else np.nan)
            if said:
                return wrong_at(run, said + (named(got, convolution_slips(run.case.args)) if what == "conv" else ""), what)
    return accepted(f"{len(runs)} arrays")


def drawn_biases(draw: random.Random) -> list[str]:
    """Usual ones, ties, and one that does not fit 32 bits."""
    usual = [f"{draw.uniform(-3, 3):.4f} {draw.uniform(0.005, 0.1):.5f} {draw.uniform(0.001, 0.02):.5f}" for _ in range(4)]
    ties = [f"{(draw.randint(-40, 40) + 0.5) / 16} 0.25 0.25" for _ in range(3)]
    return [*usual, *ties, f"{draw.choice((-1, 1)) * draw.randint(10 ** 6, 10 ** 7)} 1e-4 1e-4"]


def plan_bias(test: Test, context: Context) -> list[Case]:
    return [Case("lowering", "bias " + " ".join(context.also_drawn(test, BIASES, drawn_biases)))]


def judge_bias(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    expected, asked = [], context.also_drawn(test, BIASES, drawn_biases)
    for words in asked:
        b, sx, sw = (np.float64(np.float32(float(word))) for word in words.split())
        q = np.rint(b / (sx * sw))
        expected.append("refused" if abs(q) >= 2.0 ** 31 else str(int(q)))
    return judge_words(runs[0], context, expected, asked, "bias, input scale, weight scale")


def judge_words(run: Run, context: Context, expected: Sequence[str], inputs: Sequence[str], what: str) -> Outcome:
    problem = problem_of(run, context)
    if problem:
        return problem
    lines = run.stdout.splitlines() + [""] * len(expected)
    for words, wanted, line in zip(inputs, expected, lines):
        if line != wanted and not (wanted == "refused" and line.startswith("refused")):
            return wrong_at(run, f"{what} {words}: expected {wanted}, got {line[:40]!r}", f"{len(expected)} cases")
    return accepted(f"{len(expected)} cases")


def drawn_multipliers(draw: random.Random) -> list[str]:
    return [*(f"{10 ** draw.uniform(-6, -0.01):.6g}" for _ in range(6)), f"{draw.uniform(-2, -0.1):.4f}", f"{draw.uniform(1.1, 9):.4f}"]


def plan_multiplier(test: Test, context: Context) -> list[Case]:
    return [Case("lowering", "multiplier " + " ".join(context.also_drawn(test, MULTIPLIERS, drawn_multipliers)))]


def judge_multiplier(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    asked = context.also_drawn(test, MULTIPLIERS, drawn_multipliers)
    expected = ["{} {}".format(*multiplier(float(m))) if 0 < float(m) < 1 else "refused" for m in asked]
    return judge_words(runs[0], context, expected, asked, "multiplier")


def drawn_scalars(draw: random.Random) -> list[str]:
    """Usual ones, ties of both signs, and limits on either side."""
    usual = [f"{draw.randint(-10 ** 6, 10 ** 6)} {draw.uniform(0.0005, 0.9):.5f} {INT32}" for _ in range(6)]
    ties = [f"{4 * draw.randint(-1000, 1000) + 2 * odd + 1} 0.5 {INT32}" for odd in (0, 1, 0, 1)]
    acc, zero = draw.randint(300, 900), draw.randint(20, 90)
    return [*usual, *ties, f"{acc} 0.5 {zero} 0 {zero + 100}", f"{-acc} 0.5 {zero} {zero - 7} 255", f"{acc // 30} 0.7 {zero} 0 255"]


def plan_scalar(test: Test, context: Context) -> list[Case]:
    return [Case("lowering", "scalar " + " ".join(context.also_drawn(test, SCALARS, drawn_scalars)))]


def judge_scalar(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    inputs, expected = [], []
    for line in context.also_drawn(test, SCALARS, drawn_scalars):
        acc, m, *limits = line.split()
        m0, n = multiplier(float(m))
        zero, low, high = map(int, limits)
        plain = "" if " ".join(limits) == INT32 else f" + {zero}, from {low} to {high}"
        inputs.append(f"{acc} * {m}{plain}" + (f" (n = {n}: C++ has no shift by {31 + n} bits)" if n > 32 else ""))
        expected.append(str(min(max(((int(acc) * m0 + (1 << (30 + n))) >> (31 + n)) + zero, low), high)))
    return judge_words(runs[0], context, expected, inputs, "requantise")


# ---- the network -----------------------------------------------------------------------------------------------------
def plan_net(test: Test, context: Context) -> list[Case]:
    return [Case("lowering", f"net {{lab5_resnet8}} {{lab5_resnet8_ranges}} {seeds(test, context, 1)[0]} {IMAGES}", dump=True)]


def image(seed: int, number: int) -> np.ndarray:
    pixels = random_bytes(seed, number, 32 * 32 * 3)
    if number % 2 == 0:
        for row in range(0, pixels.size, 96):  # each value takes part of its row's first, which comes first
            first = (int(pixels[row]) + 7 * int(pixels[row])) // 8
            pixels[row + 1:row + 96] = (pixels[row + 1:row + 96].astype(np.int64) + 7 * first) // 8
    return pixels.reshape(32, 32, 3)


def judge_net(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """part: "nodes", "weights" or "logits"; none: all."""
    run, checked = runs[0], "ResNet-8 in integers"
    problem = problem_of(run, context)
    if problem:
        return problem
    net = load()
    seed = int(run.case.args.split()[3])
    found = {"nodes": wrong_nodes(net, run.stdout), "weights": "", "logits": ""}
    reader = Reader(run)
    for node in net.nodes:
        arrays = [("weights", node.q.reshape(-1), np.int8), ("biases", node.bias, np.int32),
                  ("multipliers", np.array(node.multipliers).reshape(-1), np.int32)]
        for name, expected, dtype in arrays:
            said = differs(f"{node.name}, {name}", reader.take(dtype, expected.size), expected) if expected.size else ""
            found["weights"] = found["weights"] or said
    for number in range(IMAGES):
        said = differs(f"image {number}, accumulators", reader.take(np.int32, 10), net.logits(image(seed, number)))
        found["logits"] = found["logits"] or said
    for part, said in found.items():
        if said and test.params.get("part", part) == part:
            return wrong_at(run, said, checked)
    return accepted(checked)


def wrong_nodes(net: IntegerNet, stdout: str) -> str:
    """Scales, zero points, limits, and the bytes of the model."""
    lines = stdout.splitlines()
    if len(lines) != len(net.nodes) + 1:
        return f"expected {len(net.nodes)} nodes, got {max(0, len(lines) - 1)}"
    for node, line in zip(net.nodes[:-1], lines):
        expected = f"{node.name} {struct.pack('>f', node.scale).hex()} {node.zero} {node.zero if node.relu else 0}"
        if line != expected:
            return f"expected '{expected}', got '{line[:60]}'"
    return "" if lines[-1] == f"bytes {net.bytes}" else f"expected bytes {net.bytes}, got '{lines[-1][:40]}'"


