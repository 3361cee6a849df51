"""The numbers that the given programs make as well (src/lab2.hpp, src/harness/check.hpp), and their results read back."""
import os
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Context, Outcome, Run, Verdict, trouble
from hpml_autograder.splitmix import mix, mix_one

UNTOUCHED = {7.0: ", which means that it was never written"}  # the given programs fill their results with it
RECORD_BYTES, CLASSES, SIDE = 3073, 10, 32


def random_bits(seed: int, a: int, b: int, count: int) -> numpy.ndarray:
    with numpy.errstate(over="ignore"):
        return mix(numpy.uint64(mix_one(mix_one(mix_one(seed) + a) + b)) + numpy.arange(count, dtype=numpy.uint64))


def values(seed: int, which: int, *shape: int) -> numpy.ndarray:
    """Uniform in [-1, 1), multiples of 2^-23, as doubles."""
    bits = random_bits(seed, which, 0, int(numpy.prod(shape))) >> numpy.uint64(40)
    return ((bits.astype(numpy.int64) - (1 << 23)) * 2.0 ** -23).reshape(shape)


def records(seed: int, which: int, count: int) -> numpy.ndarray:
    """`count` records of the CIFAR-10 format as rows of bytes."""
    bits = random_bits(seed, which, 1, count * RECORD_BYTES).reshape(count, RECORD_BYTES)
    found = (bits & numpy.uint64(255)).astype(numpy.uint8)
    found[:, 0] = (bits[:, 0] % numpy.uint64(CLASSES)).astype(numpy.uint8)
    return found


def problem_of(run: Run, context: Context) -> Outcome | None:
    return trouble(run, context.spec.limits.wall_s)


class Reader:
    """The arrays of a run's result, one after the other. What is missing is not a number, so it is wrong."""

    def __init__(self, run: Run) -> None:
        self.data = run.dump.read_bytes() if run.dump is not None else b""
        self.at = 0

    def take(self, dtype: type, *shape: int) -> numpy.ndarray:
        count = int(numpy.prod(shape))
        size = count * numpy.dtype(dtype).itemsize
        part = self.data[self.at:self.at + size]
        self.at += size
        if len(part) != size:
            return numpy.full(shape, numpy.nan if numpy.issubdtype(dtype, numpy.floating) else -1)
        return numpy.frombuffer(part, dtype).reshape(shape)


def first_wrong(got: numpy.ndarray, expected: numpy.ndarray, bound: "numpy.ndarray | float") -> str:
    """Where a result first differs by more than its bound, or nothing."""
    with numpy.errstate(invalid="ignore"):
        bad = ~(numpy.abs(got.astype(numpy.float64) - expected) <= bound)
    if not bad.any():
        return ""
    place = tuple(int(i) for i in numpy.argwhere(bad)[0])
    share = f"{int(bad.sum())} of {bad.size} wrong"
    return f"element {list(place)}: expected {expected[place]:.9g}, got {got[place]:.9g}{UNTOUCHED.get(float(got[place]), '')} ({share})"


def floats(text: str) -> list[list[float]]:
    """Numbers of every line; a line that holds something else is empty."""
    found = []
    for line in text.splitlines():
        try:
            found.append([float(word) for word in line.split()])
        except ValueError:
            found.append([])
    return found


def near(got: Sequence[float], expected: Sequence[float], relative: float = 1e-9) -> bool:
    return len(got) == len(expected) and all(
        abs(a - b) <= relative * max(abs(b), 1e-12) for a, b in zip(got, expected))


CROWDED = 1.25  # load average per processor above which threads wait for a processor


def crowded(said: str, checked: str) -> Outcome | None:
    """No verdict on times that a busy machine explains, or None: it is not busy."""
    load, processors = os.getloadavg()[0], len(os.sched_getaffinity(0))
    if load <= CROWDED * processors:
        return None
    return Outcome(Verdict.INC, f"no verdict at load {load:.1f} on {processors} processors; {said}", checked)


def wrong_at(run: Run, what: str, checked: str) -> Outcome:
    return Outcome(Verdict.WA, f"`{str(run.case)[:90]}`: {what[:1000]}", checked)
