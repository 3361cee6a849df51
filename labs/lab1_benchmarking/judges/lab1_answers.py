"""Q1 to Q4: answers.toml, judged by values that are computed here, from the student's own table where it is about that."""
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hpml_autograder.lab import Context, Outcome, Run, Test, Verdict, accepted, read_table, wrong

SCHEMA = "hpml.lab1.answers/v1"
PEAK_GFLOPS, BANDWIDTH_GBS = 200.0, 30.0  # the machine of Q2
EXERCISES = ("C1", "C2", "C3", "C4", "C5")
CAUSES = {"C1": "add_latency_chain", "C2": "fewer_chained_adds", "C3": "simd_multi_accumulator",
          "C4": "interpreter_overhead", "C5": "calls_blas"}
FIXES = ("double_accumulator", "more_accumulators", "pairwise", "kahan")
INTENSITY = 2 / 8  # FLOP per byte: two operations on two floats. Given to students as q2_ai, which therefore earns nothing


def roof(intensity: float) -> float:
    return min(PEAK_GFLOPS, intensity * BANDWIDTH_GBS)


def read(src: Path) -> dict[str, Any] | str:
    return read_table(src, SCHEMA)


def near(value: Any, wanted: float, relative: float = 1e-9, absolute: float = 0.0) -> bool:
    """A number, not a truth value, close to the wanted one."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and math.isclose(value, wanted, rel_tol=relative, abs_tol=absolute)


def question(problems, checked: str):
    """A judge that asks `problems` for what is wrong: (sentence or "", for each part). Parts count the same."""
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        table = read(context.src)
        if isinstance(table, str):
            return wrong(table, checked)
        parts = problems(table)
        bad = [sentence for sentence in parts if sentence]
        if not bad:
            return accepted(checked)
        detail = "answers.toml: " + "; ".join(bad[:3])
        if len(bad) == len(parts):
            return wrong(detail, checked)
        return Outcome(Verdict.PA, detail, checked, fraction=1 - len(bad) / len(parts))
    return judge


def effect(table: dict[str, Any]) -> list[str]:
    given = table.get("q1_effect")
    needed = {"removes_warmup", "fewer_samples_more_variance"}
    if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
        return ["q1_effect must be a list of words"]
    if needed <= set(given) <= needed | {"biased_low_vs_all"}:
        return [""]
    return [f"q1_effect = {given} is not right"]


def mean_reason(table: dict[str, Any]) -> list[str]:
    return ["" if table.get(key) == word else f"{key} = {table.get(key)!r} is not right"
            for key, word in (("q1_mean", "arithmetic"), ("q1_reason", "times_add_up"))]


def roofline(table: dict[str, Any]) -> list[str]:
    ridge = PEAK_GFLOPS / BANDWIDTH_GBS
    good = {"q2_ridge": near(table.get("q2_ridge"), ridge, absolute=0.01),
            "q2_roof_gflops": near(table.get("q2_roof_gflops"), roof(INTENSITY)),
            "q2_bound": table.get("q2_bound") == "memory"}
    return ["" if right else f"{key} = {table.get(key)!r} is not right" for key, right in good.items()]


def point_name(row: dict[str, Any]) -> str:
    return f"{row['exercise']} {row['N']}"


def rows(table: dict[str, Any]) -> list[dict[str, Any]] | str:
    """The ten points, complete and positive; or what is missing."""
    given = table.get("q2_points")
    keys = {"exercise", "N", "T_s", "gflops", "fraction"}
    if not isinstance(given, list) or len(given) != 2 * len(EXERCISES):
        return f"q2_points must have ten rows, two sizes for each of {', '.join(EXERCISES)}"
    for row in given:
        if not isinstance(row, dict) or not keys <= set(row) or row["exercise"] not in EXERCISES:
            return f"q2_points: a row needs {', '.join(sorted(keys))}"
        numbers = [row[key] for key in keys - {"exercise"}]
        if not isinstance(row["N"], int) or any(not near(number, number) or number <= 0 for number in numbers):
            return f"q2_points: {row['exercise']}: every value must be a number above zero"
    for exercise in EXERCISES:
        sizes = sorted(row["N"] for row in given if row["exercise"] == exercise)
        if len(sizes) != 2 or sizes[1] < 10 * sizes[0]:
            return f"q2_points: {exercise} needs two sizes, the second at least ten times the first; got {sizes}"
    return given


def points(table: dict[str, Any]) -> list[str]:
    given = rows(table)
    if isinstance(given, str):
        return [given]
    found = []
    for row in given:
        gflops = 2 * row["N"] / row["T_s"] / 1e9
        if not near(row["gflops"], gflops, 0.01):
            found.append(f"q2_points: {point_name(row)} with T_s = {row['T_s']} is {gflops:.4g} GFLOP/s; got {row['gflops']}")
        elif not near(row["fraction"], gflops / roof(INTENSITY), 0.01):
            found.append(f"q2_points: {point_name(row)}: {row['fraction']} is not the part of the roof at this intensity that "
                         f"{gflops:.4g} GFLOP/s are")
        else:
            found.append("")
    return found


def selection(key: str, chosen):
    """The points of the student's own table for which `chosen` holds."""
    def problems(table: dict[str, Any]) -> list[str]:
        given = rows(table)
        if isinstance(given, str):
            return [given]
        wanted = {point_name(row) for row in given if chosen(2 * row["N"] / row["T_s"] / 1e9 / roof(INTENSITY))}
        answer = table.get(key)
        if isinstance(answer, list) and all(isinstance(word, str) for word in answer) and set(answer) == wanted:
            return [""]
        return [f"{key} = {answer!r} are not those of your own q2_points (written as \"C1 1000000\")"]
    return problems


def causes(table: dict[str, Any]) -> list[str]:
    given = table.get("q3_cause")
    given = given if isinstance(given, dict) else {}
    return ["" if given.get(key) == word else f"q3_cause.{key} = {given.get(key)!r} is not right"
            for key, word in CAUSES.items()]


def saturated(step: int, n: int) -> int:
    """A sum of ones that grows by `step` per addition stops at step * 2^24 (a tie, rounded to even)."""
    return min(n, step * 2**24)


def values(table: dict[str, Any]) -> list[str]:
    n = table.get("q4_exact")
    given = table.get("q4_R")
    if not isinstance(n, int) or n < 4 * 2**24 or n % 4:
        return ["q4_exact must be N: a multiple of 4, at least 2^26, so that C2 saturates as well"]
    given = given if isinstance(given, dict) else {}
    table_rows = rows(table)
    sizes = [row["N"] for row in table_rows if row["exercise"] == "C4"] if isinstance(table_rows, list) else [n]
    loop = max(sizes)  # a Python loop over 3e8 elements takes minutes; its own largest N will do
    good = {"C1": lambda r: r == saturated(1, n), "C2": lambda r: r == saturated(4, n),
            "C3": lambda r: abs(r - n) <= 1e-6 * n or blas_power(r), "C4": lambda r: r in (loop, saturated(1, loop)),
            "C5": lambda r: abs(r - n) <= 1e-6 * n or blas_power(r)}
    return ["" if near(given.get(key), given.get(key, math.nan)) and right(given[key])
            else f"q4_R.{key} = {given.get(key)!r} cannot come out for N = {n}" for key, right in good.items()]


def blas_power(r: float) -> bool:
    return r in {2.0**k for k in range(24, 29)}


def exact(table: dict[str, Any]) -> list[str]:
    given = rows(table)
    if isinstance(given, str):
        return [given]
    n = max(row["N"] for row in given if row["exercise"] == "C1")
    return ["" if table.get("q4_exact") == n else f"q4_exact = {table.get('q4_exact')!r}: the exact sum of N ones is "
            f"N, and your largest C1 has N = {n}"]


def reason(table: dict[str, Any]) -> list[str]:
    right = table.get("q4_reason") == "addend_below_half_ulp"
    return ["" if right else f"q4_reason = {table.get('q4_reason')!r} is not right"]


def fix(table: dict[str, Any]) -> list[str]:
    return ["" if table.get("q4_fix") in FIXES else f"q4_fix = {table.get('q4_fix')!r} does not help"]
