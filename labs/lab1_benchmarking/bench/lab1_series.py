"""The lab measured on this machine: the five programs at two sizes, and the machine's own roof."""
import platform
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import lab1_output as output
import numpy
from hpml_autograder.lab import (
    Build, Case, Run, Runner, UsageError, blas_environment, blas_report, hpml_bench, trouble)
from lab1_answers import EXERCISES, INTENSITY, roof
from lab1_gemm import LINE
from lab1_programs import memory_available

WALL_S = 900
SMALL = 1_000_000
LARGE, LESS = 300_000_000, 100_000_000  # LESS where 2.4 GB of vectors and as much again do not fit
REPS = {"small": 100, "large": 4}
PYTHON_REPS = {"small": 3, "large": 2}
GEMM_N, GEMM_BLOCK, GEMM_REPS = 512, 64, 3
IMPOSSIBLE_GFLOPS = 1e4  # one thread: an empty function
PYTHON_LARGE = 10_000_000               # a Python loop over 3e8 elements takes minutes: with FULL=1 only


@dataclass(frozen=True)
class Point:
    exercise: str
    n: int
    reps: int
    printed: output.Printed

    @property
    def gflops(self) -> float:
        return 2 * self.n / self.printed.t / 1e9


def sizes(full: bool) -> dict[str, tuple[int, int]]:
    large = LARGE if memory_available() >= 2 * 8 * LARGE else LESS
    return {exercise: (SMALL, large if exercise != "C4" or full else PYTHON_LARGE) for exercise in EXERCISES}


def measure_programs(runner: Runner, full: bool, progress: Callable[[str], None]) -> list[Point]:
    runner.wall_s = WALL_S
    found = []
    for exercise, (small, large) in sizes(full).items():
        for label, n in (("small", small), ("large", large)):
            reps = (PYTHON_REPS if exercise == "C4" else REPS)[label]
            case = Case(f"dp{exercise[1]}", f"{n} {reps}", blas_environment(), alone=True)
            progress(f"{exercise}: {case}")
            run = runner.run_all([case])[runner.resolve(case)]
            found.append(Point(exercise, n, reps, printed(run)))
    return found


@dataclass(frozen=True)
class Product:
    """One way of gemm.c to multiply matrices, on the roofline."""
    name: str
    n: int
    seconds: float
    gflops: float
    intensity: float


def measure_products(runner: Runner, progress: Callable[[str], None]) -> list[Product]:
    """Nothing where gemm.c is not written yet: it carries no points."""
    case = Case("gemm", f"{GEMM_N} {GEMM_BLOCK} {GEMM_REPS}", alone=True)
    progress(f"X2: {case}")
    run = runner.run_all([case])[runner.resolve(case)]
    found = [LINE.match(line) for line in run.stdout.splitlines()]
    if trouble(run, WALL_S) or not all(found):
        return []
    products = [Product(match.group(1), GEMM_N, *map(float, match.groups()[1:])) for match in found]
    return [product for product in products if product.seconds > 0 and product.intensity > 0
            and product.gflops < IMPOSSIBLE_GFLOPS]


def printed(run: Run) -> output.Printed:
    problem = trouble(run, WALL_S)
    if problem:
        raise UsageError(f"cannot measure: {problem.detail}; `make lab1 test` says more")
    result = output.parse(run.stdout)
    if isinstance(result, str) or result.t <= 0:
        raise UsageError(f"cannot measure: `{run.case}`: {result if isinstance(result, str) else 'T is 0'}")
    return result


def measure_roof(full: bool) -> dict[str, Any]:
    return hpml_bench("roof", *([] if full else ["--quick"]))


@dataclass(frozen=True)
class Roof:
    peaks: dict[str, float]            # GFLOP/s by level, FP32, one thread
    ladder: dict[str, list[tuple[int, float]]]  # kernel -> (bytes, GB/s)
    loose: frozenset[tuple[str, int]] = frozenset()  # (kernel, bytes) whose verdict is inconclusive

    @property
    def peak(self) -> float:
        return max(self.peaks.values())

    @property
    def memory(self) -> float:
        """GB/s of the largest size: the best kernel that only reads."""
        return max(self.ladder[kernel][-1][1] for kernel in ("read", "dot"))

    @property
    def cache(self) -> float:
        return max(rate for kernel in ("read", "dot") for _, rate in self.ladder[kernel])


def roof_of(measured: dict[str, Any]) -> Roof:
    peaks, ladder, loose = {}, {}, set()
    for case in measured["cases"]:
        if case["unit"] == "flop":
            peaks[case["level"]] = case["best_rate_per_s"] / 1e9
        else:
            kernel = case["name"].split("/")[0]
            ladder.setdefault(kernel, []).append((case["size"], case["best_rate_per_s"] / 1e9))
            if "inconclusive" in case["verdict"]:
                loose.add((kernel, case["size"]))
    return Roof(peaks, ladder, frozenset(loose))


def compiled_with(build: Build) -> dict[str, Any]:
    done = subprocess.run(["/usr/bin/cc", "--version"], capture_output=True, text=True, check=False)
    return {"compiler": done.stdout.splitlines()[0] if done.stdout else "unknown",
            "flags": [f"-std={build.std}", *build.flags]}


def to_json(points: Sequence[Point], products: Sequence[Product], measured: dict[str, Any],
            build: Build) -> dict[str, Any]:
    """Everything of this file depends on the machine and the moment."""
    rows = [{"exercise": point.exercise, "n": point.n, "reps": point.reps, "t_s": point.printed.t,
             "gbs": point.printed.b, "gflops": point.printed.f, "r": point.printed.r} for point in points]
    return {"schema": "hpml.lab1.bench/v1", **compiled_with(build), "python": platform.python_version(), "numpy": numpy.__version__,
            "blas": blas_report(), "points": rows,
            "products": [asdict(product) for product in products], "machine": measured}


def answers_toml(points: Sequence[Point], solved: bool = False) -> str:
    """What the bench has measured. The fractions of the roof are the student's to compute, so they are 0 unless solved."""
    lines = ["q2_points = ["]
    for point in points:
        part = point.gflops / roof(INTENSITY) if solved else 0.0
        lines.append(f'  {{ exercise = "{point.exercise}", N = {point.n}, T_s = {point.printed.t:.9f}, '
                     f"gflops = {point.gflops:.5g}, fraction = {part:.5g} }},")
    largest = {point.exercise: point for point in points}  # the second size of each comes last
    sums = ", ".join(f"{exercise} = {largest[exercise].printed.r:.0f}" for exercise in EXERCISES)
    return "\n".join([*lines, "]", f"q4_exact = {largest['C1'].n}", f"q4_R = {{ {sums} }}"]) + "\n"


def solved(text: str, points: Sequence[Point], machine: str) -> str:
    """answers.toml with everything in it that follows from these points; the rest as it is."""
    def chosen(wanted: Callable[[float], bool]) -> str:
        names = [f'"{point.exercise} {point.n}"' for point in points if wanted(point.gflops / roof(INTENSITY))]
        return ",\n            ".join(", ".join(names[start:start + 5]) for start in range(0, len(names), 5))
    points_part, sums_part = re.split(r"(?=^q4_exact)", answers_toml(points, solved=True), flags=re.MULTILINE)
    parts = {r"^q2_under = \[[^]]*\][^\n]*\n": f"q2_under = [{chosen(lambda part: part < 0.5)}]\n",
             r"^q2_above = \[[^]]*\][^\n]*\n": f"q2_above = [{chosen(lambda part: part > 1)}]\n",
             r"(^# Measured[^\n]*\n(#[^\n]*\n)*)?^q2_points = \[[^]]*\][^\n]*\n": f"# Measured: {machine}\n{points_part}",
             r"^q4_exact = [^\n]*\nq4_R = [^\n]*\n": sums_part}
    for pattern, new in parts.items():
        text, count = re.subn(pattern, lambda match: new, text, flags=re.MULTILINE)
        if count != 1:
            raise UsageError(f"answers.toml: expected {pattern} once, found it {count} times")
    return text


# Times of one exercise over those of another, and what is usual: reported, never scored.
RATIOS = (("C1", "C2", "1.5 or more"), ("C1", "C3", "2 or more"), ("C4", "C1", "more than 20"), ("C5", "C3", "0.3 to 4"))


def ratios(points: Sequence[Point]) -> str:
    """Of the smaller N, which all exercises share."""
    n = min(point.n for point in points)
    times = {point.exercise: point.printed.t for point in points if point.n == n}
    return f"times at N = {n}: " + "; ".join(f"{one} / {other} = {times[one] / times[other]:.3g} (usual: {usual})"
                                             for one, other, usual in RATIOS)


def product_rows(products: Sequence[Product]) -> list[Sequence[str]]:
    header: Sequence[str] = ("matrices", "n", "T, s", "GFLOP/s", "FLOP/byte")
    return [header, *((product.name, f"{product.n}", f"{product.seconds:.9f}", f"{product.gflops:.4f}",
                       f"{product.intensity:.3f}") for product in products)] if products else []


def table_rows(points: Sequence[Point]) -> list[Sequence[str]]:
    header: Sequence[str] = ("exercise", "N", "reps", "T, s", "GB/s", "GFLOP/s", "R")
    return [header, *((point.exercise, f"{point.n}", f"{point.reps}", f"{point.printed.t:.9f}",
                       f"{point.printed.b:.3f}", f"{point.printed.f:.4f}", f"{point.printed.r:.1f}")
                      for point in points)]
