"""E1 and E2: what stream and peak print, against their times and their formula."""
import random
import re
from collections.abc import Sequence

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, wrong
from lab1_programs import failure, name_of, read_times, scripted, shown

KERNELS = {"Copy": 16, "Scale": 16, "Add": 24, "Triad": 24}  # counted bytes per element
STREAM = re.compile("".join(rf"{name}: (\d+\.\d{{3}}) GB/s\n" for name in KERNELS) + r"Check: (\S+)\s*$")
PEAK = re.compile(r"Formula: (\d+\.\d{3}) GFLOP/s\nMeasured: (\d+\.\d{3}) GFLOP/s\s*$")


def stream_rates(stdout: str) -> dict[str, float] | None:
    found = STREAM.match(stdout)
    return {name: float(text) for name, text in zip(KERNELS, found.groups())} if found else None


SIZES = "1,7,1000,10001"  # of the grader's arrays, in elements


def check_value(rounds: int) -> float:
    """From a = 1, b = 2, c = 0: one round makes a = 15, b = 3, c = 4; every further one multiplies all by 15."""
    a, b, c = 1.0, 2.0, 0.0
    for _ in range(rounds):
        c = a
        b = 3 * c
        c = a + b
        a = b + 3 * c
    return a + b + c


def plan_stream(test: Test, context: Context) -> list[Case]:
    return [scripted(context, test, "stream", shape) for shape in test.shapes]


def plan_check(test: Test, context: Context) -> list[Case]:
    """The kernels on arrays of the grader, then the program."""
    return [Case("lab1_worker", f"arrays {{stream_kernel}} {SIZES}"), *plan_stream(test, context)]


def each(sentence, checked: str):
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        for run in runs:
            problem = failure(run, context)
            if problem:
                return problem
            detail = sentence(test, context, run)
            if detail:
                return wrong(f"`{shown(run)}`: {detail}", checked)
        return accepted(checked)
    return judge


def check_problem(test: Test, context: Context, run: Run) -> str:
    if not name_of(run):
        return ""  # the worker has compared what the kernels made
    found = STREAM.match(run.stdout)
    if found is None:
        return f"expected the four lines 'Copy: 12.345 GB/s' and 'Check: 22', got {run.stdout[:80]!r}"
    rounds = int(shown(run).split()[2])
    wanted = check_value(rounds)
    if found.group(5) != f"{wanted:.15g}":
        return f"expected Check: {wanted:.15g} after {rounds} rounds, got {found.group(5)}"
    return ""


def rate_problem(test: Test, context: Context, run: Run) -> str:
    printed, times = stream_rates(run.stdout), read_times(run)
    size, rounds = (int(word) for word in shown(run).split()[1:3])
    if printed is None:
        return "its lines cannot be read"
    if isinstance(times, str):
        return times
    if len(times) != 4 * rounds or min(times) <= 0:
        return f"--times holds {len(times)} lines, expected four above zero for each of {rounds} rounds"
    for position, (name, bytes_each) in enumerate(KERNELS.items()):
        kept = times[4 + position::4]
        wanted = bytes_each * (size // 8) / min(kept)
        if abs(printed[name] - wanted) > 1e-3 * wanted + 0.0006:
            return (f"expected {name}: {wanted:.3f} GB/s = {bytes_each} bytes per element / the smallest time after the "
                    f"first round, got {printed[name]:.3f}")
    return ""


def plan_formula(test: Test, context: Context) -> list[Case]:
    draw = random.Random(context.seed(test, 0))
    hidden = f"{draw.randint(2, 64)} {draw.randint(10, 40) / 10} {draw.choice((8, 16, 32, 64))}"
    return [Case("peak", words) for words in (*test.shapes, hidden)]


def formula_problem(test: Test, context: Context, run: Run) -> str:
    found = PEAK.match(run.stdout)
    if found is None:
        return f"expected the lines 'Formula: 480.000 GFLOP/s' and 'Measured: 1.234 GFLOP/s', got {run.stdout[:80]!r}"
    cores, ghz, per_cycle = map(float, run.case.args.split())
    wanted = f"{cores * ghz * per_cycle:.3f}"
    return "" if found.group(1) == wanted else f"expected Formula: {wanted}, got {found.group(1)}"
