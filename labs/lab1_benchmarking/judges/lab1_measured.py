"""Performance: ratios measured side by side in this run. Where the machine was too busy for a verdict, none is given."""
import json
import os
from collections.abc import Callable, Sequence
from typing import Any

import lab1_output as output
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted
from lab1_blas import blas_environment
from lab1_programs import failure, shown
from lab1_stream import KERNELS, PEAK, stream_rates

# (full points, half of them): bounds of the ratio, from the lab's specification.
RATIO_BANDS = {"ours": ((0.8, 1.25), (0.6, 1.6)), "C2": ((1.5, 1e9), (1.2, 1e9)), "C3": ((2.0, 1e9), (1.3, 1e9))}
STREAM_BANDS = ((0.8, 1.1), (0.6, 1.2))
PEAK_BANDS = ((0.8, 1.1), (0.5, 1.3))
TIME_BANDS = ((0.5, 1.5), (0.5, 1.5))
QUIET = 1.15        # elapsed over processor time of the reference: more, and others had the processor
CROWDED = 1.25      # load average per processor; our own runs alone make at most 1
WORKED = 0.5        # of the time that a program says it worked; the rest it may have waited
SPREAD = 0.10       # (lower quartile - minimum) / minimum


def banded(ratio: float, bands: Sequence[tuple[float, float]], what: str, checked: str) -> Outcome:
    (low, high), (half_low, half_high) = bands
    if low <= ratio <= high:
        return accepted(checked)
    upper = f" to {high:g}" if high < 1e8 else " or more"
    detail = f"{what}: expected {low:g}{upper}, got {ratio:.2f}"
    if half_low <= ratio <= half_high:
        return Outcome(Verdict.PA, detail, checked, fraction=0.5)
    return Outcome(Verdict.WA, detail, checked)


def inconclusive(why: str, checked: str) -> Outcome:
    return Outcome(Verdict.INC, f"no verdict on a busy machine ({why}); run it again when the machine is quiet", checked)


def plan_ratio(test: Test, context: Context) -> list[Case]:
    own, against = test.params["program"], test.params["against"]
    peer = "ours dp" if against == "ours" else f"{{{against}_kernel}} dp"
    return [Case("lab1_worker", f"pair {{{own}_kernel}} {test.params['symbol']} {peer} {test.shapes[0]}",
                 blas_environment(), alone=True)]


def judge_ratio(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "times measured in pairs"
    if not runs:
        return Outcome(Verdict.SK, "a kernel it needs does not compile", checked)
    problem = failure(runs[0], context)
    if problem:
        return problem
    paired = json.loads(runs[0].stdout)
    if not paired["valid"]:
        return inconclusive(paired["verdict"], checked)
    if test.params["against"] == "ours":
        return banded(1 / paired["ratio"], RATIO_BANDS["ours"], "time of your dp() over that of the reference", checked)
    what = f"time of your dp() over that of your {test.params['symbol']}(), N = {test.shapes[0]}"
    return banded(paired["ratio"], RATIO_BANDS[test.exercise], what, checked)


def plan_beside(test: Test, context: Context) -> list[Case]:
    shape = test.shapes[0]
    if test.generator == "time_scale":
        program = test.params["program"]
        words = f"dot {shape.split()[0]} {{{program}_kernel}} {test.params['symbol']} {{{program}}} {shape}"
    elif test.generator == "stream_ratio":
        words = f"stream {shape.split()[0]} - - {{stream}} {shape}"
    else:
        words = f"peak 0 - - {{peak}} {shape}"
    return [Case("lab1_worker", f"beside {words}", blas_environment(), alone=True)]


def busy(samples: Sequence[dict[str, Any]]) -> str:
    """Why the reference's own times allow no verdict, or nothing."""
    walls = sorted(sample["wall_ns"] for sample in samples)
    cpu = min(sample["cpu_ns"] for sample in samples)
    if walls[0] > QUIET * cpu:
        return f"the reference waited for the processor: {walls[0]} ns elapsed, {cpu} ns of its own"
    if 2 * sum(sample["wall_ns"] > QUIET * sample["cpu_ns"] for sample in samples) > len(samples):
        return "most of the reference's calls waited for the processor"
    if walls[len(walls) // 4] > (1 + SPREAD) * walls[0]:
        return "the reference's own times are unsteady"
    return ""


def crowded() -> str:
    """More work than processors in the last minute: a program that runs longer than the reference is then cut up."""
    load, processors = os.getloadavg()[0], len(os.sched_getaffinity(0))
    return f"load {load:.1f} on {processors} processors" if load > CROWDED * processors else ""


def held_up(runs: Sequence[dict[str, Any]]) -> str:
    """Why the program's own times say nothing of it, or nothing: one run without waiting is enough, the best one counts."""
    if runs and all(run["wall_ns"] > QUIET * run["cpu_ns"] for run in runs):
        return "every run of your program waited for the processor"
    return ""


# ns of work that an output claims; of its size and rounds
Claim = Callable[[str, int, int], float]


def beside(sentence, claim: Claim | None = None):
    """A judge of one program's outputs and the samples of its reference. Waiting explains what is too slow, no more."""
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        checked = "beside the reference"
        problem = failure(runs[0], context)
        if problem:
            return problem
        result = json.loads(runs[0].stdout)
        outputs = [text for text in result["outputs"] if text]
        if not outputs:
            return Outcome(Verdict.RE, "it did not end with exit code 0", checked)
        outcome, too_slow = sentence(outputs, result, checked)
        did_nothing = idle(claim, runs[0], result, checked) if claim else None
        if did_nothing:  # no crowd excuses it; what the sentence says of a wrong number teaches more
            return outcome if outcome.verdict is Verdict.WA else did_nothing
        if outcome.verdict is Verdict.AC:
            return outcome
        why = next((words for words in map(busy, result["samples"].values()) if words), "") or crowded()
        why = why or (held_up(result["runs"]) if too_slow else "")
        return inconclusive(why, checked) if why else outcome
    return judge


UNREADABLE = Outcome(Verdict.WA, "its lines cannot be read", "beside the reference"), False


def idle(claim: Claim, run: Run, result: dict[str, Any], checked: str) -> Outcome | None:
    """Who says to have worked for a time, but never had a processor for it, has not worked."""
    size, rounds = map(int, shown(run).split()[1:3])
    claims = [(claim(text, size, rounds), one["cpu_ns"]) for text, one in zip(result["outputs"], result["runs"]) if text]
    if not claims or any(cpu_ns >= WORKED * claimed for claimed, cpu_ns in claims):
        return None
    claimed, cpu_ns = claims[0]
    return Outcome(Verdict.WA, f"its times add up to {claimed / 1e6:.1f} ms at least, but it had the processor for "
                   f"{cpu_ns / 1e6:.1f} ms", checked)


def dot_claim(text: str, size: int, rounds: int) -> float:
    printed = output.parse(text)
    return printed.t * 1e9 * (rounds - rounds // 2) if isinstance(printed, output.Printed) else 0.0


def stream_claim(text: str, size: int, rounds: int) -> float:
    """No round is faster than the one that a rate is printed of."""
    rates = stream_rates(text) or {}
    return rounds * sum(KERNELS[name] * (size // 8) / rate for name, rate in rates.items() if rate > 0)


def fastest(result: dict[str, Any], name: str) -> float:
    return min(sample["wall_ns"] for sample in result["samples"][name])


def time_scale(outputs: Sequence[str], result: dict[str, Any], checked: str) -> tuple[Outcome, bool]:
    parsed = [output.parse(text) for text in outputs]
    times = [printed.t for printed in parsed if isinstance(printed, output.Printed)]
    if not times:
        return UNREADABLE
    own = fastest(result, "kernel") / 1e9
    return banded(min(times) / own, TIME_BANDS, f"printed T = {min(times):.9f} s over the {own:.9f} s that a call of "
                  "your kernel takes", checked), min(times) > own


def stream_ratio(outputs: Sequence[str], result: dict[str, Any], checked: str) -> tuple[Outcome, bool]:
    rates = [found for found in map(stream_rates, outputs) if found]
    if not rates:
        return UNREADABLE
    worst, too_slow = accepted(checked), False
    for name in KERNELS:
        ours = result["units"][name] / fastest(result, name)
        best = max(rate[name] for rate in rates)
        outcome = banded(best / ours, STREAM_BANDS, f"{name}: your rate over the reference's {ours:.2f} GB/s", checked)
        if outcome.verdict is Verdict.WA or worst.verdict is Verdict.AC:
            worst, too_slow = outcome, best < ours
    return worst, too_slow


def peak_ratio(outputs: Sequence[str], result: dict[str, Any], checked: str) -> tuple[Outcome, bool]:
    found = [match for match in map(PEAK.match, outputs) if match]
    if not found:
        return UNREADABLE
    best = max(float(match.group(2)) for match in found)
    ours = result["units"]["peak"] / fastest(result, "peak")
    return banded(best / ours, PEAK_BANDS, f"your {best:.1f} GFLOP/s over the reference's {ours:.1f}", checked), best < ours
