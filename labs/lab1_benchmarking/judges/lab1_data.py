"""The vectors the grader chooses, and what each algorithm makes of them, bit by bit."""
import functools
import math
from dataclasses import dataclass

import numpy as np
from hpml_autograder.splitmix import outputs

PUBLIC_INTS = "ints:7,3,5,1,11,1,7,2"  # --data ints of the programs
CHUNK, PIECE = 1 << 22, 1 << 16


def splitmix(seed: int, n: int, positive: bool = False, start: int = 0) -> np.ndarray:
    """Numbers start to n - 1 of SplitMix64, uniform in [-1, 1), multiples of 2^-23, or in [0, 1), multiples
    of 2^-24."""
    top = (outputs(seed, n - start, start) >> np.uint64(40)).astype(np.float64)
    return (top * 2.0**-24 if positive else top * 2.0**-23 - 1.0).astype(np.float32)


def hidden_ints(seed: int) -> str:
    """Other moduli and offsets; every partial sum of a million products stays far below 2^24."""
    numbers = []
    for position in range(2):
        part = seed >> (24 * position)
        modulus = (3, 5, 7)[part % 3]
        step = 1 + (part >> 4) % (modulus - 1)
        numbers += [step, (part >> 8) % modulus, modulus, modulus // 2 - (0 if position else (part >> 12) % 2)]
    return "ints:" + ",".join(map(str, numbers))


@dataclass(frozen=True)
class Data:
    """The word that names the vectors to the workers; products() are exact."""
    word: str

    def vectors(self, n: int, start: int = 0) -> tuple[np.ndarray, np.ndarray]:
        kind, _, rest = self.word.partition(":")
        if kind in ("uniform", "positive"):
            first, second = (splitmix(seed, n, kind == "positive", start) for seed in (int(rest), int(rest) ^ 1))
            return first, second
        if kind == "ints":
            i = np.arange(start, n, dtype=np.int64)
            p, q, m, o, r, s, t, u = (int(word) for word in rest.split(","))
            return ((p * i + q) % m - o).astype(np.float32), ((r * i + s) % t - u).astype(np.float32)
        a = np.full(n - start, 1.0, np.float32)
        if kind == "tenths":
            return np.full(n - start, 0.1, np.float32), a
        if kind == "harmonic":
            return np.float32(1) / np.arange(start + 1, n + 1, dtype=np.float32), a
        if kind == "probe" and start == 0:
            a[0] = 4096.0
        return a, a

    def products(self, n: int, start: int = 0) -> np.ndarray:
        a, b = self.vectors(n, start)
        return a * b


@functools.lru_cache(maxsize=16)
def sequential(data: Data, n: int) -> float:
    """One float accumulator, in order: numpy's cumulative sum adds exactly so."""
    total = np.float32(0)
    for start in range(0, n, CHUNK):
        piece = data.products(min(n, start + CHUNK), start)
        total = np.cumsum(np.concatenate(([total], piece)), dtype=np.float32)[-1]
    return float(total)


def unrolled(data: Data, n: int, paired: bool = False) -> float:
    """R += p0 + p1 + p2 + p3 (or (p0 + p1) + (p2 + p3)), then the tail one by one."""
    total, whole = np.float32(0), n // 4 * 4
    for start in range(0, whole, CHUNK):
        p = data.products(min(whole, start + CHUNK), start).reshape(-1, 4)
        groups = (p[:, 0] + p[:, 1]) + (p[:, 2] + p[:, 3]) if paired else ((p[:, 0] + p[:, 1]) + p[:, 2]) + p[:, 3]
        total = np.cumsum(np.concatenate(([total], groups)), dtype=np.float32)[-1]
    tail = data.products(n, whole)
    return float(np.cumsum(np.concatenate(([total], tail)), dtype=np.float32)[-1])


def accumulators(data: Data, n: int, k: int) -> float:
    """k float accumulators side by side, added up at the end."""
    whole = n // k * k
    lanes = np.cumsum(data.products(whole).reshape(-1, k), axis=0, dtype=np.float32)[-1] if whole else np.zeros(k)
    parts = np.concatenate((lanes.astype(np.float32), data.products(n, whole)))
    return float(np.cumsum(parts, dtype=np.float32)[-1])


def doubles(data: Data, n: int) -> float:
    """A double accumulator."""
    return float(np.cumsum(data.products(n), dtype=np.float64)[-1])


@dataclass(frozen=True)
class Exact:
    value: float
    magnitude: float  # sum of |a b|


@functools.lru_cache(maxsize=8)
def exact(data: Data, n: int) -> Exact:
    """Products of floats are exact in double, and fsum rounds once. Vectors are summed in pieces, and made in chunks: the
    longest of the lab would take gigabytes."""
    add = math.fsum if n <= CHUNK else np.sum  # numpy adds in pairs: far more digits than a float has
    sums, magnitudes = [], []
    for start in range(0, n, CHUNK):
        a, b = (vector.astype(np.float64) for vector in data.vectors(min(n, start + CHUNK), start))
        products = a * b
        for at in range(0, len(products), PIECE):
            piece = products[at:at + PIECE]
            sums.append(float(add(piece)))
            magnitudes.append(sums[-1] if piece.min() >= 0 else float(add(np.abs(piece))))
    return Exact(math.fsum(sums), math.fsum(magnitudes))


@functools.lru_cache(maxsize=8)
def pairwise(data: Data, n: int) -> float:
    """Up to 8 products in order; more: the first n // 2 and the others, each by itself."""
    products = data.products(n)

    def fold(starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        sums = np.zeros(len(starts), np.float32)
        for position in range(8):
            there = (lengths <= 8) & (lengths > position)
            sums[there] += products[starts[there] + position]
        long = lengths > 8
        if long.any():
            halves = np.stack([lengths[long] // 2, lengths[long] - lengths[long] // 2], axis=1).ravel()
            begins = np.stack([starts[long], starts[long] + lengths[long] // 2], axis=1).ravel()
            parts = fold(begins, halves)
            sums[long] = parts[0::2] + parts[1::2]
        return sums
    return float(fold(np.array([0]), np.array([n]))[0])


def compensated_bound(reference: Exact, n: int) -> float:
    """Rounded products, then Kahan's sum: Higham, 4.3: 2 u + O(n u^2) times the sum of magnitudes."""
    u = 2.0**-24
    return (3 + 4 * n * u) * u * reference.magnitude


def pairwise_bound(reference: Exact, n: int) -> float:
    """Rounded products, then 7 additions in a leaf and one per level above: Higham, 4.2."""
    u = 2.0**-24
    return (8 + math.ceil(math.log2(max(n / 8, 1)))) * u * 1.01 * reference.magnitude


def error_bound(reference: Exact, n: int) -> float:
    """Higham, Accuracy and Stability of Numerical Algorithms, 3.1: gamma_n times the sum of magnitudes."""
    nu = n * 2.0**-24
    return nu / (1 - nu) * reference.magnitude
