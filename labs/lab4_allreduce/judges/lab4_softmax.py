"""The model and the data of E9 and E10 (src/harness/model.cpp) in NumPy, and both trainings, from the exercise's text: what
the weights must be that a run leaves."""
import functools
from collections.abc import Callable, Sequence

import lab4_data as data
import numpy as np

FEATURES, CLASSES = 64, 10
WEIGHTS = FEATURES * CLASSES
SAMPLES, VALIDATION_SAMPLES = 500, 1000
VALIDATION_SEED = 1 << 40     # above every rank's
RULE_SEED, NOISE = 4, 0.5     # kRuleSeed, kNoise
BATCH = 16
TINY = np.float32(1e-8)       # of Remedy::adagrad

Shard = tuple[np.ndarray, np.ndarray]  # features (samples x 64), labels


def _bell(seed: int, count: int) -> np.ndarray:
    """`count` numbers, each of four uniform ones."""
    with np.errstate(over="ignore"):
        bits = data.mix(np.uint64(data.mix_one(seed)) + np.arange(4 * count, dtype=np.uint64))
    uniform = (bits >> np.uint64(11)).astype(np.float64).reshape(count, 4) * 2.0**-53
    return (uniform.sum(axis=1) - 2) * np.sqrt(3.0)


@functools.lru_cache(maxsize=256)
def shard(seed: int, count: int = SAMPLES) -> Shard:
    rule = _bell(RULE_SEED, WEIGHTS).astype(np.float32).reshape(CLASSES, FEATURES).astype(np.float64)
    draws = _bell(seed + 1000, count * (FEATURES + CLASSES)).reshape(count, FEATURES + CLASSES)
    features = draws[:, :FEATURES].astype(np.float32).astype(np.float64)
    scores = features @ rule.T + NOISE * np.sqrt(FEATURES) * draws[:, FEATURES:]
    return features, scores.argmax(axis=1)


def _scores(weights: np.ndarray, features: np.ndarray) -> np.ndarray:
    return features @ weights.astype(np.float64).reshape(CLASSES, FEATURES).T


def batch_gradient(weights: np.ndarray, one: Shard, first: int) -> np.ndarray:
    chosen = (first + np.arange(BATCH)) % len(one[1])
    features, labels = one[0][chosen], one[1][chosen]
    scores = _scores(weights, features)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[np.arange(BATCH), labels] -= 1
    return (shares.T @ features / BATCH).astype(np.float32).ravel()


def loss(weights: np.ndarray) -> float:
    """On the validation samples; infinity for weights that are none."""
    if not np.isfinite(weights).all():
        return float("inf")
    features, labels = shard(VALIDATION_SEED, VALIDATION_SAMPLES)
    scores = _scores(weights, features)
    largest = scores.max(axis=1)
    logs = largest + np.log(np.exp(scores - largest[:, None]).sum(axis=1))
    return float((logs - scores[np.arange(len(labels)), labels]).mean())


@functools.lru_cache(maxsize=64)
def synchronous(keys: tuple[int, ...], steps: int, rate: float) -> np.ndarray:
    """Weights of a training with all ranks' batches in one process. keys: what each rank was told, of which its samples are made."""
    weights = np.zeros(WEIGHTS, dtype=np.float32)
    for step in range(steps):
        total = np.zeros(WEIGHTS)
        for key in keys:
            total += batch_gradient(weights, shard(key), step * BATCH)
        weights -= (rate / len(keys) * total).astype(np.float32)
    return weights


Rule = Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]  # weights, gradient, pulled, staleness: the step


def rule_of(remedy: str, rate: float, bound: float) -> Rule:
    """A step of one training, by the name of enum class Remedy: it remembers the pushes before."""
    squares, staleness_sum, pushes = np.zeros(WEIGHTS, dtype=np.float32), 0, 0

    def step(weights: np.ndarray, gradient: np.ndarray, pulled: np.ndarray, staleness: int) -> np.ndarray:
        nonlocal squares, staleness_sum, pushes
        staleness_sum, pushes = staleness_sum + staleness, pushes + 1
        if remedy == "adagrad":
            squares = squares + gradient * gradient
            return np.float32(rate) / np.sqrt(TINY + squares) * gradient
        eta = rate
        if remedy == "mean_staleness":
            eta = rate / max(1.0, staleness_sum / pushes)
        elif remedy == "step_bound":
            distance = float(((weights.astype(np.float64) - pulled) ** 2).sum())
            eta = min(rate, bound / distance) if distance > 0 else rate
        return np.float32(eta) * gradient
    return step


def downpour(keys: Sequence[int], order: Sequence[tuple[int, int]], rule: Rule) -> np.ndarray:
    """Weights of the server after the pushes, each (worker, staleness), in this order. keys: as in synchronous()."""
    weights = np.zeros(WEIGHTS, dtype=np.float32)
    pulled: dict[int, np.ndarray] = {}
    batches: dict[int, int] = {}
    for worker, staleness in order:
        known = pulled.get(worker, np.zeros(WEIGHTS, dtype=np.float32))
        gradient = batch_gradient(known, shard(keys[worker]), batches.get(worker, 0) * BATCH)
        batches[worker] = batches.get(worker, 0) + 1
        weights = weights - rule(weights, gradient, known, staleness)
        pulled[worker] = weights
    return weights
