"""What the tables of answers.toml hold, measured: part A; part B with every K, launch shape and memory kind."""
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hpml_autograder.lab import Case, Run, Runner, UsageError, trouble
from lab3_answers import KS, SHAPES
from lab3_answers_a import MATRIX_SIZES
from lab3_kernels import FOOTPRINT
from lab3_data import make_case
from lab3_output import time_ms

TIME = re.compile(r"^Time: (\d+\.\d{9}) \(sec\), (?:nFlops: \d+, )?GFlopsS: \d+\.\d{6}(?:, GBytesS: \d+\.\d{6})?$",
                  re.MULTILINE)
TABLES = {"explicit": "vecaddgpu00", "managed": "vecaddgpu01"}
VECTORS = {"00": ("vecadd00", (500, 1000, 2000)), "01": ("vecadd01", (500, 1000, 2000))}
MATRICES = {series: (program, tuple(n // FOOTPRINT[program] for n in MATRIX_SIZES))
            for series, program in (("00", "matmult00"), ("01", "matmult01"))}
PART_A = {"vecadd": VECTORS, "matmult": MATRICES}
WALL_S = 1800    # of one run: 100 million elements by one thread take long on a busy host
CPU_REPEATS = 3  # the smallest of three: other work on this host only ever adds time


@dataclass(frozen=True)
class PartB:
    gpu: str
    compiler: str
    cpu: list[float]                           # ms by K
    tables: dict[str, dict[str, list[float]]]  # "explicit" -> "1x1" -> ms by K
    part_a: dict[str, dict[str, list[float]]] = field(default_factory=dict)  # "vecadd" -> "00" -> ms by size

    def to_json(self) -> dict[str, Any]:
        return {"schema": "hpml.lab3.partB/v1", "gpu": self.gpu, "compiler": self.compiler, "K": list(KS),
                "execution_ms": self.tables, "part_a_ms": self.part_a, "volatile": {"cpu_execution_ms": self.cpu}}


def gpu_cases() -> list[Case]:
    """The long ones first, so that two workers end at about the same time."""
    return [make_case(program, f"{words} {k}") for k in reversed(KS) for words in SHAPES.values()
            for program in TABLES.values()]


def part_a_cases() -> list[Case]:
    return [Case(program, str(size)) for table in PART_A.values() for program, sizes in table.values() for size in sizes]


def _measure_a(runner: Runner) -> dict[str, dict[str, list[float]]]:
    runs = runner.run_all(part_a_cases())
    times = {table: {series: [_printed(runs[runner.resolve(Case(program, str(size)))]) for size in sizes]
                     for series, (program, sizes) in rows.items()} for table, rows in PART_A.items()}
    matrix = times["matmult"]
    matrix["00 GFLOP/s"] = [2 * n ** 3 / (ms * 1e6) for n, ms in zip(MATRIX_SIZES, matrix["00"])]
    matrix["speedup"] = [slow / fast for slow, fast in zip(matrix["00"], matrix["01"])]
    return times


def _printed(run: Run) -> float:
    """A kernel that is not written yet gives wrong results in no time: a table of it would say nothing."""
    problem = trouble(run, WALL_S)
    found = TIME.search(run.stdout)
    milliseconds = float(found.group(1)) * 1e3 if found else None
    if problem or not milliseconds:
        raise UsageError(f"cannot fill the tables of part A: `{run.case}`: {problem.detail if problem else 'no Time line'}; "
                         "`make lab3 test` says more")
    return milliseconds


def measure(runner: Runner, compiler: str) -> PartB:
    runner.wall_s = WALL_S
    runs = runner.run_all(gpu_cases())
    tables = {name: {shape: [_execution(runs[runner.resolve(make_case(program, f"{words} {k}"))]) for k in KS]
                     for shape, words in SHAPES.items()} for name, program in TABLES.items()}
    return PartB(runner.backends.setup.gpu, compiler, measure_cpu(runner), tables, _measure_a(runner))


def measure_cpu(runner: Runner) -> list[float]:
    times = []
    for k in KS:
        samples = []
        for _ in range(CPU_REPEATS):
            case = runner.resolve(make_case("vecaddcpu", str(k)))
            runner.runs.pop(case, None)
            runner.known.clear()
            samples.append(_execution(runner.run_all([case])[case]))
        times.append(min(samples))
    return times


def _execution(run: Run) -> float:
    problem = trouble(run, WALL_S)
    if problem:
        raise UsageError(f"cannot draw the charts: {problem.detail}; `make lab3 test` says more")
    printed = time_ms(run.stdout, "Execution Time")
    if printed is None or printed <= 0:
        raise UsageError(f"cannot draw the charts: `{run.case}` prints no Execution Time above 0")
    return printed


def table_rows(result: PartB) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [("execution time, ms", *(f"K={k}" for k in KS))]
    rows.append(("CPU (this host)", *(f"{value:.4g}" for value in result.cpu)))
    for name, series in result.tables.items():
        rows += [(f"{name} {shape}", *(f"{value:.6g}" for value in values)) for shape, values in series.items()]
    return rows


def answers_toml(result: PartB) -> str:
    """The table part of answers.toml, to be copied."""
    lines = [f'gpu = "{result.gpu}"', f'compiler = "{result.compiler}"', "",
             "[cpu]", f'"1 core" = {_numbers(result.cpu)}']
    for name, series in result.tables.items():
        lines += ["", f"[{name}]"] + [f'"{shape}" = {_numbers(values)}' for shape, values in series.items()]
    for name, series in result.part_a.items():
        lines += ["", f"[{name}]"] + [f'{_key(row)} = {_numbers(values)}' for row, values in series.items()]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if name.isalpha() else f'"{name}"'


def _numbers(values: Sequence[float]) -> str:
    return "[" + ", ".join(f"{value:.6g}" if "e" not in f"{value:.6g}" else f"{value:.6f}" for value in values) + "]"
