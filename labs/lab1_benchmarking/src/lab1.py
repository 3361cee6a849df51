"""Given: the command line, the vectors and the times of dp4.py and dp5.py. The grader uses its own copy."""
import sys
from dataclasses import dataclass

import numpy as np

MAX_N, MAX_REPS = 2**40, 10**6


@dataclass(frozen=True)
class Options:
    n: int
    reps: int
    data: str = "ones"
    times: str = ""


def usage() -> None:
    print(f"usage: {sys.argv[0]} N REPS [--data ones|probe|ints] [--times FILE]   (N: 1 to 2^40, REPS: 2 to 1000000)",
          file=sys.stderr)
    sys.exit(2)


def number(text: str, low: int, high: int) -> int:
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        usage()
    return int(text)


def options() -> Options:
    words = sys.argv[1:]
    if len(words) < 2 or len(words) % 2:
        usage()
    named = dict(zip(words[2::2], words[3::2]))
    if set(named) - {"--data", "--times"} or named.get("--data", "ones") not in ("ones", "probe", "ints"):
        usage()
    return Options(number(words[0], 1, MAX_N), number(words[1], 2, MAX_REPS), named.get("--data", "ones"),
                   named.get("--times", ""))


def vectors(given: Options) -> tuple[np.ndarray, np.ndarray]:
    """Both vectors, every element written; one line and exit status 1 when the memory does not suffice."""
    try:
        if given.data == "ints":
            i = np.arange(given.n, dtype=np.int64)
            return ((7 * i + 3) % 5 - 1).astype(np.float32), ((11 * i + 1) % 7 - 2).astype(np.float32)
        a, b = np.full(given.n, 1.0, np.float32), np.full(given.n, 1.0, np.float32)
    except MemoryError:
        print(f"no memory for {given.n} elements of 4 bytes", file=sys.stderr)
        sys.exit(1)
    if given.data == "probe":
        a[0] = b[0] = 4096.0
    return a, b


def write_times(given: Options, times_ns: list[int]) -> None:
    if given.times:
        with open(given.times, "w", encoding="ascii") as file:
            file.writelines(f"{time}\n" for time in times_ns)
