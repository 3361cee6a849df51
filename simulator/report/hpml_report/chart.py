"""The roofline chart (Williams, Waterman, Patterson 2009): one drawing for SVG, PNG and the HTML pages."""

from __future__ import annotations

import io
import logging
import re
from dataclasses import dataclass
from html import escape

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from hpml_report.bounds import (LEVEL_TITLES, LEVELS, PRECISION_TITLES, PRECISIONS, nearest_roof, peak_of,
                                used_precisions)
from hpml_report.labels import Label, place
from hpml_report.metrics import Kernel, Metrics

COLOURS = ("#1565c0", "#c62828", "#2e7d32", "#6a1b9a", "#ef6c00", "#00838f", "#ad1457", "#4e342e", "#558b2f", "#283593")
MARKERS = {"dram": "o", "l2": "s", "l1": "^"}
MOST_LABELS = 24  # the kernels that took longest; all are drawn, and listed beside the chart
BASELINE = "#757575"
ROOF = "#37474f"


@dataclass(frozen=True)
class Format:
    inches: tuple[float, float]  # of one chart; one below the other where a program had several GPUs
    font: float
    salt: str


WIDE = Format((9.6, 5.8), 9.5, "wide")
NARROW = Format((4.3, 5.2), 8.5, "narrow")


@dataclass(frozen=True)
class Point:
    kernel: Kernel
    colour: str
    gflops: float
    intensity: dict[str, float]  # per level that is known
    baseline: bool

    @property
    def label(self) -> str:
        return f"{self.kernel.label} (baseline)" if self.baseline else self.kernel.label

    @property
    def bound(self) -> str:
        near = nearest_roof(self.kernel.typical)
        return f"{near.title} {near.percent:.0f} %" if near else ""


def point_of(kernel: Kernel, baseline: bool) -> Point | None:
    """None for a kernel without floating-point operations: it has no place on logarithmic axes."""
    launch = kernel.typical
    gflops = launch.roofline.get("achieved", {}).get("gflops", 0.0)
    intensity = {level: value for level, value in launch.roofline.get("arithmetic_intensity", {}).items() if value > 0}
    if gflops <= 0 or not intensity:
        return None
    colour = BASELINE if baseline else COLOURS[(kernel.number - 1) % len(COLOURS)]
    return Point(kernel, colour, gflops, intensity, baseline)


@dataclass(frozen=True)
class Panel:
    """One GPU: its roofs and the kernels that ran on it."""
    title: str
    kernels: tuple[Kernel, ...]
    points: tuple[Point, ...]

    @property
    def ceilings(self) -> dict[str, float]:
        """The tensor cores' depends on the types multiplied: the highest that a kernel has."""
        tensor = max(peak_of(kernel.typical, "tensor") if kernel.typical.roofline["flops"].get("tensor") else 0.0
                     for kernel in self.kernels)
        return {**self.kernels[0].typical.roofline["ceilings"], "tensor_gflops": tensor}

    @property
    def precisions(self) -> list[str]:
        used = {name for kernel in self.kernels for name in used_precisions(kernel.typical)} or {"fp32"}
        return [name for name in PRECISIONS if name in used and self.ceilings.get(f"{name}_gflops")]


def panels(metrics: Metrics, baseline: Metrics | None) -> list[Panel]:
    """Kernels under the same ceilings share a panel; those of the baseline join where the ceilings are the same."""
    found: dict[tuple[str, tuple[tuple[str, float], ...]], list[tuple[Kernel, bool]]] = {}
    for source, is_baseline in ((metrics, False), (baseline, True)):
        for kernel in source.kernels if source else ():
            launch = kernel.typical
            roofs = tuple(sorted((name, value) for name, value in launch.roofline.get("ceilings", {}).items()
                                 if not name.startswith("tensor")))
            found.setdefault((source.gpu_of(launch.device), roofs), []).append((kernel, is_baseline))
    made = []
    for (gpu, roofs), members in found.items():
        if roofs:
            points = [point_of(kernel, is_baseline) for kernel, is_baseline in members]
            made.append(Panel(gpu, tuple(kernel for kernel, _ in members), tuple(filter(None, points))))
    return made


def limits(panel: Panel) -> tuple[float, float, float, float]:
    """Room for every point and every ridge."""
    peaks = [panel.ceilings[f"{name}_gflops"] for name in panel.precisions]
    ridges = [max(peaks) / panel.ceilings[f"{level}_gbs"] for level in LEVELS]
    xs = [value for point in panel.points for value in point.intensity.values()] + ridges + [min(peaks) /
                                                                                           panel.ceilings["l1_gbs"]]
    ys = [point.gflops for point in panel.points]
    low_x, high_x = min(xs) / 4, max(xs) * 6
    low_y = min([*ys, min(peaks)]) / 5
    return low_x, high_x, low_y, max([*peaks, *ys]) * 3


def draw_roofs(axes: Axes, panel: Panel) -> list[Label]:
    low_x, high_x, low_y, high_y = limits(panel)
    peaks = {name: panel.ceilings[f"{name}_gflops"] for name in panel.precisions}
    top = max(peaks.values())
    texts = []
    for level, style in zip(LEVELS, ("-", "--", ":")):
        bandwidth = panel.ceilings[f"{level}_gbs"]
        start = max(low_x, low_y / bandwidth)
        axes.plot([start, top / bandwidth], [start * bandwidth, top], style, color=ROOF, linewidth=1.3, zorder=1)
        texts.append(Label(f"{LEVEL_TITLES[level]} {bandwidth:,.0f} GB/s", start, start * bandwidth, ROOF,
                           along=(top / bandwidth, top)))
    for name, peak in peaks.items():
        axes.plot([peak / panel.ceilings["l1_gbs"], high_x], [peak, peak], "-", color=ROOF, linewidth=1.3,
                  zorder=1)
        texts.append(Label(f"{PRECISION_TITLES[name]} {peak:,.0f} GFLOP/s", peak / panel.ceilings["l1_gbs"], peak, ROOF,
                           along=(high_x, peak)))
    axes.set_xlim(low_x, high_x)
    axes.set_ylim(low_y, high_y)
    return texts


def draw_points(axes: Axes, panel: Panel, index: int) -> list[Label]:
    slowest = sorted(panel.points, key=lambda point: (-point.kernel.total_us, point.kernel.number))[:MOST_LABELS]
    labels = []
    for point in panel.points:
        levels = [level for level in LEVELS if level in point.intensity]
        axes.plot([point.intensity[level] for level in levels], [point.gflops] * len(levels), "-", color=point.colour,
                  linewidth=0.8, alpha=0.6, zorder=2)
        for level in levels:
            marks = axes.plot([point.intensity[level]], [point.gflops], MARKERS[level], markersize=6.5, zorder=3,
                              color=point.colour, markerfacecolor="white" if point.baseline else point.colour)
            marks[0].set_gid(f"point-{index}-{'b' if point.baseline else 'k'}{point.kernel.number}-{level}")
        if point in slowest:
            text = f"{point.label}: {point.bound}" if point.bound else point.label
            labels.append(Label(text, point.intensity[levels[0]], point.gflops, point.colour,
                                shorter=(point.label, str(point.kernel.number))))
    return labels


def draw_panel(axes: Axes, panel: Panel, form: Format, index: int) -> tuple[list[Label], list[Label]]:
    """Everything but the labels, which need the final layout: those of the roofs, and those of the points."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True, which="major", color="#e0e0e0", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("arithmetic intensity (FLOP per byte of the level)", fontsize=form.font)
    axes.set_ylabel("GFLOP/s", fontsize=form.font)
    axes.set_title(f"Roofline, {panel.title} (simulated)", fontsize=form.font + 2, loc="left")
    axes.tick_params(labelsize=form.font - 1)
    roofs = draw_roofs(axes, panel)
    points = draw_points(axes, panel, index)
    levels = {level for point in panel.points for level in point.intensity}
    for level in LEVELS:
        if level in levels:
            axes.plot([], [], MARKERS[level], color=ROOF, label=f"bytes at {LEVEL_TITLES[level]}")
    if levels:
        axes.legend(loc="lower right", fontsize=form.font - 1.5, framealpha=0.9)
    return roofs, points


def draw(metrics: Metrics, baseline: Metrics | None, form: Format, canvas: type) -> Figure:
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # where it keeps its font cache is no news for a student
    matplotlib.rcdefaults()
    matplotlib.rcParams.update({"svg.hashsalt": f"hpml {form.salt}", "svg.fonttype": "none",
                                "font.family": ["DejaVu Sans"]})
    shown = panels(metrics, baseline)
    figure = Figure(figsize=(form.inches[0], form.inches[1] * max(len(shown), 1)), layout="constrained")
    canvas(figure)
    axes = [figure.add_subplot(len(shown), 1, index + 1) for index in range(len(shown))]
    labels = [draw_panel(axes[index], panel, form, index) for index, panel in enumerate(shown)]
    figure.draw_without_rendering()  # settles the layout
    figure.set_layout_engine("none")
    for index, panel in enumerate(shown):
        marks = [(value, point.gflops) for point in panel.points for value in point.intensity.values()]
        place(figure, axes[index], *labels[index], marks, form.font - 1)
    return figure


def svg(metrics: Metrics, baseline: Metrics | None, form: Format) -> str:
    """The same bytes for the same metrics; each point has a title, which browsers show under the pointer."""
    out = io.StringIO()
    draw(metrics, baseline, form, FigureCanvasSVG).savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = re.sub(r"[ \t]+\n", "\n", out.getvalue())
    for index, panel in enumerate(panels(metrics, baseline)):
        for point in panel.points:
            for level in point.intensity:
                gid = f"point-{index}-{'b' if point.baseline else 'k'}{point.kernel.number}-{level}"
                text = text.replace(f'<g id="{gid}">', f'<g id="{form.salt}-{gid}" class="point level-{level}">'
                                    f"<title>{escape(describe(point, level))}</title>")
    return text


def describe(point: Point, level: str) -> str:
    bound = f"; nearest roof: {point.bound}" if point.bound else ""
    return (f"{point.label}: {point.gflops:,.4g} GFLOP/s at {point.intensity[level]:.4g} FLOP per {LEVEL_TITLES[level]} "
            f"byte{bound}")


def png(metrics: Metrics, baseline: Metrics | None) -> bytes:
    out = io.BytesIO()
    draw(metrics, baseline, WIDE, FigureCanvasAgg).savefig(out, format="png", dpi=150, metadata={"Software": None})
    return out.getvalue()
