"""Sessions of a measurement: one without full points is done again, and the best counts (benchmarking specification,
section 6). What the simulator counts is the same every time and is not measured again."""
from collections.abc import Callable, Sequence

from .case import Case, Run
from .score import standing
from .verdict import Outcome, Verdict

FURTHER = 2


def best(judge: Callable[[list[Run]], Outcome], runs: Sequence[Run], take_again: Callable[[Case], Run]) -> Outcome:
    """The best outcome of up to 1 + FURTHER sessions, of which `runs` are the first."""
    found = judge(list(runs))
    measured = bool(runs) and all(run.case.alone and run.state == "exit" for run in runs)
    for _ in range(FURTHER if measured else 0):
        if found.verdict is Verdict.AC:
            break
        found = max(found, judge([take_again(run.case) for run in runs]), key=standing)
    return found
