"""E4: k-means codebooks."""
from collections.abc import Sequence

import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab5_data import Reader, differs, narrow, problem_of, qparams, quantize, sample, seeds, sqnr, values, wrong_at

ROUNDS = 300
GAUSSIAN = {2: 9.32, 3: 14.66, 4: 20.24}  # dB of 36,864 normal weights: next to the Lloyd-Max limit


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
        if not got >= max(GAUSSIAN[bits] - 0.1, uniform):
            return wrong_at(run, f"expected {GAUSSIAN[bits]:.2f} dB (even steps: {uniform:.2f}), got {got:.2f}", "normal weights")
    return accepted("36,864 normal weights")
