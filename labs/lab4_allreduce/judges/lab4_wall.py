"""Exercise W: real time against MPI's own all-reduce. The grader takes the time of whole runs, so no figure is the program's
word: runs of many all-reduces, of as many by the library, and of none at all. The least of some runs counts."""
import functools
import os
from collections.abc import Sequence

import lab4_data as data
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted, wrong
from lab4_cases import keys_of, told_apart
from lab4_waiting import named, observe

ELEMENTS, CALLS, ROUNDS = 1 << 20, 30, 2
RANKS = (2, 4)
PRIME = 0x100000001B3  # kPrime of harness/wall_main.cpp
FULL, NOTHING = 2.0, 4.0
CROWDED = 2  # runnable processes per processor
PROGRAMS = {"none": "ring_wall", "mpi": "ring_wall", "ring": "ring_wall", "rabenseifner": "rabenseifner_wall"}


def plan(test: Test, context: Context) -> list[Case]:
    """Each round on numbers of its own, all kinds of run in turn."""
    return [wall_case(program, name, ranks, context.seed(test, turn))
            for turn in range(ROUNDS) for ranks in RANKS for name, program in PROGRAMS.items()]


def wall_case(program: str, operation: str, ranks: int, seed: int) -> Case:
    """No rank can compute the numbers of another: without messages there is no sum."""
    env = (("HPML_DATA", str(data.told(seed))), told_apart(seed, ranks), ("HPML_WATCH", "1"))
    return Case(program, f"{operation}:{ELEMENTS}:{CALLS}", env, dump=True, ranks=ranks, alone=True)


def operation_of(run: Run) -> str:
    return run.case.args.split(":")[0]


@functools.lru_cache(maxsize=16)
def expected_checksum(told: int, keys: Sequence[int]) -> int:
    checksum = 0
    for call in range(CALLS):
        total = sum(data.quick_vector(told + call, key, ELEMENTS) for key in keys)
        checksum = (checksum * PRIME + data.checksum_of(total)) & data.MASK
    return checksum


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"time of {CALLS} all-reduces of 4 MiB beside MPI_Allreduce, P = {' and '.join(map(str, RANKS))}"
    least: dict[tuple[str, int], float] = {}
    for run in runs:
        observed, problem = observe(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        name, ranks = operation_of(run), run.case.ranks
        expected = expected_checksum(int(dict(run.case.env)["HPML_DATA"]), keys_of(run.case))
        if name != "none" and any(one["checksum"] != expected for one in observed.all_json(0).values()):
            return wrong(f"`{named(run.case)}`: a sum is wrong", checked)
        least[name, ranks] = min(run.wall_s, least.get((name, ranks), run.wall_s))
    ratios = {f"{name}.P{ranks}": round((least[name, ranks] - least["none", ranks]) / (least["mpi", ranks] - least["none", ranks]), 3)
              for ranks in RANKS for name in ("ring", "rabenseifner") if least["mpi", ranks] > least["none", ranks]}
    load = os.getloadavg()[0]
    busy = Outcome(Verdict.INC, f"this machine is too busy to measure (load {load:.1f})", checked)
    if len(ratios) < 2 * len(RANKS):  # the library's all-reduces took no time: something else did
        return busy
    worst = max(ratios, key=ratios.__getitem__)
    fraction = sum(min(1.0, max(0.0, (NOTHING - ratio) / (NOTHING - FULL))) for ratio in ratios.values()) / len(ratios)
    if fraction == 1:
        return accepted(checked, **ratios)
    if load > CROWDED * len(os.sched_getaffinity(0)):
        return busy
    return Outcome(Verdict.PA if fraction > 0 else Verdict.WA,
                   f"{worst}: {ratios[worst]} times as long as MPI_Allreduce (full points up to {FULL:g}, none from {NOTHING:g}). "
                   "Are vectors copied that need not be, or memory allocated in every step?", checked, fraction)
