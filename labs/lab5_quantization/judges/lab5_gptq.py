"""P4, GPTQ: its squared output error against rounding, by a second implementation in NumPy."""
from collections.abc import Sequence

import numpy as np
from lab5_compress import Results, differs, judge, normal, take

DAMPING = 0.01
AT_MOST = {0: 0.9, 50: 0.75, 90: 0.3, 99: 0.1}  # squared output error over that of rounding, by correlation in %
NEAR_OURS = 1.05  # a tie that is rounded the other way changes all later columns: only the error is compared


def problem(words: Sequence[str]) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Weights (rows x d), inputs (samples x d), bits and correlation in %."""
    rows, d, samples, width, rho, seed = map(int, words)
    w = normal(seed, 0, rows * d).reshape(rows, d)
    noise = normal(seed, 1, samples * d).reshape(samples, d).astype(np.float64)
    x = np.empty((samples, d), np.float32)
    x[:, 0] = noise[:, 0]
    fresh = np.sqrt(1 - (rho / 100) ** 2)
    for i in range(1, d):
        x[:, i] = rho / 100 * x[:, i - 1].astype(np.float64) + fresh * noise[:, i]
    return w, x, width, rho


def steps(w: np.ndarray, width: int) -> tuple[np.ndarray, int]:
    most = 2 ** (width - 1) - 1
    return np.abs(w).max(axis=1).astype(np.float64) / most, most


def rounded(w: np.ndarray, scale: np.ndarray, most: int) -> np.ndarray:
    return scale * np.clip(np.rint(w / scale), -most, most)


def nearest(w: np.ndarray, width: int) -> np.ndarray:
    scale, most = steps(w, width)
    return rounded(w.astype(np.float64), scale[:, None], most)


def gptq(w: np.ndarray, x: np.ndarray, width: int, damping: float) -> np.ndarray:
    """Frantar et al. 2022, algorithm 1, without blocks."""
    h = 2 * x.astype(np.float64).T @ x.astype(np.float64)
    dead = np.diag(h) == 0
    mean = np.diag(h).mean()
    h[dead, dead] = 1
    h += damping * mean * np.eye(len(h))
    upper = np.linalg.cholesky(np.linalg.inv(h)).T
    scale, most = steps(w, width)
    rest, q = w.astype(np.float64), np.zeros(w.shape)
    for i in range(len(h)):
        q[:, i] = 0 if dead[i] else rounded(rest[:, i], scale, most)
        rest[:, i:] -= np.outer((rest[:, i] - q[:, i]) / upper[i, i], upper[i, i:])
    return q


def output_error(w: np.ndarray, q: np.ndarray, x: np.ndarray) -> float:
    """Squared and relative, of X W^T."""
    exact = x.astype(np.float64) @ w.astype(np.float64).T
    return float(((exact - x.astype(np.float64) @ q.T) ** 2).sum() / (exact**2).sum())


def off_grid(name: str, q: np.ndarray, w: np.ndarray, width: int) -> str:
    scale, most = steps(w, width)
    levels = q / scale[:, None]
    if not np.isfinite(q).all():
        return f"{name} holds numbers that are not finite"
    if np.abs(levels - np.rint(levels)).max() > 1e-4 or np.abs(levels).max() > most + 1e-4:
        return f"{name} holds weights that are no whole multiple, from -{most} to {most}, of their row's scale"
    return ""


def results_of(results: Results, name: str, w: np.ndarray) -> np.ndarray:
    return take(results, name, w.size).reshape(w.shape).astype(np.float64)


def find_nearest(results: Results, words: Sequence[str]) -> str:
    w, _, width, _ = problem(words)
    expected = nearest(w, width).astype(np.float32)
    return differs("round_to_nearest", take(results, "nearest", w.size), expected.reshape(-1), 1e-6 * float(np.abs(w).max()))


def find_error(results: Results, words: Sequence[str]) -> str:
    w, x, width, rho = problem(words)
    q = results_of(results, "gptq", w)
    said = off_grid("gptq", q, w, width)
    if said:
        return said
    base, own, ours = (output_error(w, one, x) for one in (nearest(w, width), q, gptq(w, x, width, DAMPING)))
    if own / base > AT_MOST[rho] or own > NEAR_OURS * ours:
        return (f"correlation {rho / 100:g}: the squared output error is {own / base:.3f} of that of rounding, expected at most "
                f"{min(AT_MOST[rho], NEAR_OURS * ours / base):.3f}: after each column, the later ones have to make up for its error")
    return ""


def find_special(results: Results, words: Sequence[str]) -> str:
    w, x, width, _ = problem(words)
    said = differs("inputs that are not correlated at all (X = identity, no damping): round_to_nearest is best",
                   take(results, "identity", w.size), nearest(w, width).astype(np.float32).reshape(-1), 1e-6 * float(np.abs(w).max()))
    if said:
        return said
    dead = results_of(results, "dead", w)
    unused = [3, w.shape[1] - 1]
    if not np.isfinite(dead).all() or dead[:, unused].any():
        return "columns whose inputs are all 0 must get the weight 0, and nothing may become infinite or not a number"
    said = off_grid("gptq of inputs that are in part unused", dead, w, width)
    if said:
        return said
    used = np.delete(x, unused, axis=1), np.delete(w, unused, axis=1)
    ours = gptq(w, np.where(np.isin(np.arange(w.shape[1]), unused), 0, x), width, 0.0)
    own, best = (output_error(used[1], np.delete(q, unused, axis=1), used[0]) for q in (dead, ours))
    return "" if own <= NEAR_OURS * best else f"with unused columns the output error is {own:.4f}, expected {best:.4f}"


def smoothing(w: np.ndarray, x: np.ndarray, alpha: float) -> np.ndarray:
    """Xiao et al. 2022, equation 4."""
    inputs, weights = (np.abs(array.astype(np.float64)).max(axis=0) for array in (x, w))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((inputs > 0) & (weights > 0), inputs**alpha / weights ** (1 - alpha), 1.0)


def find_smooth(results: Results, words: Sequence[str]) -> str:
    w, x, _, _ = problem(words)
    x[:, [3, w.shape[1] - 1]] = 0
    x[:, 5] *= 50
    for percent in (50, 80):
        expected = smoothing(w, x, percent / 100)
        got = take(results, f"smooth{percent}", w.shape[1])
        said = differs(f"smooth_factors, alpha {percent / 100:g}, over their right values", got / expected, np.ones(expected.size), 1e-5)
        if said:
            return said
    return ""


judge_nearest = judge("rounding to the nearest step", find_nearest)
judge_error = judge("output error against rounding", find_error)
judge_special = judge("identity and unused inputs", find_special)
judge_smooth = judge("factors of 128 columns, one of outliers, two unused", find_smooth)
