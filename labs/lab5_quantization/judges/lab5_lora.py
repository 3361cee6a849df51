"""P3: low-rank adapters and NF4, by a second implementation in NumPy."""
from collections.abc import Sequence

import numpy as np
from lab5_compress import Results, differs, judge, normal, number, take

ALPHA = 16.0
STEPS, SAMPLES = 200, 8
# Dettmers et al. 2023, appendix E: quantiles of the normal distribution, the positive and the negative half each to 1.
LEVELS = np.array([-1, -.6961928, -.5250731, -.3949175, -.2844414, -.1847734, -.0910500, 0, .0795803, .1609302, .2461123, .3379152,
                   .4407098, .5626170, .7229568, 1], np.float32)
NF4_WEIGHTS = 64 * 300 + 17
NEAR = 1e-5


class Adapter:
    def __init__(self, results: Results, words: Sequence[str]) -> None:
        self.inputs, self.outputs, self.rank, self.seed = map(int, words)
        self.w = normal(self.seed, 0, self.inputs * self.outputs, 0.1)
        self.x = normal(self.seed, 1, self.inputs).astype(np.float64)
        self.results = results

    def matrix(self, name: str, rows: int, columns: int) -> np.ndarray:
        return take(self.results, name, rows * columns).astype(np.float64).reshape(rows, columns)

    def a(self, name: str) -> np.ndarray:
        return self.matrix(name, self.rank, self.inputs)

    def b(self, name: str) -> np.ndarray:
        return self.matrix(name, self.outputs, self.rank)

    def given_b(self) -> np.ndarray:
        """A B that is not 0."""
        return normal(self.seed, 4, self.outputs * self.rank).astype(np.float64).reshape(self.outputs, self.rank)

    def whole(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return self.w.astype(np.float64).reshape(self.outputs, self.inputs) + ALPHA / self.rank * b @ a

    def compare(self, name: str, expected: np.ndarray) -> str:
        flat = expected.reshape(-1)
        return differs(name, take(self.results, name, flat.size), flat, NEAR * max(1.0, float(np.abs(flat).max())))


def find_start(results: Results, words: Sequence[str]) -> str:
    one = Adapter(results, words)
    a, b = one.a("start_a"), one.b("start_b")
    if b.any() or not a.any() or not np.isfinite(a).all() or np.abs(a).max() > 10:
        return "B must start as zeros and A as numbers that are not all 0: otherwise the layer changes at once, or never"
    if one.rank > 1 and np.linalg.matrix_rank(a) < one.rank:
        return f"A has rank {np.linalg.matrix_rank(a)}, not {one.rank}: its rows must differ"
    expected = one.rank * (one.inputs + one.outputs)
    if number(results, "trainable") != expected:
        return f"lora_trainable: expected {expected}, got {number(results, 'trainable'):g}"
    return one.compare("start_y", one.whole(a, b) @ one.x) or one.compare("given_y", one.whole(a, one.given_b()) @ one.x)


def find_gradient(results: Results, words: Sequence[str]) -> str:
    one = Adapter(results, words)
    a, b, dy = one.a("start_a"), one.given_b(), normal(one.seed, 5, one.outputs).astype(np.float64)
    factor = ALPHA / one.rank
    return (one.compare("gradient_b", factor * np.outer(dy, a @ one.x))
            or one.compare("gradient_a", factor * np.outer(b.T @ dy, one.x)))


def loss_of(one: Adapter, a: np.ndarray, b: np.ndarray) -> float:
    """What harness/lora_main.cpp trains for: the adapter should add a matrix of rank 1."""
    x = normal(one.seed, 2, SAMPLES * one.inputs).astype(np.float64).reshape(SAMPLES, one.inputs)
    row = normal(one.seed, 3, one.inputs, 2 / np.sqrt(one.inputs)).astype(np.float64)
    column = normal(one.seed, 7, one.outputs, 1 / np.sqrt(one.outputs)).astype(np.float64)
    missing = ALPHA / one.rank * b @ a - np.outer(column, row)
    return float(0.5 * ((x @ missing.T) ** 2).sum() / SAMPLES)


def find_training(results: Results, words: Sequence[str]) -> str:
    one = Adapter(results, words)
    if take(results, "end_w", one.w.size).tobytes() != one.w.tobytes():
        return "W has changed in training: only A and B are trained"
    a, b = one.a("end_a"), one.b("end_b")
    if np.array_equal(a, one.a("start_a")) or not b.any():
        return "A or B has not changed in training"
    before, after = loss_of(one, one.a("start_a"), one.b("start_b")), loss_of(one, a, b)
    if not after < 0.7 * before:
        return f"the loss goes from {before:.4f} to {after:.4f} in {STEPS} steps, expected less than 70 % of it"
    return one.compare("end_y", one.whole(a, b) @ one.x) or one.compare("merged", one.whole(a, b))


def nf4_weights(seed: int) -> np.ndarray:
    w = normal(seed, 6, NF4_WEIGHTS)
    w[64:128] = 0
    return w


def blocks(values: np.ndarray, size: int) -> np.ndarray:
    """Rows of `size`, the last filled up with zeros."""
    return np.concatenate([values, np.zeros(-len(values) % size, values.dtype)]).reshape(-1, size)


def nf4(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Code of each weight, scale of each block."""
    rows = blocks(w, 64)
    scales = np.abs(rows).max(axis=1)
    ratios = rows / np.where(scales > 0, scales, np.float32(1))[:, None]
    codes = np.abs(ratios[:, :, None] - LEVELS).argmin(axis=2).reshape(-1)[:len(w)]
    return codes.astype(np.uint8), scales


def find_nf4(results: Results, words: Sequence[str]) -> str:
    w = nf4_weights(int(words[3]))
    codes, scales = nf4(w)
    stored = take(results, "codes", (len(w) + 1) // 2, np.uint8)
    got = np.stack([stored & 15, stored >> 4], axis=1).reshape(-1)
    said = (differs("NF4 codes", got, np.append(codes, np.uint8(0)))
            or differs("NF4 scales", take(results, "scales", scales.size), scales)
            or differs("NF4 values", take(results, "values", len(w)), LEVELS[codes] * scales.repeat(64)[:len(w)]))
    expected = 4 + 32 * len(scales) / len(w)
    return said or differs("bits per weight", take(results, "bits", 1, np.float64), np.array([expected]), 1e-9)


def find_double(results: Results, words: Sequence[str]) -> str:
    w = nf4_weights(int(words[3]))
    codes, scales = nf4(w)
    rows = blocks(scales, 256)
    units = rows.max(axis=1) / np.float32(255)
    steps = np.rint(rows / units[:, None]).reshape(-1)[:len(scales)].astype(np.float32)
    again = (steps * units.repeat(256)[:len(scales)]).astype(np.float32)
    said = (differs("steps of the scales", take(results, "steps", scales.size, np.uint8), steps)
            or differs("units of the scales", take(results, "units", units.size), units)
            or differs("values", take(results, "double_values", len(w)), LEVELS[codes] * again.repeat(64)[:len(w)]))
    expected = 4 + (8 * len(scales) + 32 * len(units)) / len(w)
    return said or differs("bits per weight", take(results, "double_bits", 1, np.float64), np.array([expected]), 1e-9)


judge_start = judge("start, forward pass, count", find_start)
judge_gradient = judge("gradients of A and B", find_gradient)
judge_training = judge("W untouched, the adapter learns, merged W", find_training)
judge_nf4 = judge("NF4 codes, scales, values", find_nf4)
judge_double = judge("quantised scales", find_double)
