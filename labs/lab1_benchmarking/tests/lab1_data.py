"""The vectors the grader chooses, and what each algorithm makes of them, bit by bit."""
import math
from dataclasses import dataclass

import numpy as np

MASK = (1 << 64) - 1
PUBLIC_INTS = "ints:7,3,5,1,11,1,7,2"  # --data ints of the programs
CHUNK = 1 << 22


def splitmix(seed: int, n: int) -> np.ndarray:
    """Steele, Lea, Flood, OOPSLA 2014; uniform in [-1, 1), multiples of 2^-23."""
    z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return ((z >> np.uint64(40)).astype(np.float64) * 2.0**-23 - 1.0).astype(np.float32)


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
        if kind == "uniform":
            return splitmix(int(rest), n)[start:], splitmix(int(rest) ^ 1, n)[start:]
        i = np.arange(start, n, dtype=np.int64)
        if kind == "ints":
            p, q, m, o, r, s, t, u = (int(word) for word in rest.split(","))
            return ((p * i + q) % m - o).astype(np.float32), ((r * i + s) % t - u).astype(np.float32)
        a = np.full(n - start, 1.0, np.float32)
        if kind == "probe" and start == 0:
            a[0] = 4096.0
        return a, a

    def products(self, n: int, start: int = 0) -> np.ndarray:
        a, b = self.vectors(n, start)
        return a * b


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


def exact(data: Data, n: int) -> Exact:
    """Products of floats are exact in double, and fsum rounds once."""
    a, b = (vector.astype(np.float64) for vector in data.vectors(n))
    return Exact(math.fsum(a * b), math.fsum(np.abs(a * b)))


def error_bound(reference: Exact, n: int) -> float:
    """Higham, Accuracy and Stability of Numerical Algorithms, 3.1: gamma_n times the sum of magnitudes."""
    nu = n * 2.0**-24
    return nu / (1 - nu) * reference.magnitude
