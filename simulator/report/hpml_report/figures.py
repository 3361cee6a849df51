"""The columns of the tables: what each shows, once for text and HTML alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hpml_report.bounds import LINK
from hpml_report.hints import CONFLICTS, SECTORS, WAVEFRONTS
from hpml_report.metrics import Kernel, Launch


@dataclass(frozen=True)
class Figure:
    title: str
    unit: str
    value: Callable[[Launch], float | None]
    better: str = ""  # "less", "more" or neither: how a comparison marks it


def metric(name: str) -> Callable[[Launch], float | None]:
    return lambda launch: launch.metric(name)


def total(*names: str) -> Callable[[Launch], float | None]:
    def value(launch: Launch) -> float | None:
        known = [number for number in map(launch.metric, names) if number is not None]
        return sum(known) if known else None
    return value


def requests(op: str) -> Callable[[Launch], float | None]:
    """Sectors per request; nothing where there was no request."""
    return lambda launch: launch.metric(SECTORS.format(op)) or None


def rate(level: str) -> Callable[[Launch], float | None]:
    def value(launch: Launch) -> float | None:
        ceiling = launch.roofline.get("ceilings", {}).get(f"{level}_gbs")
        reached = launch.roofline.get("achieved", {}).get(f"{level}_gbs")
        return 100 * reached / ceiling if ceiling and reached is not None else None
    return value


def roofline(part: str, name: str) -> Callable[[Launch], float | None]:
    return lambda launch: launch.roofline.get(part, {}).get(name)


SPEED = (
    Figure("time", "us", lambda launch: launch.duration_us, "less"),
    Figure("cycles", "", lambda launch: launch.cycles, "less"),
    Figure("IPC", "per SM", metric("sm__inst_executed.avg.per_cycle_active"), "more"),
    Figure("warp instructions", "", lambda launch: launch.warp_instructions, "less"),
    Figure("occupancy", "%", metric("sm__warps_active.avg.pct_of_peak_sustained_active"), "more"),
    Figure("possible occupancy", "%", metric("sm__maximum_warps_per_active_cycle_pct")),
    Figure("registers", "per thread", lambda launch: launch.registers),
    Figure("active lanes", "of 32", metric("smsp__thread_inst_executed_per_inst_executed.ratio"), "more"),
    Figure("work", "GFLOP/s", roofline("achieved", "gflops"), "more"),
)

MEMORY = (
    Figure("sectors per load", "", requests("ld"), "less"),
    Figure("sectors per store", "", requests("st"), "less"),
    Figure("bank conflicts", "", total(CONFLICTS.format("ld"), CONFLICTS.format("st")), "less"),
    Figure("shared passes", "", total(WAVEFRONTS.format("ld"), WAVEFRONTS.format("st")), "less"),
    Figure("L1", "% of peak", rate("l1")),
    Figure("L1 hits", "%", metric("l1tex__t_sector_hit_rate.pct"), "more"),
    Figure("L2", "% of peak", rate("l2")),
    Figure("L2 hits", "%", metric("lts__t_sector_hit_rate.pct"), "more"),
    Figure("DRAM", "% of peak", rate("dram")),
    Figure("DRAM read", "bytes", metric("dram__bytes_read.sum"), "less"),
    Figure("DRAM written", "bytes", metric("dram__bytes_write.sum"), "less"),
    Figure("host link", "% of peak", lambda launch: launch.metric(LINK) or None),
)


def number(value: float | None) -> str:
    """Four significant digits, whole numbers in full; a dash for what is not known."""
    if value is None:
        return "-"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}" if abs(value) >= 0.001 else f"{value:.1e}"


def duration(us: float) -> str:
    for limit, scale, unit in ((1e3, 1, "us"), (1e6, 1e3, "ms")):
        if us < limit:
            return f"{us / scale:.4g} {unit}"
    return f"{us / 1e6:.4g} s"


def extent(sizes: tuple[int, ...]) -> str:
    """(16, 16, 1) -> "16 x 16"."""
    shown = list(sizes)
    while len(shown) > 1 and shown[-1] == 1:
        shown.pop()
    return " x ".join(map(str, shown))


def configuration(kernel: Kernel) -> str:
    launch = kernel.typical
    count = len(kernel.launches)
    return (f"grid {extent(launch.grid)}, block {extent(launch.block)}, {launch.shared_bytes:,} B shared, "
            f"{count} launch{'es' if count > 1 else ''}")


def notes(launch: Launch) -> list[str]:
    said = []
    if launch.sampled:
        said.append("sampled: part of the blocks was timed, the rest extrapolated")
    if launch.estimated:
        said.append("functional mode: the time is an estimate, caches and stalls were not modelled")
    return said
