"""How near a kernel is to each limit of its GPU, and which one is nearest."""

from __future__ import annotations

from dataclasses import dataclass

from hpml_report.metrics import Launch

LEVELS = ("dram", "l2", "l1")
LEVEL_TITLES = {"dram": "DRAM", "l2": "L2", "l1": "L1"}
PRECISIONS = ("fp64", "fp32", "fp16", "tensor")
PRECISION_TITLES = {"fp64": "FP64", "fp32": "FP32", "fp16": "FP16", "tensor": "tensor"}

LINK = "gpusim__host_link_throughput.avg.pct_of_peak_sustained_elapsed"

# Below this share of every limit a kernel is bound by latency: Nsight Compute's Speed Of Light rule uses the same.
LATENCY_BELOW = 60.0


@dataclass(frozen=True)
class Bound:
    title: str
    kind: str  # "memory", "compute" or "issue"
    percent: float
    roof: bool = True  # one of the roofline's lines


def used_precisions(launch: Launch) -> list[str]:
    flops = launch.roofline.get("flops", {})
    return [name for name in PRECISIONS if flops.get(name)]


def peak_of(launch: Launch, precision: str) -> float:
    return launch.roofline.get("ceilings", {}).get(f"{precision}_gflops", 0.0)


def bounds(launch: Launch) -> list[Bound]:
    """Every limit the metrics tell of, nearest first."""
    ceilings, achieved = launch.roofline.get("ceilings", {}), launch.roofline.get("achieved", {})
    found = []
    for level in LEVELS:
        ceiling, rate = ceilings.get(f"{level}_gbs"), achieved.get(f"{level}_gbs")
        if ceiling and rate is not None:
            found.append(Bound(LEVEL_TITLES[level], "memory", 100 * rate / ceiling))
    flops = launch.roofline.get("flops", {})
    for precision in used_precisions(launch):
        peak = peak_of(launch, precision)
        if peak and launch.duration_us > 0:
            found.append(Bound(PRECISION_TITLES[precision], "compute",
                               100 * flops[precision] / (launch.duration_us * 1e3) / peak))
    issue = launch.known("sm__throughput.avg.pct_of_peak_sustained_elapsed")
    if issue is not None:
        found.append(Bound("SM issue or pipe", "issue", issue, roof=False))
    shared = launch.known("l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed")
    if shared:
        found.append(Bound("shared memory", "memory", shared, roof=False))
    link = launch.known(LINK)
    if link:
        found.append(Bound("host link", "memory", link, roof=False))
    return sorted(found, key=lambda bound: -bound.percent)


def nearest(launch: Launch) -> Bound | None:
    return next(iter(bounds(launch)), None)


def nearest_roof(launch: Launch) -> Bound | None:
    """Of the roofline's lines only."""
    return next((bound for bound in bounds(launch) if bound.roof), None)


def verdict(launch: Launch) -> str:
    """`DRAM 82 %`, or `latency (nearest: DRAM 31 %)`."""
    near = nearest(launch)
    if near is None:
        return "unknown: nothing was timed"
    text = f"{near.title} {near.percent:.0f} %"
    return text if near.percent >= LATENCY_BELOW else f"latency (nearest limit: {text})"
