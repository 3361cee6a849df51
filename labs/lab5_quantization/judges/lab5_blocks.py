"""P4, block formats: fp16, q8_0 and q4_0, byte for byte (a second implementation, in NumPy)."""
from collections.abc import Sequence

import numpy as np
from lab5_compress import Results, differs, judge, normal, number, take

BLOCK = 32
SPECIAL = ((0, 0), (2.5, -2.5), (127, 0.5), (3e-6, -1e-6))
HALVES = (65504.0, 65519.996, 65520.0, 1e9, 5.9604645e-8, 2.9802322e-8, 2.9802326e-8, 6.1e-5, -0.0)
FLOAT = np.float32


def weights(words: Sequence[str]) -> np.ndarray:
    """As harness/blocks_main.cpp makes them: blocks of 32."""
    count, seed = int(words[0]), int(words[1])
    x = normal(seed, 0, count).reshape(-1, BLOCK)
    for block, (first, second) in enumerate(SPECIAL):
        x[block] = [SPECIAL[block][i] if i < 2 else FLOAT(second) * FLOAT(i % 5) for i in range(BLOCK)]
    return x


def inverse(d: np.ndarray) -> np.ndarray:
    return np.where(d != 0, FLOAT(1) / np.where(d != 0, d, FLOAT(1)), FLOAT(0)).astype(FLOAT)


def half_away(x: np.ndarray) -> np.ndarray:
    """roundf(): exact, because |x| <= 127 as float has the room for one more bit in double."""
    wide = x.astype(np.float64)
    return np.sign(wide) * np.floor(np.abs(wide) + 0.5)


def q8_0(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bytes of each block, and what they stand for."""
    d = (np.abs(x).max(axis=1) / FLOAT(127)).astype(FLOAT)
    q = half_away(x * inverse(d)[:, None]).astype(np.int8)
    half = d.astype(np.float16)
    stored = np.concatenate([half.view(np.uint8).reshape(-1, 2), q.view(np.uint8)], axis=1)
    return stored, q.astype(FLOAT) * half.astype(FLOAT)[:, None]


def q4_0(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    extreme = x[np.arange(len(x)), np.abs(x).argmax(axis=1)]
    d = (extreme / FLOAT(-8)).astype(FLOAT)
    q = np.minimum(15, np.trunc(x * inverse(d)[:, None] + FLOAT(8.5))).astype(np.uint8)
    half = (d + FLOAT(0)).astype(np.float16)
    packed = q[:, :16] | q[:, 16:] << 4
    stored = np.concatenate([half.view(np.uint8).reshape(-1, 2), packed], axis=1)
    return stored, (q.astype(FLOAT) - 8) * half.astype(FLOAT)[:, None]


def wrong_bytes(name: str, results: Results, stored: np.ndarray, values: np.ndarray) -> str:
    got = take(results, name, stored.size, np.uint8).reshape(stored.shape).copy()
    zero = (got[:, 0] == 0) & (got[:, 1] == 0x80)  # -0 is a zero d as well
    got[zero, 1] = 0
    bad = got != stored
    if bad.any():
        block, byte = (int(i[0]) for i in np.nonzero(bad))
        part = "d" if byte < 2 else f"byte {byte} of the block"
        return (f"{name}: block {block} ({part}): expected {stored[block].tobytes().hex()}, got {got[block].tobytes().hex()}")
    return differs(f"{name}, dequantised", take(results, f"{name}_values", values.size), values.reshape(-1))


def find_format(name: str, make):
    def find(results: Results, words: Sequence[str]) -> str:
        said = wrong_bytes(name, results, *make(weights(words)))
        if not said and number(results, f"refuses_{name}") != 1:
            said = f"{name}: 33 weights are no whole blocks and must be refused with std::invalid_argument"
        if not said and name == "q8" and number(results, "refuses_bytes") != 1:
            said = "q8_0_dequantize of 33 bytes must be refused with std::invalid_argument"
        return said
    return find


def find_halves(results: Results, words: Sequence[str]) -> str:
    every = np.arange(65536, dtype=np.uint16)
    expected = every.view(np.float16).astype(FLOAT)
    got = take(results, "from_half", 65536)
    numbers = ~np.isnan(expected)
    if not np.isnan(got[~numbers]).all() or not np.array_equal(got[numbers], expected[numbers]):
        first = int(np.argmax(numbers & (got != expected)))
        return f"float_from_half({first:#06x}): expected {expected[first]:g}, got {got[first]:g}"
    x = normal(int(words[1]), 1, 4000).astype(np.float64) * 2.0 ** (np.arange(4000) % 48 - 30)
    x = np.concatenate([x.astype(FLOAT), np.array(HALVES, FLOAT)])
    with np.errstate(over="ignore"):
        halves = x.astype(np.float16).view(np.uint16)
    got_bits = take(results, "to_half", x.size, np.uint16)
    bad = got_bits != halves
    if bad.any():
        first = int(np.argmax(bad))
        return f"half_from_float({x[first]:.9g}): expected {halves[first]:#06x}, got {got_bits[first]:#06x}"
    return ""


judge_q8 = judge("q8_0: bytes, values, refusals", find_format("q8", q8_0))
judge_q4 = judge("q4_0: bytes, values, refusals", find_format("q4", q4_0))
judge_halves = judge("all fp16 numbers, and rounding to them", find_halves)
