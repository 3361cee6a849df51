"""Counters and simulated times of the kernel that counts (the last launch), alone or beside the given kernel's, turned
into points by knots. One sentence per lost point: what was measured, what the goal is, and what to change."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hpml_autograder.lab import (Case, Context, Kernel, Outcome, Run, Test, Verdict, accepted, interpolate, trouble,
                                 worst_line)
from lab3_kernels import wrong_result

LOADS, STORES = (f"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{op}.ratio" for op in ("ld", "st"))
LOAD_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
REQUESTS = tuple(f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum" for op in ("ld", "st"))
CONFLICTS = tuple(f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum" for op in ("ld", "st"))
SHARED_LOADS = "smsp__inst_executed_op_shared_ld.sum"
# Two GPUs of different width judge every time, whatever GPU the rest runs on: small exercises do not fill the largest.
TIMED_ON = ("t4", "rtx8000")
SEPARATOR = " | "  # in a shape: the student's arguments | the given program's


@dataclass(frozen=True)
class Quantity:
    value: Callable[[Kernel, Kernel], float]   # of the student's kernel and the given one
    sentence: Callable[[Kernel, Kernel], str]  # what was measured, what is wanted, and why
    timed: bool = False


def _sum(kernel: Kernel, names: Sequence[str]) -> float:
    return sum(kernel.metric(name) for name in names)


def _apart(sectors: float) -> str:
    """What a number of sectors says about the addresses of a warp's lanes, for 4-byte elements."""
    if sectors > 31:
        return "each of the 32 threads of a warp touches a sector of its own: neighbours are 8 or more floats apart"
    if sectors > 4.5:
        return f"neighbouring threads are about {sectors / 4:.1f} times as far apart as they need be, or start askew"
    return ""


def at(clause: str) -> str:
    return f" ({clause})" if clause else ""


def _per_request(name: str, what: str, op: str) -> Quantity:
    return Quantity(lambda own, base: own.metric(name),
                    lambda own, base: f"{own.metric(name):.2f} sectors of 32 bytes per {what}, a coalesced kernel needs "
                                      f"4: {worst_line(own, 'global', [op]) or _apart(own.metric(name))}")


def _per_fma(kernel: Kernel) -> float:
    return 32 * kernel.metric(SHARED_LOADS) / max(1.0, kernel.executed("ffma", "dfma"))


QUANTITIES = {
    "load_sectors_per_request": _per_request(LOADS, "load", "ld"),
    "store_sectors_per_request": _per_request(STORES, "store", "st"),
    "work": Quantity(
        lambda own, base: max(own.metric(name) / max(1.0, base.metric(name)) for name in REQUESTS)
        if all(own.metric(name) >= 0.98 * base.metric(name) for name in REQUESTS) else 99.0,
        lambda own, base: f"{_sum(own, REQUESTS):.0f} requests for global memory, the given kernel makes "
                          f"{_sum(base, REQUESTS):.0f} for the same sums: every element has to be touched exactly once"),
    "global_load_sectors": Quantity(
        lambda own, base: own.metric(LOAD_SECTORS) / max(1.0, base.metric(LOAD_SECTORS)),
        lambda own, base: f"{own.metric(LOAD_SECTORS):.0f} sectors are loaded from global memory, the baseline loads "
                          f"{base.metric(LOAD_SECTORS):.0f}: what is in shared memory once serves every thread of the "
                          "block, so larger tiles halve it" + at(worst_line(own, "global", ["ld"], most=True))),
    "bank_conflicts": Quantity(
        lambda own, base: _sum(own, CONFLICTS),
        lambda own, base: f"{own.metric(CONFLICTS[0]):.0f} bank conflicts of shared loads and "
                          f"{own.metric(CONFLICTS[1]):.0f} of stores, 0 are possible: threads of a warp that read "
                          "different addresses whose word numbers are equal modulo 32 wait for each other; other row "
                          "lengths of the tile (padding) move them to different banks"
                          + at(worst_line(own, "shared"))),
    # Not against the baseline: where a compiler joins four loads of a row into one, it does so in some kernels only.
    "shared_loads": Quantity(
        lambda own, base: _per_fma(own),
        lambda own, base: f"{_per_fma(own):.2f} shared loads per multiply-add, the baseline makes {_per_fma(base):.2f}, 1 is enough: "
                          "with four values per thread each loaded element is used twice, from a register"
                          + at(worst_line(own, "shared", ["ld"], most=True))),
    "speedup": Quantity(
        lambda own, base: base.duration_us / own.duration_us,
        lambda own, base: f"{own.duration_us:.1f} us, the baseline takes {base.duration_us:.1f} us: "
                          f"{base.duration_us / own.duration_us:.2f} times as fast", timed=True),
}


def _gpus(test: Test) -> tuple[str, ...]:
    return TIMED_ON if QUANTITIES[test.params["quantity"]].timed else ("",)


def plan(test: Test, context: Context) -> list[Case]:
    """For each shape and GPU the student's case, then the baseline's. What runs on another GPU than that of the comparisons
    is compared there as well."""
    cases = []
    for shape in test.shapes:
        own, _, base = shape.partition(SEPARATOR)
        for gpu in _gpus(test):
            cases += [Case(test.params["program"], own, gpu=gpu, dump=bool(gpu)),
                      Case(test.params["baseline"], base or own, gpu=gpu)]
    return cases


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    quantity = QUANTITIES[test.params["quantity"]]
    knots = sorted(tuple(knot) for knot in test.params["knots"])
    checked = test.params["checked"]
    fraction, detail = 1.0, ""
    for own, base in zip(runs[::2], runs[1::2]):
        for run in (own, base):
            problem = trouble(run, context.spec.limits.wall_s)
            if problem:
                return problem
            if run.metrics is None:
                return Outcome(Verdict.INC, "needs the simulator's counters, which a real GPU run has not", checked)
            if not run.metrics.kernels:
                return Outcome(Verdict.WA, f"`{run.case}`: no kernel was launched", checked)
        mistake = wrong_result(own, ()) if own.case.dump else ""
        if mistake:
            return Outcome(Verdict.WA, f"`{own.case}` on {own.case.gpu}: {mistake}", checked)
        kernels = own.metrics.kernels[-1], base.metrics.kernels[-1]
        reached = interpolate(knots, quantity.value(*kernels))
        if reached < fraction:
            where = f" on {own.case.gpu}" if quantity.timed else ""
            fraction, detail = reached, f"`{own.case}`{where}: {quantity.sentence(*kernels)}"
    if fraction >= 1:
        return accepted(checked)
    return Outcome(Verdict.PA if fraction > 0 else Verdict.WA, detail, checked, fraction=fraction)
