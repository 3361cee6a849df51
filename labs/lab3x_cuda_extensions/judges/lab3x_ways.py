"""The way that numbers have to take through a kernel: the grader does the recorded launches once more with the numbers changed that
take it (gpusim replay --perturb), by a key that no program hears of, and knows what the result must be then."""
import lab3x_judge as judges
import numpy
from hpml_autograder.lab import Case, Changed

TILED = ("m2", "m3", "m4", "m5", "m6")
LEAST, MOST, ADDED, SHIFT = 2.0**-20, 8.0, 16.0, 15  # kLeast, kMost, kAdded, kShift of simulator/ptx/perturb.cpp
LEAST_STEP = 500  # kLeastStep
LANES = 31        # additions of what shuffles deliver, in the sum of one warp
MOST_OF_THEM = 0.9  # elements of a product: partial sums that go through shared memory can look like factors


def technique(case: Case, seed: int) -> tuple[tuple[str, str], Changed] | None:
    if case.program in TILED:
        return ("--perturb", f"shared:{seed}"), product_by_tiles(case, seed)
    return (("--perturb", f"shuffles:{seed}"), sum_by_shuffles(case, seed)) if case.program == "reduction" else None


def changed(values: numpy.ndarray, key: int) -> numpy.ndarray:
    """What is loaded in the place of numbers in shared memory."""
    values = values.astype(numpy.float32)
    half = numpy.uint64(0xFFFFFFFF)
    hashed = values.view(numpy.uint32).astype(numpy.uint64) * numpy.uint64(key & 0xFFFFFFFF | 1) & half
    hashed ^= hashed >> numpy.uint64(SHIFT)
    hashed = hashed * numpy.uint64(key >> 32 | 1) & half
    size = numpy.abs(values)
    chosen = (hashed >> numpy.uint64(31) == 1) & (size >= LEAST) & (size < MOST)
    return numpy.where(chosen, values + numpy.float32(ADDED), values).astype(numpy.float64)


def product_by_tiles(case: Case, key: int) -> Changed:
    """Both factors of each product, or one of them, come from shared memory."""
    a, b = judges.matrices(case.args, judges.numbers_of(case))
    right = [left @ other for left, other in ((changed(a, key), changed(b, key)), (changed(a, key), b), (a, changed(b, key)))]

    def is_right(got: numpy.ndarray) -> bool:
        return any((numpy.abs(got.reshape(one.shape) - one) <= judges.TOLERANCE * numpy.abs(one).max()).mean() >= MOST_OF_THEM
                   for one in right)
    return Changed(a.size, is_right)


def sum_by_shuffles(case: Case, key: int) -> Changed:
    """Each addition of a delivered word adds its step, or spoils the number of another type."""
    right, least = float(judges.total(case.args, judges.numbers_of(case))[0]), LANES * (LEAST_STEP + key % LEAST_STEP)
    return Changed(1, lambda got: not abs(float(got[0]) - right) < least)
