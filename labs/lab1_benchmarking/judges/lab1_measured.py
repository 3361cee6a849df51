"""Performance: ratios measured side by side in this run, by lab1_worker."""
from collections.abc import Sequence

import lab1_output as output
from hpml_autograder.lab import (
    Beside, Case, Context, Outcome, Run, Test, Verdict, accepted, banded, blas_environment, judge_beside, paired,
    wrong)
from lab1_programs import failure, shown
from lab1_stream import KERNELS, PEAK, stream_rates

# (full points, half of them): bounds of the ratio, from the lab's specification.
RATIO_BANDS = {"ours": ((0.8, 1.25), (0.6, 1.6)), "C2": ((1.5, 1e9), (1.2, 1e9)), "C3": ((2.0, 1e9), (1.3, 1e9))}
STREAM_BANDS = ((0.8, 1.1), (0.6, 1.2))
PEAK_BANDS = ((0.8, 1.1), (0.5, 1.3))
TIME_BANDS = ((0.5, 1.5), (0.5, 1.5))


def plan_ratio(test: Test, context: Context) -> list[Case]:
    """Compares with the student's dp() and with the reference's; the worse ratio counts, so a slow dp() earns nothing."""
    own, against = test.params["program"], test.params["against"]
    peers = ["ours dp"] if against == "ours" else [f"{{{against}_kernel}} dp", "ours dp"]
    watched = " --by-library" if test.params.get("library") else ""
    return [Case("lab1_worker", f"pair {{{own}_kernel}} {test.params['symbol']} {peer} {test.shapes[0]}{watched}",
                 blas_environment(), alone=True) for peer in peers]


def judge_ratio(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "times measured in pairs"
    problem = next((outcome for run in runs if (outcome := failure(run, context))), None)
    if problem:
        return problem
    if test.params["against"] == "ours":
        return paired(runs[0].stdout, checked, lambda ratio: banded(
            1 / ratio, RATIO_BANDS["ours"], "time of your dp() over that of the reference", checked))
    outcomes = [paired(run.stdout, checked, lambda ratio, whose=whose: banded(
        ratio, RATIO_BANDS[test.exercise], f"time of {whose} dp() over that of your {test.params['symbol']}(), "
        f"N = {test.shapes[0]}", checked)) for run, whose in zip(runs, ("your", "the reference's"))]
    return min(outcomes, key=lambda outcome: (outcome.verdict is not Verdict.WA, outcome.verdict is not Verdict.PA,
                                              outcome.verdict is Verdict.AC))


def plan_beside(test: Test, context: Context) -> list[Case]:
    shape = test.shapes[0]
    if test.generator == "time_scale":
        program = test.params["program"]
        words = f"dot {shape.split()[0]} {{{program}_kernel}} {test.params['symbol']} {{{program}}} {shape}"
    elif test.generator == "stream_ratio":
        words = f"stream {shape.split()[0]} {{stream_kernel}} - {{stream}} {shape}"
    else:
        words = f"peak 0 {{peak_kernel}} - {{peak}} {shape}"
    return [Case("lab1_worker", f"beside {words}", blas_environment(), alone=True)]


CHECKED = "beside the reference"
YOURS = "your "  # before the name of a sample: the student's kernel on the grader's arrays
OWN = 0.3        # of a printed rate, which the student's kernel must reach in the worker's memory
MOST = 1.5       # of the reference's rate: no kernel that does its work is faster


def beside(sentence, claim=None):
    """A judge of one program's outputs and the samples of its reference. claim(text, size, rounds): ns of work that an
    output claims."""
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        problem = failure(runs[0], context)
        if problem:
            return problem
        return judge_beside(Beside.read(runs[0].stdout), sentence, claimed_by(claim, runs[0]) if claim else None, CHECKED)
    return judge


def claimed_by(claim, run: Run):
    size, rounds = map(int, shown(run).split()[1:3])
    return lambda text: claim(text, size, rounds)


UNREADABLE = Outcome(Verdict.WA, "its lines cannot be read", CHECKED), False


def dot_claim(text: str, size: int, rounds: int) -> float:
    printed = output.parse(text)
    return printed.t * 1e9 * (rounds - rounds // 2) if isinstance(printed, output.Printed) else 0.0


def stream_claim(text: str, size: int, rounds: int) -> float:
    """No round is faster than the one that a rate is printed of."""
    rates = stream_rates(text) or {}
    return rounds * sum(KERNELS[name] * (size // 8) / rate for name, rate in rates.items() if rate > 0)


def time_scale(outputs: Sequence[str], found: Beside) -> tuple[Outcome, bool]:
    parsed = [output.parse(text) for text in outputs]
    times = [printed.t for printed in parsed if isinstance(printed, output.Printed)]
    if not times:
        return UNREADABLE
    own = found.fastest("kernel") / 1e9
    return banded(min(times) / own, TIME_BANDS, f"printed T = {min(times):.9f} s over the {own:.9f} s that a call of "
                  "your kernel takes", CHECKED), min(times) > own


def yardstick(name: str, found: Beside) -> float:
    """The faster of the reference's kernel and the student's, each measured by the grader."""
    ours = found.rate(name)
    return max(ours, min(found.rate(YOURS + name), MOST * ours))


def of_kernel(printed: float, name: str, unit: str, bands: Sequence[tuple[float, float]], found: Beside) -> Outcome:
    """A printed rate must be that of the fastest kernel that the grader knows, and the student's kernel must reach it."""
    best, yours = yardstick(name, found), found.rate(YOURS + name)
    outcome = banded(printed / best, bands, f"{name}: your rate over the best of your kernel and the reference's, "
                     f"{best:.2f} {unit}", CHECKED)
    if outcome.verdict is Verdict.AC and yours < OWN * printed:
        return wrong(f"{name}: you print {printed:.2f} {unit}, but on the grader's arrays your kernel reaches {yours:.2f}",
                     CHECKED)
    return outcome


def stream_ratio(outputs: Sequence[str], found: Beside) -> tuple[Outcome, bool]:
    rates = [rates for rates in map(stream_rates, outputs) if rates]
    if not rates:
        return UNREADABLE
    worst, too_slow = accepted(CHECKED), False
    for name in KERNELS:
        best = max(rate[name] for rate in rates)
        outcome = of_kernel(best, name, "GB/s", STREAM_BANDS, found)
        if outcome.verdict is Verdict.WA or worst.verdict is Verdict.AC:
            worst, too_slow = outcome, best < yardstick(name, found)
    return worst, too_slow


def peak_ratio(outputs: Sequence[str], found: Beside) -> tuple[Outcome, bool]:
    matches = [match for match in map(PEAK.match, outputs) if match]
    if not matches:
        return UNREADABLE
    best = max(float(match.group(2)) for match in matches)
    return of_kernel(best, "peak", "GFLOP/s", PEAK_BANDS, found), best < yardstick("peak", found)
