"""The columns of the tables: what each shows, once for text and HTML alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hpml_metrics.counters import counter

from hpml_report.bounds import LINK
from hpml_report.hints import CONFLICTS, SECTORS, WAVEFRONTS
from hpml_report.metrics import Kernel, Launch


@dataclass(frozen=True)
class Figure:
    title: str
    unit: str
    value: Callable[[Launch], float | None]
    better: str = ""  # "less", "more" or neither: how a comparison marks it
    counters: tuple[str, ...] = ()  # that it shows

    @property
    def meaning(self) -> str:
        return "; ".join(counter(name).meaning for name in self.counters)


def counted(title: str, better: str, *names: str, nonzero: bool = False) -> Figure:
    """The sum of these counters, which have one unit. `nonzero`: a 0 says only that there was nothing to count."""
    def value(launch: Launch) -> float | None:
        known = [number for number in map(launch.known, names) if number is not None]
        return (sum(known) or (None if nonzero else 0.0)) if known else None
    return Figure(title, counter(names[0]).unit, value, better, names)


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
    counted("IPC", "more", "sm__inst_executed.avg.per_cycle_active"),
    Figure("warp instructions", "", lambda launch: launch.warp_instructions, "less"),
    counted("occupancy", "more", "sm__warps_active.avg.pct_of_peak_sustained_active"),
    counted("possible occupancy", "", "sm__maximum_warps_per_active_cycle_pct"),
    Figure("registers", "per thread", lambda launch: launch.registers),
    counted("active lanes", "more", "smsp__thread_inst_executed_per_inst_executed.ratio"),
    Figure("work", "GFLOP/s", roofline("achieved", "gflops"), "more"),
)

MEMORY = (
    counted("load sectors", "less", SECTORS.format("ld"), nonzero=True),
    counted("store sectors", "less", SECTORS.format("st"), nonzero=True),
    counted("bank conflicts", "less", CONFLICTS.format("ld"), CONFLICTS.format("st")),
    counted("shared memory", "less", WAVEFRONTS.format("ld"), WAVEFRONTS.format("st")),
    Figure("L1", "% of peak", rate("l1")),
    counted("L1 hits", "more", "l1tex__t_sector_hit_rate.pct"),
    Figure("L2", "% of peak", rate("l2")),
    counted("L2 hits", "more", "lts__t_sector_hit_rate.pct"),
    Figure("DRAM", "% of peak", rate("dram")),
    counted("DRAM read", "less", "dram__bytes_read.sum"),
    counted("DRAM written", "less", "dram__bytes_write.sum"),
    counted("host link", "", LINK, nonzero=True),
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
