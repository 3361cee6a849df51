"""Given: calls dp() of a student's file on data the grader chose. dp_worker.py FILE DATA N[,N...]

Writes one line per N to $HPML_DUMP: the result with all its digits, and the most memory that dp() held beside A and B.
"""
import importlib.util
import os
import sys
import tracemalloc
from pathlib import Path

import numpy as np


def load(path: Path):
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.dp


def splitmix(seed: int, n: int) -> np.ndarray:
    """The n first numbers of the generator, as the checker makes them: uniform in [-1, 1), multiples of 2^-23."""
    z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return ((z >> np.uint64(40)).astype(np.float64) * 2.0**-23 - 1.0).astype(np.float32)


def ramp(n: int, p: int, q: int, m: int, o: int) -> np.ndarray:
    return ((p * np.arange(n, dtype=np.int64) + q) % m - o).astype(np.float32)


def vectors(data: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    kind, _, rest = data.partition(":")
    if kind == "uniform":
        return splitmix(int(rest), n), splitmix(int(rest) ^ 1, n)
    if kind == "ints":
        numbers = [int(word) for word in rest.split(",")]
        return ramp(n, *numbers[:4]), ramp(n, *numbers[4:])
    a = np.full(n, 1.0, np.float32)
    if kind == "probe":
        a[0] = 4096.0
    return a, a.copy()


def main(path: str, data: str, sizes: str) -> None:
    dp = load(Path(path).resolve())
    with open(os.environ["HPML_DUMP"], "w", encoding="ascii") as dump:
        for n in map(int, sizes.split(",")):
            a, b = vectors(data, n)
            dp(1, a[:1], b[:1])  # what is imported or set up at the first call is not held by this one
            tracemalloc.start()
            result = dp(n, a, b)
            held = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            print(f"{float(result)!r} {held}", file=dump, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
