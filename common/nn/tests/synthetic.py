#!/usr/bin/python3
"""Draws the synthetic data set again, from its definition, and compares it with files that the library wrote.

synthetic.py FOLDER compares FOLDER/data_batch_1.bin (seed 1) and test_batch.bin (seed 2) byte by byte, and the SHA-256 of
the first images of each with the goldens below. Exit codes: 0 the same, 1 different, 2 usage.
"""

import hashlib
import math
import sys
from pathlib import Path

import numpy as np

U32, U64 = np.uint32, np.uint64
SIDE, CLASSES, RECORD = 32, 10, 3073
# SHA-256 of the first records of a seed: seed -> (records, digest)
GOLDENS = {1: (40, "84a63420a71ba2d4353fd8e0693a86ea4a447e48239bd92733dd6c2b5120c96c"),
           2: (20, "53afc21d1e126cc02ed45d12090ab9cc6bae205f1f9f6902b77b0e90b4aeba58")}


def mix(x: int) -> int:
    """SplitMix64's finaliser."""
    mask = (1 << 64) - 1
    x = (x + 0x9E3779B97F4A7C15) & mask
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & mask
    return x ^ x >> 31


def stream_id(purpose: str, a: int) -> int:
    identity = 0
    for letter in purpose.encode():
        identity = mix(identity ^ letter)
    return mix(mix(identity ^ a))


def uniforms(seed: int, stream: int, count: int) -> np.ndarray:
    """The first numbers of a stream: Philox 4x32-10 (Salmon et al. 2011), 53 bits of every 64."""
    block = np.arange((count + 1) // 2, dtype=U64)
    low, shift = U64(0xFFFFFFFF), U64(32)
    words = [block & low, block >> shift, np.full_like(block, stream & 0xFFFFFFFF), np.full_like(block, stream >> 32)]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        first, second = U64(0xD2511F53) * words[0], U64(0xCD9E8D57) * words[2]
        words = [(second >> shift) ^ words[1] ^ U64(key[0]), second & low,
                 (first >> shift) ^ words[3] ^ U64(key[1]), first & low]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    bits = np.stack([words[1] << shift | words[0], words[3] << shift | words[2]], axis=1).ravel()[:count]
    return (bits >> U64(11)).astype(np.float64) * 2.0**-53


def normals(seed: int, stream: int, count: int) -> np.ndarray:
    u = uniforms(seed, stream, 2 * count)
    return np.sqrt(-2 * np.log(1 - u[0::2])) * np.cos(2 * math.pi * u[1::2])


def record(seed: int, index: int) -> bytes:
    label = index % CLASSES
    n = normals(seed, stream_id("synthetic normals", index), 8 + 3 * SIDE * SIDE)
    angle = label % 5 * math.pi / 5 + 0.12 * n[0]
    cycles = (2.5 if label < 5 else 4.5) * (1 + 0.08 * n[1])
    colour, background = n[2:8:2], 0.5 * n[3:8:2]
    u = uniforms(seed, stream_id("synthetic places", index), 5)
    phase, amplitude, radius = 2 * math.pi * u[0], 0.35 + 0.3 * u[1], 8 + 8 * u[4]
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    window = np.exp(-((x - SIDE * u[2])**2 + (y - SIDE * u[3])**2) / (2 * radius**2))
    turns = cycles * (x * math.cos(angle) + y * math.sin(angle)) / SIDE
    wave = 1.5 * amplitude * window * np.sin(2 * math.pi * turns + phase)
    value = background + colour * wave[..., None] + 0.5 * n[8:].reshape(SIDE, SIDE, 3)
    pixels = np.clip(np.floor(127.5 + 51 * value + 0.5), 0, 255).astype(np.uint8)
    return bytes([label]) + pixels.transpose(2, 0, 1).tobytes()


def check(path: Path, seed: int) -> bool:
    written = path.read_bytes()
    drawn = b"".join(record(seed, index) for index in range(len(written) // RECORD))
    count, digest = GOLDENS[seed]
    found = hashlib.sha256(written[:count * RECORD]).hexdigest()
    if written != drawn:
        print(f"{path}: differs from the definition")
    if found != digest:
        print(f"{path}: SHA-256 of {count} images is {found}, expected {digest}")
    return written == drawn and found == digest


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: synthetic.py FOLDER", file=sys.stderr)
        sys.exit(2)
    folder = Path(sys.argv[1])
    results = [check(folder / "data_batch_1.bin", 1), check(folder / "test_batch.bin", 2)]
    sys.exit(0 if all(results) else 1)
