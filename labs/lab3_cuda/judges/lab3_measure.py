"""Counters and simulated times of the kernel that counts (the last launch), alone or beside the given kernel's, turned
into points by knots. One sentence per lost point: what was measured, what the goal is, and what to change."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hpml_autograder.lab import (WARP, Case, Context, Kernel, Outcome, Run, Test, Traffic, Verdict, accepted, interpolate,
                                 traffic, trouble, untimed, worst_line)
from lab3_kernels import FOOTPRINT, THREADS, counted_case, wrong_result

LOADS, STORES = (f"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{op}.ratio" for op in ("ld", "st"))
LOAD_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
REQUESTS = tuple(f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum" for op in ("ld", "st"))
CONFLICTS = tuple(f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum" for op in ("ld", "st"))
SHARED_LOADS = "smsp__inst_executed_op_shared_ld.sum"
# Two GPUs of different width judge every time, whatever GPU the rest runs on: small exercises do not fill the largest.
TIMED_ON = ("t4", "rtx8000")
SEPARATOR = " | "  # in a shape: the student's arguments | the given program's


@dataclass(frozen=True)
class Side:
    """The launch that counts of one run."""
    kernel: Kernel
    case: Case

    @property
    def traffic(self) -> Traffic:
        return traffic(self.kernel)

    @property
    def n(self) -> int:
        """Rows of the matrices."""
        return FOOTPRINT[self.case.program] * int(self.case.args)

    def elements(self, op: str) -> int:
        """How many floats must be loaded, and stored, when each is touched once."""
        inputs, outputs = (2 * self.n ** 2, self.n ** 2) if self.case.program in FOOTPRINT else (
            2 * THREADS * int(self.case.args), THREADS * int(self.case.args))
        return inputs if op == "ld" else outputs

    def per_warp(self, op: str) -> float:
        """Sectors for each 32 elements that must move, whatever way they went; 4 when they lie side by side."""
        return self.traffic.sectors(op) * WARP / self.elements(op)

    def shared_loads_per_product(self) -> float:
        return self.traffic.shared_loads() / self.n ** 3


@dataclass(frozen=True)
class Quantity:
    value: Callable[[Side, Side], float]   # of the student's kernel and the given one
    sentence: Callable[[Side, Side], str]  # what was measured, what is wanted, and why
    timed: bool = False
    trace: Callable[[Side], str] = lambda own: ""  # why the technique that is paid for is not there; empty: it is


def _apart(sectors: float) -> str:
    """What a number of sectors says about the addresses of a warp's lanes, for 4-byte elements."""
    if sectors > 31:
        return "each of the 32 threads of a warp touches a sector of its own: neighbours are 8 or more floats apart"
    if sectors > 4.5:
        return f"neighbouring threads are about {sectors / 4:.1f} times as far apart as they need be, or start askew"
    return ""


def at(clause: str) -> str:
    return f" ({clause})" if clause else ""


def _all_moved(own: Side) -> str:
    return own.traffic.unmoved(4 * own.elements("ld"), 4 * own.elements("st"))


def _tiled(own: Side) -> str:
    """Of tiles as large as 128 x 128, with 8 x 8 results per thread."""
    products = own.n ** 3
    return _all_moved(own) or own.traffic.untiled(max(own.elements("ld"), products / 64), products / 4)


def _per_warp(what: str, op: str) -> Quantity:
    return Quantity(lambda own, base: own.per_warp(op),
                    lambda own, base: f"{own.per_warp(op):.2f} sectors of 32 bytes per {what}, a coalesced kernel needs "
                                      f"4: {worst_line(own.kernel, 'global', [op]) or _apart(own.per_warp(op))}",
                    trace=_all_moved)


QUANTITIES = {
    "load_sectors_per_request": _per_warp("load", "ld"),
    "store_sectors_per_request": _per_warp("store", "st"),
    "work": Quantity(
        lambda own, base: max(own.traffic.requests(op) / max(1.0, base.traffic.requests(op)) for op in ("ld", "st")),
        lambda own, base: f"{own.traffic.requests('ld') + own.traffic.requests('st'):.0f} requests for global memory, the given "
                          f"kernel makes {base.traffic.requests('ld') + base.traffic.requests('st'):.0f} for the same sums: "
                          "every element has to be touched exactly once", trace=_all_moved),
    "global_load_sectors": Quantity(
        lambda own, base: own.traffic.sectors("ld") / max(1.0, base.traffic.sectors("ld")),
        lambda own, base: f"{own.traffic.sectors('ld'):.0f} sectors are loaded from global memory, the baseline loads "
                          f"{base.traffic.sectors('ld'):.0f}: what is in shared memory once serves every thread of the "
                          "block, so larger tiles halve it" + at(worst_line(own.kernel, "global", ["ld"], most=True)),
        trace=_tiled),
    "bank_conflicts": Quantity(
        lambda own, base: own.traffic.conflicts(),
        lambda own, base: f"{own.kernel.metric(CONFLICTS[0]):.0f} bank conflicts of shared loads and "
                          f"{own.kernel.metric(CONFLICTS[1]):.0f} of stores, 0 are possible: lanes of a warp that read "
                          "or write different words of one bank (word number modulo 32) wait for each other"
                          + at(worst_line(own.kernel, "shared")), trace=_tiled),
    # Not against the baseline: where a compiler joins four loads of a row into one, it does so in some kernels only.
    "shared_loads": Quantity(
        lambda own, base: own.shared_loads_per_product(),
        lambda own, base: f"{own.shared_loads_per_product():.2f} shared loads per multiply-add, the baseline makes "
                          f"{base.shared_loads_per_product():.2f}, 1 is enough: "
                          "with four values per thread each loaded element is used twice, from a register"
                          + at(worst_line(own.kernel, "shared", ["ld"], most=True)), trace=_tiled),
    "speedup": Quantity(
        lambda own, base: base.kernel.duration_us / own.kernel.duration_us,
        lambda own, base: f"{own.kernel.duration_us:.1f} us, the baseline takes {base.kernel.duration_us:.1f} us: "
                          f"{base.kernel.duration_us / own.kernel.duration_us:.2f} times as fast", timed=True,
        trace=_all_moved),
}


def _gpus(test: Test) -> tuple[str, ...]:
    return TIMED_ON if QUANTITIES[test.params["quantity"]].timed else ("",)


def plan(test: Test, context: Context) -> list[Case]:
    """For each shape and GPU the student's case, then the baseline's."""
    cases = []
    for shape in test.shapes:
        own, _, base = shape.partition(SEPARATOR)
        for gpu in _gpus(test):
            cases += [counted_case(context, test.params["program"], own, gpu),
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
                return Outcome(Verdict.INC, "needs the simulator's counters, which a real GPU does not have", checked)
            if not run.metrics.kernels:
                return Outcome(Verdict.WA, f"`{run.case}`: no kernel was launched", checked)
        mistake = wrong_result(own)
        if mistake:
            return Outcome(Verdict.WA, f"`{own.case}` on {own.case.gpu}: {mistake}", checked)
        sides = Side(own.metrics.kernels[-1], own.case), Side(base.metrics.kernels[-1], base.case)
        missing = quantity.trace(sides[0]) or (untimed([sides[0].kernel]) if quantity.timed else "")
        if missing:
            return Outcome(Verdict.WA, f"`{own.case}`: {missing}", checked)
        reached = interpolate(knots, quantity.value(*sides))
        if reached < fraction:
            where = f" on {own.case.gpu}" if quantity.timed else ""
            fraction, detail = reached, f"`{own.case}`{where}: {quantity.sentence(*sides)}"
    if fraction >= 1:
        return accepted(checked)
    return Outcome(Verdict.PA if fraction > 0 else Verdict.WA, detail, checked, fraction=fraction)
