"""The numbers that the given programs make as well (src/harness/check.hpp), their results read back, and the lab's
definitions in NumPy: scales, rounding, requantisation."""
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hpml_autograder.lab import Context, Outcome, Run, Test, Verdict, trouble
from hpml_autograder.splitmix import mix, mix_one

UNTOUCHED = ", which means that it was never written"  # the given programs fill their results with numbers of their own
DATA = Path(__file__).resolve().parent.parent / "data"
U8, S8, S8_NARROW = (0, 255, False), (-128, 127, False), (-127, 127, True)  # qmin, qmax, symmetric


def random_bits(seed: int, which: int, count: int) -> np.ndarray:
    with np.errstate(over="ignore"):
        return mix(np.uint64(mix_one(mix_one(seed) + which)) + np.arange(count, dtype=np.uint64))


def values(seed: int, which: int, *shape: int) -> np.ndarray:
    """Uniform in [-1, 1), multiples of 2^-23."""
    bits = random_bits(seed, which, int(np.prod(shape))) >> np.uint64(40)
    return ((bits.astype(np.int64) - (1 << 23)) * 2.0 ** -23).astype(np.float32).reshape(shape)


def random_bytes(seed: int, which: int, *shape: int) -> np.ndarray:
    return (random_bits(seed, which, int(np.prod(shape))) >> np.uint64(56)).astype(np.uint8).reshape(shape)


def sample(kind: str, seed: int, which: int, count: int) -> np.ndarray:
    if kind == "uniform":
        return values(seed, which, count)
    u = ((random_bits(seed, which, 2 * count) >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0 ** -53
    first, second = u[0::2], u[1::2]
    if kind == "laplace":
        return np.where(second < 0.5, np.log(first), -np.log(first)).astype(np.float32)
    x = np.sqrt(-2 * np.log(first)) * np.cos(2 * np.pi * second)
    return (np.maximum(x, 0) if kind == "relu" else x).astype(np.float32)


# ---- definitions (README.md, "Numbers") -----------------------------------------------------------------------------
def narrow(bits: int) -> tuple[int, int, bool]:
    return -(1 << (bits - 1)) + 1, (1 << (bits - 1)) - 1, True


def unsigned(bits: int) -> tuple[int, int, bool]:
    return 0, (1 << bits) - 1, False


def qparams(lo: float, hi: float, kind: tuple[int, int, bool]) -> tuple[np.float32, int]:
    """Scale and zero point."""
    qmin, qmax, symmetric = kind
    lo, hi = min(float(lo), 0.0), max(float(hi), 0.0)
    if lo == hi:
        return np.float32(1), 0
    if symmetric:
        return np.float32(max(-lo, hi) / qmax), 0
    scale = np.float32((hi - lo) / (qmax - qmin))
    return scale, int(np.clip(np.rint(qmin - lo / np.float64(scale)), qmin, qmax))


def quantize(x: np.ndarray, scale: "np.float32 | np.ndarray", zero: int, qmin: int, qmax: int) -> np.ndarray:
    """Half to even, then the zero point, then the limits. NaN gives the zero point."""
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        q = np.rint(x.astype(np.float32) / scale).astype(np.float64) + zero
    return np.clip(np.where(np.isnan(q), zero, q), qmin, qmax).astype(np.int64)


def dequantize(q: np.ndarray, scale: "np.float32 | np.ndarray", zero: int) -> np.ndarray:
    return scale * (q - zero).astype(np.float32)


def sqnr(x: np.ndarray, approximation: np.ndarray) -> float:
    x, error = x.astype(np.float64), x.astype(np.float64) - approximation.astype(np.float64)
    noise = float((error ** 2).sum())
    return float("inf") if noise == 0 else 10 * np.log10(float((x ** 2).sum()) / noise)


def multiplier(m: float) -> tuple[int, int]:
    mantissa, exponent = np.frexp(m)
    m0 = int(np.floor(mantissa * 2.0 ** 31 + 0.5))
    return (m0 // 2, -int(exponent) - 1) if m0 == 1 << 31 else (m0, -int(exponent))


def requantize(acc: np.ndarray, m0: np.ndarray, n: np.ndarray) -> np.ndarray:
    """acc * m0 * 2^-31 * 2^-n, one rounding, ties upward. int64 holds it: |acc| < 2^31, m0 < 2^31, n < 32."""
    acc, m0, n = np.int64(acc), np.int64(m0), np.int64(n)
    return (acc * m0 + (np.int64(1) << (30 + n))) >> (31 + n)


# ---- results ---------------------------------------------------------------------------------------------------------
def problem_of(run: Run, context: Context) -> Outcome | None:
    return trouble(run, context.spec.limits.wall_s)


class Reader:
    """The arrays of a run's result, one after the other. What is missing is not a number, or -1."""

    def __init__(self, run: Run) -> None:
        self.data = run.dump.read_bytes() if run.dump is not None else b""
        self.at = 0

    def take(self, dtype: type, *shape: int) -> np.ndarray:
        count = int(np.prod(shape))
        size = count * np.dtype(dtype).itemsize
        part = self.data[self.at:self.at + size]
        self.at += size
        if len(part) != size:
            return np.full(shape, np.nan if np.issubdtype(dtype, np.floating) else -1)
        return np.frombuffer(part, dtype).reshape(shape)


def differs(name: str, got: np.ndarray, expected: np.ndarray, bound: "np.ndarray | float" = 0.0, before: float = np.nan) -> str:
    """Where a result first differs by more than its bound, or nothing. Infinite numbers must be equal. before: what the given
    program has put there."""
    with np.errstate(invalid="ignore"):
        good = (np.abs(got.astype(np.float64) - expected) <= bound) | (got == expected)
    if good.all():
        return ""
    place = tuple(int(i) for i in np.argwhere(~good)[0])
    where = f"[{', '.join(map(str, place))}]" if place else ""
    return (f"{name}{where}: expected {np.float64(expected[place]):.9g}, got {np.float64(got[place]):.9g}"
            f"{UNTOUCHED if got[place] == before else ''} ({int((~good).sum())} of {good.size} wrong)")


def wrong_at(run: Run, what: str, checked: str) -> Outcome:
    return Outcome(Verdict.WA, f"`{str(run.case)[:90]}`: {what}", checked)


def seeds(test: Test, context: Context, count: int) -> Sequence[int]:
    """Seeds that a hand-in cannot know: smaller than 2^31, as words of a command line."""
    return [context.seed(test, i) % (1 << 31) for i in range(count)]
