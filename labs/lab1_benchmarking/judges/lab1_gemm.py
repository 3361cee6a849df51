"""X2: products of matrices: right on numbers the grader chose, placed right on the roofline, and faster in pairs."""
import math
import re
from collections.abc import Sequence

import lab1_data as data
import numpy as np
from hpml_autograder.lab import (
    Case, Context, Outcome, Run, Test, Verdict, accepted, banded, paired, trouble, values, worker_trouble, wrong)

KERNELS = ("mmblocked", "mmvector")
LINE = re.compile(r"(\w+): (\d+\.\d{9}) sec (\d+\.\d{6}) GFLOP/sec (\d+\.\d{6}) FLOP/byte$")
RACE_BANDS = ((3.0, 1e9), (2.0, 1e9))


def intensity(kernel: str, n: int, block: int) -> float:
    """FLOP per byte from memory, when three tiles fit the cache and nothing else stays in it."""
    tile = min(n, block)
    read_and_written = 2 * n**3 / tile + 2 * n**2
    return 0.25 if kernel == "naive" else 2 * n**3 / (4 * read_and_written)


def word(test: Test, context: Context) -> str:
    return data.hidden_ints(context.seed(test, 0)) if test.params["data"] == "hidden" else data.PUBLIC_INTS


def plan_product(test: Test, context: Context) -> list[Case]:
    block, sizes = test.shapes[0].split()
    return [Case("lab1_worker", f"product {{gemm_kernel}} {symbol} {word(test, context)} {block} {sizes}")
            for symbol in KERNELS]


def judge_product(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "every element of the products"
    block, sizes = test.shapes[0].split()
    for symbol, run in zip(KERNELS, runs):
        found = np.array(values(run), np.float32)
        for n in map(int, sizes.split(",")):
            place = f"{symbol}() with n = {n}, block = {block}"
            if len(found) < n * n:
                problem = worker_trouble(run, context)
                detail = problem.detail if problem else "it has written nothing"
                return Outcome(problem.verdict if problem else Verdict.WA, f"{place}: {detail}", checked)
            got, found = found[:n * n].reshape(n, n), found[n * n:]
            a, b = (vector.reshape(n, n).astype(np.int64) for vector in data.Data(word(test, context)).vectors(n * n))
            bad = np.argwhere(got != a @ b)
            if len(bad):
                i, j = bad[0]
                return wrong(f"{place}: expected C[{i}][{j}] = {(a @ b)[i, j]}, got {got[i, j]:g}", checked)
    return accepted(checked)


def plan_lines(test: Test, context: Context) -> list[Case]:
    return [Case("gemm", shape) for shape in test.shapes]


def judge_lines(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "three lines, GFLOP/s and intensity"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        n, block, _ = map(int, run.case.args.split())
        found = [LINE.match(line) for line in run.stdout.splitlines()]
        if [match and match.group(1) for match in found] != ["naive", "blocked", "vector"]:
            return wrong(f"`{run.case}`: expected three lines 'naive: 0.123456789 sec 1.234567 GFLOP/sec 0.250000 "
                         f"FLOP/byte', got {run.stdout[:80]!r}", checked)
        for match in found:
            kernel, (t, rate, placed) = match.group(1), map(float, match.groups()[1:])
            wanted = intensity(kernel, n, block)
            if abs(placed - wanted) > 1e-5 * wanted + 1e-6:
                return wrong(f"`{run.case}`: {kernel}: expected {wanted:.6f} FLOP/byte, got {placed:.6f}", checked)
            if not math.isfinite(rate) or t > 0 and abs(rate - 2 * n**3 / t / 1e9) > 0.01 * rate + 1e-6:
                return wrong(f"`{run.case}`: {kernel}: 2 n^3 operations in {t:.9f} s are {2 * n**3 / t / 1e9:.6f} "
                             f"GFLOP/s, got {rate:.6f}", checked)
    return accepted(checked)


def plan_race(test: Test, context: Context) -> list[Case]:
    return [Case("lab1_worker", f"race {{gemm_kernel}} mmvector mmnaive {test.shapes[0]}", alone=True)]


def judge_race(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "times measured in pairs"
    problem = worker_trouble(runs[0], context)
    if problem:
        return problem
    what = f"time of mmnaive() over that of mmvector(), n = {test.shapes[0].split()[0]}"
    return paired(runs[0].stdout, checked, lambda ratio: banded(ratio, RACE_BANDS, what, checked))
