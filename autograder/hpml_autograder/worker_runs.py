"""Runs of a worker's program (common/worker): how they end, and the numbers they print."""
import math
from collections.abc import Sequence

from .case import Run
from .check import Context, trouble
from .verdict import Outcome, Verdict

# Exit codes of a program that asks student code in a worker: common/worker/failure.hpp.
POLICY, WRONG = 4, 5
VERDICTS = {POLICY: Verdict.PV, WRONG: Verdict.WA}


def worker_trouble(run: Run, context: Context) -> Outcome | None:
    """trouble(), and what the program that asks the worker has found. Its lines on stderr begin with its name."""
    if run.state == "exit" and run.code in VERDICTS:
        mark = f"{run.case.program}: "
        said = [line.split(mark, 1)[1] for line in run.stderr.splitlines() if mark in line]
        return Outcome(VERDICTS[run.code], f"`{run.case}`: {said[-1] if said else 'no reason given'}")
    return trouble(run, context.spec.limits.wall_s)


def numbers(run: Run) -> list[list[float]]:
    """One list per line of stdout. A line that cannot be read is [nan]: the program may have been stopped in it."""
    found = []
    for line in run.stdout.splitlines():
        try:
            found.append([float(word) for word in line.split()])
        except ValueError:
            found.append([math.nan])
    return found


def whole(word: str) -> int:
    """A count a program printed; -1 for what is no whole number of at most 29 ASCII digits."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 30 else -1


def values(run: Run) -> list[float]:
    """The first number of each line."""
    return [line[0] if line else math.nan for line in numbers(run)]


def missing(run: Run, wanted: Sequence[object], checked: str) -> Outcome | None:
    """A run must print a line for each of `wanted`: a call without an answer is no right answer."""
    got = len(run.stdout.splitlines())
    if got == len(wanted):
        return None
    return Outcome(Verdict.RE, f"`{run.case}`: {got} results, expected {len(wanted)}", checked)
