"""Inputs that the given check programs make as well (src/harness/check.hpp), and their results read back."""
import numpy
from hpml_autograder.lab import Context, Outcome, Run, Verdict, trouble
from lab6_random import stream_id, uniforms

EXP_MOST = 87.0  # the largest whole number whose exp and whose reciprocal are normal floats
BEFORE = 0.25  # what results are added to
UNTOUCHED = {7.0: ", which means that it was never written", BEFORE: ", which means that nothing was added"}  # check.hpp fills with these


def values(seed: int, which: int, *shape: int) -> numpy.ndarray:
    """Uniform in [-1, 1), rounded to float32, as doubles."""
    numbers = 2 * uniforms(seed, stream_id(f"check{which}"), int(numpy.prod(shape))) - 1
    return numbers.astype(numpy.float32).astype(numpy.float64).reshape(shape)


def lengths(seed: int, batch: int, most: int) -> numpy.ndarray:
    return 1 + (uniforms(seed, stream_id("lengths"), batch) * most).astype(int)


def problem_of(run: Run, context: Context) -> Outcome | None:
    return trouble(run, context.spec.limits.wall_s)


def wrong_at(run: Run, what: str, checked: str) -> Outcome:
    return Outcome(Verdict.WA, f"`{str(run.case)[:90]}`: {what}", checked)


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


def differs(got: numpy.ndarray, expected: numpy.ndarray, bound: "numpy.ndarray | float") -> numpy.ndarray:
    with numpy.errstate(invalid="ignore"):
        return ~(numpy.abs(got.astype(numpy.float64) - expected) <= bound)


def first_wrong(got: numpy.ndarray, expected: numpy.ndarray, bound: "numpy.ndarray | float") -> str:
    """Where a result first differs by more than its bound, or nothing."""
    bad = differs(got, expected, bound)
    if not bad.any():
        return ""
    place = tuple(int(i) for i in numpy.argwhere(bad)[0])
    return (f"element {list(place)}: expected {expected[place] + 0:.9g}, got {got[place]:.9g}{UNTOUCHED.get(float(got[place]), '')} "
            f"({int(bad.sum())} of {bad.size} wrong)")


def out_of_range(got: numpy.ndarray, expected: numpy.ndarray, bound: "numpy.ndarray | float", largest: numpy.ndarray) -> str:
    """Advice for a softmax that takes exp of the scores as they are: every row that is wrong has a largest score whose exp
    overflows, or underflows. largest: the largest score of each row."""
    bad = differs(got, expected, bound)
    wrong = largest[bad if bad.ndim == largest.ndim else bad.any(axis=-1)]
    return ": exp() of these scores is beyond the range of a float: subtract the largest of each row first" if (
        wrong.size and (abs(wrong) > EXP_MOST).all()) else ""


def bound_of(expected: numpy.ndarray, relative: float = 3e-5) -> float:
    """For sums of float32 products and approximated exponentials: relative to the largest element of the array."""
    return relative * max(1.0, float(numpy.abs(expected).max(initial=0)))
