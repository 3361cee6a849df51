"""What an honest program of a case uploads to its GPU (what else comes from the host is no input of the exercise), the
same case with other data, and what comes of them."""
from collections.abc import Callable
from dataclasses import replace

import numpy
from hpml_autograder.lab import Case, Expected
from lab3_conv import PROGRAM, convolve, image_and_filters, shape_of
from lab3_conv import inputs as image_and_filters_plain
from lab3_data import DataRule, parse_args, sums, vectors
from lab3_kernels import EXPECTED as PART_A
from lab3_kernels import environment, matrices, numbers_from, tolerance, vectors_of_a
from lab3_kernels import numbers_of as numbers
from lab3_own import PROGRAM as OWN_PROGRAM


def inputs(case: Case) -> list[bytes]:
    """Results are written by kernels, whatever lay there before."""
    return [array.tobytes() for array in INPUTS[case.program](case)]


def _sums(case: Case) -> list[numpy.ndarray]:
    return list(vectors(parse_args(case.args, gpu=True).n, DataRule.of(case)))


PART_B = ("vecaddgpu00", "vecaddgpu01")
INPUTS: dict[str, Callable[[Case], list[numpy.ndarray]]] = {
    "vecadd00": lambda case: vectors_of_a(case.args, numbers(case)),
    "vecadd01": lambda case: vectors_of_a(case.args, numbers(case)),
    "matmult00": lambda case: matrices(case.args, case.program, numbers(case)),
    "matmult01": lambda case: matrices(case.args, case.program, numbers(case)),
    "vecaddgpu00": _sums,
    "vecaddgpu01": _sums,
    PROGRAM: lambda case: image_and_filters(case, numbers(case)),
    OWN_PROGRAM: lambda case: image_and_filters(case, numbers(case))}


def other(case: Case, seed: int) -> Case:
    """The same shapes."""
    rule = DataRule.seeded(seed).environment() if case.program in PART_B else environment(numbers_from(seed))
    return replace(case, env=rule)


def result(case: Case) -> Expected:
    """Whole numbers, so exact, but for products of matrices. The programs of part A launch twice; the second time counts."""
    if case.program in PART_B:
        return Expected(sums(parse_args(case.args, gpu=True).n, DataRule.of(case)))
    if case.program in PART_A:
        values = PART_A[case.program](case.args, case.program, numbers(case)).astype(numpy.float32)
        return Expected(values, tolerance(case), after_last_launch=True)
    s = shape_of(case)
    return Expected(convolve(*image_and_filters_plain(s, numbers(case)), s).astype(numpy.float64))


def repeats(case: Case) -> bool:
    """The student's own code launches, to warm up and between the events. The harness of part A writes over its results itself."""
    return case.program == OWN_PROGRAM or (case.program == PROGRAM and any(f"--only {n}" in case.args for n in (1, 2)))
