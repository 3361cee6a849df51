"""X: attention without the n x n matrix, and its derivatives. Results against NumPy's in double, traffic against the formula of
the tiles."""
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hpml_autograder.lab import (CHECKERS, Case, Context, Outcome, Run, Test, Verdict, accepted, traffic, trouble, uncounted, unclean,
                                 worst_line, wrong)
from lab5_compress import bits, seeded
from lab5_data import UNTOUCHED
from lab5_gpu import BEFORE, seed_of, total

HEAD, BLOCK = 64, 64  # flash.h
NEAR = 1e-5
TRAFFIC = 1.15
# Not local memory: clang calls expf() as a function, and the simulator counts the arguments of calls as local memory. So what
# threads keep there is bounded by its size instead.
WAYS = tuple(f"global_op_{op}" for op in ("ld", "st", "atom", "red"))
FLOAT_STEP = 2.0**-23


def plan(test: Test, context: Context) -> list[Case]:
    """Correctness tests run the first shape once more under the check tools, because a race can give the right numbers by chance."""
    cases = [Case("flash", shape, (("HPML_SEED", str(seeded(test, context, iteration))),), dump=True)
             for iteration, shape in enumerate(test.shapes)]
    watch = test.kind == "correct" and context.target == "sim"
    return [*cases, *[replace(cases[0], dump=False, check=CHECKERS)] * watch]


def arrays(case: Case) -> list[np.ndarray]:
    """Q, K, V and, of a backward pass, the derivative by O: n x d."""
    words = case.args.split()
    n, scale = int(words[0]), np.float32(words[4])
    found = []
    for which, factor in list(enumerate((scale, scale, np.float32(1), np.float32(1))))[:4 if is_backward(case) else 3]:
        whole = (bits(seed_of(case), which, n * HEAD) >> np.uint64(40)).astype(np.int64) - (1 << 23)
        found.append((whole.astype(np.float32) / np.float32(1 << 23) * factor).reshape(n, HEAD))
    return found


def inputs(case: Case) -> list[bytes]:
    return [array.tobytes() for array in arrays(case)]


def is_backward(case: Case) -> bool:
    return case.args.endswith(" backward")


def attention(case: Case) -> tuple[np.ndarray, float]:
    """O in double, or the derivatives by Q, K and V one after the other; and the largest magnitude of a score."""
    n, length, causal, offset = map(int, case.args.split()[:4])
    q, k, v, *by_o = (array.astype(np.float64) for array in arrays(case))
    scores = q @ k.T / np.sqrt(HEAD)
    rows, keys = np.arange(n)[:, None], np.arange(n)[None]
    seen = (keys < length) & ((keys <= rows + offset) if causal else (rows >= 0))
    top = np.where(seen, scores, -np.inf).max(axis=1, keepdims=True)
    weights = np.where(seen, np.exp(np.where(seen, scores - np.where(np.isfinite(top), top, 0), -np.inf)), 0.0)
    sums = weights.sum(axis=1, keepdims=True)
    weights, largest = weights / np.where(sums > 0, sums, 1), float(np.abs(scores).max())
    if not by_o:
        return weights @ v, largest
    by_weights = by_o[0] @ v.T
    by_scores = weights * (by_weights - (weights * by_weights).sum(axis=1, keepdims=True)) / np.sqrt(HEAD)
    return np.concatenate([by_scores @ k, by_scores.T @ q, weights.T @ by_o[0]]), largest


def bound(score: float) -> float:
    """Of an error, where `score` is the largest: its last bit is worth more where scores are large, and exp() passes that on."""
    return NEAR + 4 * FLOAT_STEP * max(0.0, score - 10)


def wrong_result(run: Run, context: Context) -> Outcome | None:
    checked = "every element"
    problem = trouble(run, context.spec.limits.wall_s)
    if problem:
        return problem
    right, score = attention(run.case)
    right = right.reshape(-1)
    got = np.fromfile(run.dump, np.float32) if run.dump else np.zeros(0, np.float32)
    if got.size != right.size:
        return wrong(f"`{run.case}`: the result has {got.size} elements, expected {right.size}", checked)
    bad = ~(np.abs(got - right) <= bound(score))
    if bad.any():
        first = int(np.argmax(bad))
        n = int(run.case.args.split()[0])
        of = f" of the derivative by {'QKV'[first // (n * HEAD)]}" if is_backward(run.case) else ""
        return wrong(f"`{run.case}`: {int(bad.sum())} of {right.size} elements are wrong; first row {first // HEAD % n}, column "
                     f"{first % HEAD}{of}: expected {right[first]:.7g}, got {got[first]:.7g}"
                     f"{UNTOUCHED if got[first].tobytes() == bytes(BEFORE[:4]) else ''}", checked)
    unheld = run.unheld(got.tobytes())
    return wrong(f"`{run.case}`: {unheld}", checked) if unheld else None


def judge_correct(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        problem = unclean(run, context.spec.limits.wall_s) if run.case.check else wrong_result(run, context)
        if problem:
            return problem
    return accepted(f"every element, {len(runs)} runs")


def judge_traffic(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "sectors against 2 N d + 2 N d ceil(N / Br) elements"
    for run in runs:
        problem = wrong_result(run, context)
        if problem:
            return problem
        if run.metrics is None:
            return Outcome(Verdict.INC, "needs the simulator's counters, which a real GPU does not have", checked)
        n = int(run.case.args.split()[0])
        tiled, least = (2 * n * HEAD + 2 * n * HEAD * -(-n // BLOCK)) / 8, 4 * n * HEAD / 8
        sectors = total(run.metrics, WAYS)
        hidden = uncounted(run.metrics) or traffic(*run.metrics.kernels).not_in_registers(n, HEAD)
        if hidden:
            return wrong(f"`{run.case}`: {hidden}", checked)
        if sectors < least:
            return Outcome(Verdict.PV, f"`{run.case}`: {sectors:.0f} sectors, and Q, K, V and O alone have {least:.0f}: the kernel reads "
                           "them in a way that is not counted", checked)
        if sectors > TRAFFIC * tiled:
            return wrong(f"`{run.case}`: {sectors:.0f} sectors are loaded and stored, tiles need {tiled:.0f} "
                         f"({worst_line(run.metrics.kernels, 'global', ('ld', 'st'), most=True)})", checked)
    return accepted(checked)
