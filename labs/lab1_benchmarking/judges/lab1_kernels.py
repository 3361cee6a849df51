"""Are the results of the kernels right? Judged on vectors the grader chose, in a process of their own."""
import random
from collections.abc import Sequence
from dataclasses import dataclass

import lab1_data as data
import numpy as np
from hpml_autograder.lab import (
    Case, Context, Outcome, Run, Test, Verdict, accepted, blas_environment, missing, values, worker_trouble, wrong)

PYTHON = ("dp4", "dp5")
BIG_N = 2**31 + 8  # more than an int can count; pages of zeros take no memory
MOST_DRAWN = 1 << 22  # elements: every partial sum of so many drawn whole numbers stays below 2^24


@dataclass(frozen=True)
class Call:
    word: str
    sizes: tuple[int, ...]


def sizes_of(test: Test, context: Context) -> tuple[int, ...]:
    return tuple(int(word) for word in test.shapes[0].split(","))


def calls(test: Test, context: Context) -> list[Call]:
    sizes = sizes_of(test, context)
    kind = test.params["data"]
    if kind == "library":
        return [Call(data.hidden_ints(context.seed(test, 0)), sizes)]
    if kind == "hidden":
        seed = context.seed(test, 0)
        return [Call(data.hidden_ints(seed), sizes), Call(f"uniform:{seed & 0xFFFFFFFF}", sizes)]
    more = [Call("sparse", (BIG_N,))] if context.full and test.params.get("big") else []
    given = [Call(data.PUBLIC_INTS if kind == "ints" else kind, sizes), *more]
    return context.also_drawn(test, given, lambda draw: drawn_calls(draw, kind, sizes))


def drawn_calls(draw: random.Random, kind: str, sizes: Sequence[int]) -> list[Call]:
    """Whole numbers, of which no function knows the sum; and the order of the additions, which the probe shows at every size."""
    small = tuple(size for size in sizes if size <= MOST_DRAWN)
    calls = [Call(data.hidden_ints(draw.getrandbits(63)), small)] if small else []
    return [*calls, Call("probe", (16 * draw.randint(20, 90),))] if kind == "probe" else calls


def plan(test: Test, context: Context) -> list[Case]:
    name = test.params["program"]
    cases = []
    for call in calls(test, context):
        sizes = ",".join(map(str, call.sizes))
        if name in PYTHON:
            cases.append(Case("dp_worker", f"{{{name}}} {call.word} {sizes}", blas_environment()))
        else:
            arguments = f"calls {{{name}_kernel}} {test.params['symbol']} {call.word} {sizes}"
            watched = " --by-library" if test.generator == "library" else ""
            cases.append(Case("lab1_worker", arguments + watched, blas_environment()))
    return cases


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    function = test.params["symbol"]
    checked = f"{function} on {test.params['data']}"
    for call, run in zip(calls(test, context), runs):
        found = values(run)
        problem = worker_trouble(run, context) or missing(run, call.sizes, checked)
        if problem and problem.verdict is Verdict.WA:  # the worker has found it, and says where
            return problem
        if problem:
            size = call.sizes[min(len(found), len(call.sizes) - 1)]
            words = problem.detail.split("; it said: ")
            said = f"; it said: {words[1]}" if len(words) > 1 else ""
            hint = ": an access outside the vectors" if problem.verdict is Verdict.SG else ""
            return Outcome(problem.verdict, f"{function}() with N = {size} on {call.word}: "
                           f"{'killed' if problem.verdict is Verdict.SG else 'failed'}{hint}{said}", checked)
        for size, value in zip(call.sizes, found):
            outcome = judge_value(test.params["algorithm"], data.Data(call.word), size, value, f"{function}()")
            if outcome.verdict is not Verdict.AC:
                return outcome
    return accepted(f"{checked}, {sum(len(call.sizes) for call in calls(test, context))} calls")


def judge_value(algorithm: str, vectors: data.Data, n: int, value: float, what: str) -> Outcome:
    """algorithm: sequential, unrolled, blas or python_loop; what it may return on these vectors. what: "dp()", "R"."""
    kind = vectors.word.split(":")[0]
    checked = f"{what.removesuffix('()')} on {kind}"
    place = f"{what} with N = {n} on {vectors.word}"
    if kind == "uniform":
        reference = data.exact(vectors, n)
        allowed = data.error_bound(reference, n)
        if not abs(value - reference.value) <= allowed:
            return wrong(f"{place}: expected {reference.value:.9g} +- {allowed:.2g}, got {value:.9g}", checked)
        return accepted(checked)
    if kind == "ints":
        expected = data.sequential(vectors, n)
        return accepted(checked) if value == expected else wrong(f"{place}: expected {expected:.1f}, got {value:.1f}",
                                                                 checked)
    if kind == "sparse":
        return accepted(checked) if value == 1 else wrong(f"{place}: expected 1.0, got {value:.1f}", checked)
    good = expected_values(algorithm, vectors, n)
    if value in good:
        return accepted(checked)
    if algorithm == "blas" and blas_may_return(vectors, n, value):
        return accepted(checked)
    names = " or ".join(f"{number:.1f}" for number in sorted(good)) or f"{n:.1f}" + (
        " or a power of two from 2^24" if n > 2**24 else "")
    detail = f"{place}: expected {names}, got {value:.1f}{guess(vectors, n, value)}"
    several = [data.accumulators(vectors, n, k) for k in (2, 4, 8, 16)] if algorithm == "unrolled" and kind == "probe" else []
    if value in several:
        return Outcome(Verdict.PA, detail + ": it works, but is not what was asked", checked, fraction=0.5)
    return wrong(detail, checked)


def expected_values(algorithm: str, vectors: data.Data, n: int) -> set[float]:
    if algorithm == "sequential":
        return {data.sequential(vectors, n)}
    if algorithm == "unrolled":
        return {data.unrolled(vectors, n), data.unrolled(vectors, n, paired=True)}
    if algorithm == "python_loop":  # NumPy 1 promotes a Python float to double, NumPy 2 does not (NEP 50)
        return {data.sequential(vectors, n), data.doubles(vectors, n)}
    return set()


def blas_may_return(vectors: data.Data, n: int, value: float) -> bool:
    """A library may sum in any order: between one accumulator and exact, or a saturated power of two."""
    exact = data.exact(vectors, n).value
    if vectors.word == "probe":
        return data.sequential(vectors, n) <= value <= exact
    return abs(value - exact) <= 1e-6 * exact or value in {2.0**k for k in range(24, 29)}


def guess(vectors: data.Data, n: int, value: float) -> str:
    """What is known to return such a value."""
    if vectors.word != "probe":
        return ""
    if value == data.sequential(vectors, n):
        return " (one accumulator, one product at a time)"
    if value in (data.unrolled(vectors, n), data.unrolled(vectors, n, paired=True)):
        return " (four products per expression)"
    for k in (2, 4, 8, 16):
        if value == data.accumulators(vectors, n, k):
            return f" ({k} accumulators, by hand or by -ffast-math)"
    if value in (data.doubles(vectors, n), float(np.float32(data.doubles(vectors, n)))):
        return " (a double accumulator, or compensated summation)"
    return ""
