"""Performance: verdicts on times that are measured side by side in one run (common/worker). Where the machine was too
busy for a verdict, none is given: inconclusive costs no points, and the measurement is done again (sessions.py)."""
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .verdict import Outcome, Verdict, accepted

QUIET = 1.15        # elapsed over processor time of the reference: more, and others had the processor
CROWDED = 1.25      # load average per processor; our own runs alone make at most 1
WORKED = 0.5        # of the time that a program says it worked; the rest it may have waited
SPREAD = 0.10       # (lower quartile - minimum) / minimum
UNBOUNDED = 1e8     # an upper bound above this is none

Times = dict[str, int]  # "wall_ns", "cpu_ns"
Bands = Sequence[tuple[float, float]]  # of a ratio: full points, half of them


def banded(ratio: float, bands: Bands, what: str, checked: str) -> Outcome:
    (low, high), (half_low, half_high) = bands
    if low <= ratio <= high:
        return accepted(checked)
    upper = f" to {high:g}" if high < UNBOUNDED else " or more"
    detail = f"{what}: expected {low:g}{upper}, got {ratio:.2f}"
    if half_low <= ratio <= half_high:
        return Outcome(Verdict.PA, detail, checked, fraction=0.5)
    return Outcome(Verdict.WA, detail, checked)


def inconclusive(why: str, checked: str) -> Outcome:
    return Outcome(Verdict.INC, f"no verdict on a busy machine ({why}); run it again when the machine is quiet", checked)


def paired(stdout: str, checked: str, judge: Callable[[float], Outcome]) -> Outcome:
    """Of a comparison's JSON (schema hpml/bench/v1): `judge` gets the ratio, how many times as fast the first side was."""
    found = json.loads(stdout)
    return judge(found["ratio"]) if found["valid"] else inconclusive(found["verdict"], checked)


def busy(samples: Sequence[Times]) -> str:
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


def held_up(runs: Sequence[Times]) -> str:
    """Why the program's own times say nothing of it, or nothing: one run without waiting is enough, the best one counts."""
    if runs and all(run["wall_ns"] > QUIET * run["cpu_ns"] for run in runs):
        return "every run of your program waited for the processor"
    return ""


@dataclass(frozen=True)
class Beside:
    """Runs of a program that times itself, and samples of references measured before each (common/worker/beside.hpp)."""
    outputs: list[str]                 # of each run; empty where it did not end with exit code 0
    runs: list[Times]
    samples: dict[str, list[Times]]    # by reference
    units: dict[str, float]            # of work per call, by reference

    @classmethod
    def read(cls, stdout: str) -> "Beside":
        return cls(**json.loads(stdout))

    def fastest(self, reference: str) -> float:
        """ns of the reference's fastest call."""
        return min(sample["wall_ns"] for sample in self.samples[reference])

    def rate(self, reference: str) -> float:
        """Units of work per ns, of the reference's fastest call."""
        return self.units[reference] / self.fastest(reference)


# What the outputs that there are say of the program, and whether it is too slow, the only thing that waiting explains.
Sentence = Callable[[Sequence[str], Beside], tuple[Outcome, bool]]
Claim = Callable[[str], float]  # ns of work that an output claims


def judge_beside(found: Beside, sentence: Sentence, claim: Claim | None, checked: str) -> Outcome:
    outputs = [text for text in found.outputs if text]
    if not outputs:
        return Outcome(Verdict.RE, "it did not end with exit code 0", checked)
    outcome, too_slow = sentence(outputs, found)
    disturbed = next((words for words in map(busy, found.samples.values()) if words), "") or crowded()
    did_nothing = idle(found, claim, checked) if claim else None
    waited = disturbed and too_slow and outcome.verdict is Verdict.WA  # a printed time that long is the crowd's, not work
    if did_nothing and not waited:  # no crowd excuses it; what the sentence says of a wrong number teaches more
        return outcome if outcome.verdict is Verdict.WA else did_nothing
    if outcome.verdict is Verdict.AC:
        return outcome
    why = disturbed or (held_up(found.runs) if too_slow else "")
    return inconclusive(why, checked) if why else outcome


def idle(found: Beside, claim: Claim, checked: str) -> Outcome | None:
    """A program that claims to have worked for a time but never had the processor for it has not worked."""
    claims = [(claim(text), run["cpu_ns"]) for text, run in zip(found.outputs, found.runs) if text]
    if not claims or any(cpu_ns >= WORKED * claimed for claimed, cpu_ns in claims):
        return None
    claimed, cpu_ns = claims[0]
    return Outcome(Verdict.WA, f"its times add up to {claimed / 1e6:.1f} ms at least, but it had the processor for "
                   f"{cpu_ns / 1e6:.1f} ms", checked)
