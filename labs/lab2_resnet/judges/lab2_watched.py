"""Programs of the student's that lab2_worker watches from outside: their output, and what the kernel says of their sleeps."""
import json
from dataclasses import dataclass

from hpml_autograder.lab import Case, Outcome, Run, Verdict

SLEPT = 0.85  # at least, of the sleeps that a storage takes; the rest may fall between two looks of the worker


@dataclass(frozen=True)
class Watched:
    output: str
    wall_s: float
    after_s: float     # of wall_s, after the first byte of its output
    known: bool        # whether this machine's kernel tells of sleeps
    asleep_s: float    # of all threads together, waiting for time to pass
    together_s: float  # of that, while three or more slept at once

    @staticmethod
    def of(run: Run) -> "Watched":
        """Of a run that ended well: then the line is the worker's."""
        return Watched(**json.loads(run.stdout))


def watched(words: str, alone: bool = False) -> Case:
    return Case("lab2_worker", f"watch {words}", alone=alone)


def sleeps_problem(own: Watched, floor: float) -> str:
    """Each sample takes its time in some thread: a program that sleeps less has no such storage."""
    return "" if own.asleep_s >= SLEPT * floor else (
        f"its threads slept for {own.asleep_s:.2f} s together; the samples take {floor:.2f} s, one sleep for each")


def untold(checked: str, *runs: Watched) -> Outcome | None:
    """No verdict where the kernel tells nothing, or None."""
    return None if all(run.known for run in runs) else Outcome(
        Verdict.INC, "no verdict: this machine does not tell what threads wait for (/proc/PID/task/TID/syscall cannot be read)", checked)
