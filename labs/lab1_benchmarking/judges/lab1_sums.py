"""X1: pairwise and compensated sums, by fingerprint and by error bound."""
import math
import re
from collections.abc import Sequence

import lab1_data as data
from hpml_autograder.lab import (
    Case, Context, Outcome, Run, Test, accepted, missing, trouble, values, worker_trouble, wrong)
from lab1_kernels import sizes_of

LINES = re.compile(r"naive: (\S+)\npairwise: (\S+)\nkahan: (\S+)\s*$")
FINGERPRINT = {"pairwise": lambda n: data.pairwise(data.Data("probe"), n),
               "kahan": lambda n: float(data.np.float32(data.exact(data.Data("probe"), n).value))}
BOUND = {"pairwise": data.pairwise_bound, "kahan": data.compensated_bound}


def words(test: Test, context: Context) -> list[str]:
    return [f"positive:{context.seed(test, 0) & 0xFFFFFFFF}"] if test.params["data"] == "hidden" else ["ones", "probe"]


def plan_calls(test: Test, context: Context) -> list[Case]:
    return [Case("lab1_worker", f"calls {{sums_kernel}} {symbol} {word} {test.shapes[0]}")
            for symbol in ("dppairwise", "dpkahan") for word in words(test, context)]


def value_problem(algorithm: str, vectors: data.Data, n: int, value: float) -> str:
    """What is wrong with this value, or nothing."""
    if vectors.word == "probe":
        wanted = FINGERPRINT[algorithm](n)
        return "" if value == wanted else f"expected {wanted:.1f}, got {value:.1f}"
    reference = data.exact(vectors, n)
    allowed = BOUND[algorithm](reference, n)
    return "" if abs(value - reference.value) <= allowed else \
        f"expected {reference.value:.9g} +- {allowed:.2g}, got {value:.9g}"


def judge_calls(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "dppairwise and dpkahan on " + ("numbers you have not seen" if test.params["data"] == "hidden" else
                                              "ones and probe")
    for run in runs:
        symbol, word = run.case.args.split()[2:4]
        problem = worker_trouble(run, context) or missing(run, sizes_of(test, context), checked)
        if problem:
            return problem
        for n, value in zip(sizes_of(test, context), values(run)):
            detail = value_problem(symbol.removeprefix("dp"), data.Data(word), n, value)
            if detail:
                return wrong(f"{symbol}() with N = {n} on {word}: {detail}", checked)
    return accepted(checked)


def plan_program(test: Test, context: Context) -> list[Case]:
    return [Case("sums", shape) for shape in test.shapes]


def judge_program(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "what sums prints"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        found = LINES.match(run.stdout)
        n, word = run.case.args.split()
        if found is None:
            return wrong(f"`{run.case}`: expected the lines 'naive: 1', 'pairwise: 1', 'kahan: 1', got "
                         f"{run.stdout[:60]!r}", checked)
        naive, pairwise, kahan = (_number(text) for text in found.groups())
        vectors = data.Data(word)
        if naive != data.sequential(vectors, int(n)):
            return wrong(f"`{run.case}`: expected naive: {data.sequential(vectors, int(n)):.9g}, got {naive:.9g}", checked)
        for algorithm, value in (("pairwise", pairwise), ("kahan", kahan)):
            detail = value_problem(algorithm, vectors, int(n), value)
            if detail:
                return wrong(f"`{run.case}`: {algorithm}: {detail}", checked)
    return accepted(checked)


def _number(text: str) -> float:
    try:
        return float(data.np.float32(text))
    except ValueError:
        return math.nan
