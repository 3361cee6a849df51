"""reference/<gpu>.json: simulated kernel times of the reference solution. Written by a command, compared by a test."""
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hpml_autograder.lab import Case, InfraError, Run
from lab3_data import make_case

SCHEMA = "hpml.lab3.reference/v1"
ARGS = ("1 1 1", "1 256 1", "0 256 1", "0 256 10")  # what `make lab3 test` runs at full size
PROGRAMS = ("vecaddgpu00", "vecaddgpu01")
CONVOLUTION = "--only {} --shape 3,128,128,8,3,3,1"
# Parts A and C: what `make lab3 test` times exactly, the given kernels beside the solution's.
KERNELS = (Case("vecadd00", "500"), Case("vecadd01", "500"), Case("matmult00", "16"), Case("matmult01", "8"),
           *(Case("convolution", CONVOLUTION.format(only)) for only in (1, 2, 3)))
FOLDER = Path(__file__).resolve().parent.parent / "reference"


def cases() -> list[Case]:
    return [*(make_case(program, args) for program in PROGRAMS for args in ARGS), *KERNELS]


def kernel_ms(run: Run) -> list[float]:
    """One entry per launch: the timed one, or cold and warm."""
    if run.metrics is None or not run.metrics.kernels:
        raise InfraError(f"`{run.case}` left no kernel times")
    return [round(kernel.duration_us / 1000, 6) for kernel in run.metrics.kernels]


def read(gpu: str, compiler: str) -> dict[str, list[float]]:
    """Empty when there is no reference for this GPU and compiler."""
    try:
        return dict(json.loads((FOLDER / f"{gpu}.json").read_text(encoding="utf-8"))["kernel_ms"].get(compiler, {}))
    except FileNotFoundError:
        return {}


def text(gpu: str, by_compiler: Mapping[str, Mapping[str, list[float]]]) -> str:
    table: dict[str, Any] = {"schema": SCHEMA, "gpu": gpu, "kernel_ms": by_compiler}
    return json.dumps(table, indent=1, sort_keys=True) + "\n"
