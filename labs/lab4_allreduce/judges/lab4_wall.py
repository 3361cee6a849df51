"""Exercise W: real time against MPI's own all-reduce. Only the median of paired ratios means anything on a busy machine."""
import os
import statistics
from collections.abc import Sequence

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted, wrong
from lab4_waiting import observe

ELEMENTS, PAIRS = 1 << 20, 60
FULL, NOTHING = 2.0, 4.0
CROWDED = 2  # runnable processes per processor


def plan(test: Test, context: Context) -> list[Case]:
    return [Case(f"{name}_wall", f"{name}:{ELEMENTS}:{PAIRS}", dump=True, ranks=ranks, alone=True)
            for ranks in (2, 4) for name in ("ring", "rabenseifner")]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"median of {PAIRS} paired ratios to MPI_Allreduce, 4 MiB, P = 2 and 4"
    ratios = {}
    for run in runs:
        observed, problem = observe(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        pairs = observed.json(0, 0)
        if not isinstance(pairs, list) or len(pairs) != PAIRS or not all(mpi > 0 for _, mpi in pairs):
            return wrong(f"`{run.case}`: expected {PAIRS} pairs of times", checked)
        ratios[f"{run.case.program}.P{run.case.ranks}"] = round(statistics.median(own / mpi for own, mpi in pairs), 3)
    worst = max(ratios, key=ratios.__getitem__)
    fraction = sum(min(1.0, max(0.0, (NOTHING - ratio) / (NOTHING - FULL))) for ratio in ratios.values()) / len(ratios)
    if fraction == 1:
        return accepted(checked, **ratios)
    load = os.getloadavg()[0]
    if load > CROWDED * len(os.sched_getaffinity(0)):
        return Outcome(Verdict.INC, f"this machine is too busy to measure (load {load:.1f})", checked)
    return Outcome(Verdict.PA if fraction > 0 else Verdict.WA,
                   f"{worst}: {ratios[worst]} times as long as MPI_Allreduce (full points up to {FULL:g}, none from {NOTHING:g}). "
                   "Are vectors copied that need not be, or memory allocated in every step?", checked, fraction)
