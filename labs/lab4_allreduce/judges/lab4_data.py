"""The numbers that the harness fills its vectors with (src/harness/data.cpp), and their sums."""
import functools
import hashlib
from collections.abc import Sequence

import numpy as np
from hpml_autograder.splitmix import MASK, mix, mix_one

SAMPLE = 4096         # kSample of harness/data.h
EPSILON = 2.0**-24  # relative error of one float addition
SEEDS = 1 << 50     # of runs: a double holds each of them, and a run is too short to try them all


def _integer(bits: np.ndarray) -> np.ndarray:
    return ((bits % np.uint64(2001)).astype(np.int64) - 1000).astype(np.float32)


def _mixed(bits: np.ndarray) -> np.ndarray:
    exponent = ((bits >> np.uint64(8)) % np.uint64(21)).astype(np.int32) - 34
    size = np.ldexp((bits >> np.uint64(40)).astype(np.float64), exponent)
    return np.where(bits & np.uint64(1), -size, size).astype(np.float32)


def _special(bits: np.ndarray) -> np.ndarray:
    which = (bits >> np.uint64(32)) % np.uint64(40)
    return np.select([which == 0, which == 1, which == 2], [np.float32(np.inf), np.float32(-np.inf), np.float32(np.nan)],
                     _integer(bits)).astype(np.float32)


KINDS = {"int": _integer, "mixed": _mixed, "special": _special}


@functools.lru_cache(maxsize=64)
def vector(kind: str, seed: int, rank: int, n: int, keys: tuple[int, ...] = ()) -> np.ndarray:
    """What `rank` starts with: n floats. keys: of the ranks of its communicator, where each has its own."""
    return values_at(kind, seed, rank, np.arange(n, dtype=np.uint64), keys)


def cell_seed(seed: int, cell: int) -> int:
    return mix_one(seed + cell)


@functools.lru_cache(maxsize=64)
def exact_sum(kind: str, seed: int, ranks: int, n: int, keys: tuple[int, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    """Sum over the ranks in double precision, and the sum of the magnitudes."""
    total, magnitude = np.zeros(n), np.zeros(n)
    with np.errstate(invalid="ignore"):
        for rank in range(ranks):
            values = vector(kind, seed, rank, n, keys).astype(np.float64)
            total += values
            magnitude += np.abs(values)
    return total, magnitude


def own_keys(seed: int, ranks: int) -> tuple[int, ...]:
    """What each rank is told alone. None follows from another, nor from the seed that all ranks know (told)."""
    return tuple(_hashed(f"{seed}|{rank}") for rank in range(ranks))


def told(seed: int) -> int:
    """The seed that all ranks of a run find on their command line: the grader's own cannot be computed from it."""
    return _hashed(f"{seed}|told") % SEEDS


def _hashed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def values_at(kind: str, seed: int, rank: int, places: np.ndarray, keys: Sequence[int] = ()) -> np.ndarray:
    """Elements of `vector`; keys: of ranks that have their own."""
    key = keys[rank] if keys else mix_one(rank)
    with np.errstate(over="ignore"):
        return KINDS[kind](mix(np.uint64(mix_one(seed ^ key)) + places.astype(np.uint64)))


@functools.lru_cache(maxsize=256)
def sample_hash(ranks: int, n: int, seed: int, keys: tuple[int, ...] = ()) -> int:
    """Of the sum of the ranks' "int" vectors, as sample_hash of harness/data.cpp takes it."""
    places = np.arange(n, dtype=np.uint64)
    if n > SAMPLE:
        with np.errstate(over="ignore"):
            places = mix(np.uint64(seed) + np.arange(SAMPLE, dtype=np.uint64)) % np.uint64(n)
    total = sum(values_at("int", seed, rank, places, keys).astype(np.float64) for rank in range(ranks))
    return hash_of(np.asarray(total, dtype=np.float32))


def quick_vector(seed: int, key: int, n: int) -> np.ndarray:
    """What the rank with this key gets of fill_quickly of harness/data.cpp: n floats."""
    with np.errstate(over="ignore"):
        bits = mix(np.uint64(mix_one(seed ^ key)) + np.arange((n + 3) // 4, dtype=np.uint64))
    return ((bits.astype("<u8").view("<u2") & 2047).astype(np.float32) - np.float32(1024))[:n]


def checksum_of(values: np.ndarray) -> int:
    """Of float32, as checksum_of of harness/data.cpp takes it."""
    bits = np.ascontiguousarray(values, dtype="<f4").view("<u4").astype(np.uint64)
    with np.errstate(over="ignore"):
        return int(np.sum(bits * (np.uint64(2) * np.arange(len(bits), dtype=np.uint64) + np.uint64(1)), dtype=np.uint64))


def hash_of(values: np.ndarray) -> int:
    """FNV-1a over the 32-bit words."""
    result = 0xCBF29CE484222325
    for word in np.ascontiguousarray(values, dtype="<f4").view("<u4").tolist():
        result = ((result ^ word) * 0x100000001B3) & MASK
    return result
