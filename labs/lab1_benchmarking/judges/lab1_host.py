"""Runs of a student's kernel in a process of its own (lab1_worker, dp_worker.py): their ends, and their numbers."""
import math
from collections.abc import Sequence

from hpml_autograder.lab import Context, Outcome, Run, Verdict, trouble

POLICY, WRONG = 4, 5  # exit codes, tests/worker/commands.hpp
VERDICTS = {POLICY: Verdict.PV, WRONG: Verdict.WA}


def host_trouble(run: Run, context: Context) -> Outcome | None:
    """trouble(), and what the process that asks the kernel has found."""
    if run.state == "exit" and run.code in VERDICTS:
        said = [line.split("worker: ", 1)[1] for line in run.stderr.splitlines() if "worker: " in line]
        return Outcome(VERDICTS[run.code], f"`{run.case}`: {said[-1] if said else 'no reason given'}")
    return trouble(run, context.spec.limits.wall_s)


def numbers(run: Run) -> list[list[float]]:
    """One list per line. What cannot be read is none: the worker is ours, but it may have been stopped."""
    found = []
    for line in run.stdout.splitlines():
        try:
            found.append([float(word) for word in line.split()])
        except ValueError:
            found.append([math.nan])
    return found


def values(run: Run) -> list[float]:
    return [line[0] if line else math.nan for line in numbers(run)]


def missing(run: Run, wanted: Sequence[object], checked: str) -> Outcome | None:
    """A call without an answer is no right answer."""
    got = len(run.stdout.splitlines())
    if got == len(wanted):
        return None
    return Outcome(Verdict.RE, f"`{run.case}`: {got} results, expected {len(wanted)}", checked)
