"""What an honest program of a case uploads to its GPU: what else comes from the host is no input of the exercise."""
from collections.abc import Callable

import numpy
from hpml_autograder.lab import Case
from lab3_conv import PROGRAM, image_and_filters
from lab3_data import DataRule, parse_args, vectors
from lab3_kernels import matrices, vectors_of_a
from lab3_own import PROGRAM as OWN_PROGRAM


def inputs(case: Case) -> list[bytes]:
    """Results are written by kernels, whatever lay there before."""
    return [array.tobytes() for array in INPUTS[case.program](case)]


def numbers(case: Case) -> tuple[int, ...]:
    """The factors that a case of part A or C was given in its environment."""
    text = dict(case.env).get("HPML_DATA")
    return tuple(map(int, text.split(","))) if text else ()


def _sums(case: Case) -> list[numpy.ndarray]:
    return list(vectors(parse_args(case.args, gpu=True).n, DataRule.of(case)))


INPUTS: dict[str, Callable[[Case], list[numpy.ndarray]]] = {
    "vecadd00": lambda case: vectors_of_a(case.args, numbers(case)),
    "vecadd01": lambda case: vectors_of_a(case.args, numbers(case)),
    "matmult00": lambda case: matrices(case.args, case.program, numbers(case)),
    "matmult01": lambda case: matrices(case.args, case.program, numbers(case)),
    "vecaddgpu00": _sums,
    "vecaddgpu01": _sums,
    PROGRAM: lambda case: image_and_filters(case, numbers(case)),
    OWN_PROGRAM: lambda case: image_and_filters(case, numbers(case))}
