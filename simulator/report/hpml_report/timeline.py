"""What ran when: one row for the host's calls, one per stream for kernels, one per copy engine. Simulated time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from hpml_report.chart import COLOURS
from hpml_report.figures import duration
from hpml_report.metrics import Metrics

COPY_COLOUR, CALL_COLOUR, WAIT_COLOUR, FAULT_COLOUR = "#00838f", "#90a4ae", "#cfd8dc", "#b71c1c"
ENGINES = {"HtoD": "copies to the GPU", "DtoH": "copies from the GPU"}
WIDTH, HEIGHT = 1000.0, 22.0
LEAST = 0.6           # a bar's width, so that it can be seen
MOST_BARS = 1500      # per row; more are drawn as what they cover


@dataclass(frozen=True)
class Bar:
    start_us: float
    duration_us: float
    colour: str
    title: str


def rows(metrics: Metrics) -> dict[str, list[Bar]]:
    several = len({launch.device for launch in metrics.launches}) > 1
    found: dict[str, list[Bar]] = {}

    def row(text: str, device: int) -> list[Bar]:
        return found.setdefault(f"{text}, GPU {device} ({metrics.gpu_of(device)})" if several else text, [])

    for call in metrics.api:
        found.setdefault("host: CUDA calls", []).append(
            Bar(call.start_us, call.duration_us, WAIT_COLOUR if "ynchronize" in call.name else CALL_COLOUR,
                f"{call.name} {call.detail}".strip()))
    for kernel in metrics.kernels:
        for launch in kernel.launches:
            row(f"stream {launch.stream}: kernels", launch.device).append(
                Bar(launch.start_us, launch.duration_us, COLOURS[(kernel.number - 1) % len(COLOURS)], kernel.label))
            fault_us = launch.known("gpusim__fault_time_us.sum")
            if fault_us:  # how they were spread over the kernel is not recorded
                row("page faults of kernels", launch.device).append(
                    Bar(launch.start_us, min(fault_us, launch.duration_us), FAULT_COLOUR,
                        f"{launch.known('gpusim__fault_groups.sum') or 0:.0f} fault groups of {kernel.label}"))
    for copy in metrics.copies:
        if copy.start_us is not None:
            title = ENGINES.get(copy.kind, f"stream {copy.stream}: fills and copies inside")
            row(title, copy.device).append(
                Bar(copy.start_us, copy.duration_us, COPY_COLOUR, f"{copy.kind} {copy.bytes:,} bytes"))
    return found


def shown_from(metrics: Metrics) -> float:
    """The first thing on the GPU: what came before is the start of CUDA, a hundred times as long as all the rest."""
    copies = [copy.start_us for copy in metrics.copies if copy.start_us is not None]
    return min([launch.start_us for launch in metrics.launches] + copies)


def covered(bars: Iterable[Bar], us_per_unit: float) -> list[Bar]:
    """Bars that touch within one unit of the picture become one."""
    merged: list[Bar] = []
    for bar in sorted(bars, key=lambda bar: bar.start_us):
        last = merged[-1] if merged else None
        if last and last.colour == bar.colour and bar.start_us - (last.start_us + last.duration_us) < us_per_unit:
            end = max(bar.start_us + bar.duration_us, last.start_us + last.duration_us)
            merged[-1] = Bar(last.start_us, end - last.start_us, last.colour, f"several, from {last.title}")
        else:
            merged.append(bar)
    return merged


def drawn(title: str, bars: list[Bar], start_us: float, span_us: float) -> str:
    scale = WIDTH / span_us
    inside = [bar for bar in bars if bar.start_us + bar.duration_us > start_us]
    if len(inside) > MOST_BARS:
        inside = covered(inside, 1 / scale)
    shapes = []
    for bar in inside:
        left = max(bar.start_us - start_us, 0.0) * scale
        right = (bar.start_us + bar.duration_us - start_us) * scale
        shapes.append(f'<rect x="{left:.2f}" y="2" width="{max(right - left, LEAST):.2f}" height="18" '
                      f'fill="{bar.colour}"><title>{escape(bar.title)}, {duration(bar.duration_us)}, at '
                      f"{duration(bar.start_us)}</title></rect>")
    return (f'<div class="row time"><div>{escape(title)}</div><svg viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" '
            f'aria-label="{escape(title)}" preserveAspectRatio="none">{"".join(shapes)}</svg></div>')


def section(metrics: Metrics) -> str:
    start = shown_from(metrics)
    span = max(metrics.end_us - start, 1e-3)
    body = "\n".join(drawn(title, bars, start, span) for title, bars in rows(metrics).items())
    return (f"<p class=quiet>From the first work of the GPU, {duration(start)} after the program's start, to its end. "
            f"Times are simulated.</p>\n{body}\n"
            f'<div class="row"><div></div><div class="axis"><span>0</span><span>{duration(span / 2)}</span>'
            f"<span>{duration(span)}</span></div></div>")
