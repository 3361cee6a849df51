"""Roofline and bandwidth ladder as SVG and PNG. The same numbers give the same bytes."""
import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from lab1_answers import BANDWIDTH_GBS, INTENSITY, PEAK_GFLOPS  # noqa: E402
from lab1_series import Point, Product, Roof  # noqa: E402
from matplotlib import pyplot, ticker  # noqa: E402

STYLE = {"svg.hashsalt": "lab1", "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 10}
LOW, HIGH = 2.0**-6, 2.0**6  # FLOP per byte
MARKERS = {"C1": "o", "C2": "s", "C3": "^", "C4": "v", "C5": "D"}
NAMES = {"C1": "C1 loop", "C2": "C2 unrolled", "C3": "C3 BLAS", "C4": "C4 Python", "C5": "C5 NumPy"}


def size_label(size: float) -> str:
    """Decimal units: 1 kB is 1000 bytes."""
    power = min(3, max(0, int(math.log10(max(size, 1)) // 3)))
    return f"{size / 1000**power:.3g} {('B', 'kB', 'MB', 'GB')[power]}"


def small(point: Point, points: Sequence[Point]) -> bool:
    return point.n == min(other.n for other in points if other.exercise == point.exercise)


def line(peak: float, bandwidth: float) -> tuple[list[float], list[float]]:
    """The roof from LOW to HIGH: along the bandwidth to the ridge, then flat."""
    ridge = min(max(peak / bandwidth, LOW), HIGH)
    return [LOW, ridge, HIGH], [min(peak, LOW * bandwidth), min(peak, ridge * bandwidth), min(peak, HIGH * bandwidth)]


def save(figure, directory: Path, name: str) -> list[Path]:
    paths = [directory / f"{name}.svg", directory / f"{name}.png"]
    figure.savefig(paths[0], metadata={"Date": None, "Creator": None})
    figure.savefig(paths[1], dpi=110, metadata={"Software": None})
    pyplot.close(figure)
    return paths


def draw_roofline(points: Sequence[Point], products: Sequence[Product], roof: Roof, directory: Path) -> list[Path]:
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(8, 7.2), layout="constrained")
        axes.plot(*line(PEAK_GFLOPS, BANDWIDTH_GBS), color="gray", linestyle="--",
                  label=f"given machine: {PEAK_GFLOPS:g} GFLOP/s, {BANDWIDTH_GBS:g} GB/s")
        axes.plot(*line(roof.peak, roof.memory), color="black",
                  label=f"measured, memory: {roof.peak:.3g} GFLOP/s, {roof.memory:.3g} GB/s (1 thread)")
        axes.plot(*line(roof.peak, roof.cache), color="black", linestyle=":",
                  label=f"measured, nearest cache: {roof.cache:.3g} GB/s")
        for point in points:
            color = "tab:blue" if small(point, points) else "tab:red"
            axes.plot([INTENSITY], [point.gflops], marker=MARKERS[point.exercise], color=color, linestyle="none",
                      markerfacecolor="none" if small(point, points) else color,
                      label=f"{NAMES[point.exercise]}, N = {point.n:.0e}: {point.gflops:.3g} GFLOP/s")
        for product, marker in zip(products, "PX*"):
            axes.plot([product.intensity], [product.gflops], marker=marker, color="tab:purple", linestyle="none",
                      markersize=9, label=f"matrices, {product.name}, n = {product.n}: {product.gflops:.3g} GFLOP/s")
        axes.axvline(INTENSITY, color="tab:green", linewidth=0.8)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set(xlim=(LOW, HIGH), xlabel="arithmetic intensity (FLOP/byte)", ylabel="GFLOP/s",
                 title="Roofline: dot product of floats (0.25 FLOP/byte) and matrices")
        axes.grid(True, which="major", alpha=0.3)
        axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2)
        return save(figure, directory, "lab1_roofline")


def draw_ladder(roof: Roof, directory: Path) -> list[Path]:
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(7.5, 4.6), layout="constrained")
        for kernel, steps in roof.ladder.items():
            curve, = axes.plot([size for size, _ in steps], [rate for _, rate in steps], marker=".", label=kernel)
            loose = [step for step in steps if (kernel, step[0]) in roof.loose]
            axes.plot([size for size, _ in loose], [rate for _, rate in loose], linestyle="none", marker="o",
                      markersize=5, markerfacecolor="white", color=curve.get_color())
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter(lambda size, _: size_label(size))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_locator(ticker.LogLocator(subs=(2, 5)))
        axes.yaxis.set_minor_formatter("{x:g}")
        axes.set(xlabel="bytes of all arrays", ylabel="GB/s (10^9 counted bytes, 1 thread)",
                 title="Bandwidth over the memory hierarchy" + (" (rings: inconclusive)" if roof.loose else ""))
        axes.grid(True, which="major", alpha=0.3)
        axes.legend(fontsize=8)
        return save(figure, directory, "lab1_ladder")
