"""`gpusim profile METRICS.json` without -o: what a terminal shows."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from hpml_report import compare, stalls
from hpml_report.bounds import bounds, verdict
from hpml_report.figures import MEMORY, SPEED, Figure, configuration, duration, notes, number
from hpml_report.hints import hints
from hpml_report.metrics import Kernel, Launch, Metrics

WIDTH = 110


def summary(metrics: Metrics) -> str:
    kernel_us = sum(launch.duration_us for launch in metrics.launches)
    copy_us = sum(copy.duration_us for copy in metrics.copies)
    launches = len(metrics.launches)
    return (f"{metrics.gpu}, mode {metrics.mode}: {launches} launch{'es' if launches != 1 else ''} of "
            f"{len(metrics.kernels)} kernel{'s' if len(metrics.kernels) != 1 else ''}, {duration(kernel_us)} in "
            f"kernels, {duration(copy_us)} in {len(metrics.copies)} copies and fills, {duration(metrics.end_us)} in all "
            "(simulated)")


def with_unit(figure: Figure, launch: Launch) -> str:
    text = f"{figure.title} {number(figure.value(launch))}"
    return f"{text} {figure.unit}" if figure.unit else text


def block(title: str, words: Iterable[str]) -> list[str]:
    body = "   ".join(word.replace(" ", "\u00a0") for word in words)
    lines = textwrap.wrap(body, WIDTH, initial_indent=f"   {title:<9} ", subsequent_indent=" " * 13,
                          break_long_words=False) if body else []
    return [line.replace("\u00a0", " ") for line in lines]


def sentence(title: str, text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=f"   {title:<9} ", subsequent_indent=" " * 13)


def known(figures: Iterable[Figure], launch: Launch) -> list[str]:
    return [with_unit(figure, launch) for figure in figures if figure.value(launch) is not None]


def kernel_lines(kernel: Kernel) -> list[str]:
    launch = kernel.typical
    lines = [f"{kernel.number}  {launch.name}", f"   {configuration(kernel)}"]
    if len(kernel.launches) > 1:
        lines.append(f"   {duration(kernel.total_us)} in all; below, the launch of median time")
    lines += block("speed", known(SPEED, launch))
    lines += sentence("bound", verdict(launch))
    lines += block("limits", [f"{bound.title} {bound.percent:.1f} %" for bound in bounds(launch)])
    lines += block("stalls", [f"{reason} {share:.0f} %" for reason, share in stalls.top(launch)])
    lines += block("memory", known(MEMORY, launch))
    for text in hints(launch):
        lines += sentence("try", text)
    for text in notes(launch):
        lines += sentence("note", text)
    return lines


def profile(metrics: Metrics) -> str:
    lines = [summary(metrics)]
    for kernel in sorted(metrics.kernels, key=lambda kernel: (-kernel.total_us, kernel.number)):
        lines += ["", *kernel_lines(kernel)]
    if metrics.unified.get("fault_groups") or metrics.unified.get("cpu_faults"):
        lines += ["", "unified memory"]
        lines += block("", [f"{name} {number(value)}" for name, value in metrics.unified.items()
                            if not isinstance(value, bool)])
    return "\n".join(lines) + "\n"


def comparison(mine: Metrics, other: Metrics) -> str:
    """Each kernel beside its counterpart."""
    lines = ["", f"compared with {other.path} ({other.gpu}, mode {other.mode})"]
    for pair in compare.pairs(mine, other):
        lines += ["", f"   {pair.title}"]
        if pair.note:
            lines.append(f"   {pair.note}")
        if pair.mine is None or pair.other is None:
            continue
        rows = compare.rows(pair)
        wide = max(len(row.title) for row in rows)
        for row in rows:
            lines.append(f"   {row.title:<{wide}} {row.mine:>15} {row.other:>15} {row.ratio:>8}  {row.remark}".rstrip())
    return "\n".join(lines) + "\n"


def metric_lines(metrics: Metrics, names: list[str]) -> str:
    """One line per launch and metric, fields separated by tabs."""
    lines = []
    for launch in metrics.launches:
        for name in names:
            value = launch.known(name)
            lines.append(f"{launch.short_name}\t{name}\t{'-' if value is None else repr(value)}")
    return "\n".join(lines) + "\n"
