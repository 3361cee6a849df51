"""E4: k-means codebooks."""
import functools
import math
from collections.abc import Sequence

import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab5_data import Reader, differs, narrow, problem_of, qparams, quantize, sample, seeds, sqnr, values, wrong_at

ROUNDS = 300
GAUSSIAN = (2, 3, 4)  # bits of the tests with 36,864 normal weights
STANDARD_ERRORS = 2


def plan(test: Test, context: Context) -> list[Case]:
    if test.params.get("data") == "gaussian":
        return [Case("codebook", f"normal {seeds(test, context, 1)[0]} 36864 {bits}", dump=True) for bits in GAUSSIAN]
    drawn = seeds(test, context, 3)
    kinds = ["holes"] * 2 if test.params.get("data") == "holes" else ["uniform", "laplace", "normal"]
    return [Case("codebook", f"{kind} {seed} {500 + seed % 500} {bits}", dump=True)
            for kind, seed, bits in zip(kinds, drawn, (3, 2, 4))]


def weights(words: str) -> tuple[np.ndarray, int, int]:
    kind, seed, n, bits = words.split()
    w = sample("uniform" if kind == "holes" else kind, int(seed), 0, int(n))
    if kind == "holes":
        w = (np.float32(0.01) * w + np.where(np.arange(w.size) % 2 == 0, -1, 1).astype(np.float32)).astype(np.float32)
    return w, int(bits), int(seed)


def lloyd(w: np.ndarray, bits: int) -> tuple[np.ndarray, np.ndarray]:
    """Centroids and codes: linear start, ties to the lower index, an empty cluster keeps its centroid."""
    lo, hi, k = float(w.min()), float(w.max()), 1 << bits
    centroids, codes = np.array([lo + j / (k - 1) * (hi - lo) for j in range(k)], np.float32), None
    for _ in range(ROUNDS):
        nearest = np.argmin((w.astype(np.float64)[:, None] - centroids.astype(np.float64)) ** 2, axis=1)
        if codes is not None and (nearest == codes).all():
            break
        codes = nearest
        sums, members = np.bincount(codes, w, k), np.bincount(codes, minlength=k)
        centroids = np.where(members > 0, sums / np.maximum(members, 1), centroids).astype(np.float32)
    return centroids, codes


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """part: "book", "gradient" or "bits"; none: all."""
    checked = f"{len(runs)} codebooks"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        w, bits, seed = weights(run.case.args)
        k = 1 << bits
        reader = Reader(run)
        centroids, codes, gradient = reader.take(np.float32, k), reader.take(np.uint8, w.size), reader.take(np.float32, k)
        share, rounds = reader.take(np.float64, 1), int(reader.take(np.int64, 1)[0])
        inertia = reader.take(np.float64, rounds) if 0 < rounds <= ROUNDS else np.array([])
        expected, expected_codes = lloyd(w, bits)
        found = {"book": differs("centroids", centroids, expected, 1e-5) or falls(inertia) or gaps(w, centroids, codes),
                 "bits": differs("bits per weight", share, np.array([bits + 32 * k / w.size]), 1e-9)}
        dw = values(seed, 1, w.size).astype(np.float64)
        found["gradient"] = differs("gradient", gradient, np.bincount(expected_codes, dw, k), 1e-4)
        for part, said in found.items():
            if said and test.params.get("part", part) == part:
                return wrong_at(run, said, checked)
    return accepted(checked)


def falls(inertia: np.ndarray) -> str:
    if inertia.size == 0 or not np.isfinite(inertia).all():
        return "inertia: expected one number per round"
    rises = np.flatnonzero(np.diff(inertia) > 1e-9 * inertia[0])
    return f"inertia rises in round {rises[0] + 1}" if rises.size else ""


def gaps(w: np.ndarray, centroids: np.ndarray, codes: np.ndarray) -> str:
    """A weight that is nearer to another centroid than to its own."""
    distances = np.abs(w.astype(np.float64)[:, None] - centroids.astype(np.float64))
    own = distances[np.arange(w.size), codes]
    bad = np.flatnonzero(own > distances.min(axis=1) + 1e-7)
    return f"weight {bad[0]}: not its nearest centroid ({bad.size} of {w.size})" if bad.size else ""


@functools.cache
def best_levels(bits: int) -> np.ndarray:
    """Of 2^bits levels for the normal distribution those with the least squared error (Max, 1960): each is the mean of its interval."""
    levels, before = np.linspace(-2, 2, 1 << bits), np.zeros(1 << bits)
    while not np.allclose(levels, before, rtol=0, atol=1e-9):
        ends = np.concatenate(([-40.0], (levels[1:] + levels[:-1]) / 2, [40.0]))  # the density is 0 there
        density, below = np.exp(-ends ** 2 / 2) / math.sqrt(2 * math.pi), np.array([math.erf(end / math.sqrt(2)) / 2 for end in ends])
        levels, before = -np.diff(density) / np.diff(below), levels
    return levels


def least_for(w: np.ndarray, bits: int) -> float:
    """dB of the best levels on these very weights, or of the prescribed rounds where an outlier holds a centroid back (0.4 dB less,
    for 1 in 100 draws of 16 centroids); less some standard errors of such a figure from as many weights."""
    levels = best_levels(bits) * w.std()
    error = w - levels[np.argmin(np.abs(w.astype(np.float64)[:, None] - levels), axis=1)]
    variance = sum(np.var(part ** 2) / (w.size * np.mean(part ** 2) ** 2) for part in (w.astype(np.float64), error))
    centroids, codes = lloyd(w, bits)
    return min(sqnr(w, w - error), sqnr(w, centroids[codes])) - STANDARD_ERRORS * 10 / math.log(10) * math.sqrt(variance)


def judge_gaussian(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """As good as theory says, and never worse than as many even steps over the whole range."""
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        w, bits, _ = weights(run.case.args)
        reader = Reader(run)
        centroids, codes = reader.take(np.float32, 1 << bits), reader.take(np.uint8, w.size)
        got = sqnr(w, centroids[codes % (1 << bits)])
        scale = qparams(-np.abs(w).max(), np.abs(w).max(), narrow(bits))[0]
        uniform = sqnr(w, scale * quantize(w, scale, 0, *narrow(bits)[:2]))
        least = max(least_for(w, bits), uniform)
        if not got >= least:
            return wrong_at(run, f"expected at least {least:.2f} dB (even steps: {uniform:.2f}), got {got:.2f}", "normal weights")
    return accepted("36,864 normal weights")
