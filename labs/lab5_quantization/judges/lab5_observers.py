"""E3: observers. Where several limits are as good as each other, all of them are right."""
import functools
from collections.abc import Sequence

import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, numbers
from lab5_data import dequantize, problem_of, qparams, quantize, random_bits, sample, seeds, unsigned, values, wrong_at

BINS, GROUPS = 2048, 128
NEAR = 1e-6
CANDIDATES = range(5, 101)
# Smallest mean squared error of a symmetric quantiser with levels -(2^(b-1) - 1) ... 2^(b-1) - 1: numeric integration.
OPTIMA = {("normal", 1): 0.19017, ("normal", 3): 0.04686, ("normal", 7): 0.01289,
          ("laplace", 1): 0.5283, ("laplace", 3): 0.16606, ("laplace", 7): 0.05470}
CLIPS = {"normal": (3.5, 4.4), "laplace": (8.5, 11.5)}  # at 8 bits, where a few values decide


def rows_of(run: Run, context: Context, count: int) -> "tuple[Outcome | None, list[list[float]]]":
    problem = problem_of(run, context)
    found = numbers(run)
    return problem, found + [[np.nan] * 2] * (count - len(found))


def near(got: float, expected: float, relative: float = NEAR) -> bool:
    return abs(got - expected) <= relative * max(abs(expected), 1e-6)


def plan_min_max(test: Test, context: Context) -> list[Case]:
    return [Case("observers", f"minmax {seed} 6 {50 + seed % 100}") for seed in seeds(test, context, 2)]


def judge_min_max(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        seed, batches, n = map(int, run.case.args.split()[1:])
        problem, found = rows_of(run, context, 2 * batches)
        if problem:
            return problem
        ema = None
        for batch in range(batches):
            x = values(seed, batch, n)
            seen = np.array([x.min(), x.max()], np.float64)
            ema = seen if ema is None else ema + 0.01 * (seen - ema)
            for name, got, expected in (("min and max", found[2 * batch], seen), ("moving average", found[2 * batch + 1], ema)):
                if len(got) != 2 or not all(near(g, e, 1e-5) for g, e in zip(got, expected)):
                    return wrong_at(run, f"batch {batch}, {name}: expected {expected[0]:.7g} {expected[1]:.7g}, got {got}", "batches")
    return accepted(f"{len(runs)} runs of batches")


def plan_percentile(test: Test, context: Context) -> list[Case]:
    return [Case("observers", f"percentile {kind} {seed} {2000 + seed % 37} 0.5 0.9 0.99 0.9999 1 0")
            for kind, seed in zip(("normal", "laplace"), seeds(test, context, 2))]


def judge_percentile(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        _, kind, seed, n, *shares = run.case.args.split()
        problem, found = rows_of(run, context, len(shares))
        if problem:
            return problem
        sizes = np.abs(sample(kind, int(seed), 0, int(n)).astype(np.float64))
        for share, got in zip(shares, found):
            expected = float(np.percentile(sizes, 100 * float(share)))
            if len(got) != 1 or not near(got[0], expected, 1e-5):
                return wrong_at(run, f"share {share}: expected {expected:.7g}, got {got}", "percentiles")
    return accepted("interpolated percentiles")


def candidates(observed: tuple[float, float], loss, kind) -> tuple[list[tuple[float, float]], np.ndarray]:
    limits = [(float(np.float32(observed[0] * i / 100)), float(np.float32(observed[1] * i / 100))) for i in CANDIDATES]
    return limits, np.array([loss(*qparams(lo, hi, kind)) for lo, hi in limits])


def chosen_well(got: Sequence[float], limits: Sequence[tuple[float, float]], losses: np.ndarray) -> bool:
    """Whether the limits are those of a candidate whose loss is the smallest."""
    return len(got) == 2 and any(near(got[0], lo, 1e-5) and near(got[1], hi, 1e-5)
                                 for (lo, hi), loss in zip(limits, losses) if loss <= losses.min() * (1 + 1e-9) + 1e-15)


def plan_mse(test: Test, context: Context) -> list[Case]:
    if test.params["data"] == "optimum":
        return [Case("observers", f"mse {kind} {seeds(test, context, 1)[0]} 1000000 {-level} {level} 1")
                for kind in CLIPS for level in (1, 3, 7, 127)]
    return [Case("observers", f"mse {kind} {seed} {3000 + seed % 1000} {words}") for seed, (kind, words) in zip(
        seeds(test, context, 4), (("relu", "0 15 0"), ("laplace", "0 255 0"), ("normal", "-7 7 1"), ("relu", "0 3 0")))]


def judge_mse(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        _, kind, seed, n, qmin, qmax, symmetric = run.case.args.split()
        problem, found = rows_of(run, context, 1)
        if problem:
            return problem
        integers = (int(qmin), int(qmax), symmetric == "1")
        x = sample(kind, int(seed), 0, int(n))
        lo, hi = float(x.min()), float(x.max())
        width = (hi - lo) / BINS
        counts = np.bincount(np.minimum(((x - lo) / width).astype(np.int64), BINS - 1), minlength=BINS)
        centres = (lo + (np.arange(BINS) + 0.5) * width).astype(np.float32)

        def loss(scale, zero):
            back = dequantize(quantize(centres, scale, zero, *integers[:2]), scale, zero)
            return float((counts * (centres.astype(np.float64) - back) ** 2).sum())
        limits, losses = candidates((lo, hi), loss, integers)
        if test.params["data"] != "optimum":
            if not chosen_well(found[0], limits, losses):
                best = limits[int(len(losses) - 1 - np.argmin(losses[::-1]))]
                return wrong_at(run, f"expected {best[0]:.7g} {best[1]:.7g}, got {found[0]}", "squared error")
            continue
        said = optimum(kind, integers[1], x, found[0])
        if said:
            return wrong_at(run, said, "known optima")
    return accepted("limits of the smallest squared error")


def optimum(kind: str, level: int, x: np.ndarray, got: Sequence[float]) -> str:
    """What is wrong with these limits for a known distribution, or nothing."""
    clip = max(-got[0], got[1]) if len(got) == 2 else np.nan
    if level == 127:
        low, high = CLIPS[kind]
        return "" if low <= clip <= high else f"expected a clip of {low} to {high}, got {clip:.4g}"
    if not clip > 0:
        return f"expected limits lo < hi of the range to cover, got {got}"
    step = clip / level
    back = step * np.clip(np.rint(x / step), -level, level)
    mse = float(((x - back) ** 2).mean())
    best = OPTIMA[kind, level]
    return "" if mse <= 1.02 * best else f"clip {clip:.4g}: squared error {mse:.5f}, the optimum is {best:.5f}"


def plan_kl(test: Test, context: Context) -> list[Case]:
    hidden = [f"kl {120 + seed % 600} {seed % 50}" for seed in seeds(test, context, 2)]
    return [Case("observers", words) for words in ("kl 200 20", "kl 500 0", *hidden)]


def divergence(counts: np.ndarray, kept: int) -> float:
    p = counts[:kept].astype(np.float64)
    starts = np.arange(GROUPS) * (kept // GROUPS)  # the last group takes the rest
    sums = np.add.reduceat(p, starts)
    p[-1] += counts[kept:].sum()
    filled = np.add.reduceat(p > 0, starts, dtype=np.int64)
    q = np.repeat(np.where(filled > 0, sums / np.maximum(filled, 1), 0), np.diff(starts, append=kept))
    used = p > 0
    if (q[used] == 0).any():
        return np.inf
    q = np.where(used, q, 0)
    p, q = p / p.sum(), q / q.sum()
    return float((p[used] * np.log(p[used] / q[used])).sum())


@functools.lru_cache(maxsize=16)
def divergences(sigma: str, outliers: str) -> np.ndarray:
    """For 128, 129 ... BINS bins of a histogram of half a normal distribution and some outliers."""
    t = np.arange(BINS) / float(sigma)
    counts = np.floor(1e6 * np.exp(-t * t / 2)).astype(np.int64)
    counts[-1] += int(outliers)
    return np.array([divergence(counts, kept) for kept in range(GROUPS, BINS + 1)])


def judge_kl(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        sigma, outliers = run.case.args.split()[1:]
        problem, found = rows_of(run, context, 1)
        if problem:
            return problem
        losses = divergences(sigma, outliers)
        best = int(np.argmin(losses))
        kept = int(found[0][0]) if found[0] and np.isfinite(found[0][0]) else 0
        if not GROUPS <= kept <= BINS or losses[kept - GROUPS] > losses[best] + 1e-9:
            return wrong_at(run, f"expected {best + GROUPS} bins, got {kept}", "divergence")
        if len(found[0]) != 2 or not abs(found[0][1] - losses[kept - GROUPS]) <= 1e-9:
            return wrong_at(run, f"{kept} bins: expected divergence {losses[kept - GROUPS]:.6g}, got {found[0][1:]}", "divergence")
    return accepted(f"{len(runs)} histograms")


def plan_entropy(test: Test, context: Context) -> list[Case]:
    return [Case("observers", f"entropy {seed} 256 10 {bits}") for seed, bits in zip(seeds(test, context, 3), (8, 4, 3))]


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def judge_entropy(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        seed, images, classes, bits = map(int, run.case.args.split()[1:])
        problem, found = rows_of(run, context, 1)
        if problem:
            return problem
        logits = sample("normal", seed, 0, images * classes).reshape(images, classes)
        logits[np.arange(images), np.arange(images) % classes] += np.float32(6)
        logits[-1, -1] = 40
        wanted, kind = softmax(logits.astype(np.float64)), unsigned(bits)

        def loss(scale, zero):
            back = dequantize(quantize(logits, scale, zero, *kind[:2]), scale, zero)
            return float(-(wanted * np.log(softmax(back.astype(np.float64)))).sum())
        limits, losses = candidates((float(logits.min()), float(logits.max())), loss, kind)
        if not chosen_well(found[0], limits, losses):
            best = limits[int(len(losses) - 1 - np.argmin(losses[::-1]))]
            return wrong_at(run, f"expected {best[0]:.7g} {best[1]:.7g}, got {found[0]}", "cross-entropy")
    return accepted(f"logits at {len(runs)} numbers of bits")


def plan_calibration(test: Test, context: Context) -> list[Case]:
    return [Case("observers", f"calibration {seed} 600 500 256") for seed in seeds(test, context, 2)]


def judge_calibration(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        seed, train, held_out, count = map(int, run.case.args.split()[1:])
        problem = problem_of(run, context)
        if problem:
            return problem
        hashes = [random_bits(seed, which, n) % np.uint64(2000) for which, n in ((0, train), (1, held_out))]
        expected = np.flatnonzero(~np.isin(*hashes))[:count].tolist()
        got = [int(line[0]) if line and np.isfinite(line[0]) else -1 for line in numbers(run)]
        if got != expected:
            leaked = sum(0 <= i < train and hashes[0][i] in hashes[1] for i in got)
            return wrong_at(run, f"expected {len(expected)} images, got {len(got)}, of which {leaked} are test images", "images")
    return accepted("no test image calibrates")
