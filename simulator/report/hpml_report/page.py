"""The HTML pages: one file each, nothing fetched from anywhere, the same bytes for the same metrics."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from hpml_metrics.counters import counter, counters

from hpml_report import chart, compare, source_lines, stalls, text, timeline
from hpml_report.bounds import bounds, nearest_roof, verdict
from hpml_report.figures import MEMORY, SPEED, Figure, configuration, duration, notes, number
from hpml_report.hints import hints
from hpml_report.metrics import Kernel, Metrics

MOST_COUNTED = 6  # kernels whose counters are all shown

STYLE = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")

# Shows and hides the points of a level.
SCRIPT = """for (const box of document.querySelectorAll('.pick input'))
  box.addEventListener('change', () => box.closest('section').classList.toggle('hide-' + box.value, !box.checked));"""


def document(title: str, sections: Iterable[str]) -> str:
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<style>\n{STYLE}</style>\n</head>\n<body>\n" + "\n".join(filter(None, sections))
            + f"\n<script>\n{SCRIPT}\n</script>\n</body>\n</html>\n")


def section(title: str, body: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n{body}\n</section>" if body else ""


def table(head: list[str], rows: list[list[str]], kind: str = "") -> str:
    """Cells are HTML; those that start with `<td` bring their own tag. Kind `stack`: one block per row on a phone."""
    cells = ["".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in row) for row in rows]
    return (f'<div class="scroll"><table class="{kind}">\n<thead><tr>' + "".join(head) + "</tr></thead>\n<tbody>\n"
            + "\n".join(f"<tr>{row}</tr>" for row in cells) + "\n</tbody></table></div>")


def heading(figure: Figure) -> str:
    unit = f'<span class="unit">{escape(figure.unit)}</span>' if figure.unit else ""
    meaning = f' title="{escape(figure.meaning)}"' if figure.meaning else ""
    return f"<th{meaning}>{escape(figure.title)}{unit}</th>"


def by_time(metrics: Metrics) -> list[Kernel]:
    return sorted(metrics.kernels, key=lambda kernel: (-kernel.total_us, kernel.number))


def embedded(svg: str, name: str) -> str:
    """An SVG file's text as part of a page; ids are made its own, for a page holds two of them."""
    body = svg[svg.index("<svg"):]
    body = re.sub(r'(id="|href="#|url\(#)(?!(?:wide|narrow)-)', rf"\g<1>{name}-", body)
    return f'<div class="{name}">{body}</div>'


def roofline_section(metrics: Metrics, baseline: Metrics | None) -> str:
    picks = "".join(f'<label><input type="checkbox" value="{level}" checked> {title}</label>'
                    for level, title in chart.LEVEL_TITLES.items())
    drawn = embedded(chart.svg(metrics, baseline, chart.WIDE), "wide")
    drawn += embedded(chart.svg(metrics, baseline, chart.NARROW), "narrow")
    without = [kernel.label for kernel in metrics.kernels if chart.point_of(kernel, False) is None]
    note = (f"<p>Not in the chart, for they do no floating-point operations: {escape(', '.join(without))}.</p>"
            if without else "")
    return (f'<p class="pick">Points by the bytes at: {picks}</p>\n{drawn}\n<p class=quiet>A kernel has a point per '
            "memory level, at the same height. Beside its name is the roof that it is nearest to.</p>" + note)


def name_cell(kernel: Kernel) -> str:
    return (f'<td class="name">{kernel.number} <span class="mono">{escape(kernel.typical.name)}</span><br>'
            f'<span class="quiet">{escape(configuration(kernel))}</span></td>')


def kernel_table(metrics: Metrics, figures: Iterable[Figure]) -> str:
    kernels = by_time(metrics)
    shown = [figure for figure in figures if any(figure.value(kernel.typical) is not None for kernel in kernels)]
    return table(['<th class="name">kernel</th>', *map(heading, shown)],
                 [[name_cell(kernel), *(number(figure.value(kernel.typical)) for figure in shown)]
                  for kernel in kernels])


def bound_table(metrics: Metrics) -> str:
    """Of the roofline page: each kernel, how near it is to each roof, the nearest one."""
    kernels = by_time(metrics)
    titles = list(dict.fromkeys(bound.title for kernel in kernels for bound in bounds(kernel.typical) if bound.roof))
    rows = []
    for kernel in kernels:
        near, of = nearest_roof(kernel.typical), {bound.title: bound.percent for bound in bounds(kernel.typical)}
        rows.append([name_cell(kernel), duration(kernel.typical.duration_us),
                     *(number(of[title]) if title in of else "-" for title in titles), near.title if near else "-"])
    return table(['<th class="name">kernel</th>', "<th>time</th>",
                  *(f'<th>{escape(title)}<span class="unit">% of roof</span></th>' for title in titles),
                  "<th>nearest</th>"], rows)


def summary_section(metrics: Metrics) -> str:
    rows = []
    whole = sum(kernel.total_us for kernel in metrics.kernels)
    for kernel in by_time(metrics):
        share = 100 * kernel.total_us / whole if whole else 0.0
        said = "".join(f"<li>{escape(hint)}</li>" for hint in hints(kernel.typical))
        said += "".join(f"<li class=quiet>{escape(note)}</li>" for note in notes(kernel.typical))
        rows.append([name_cell(kernel), f"{duration(kernel.total_us)}<br>({share:.0f} %)",
                     f'<td class="name">{escape(verdict(kernel.typical))}</td>', f'<td class="long"><ul>{said}</ul></td>'])
    faults = "".join(f'<p class="worse">{escape(line)}</p>' for line in metrics.document.faults)
    return faults + table(['<th class="name">kernel</th>', "<th>time, all launches</th>", '<th class="name">bound</th>',
                           '<th class="name">what to try next</th>'], rows, "stack")


def stall_bar(kernel: Kernel) -> str:
    launch, left, shapes = kernel.typical, 0.0, []
    for group, share in stalls.grouped(launch):
        if share > 0:
            shapes.append(f'<rect x="{left:.2f}" y="2" width="{share:.2f}" height="18" fill="{group.colour}">'
                          f"<title>{group.title}: {share:.1f} %</title></rect>")
        left += share
    top = ", ".join(f"{reason} {share:.0f} %" for reason, share in stalls.top(launch))
    return (f'<div class="row bars"><div>{escape(kernel.label)}<br><span class="quiet">{escape(top)}</span></div>'
            f'<svg viewBox="0 0 100 22" preserveAspectRatio="none" role="img" aria-label="stalls of '
            f'{escape(kernel.label)}">{"".join(shapes)}</svg></div>')


def stall_section(metrics: Metrics) -> str:
    timed = [kernel for kernel in by_time(metrics) if stalls.total(kernel.typical)]
    if not timed:
        return ""
    key = "".join(f'<span><i style="background:{group.colour}"></i>{group.title}</span>' for group in stalls.GROUPS)
    reasons = [reason for reason in stalls.MEANING
               if any(stalls.shares(kernel.typical).get(reason, 0) >= 0.05 for kernel in timed)]
    rows = [[name_cell(kernel), *(f"{stalls.shares(kernel.typical).get(reason, 0):.1f}" for reason in reasons)]
            for kernel in timed]
    head = ['<th class="name">% of the warps\' time</th>',
            *(f'<th title="{escape(stalls.MEANING[reason])}">{reason.replace("_", " ")}</th>' for reason in reasons)]
    return (f'<p class=quiet>Where the time of resident warps went: one reason per warp and cycle.</p><div class="key">'
            f"{key}</div>\n" + "\n".join(map(stall_bar, timed)) + "\n" + table(head, rows))


def lines_section(metrics: Metrics) -> str:
    head = ['<th class="name">line</th>', "<th></th>", "<th>requests</th>",
            '<th>each takes<span class="unit">sectors or passes</span></th>',
            '<th>at best<span class="unit">sectors or passes</span></th>', "<th>neighbours apart</th>"]
    parts = []
    for kernel in by_time(metrics):
        rows = [[f'<td class="name mono">{escape(at.file)}:{at.line}</td>',
                 f'<td class="{"worse" if at.excess > 0 else ""}">{at.space} {source_lines.OPS[at.op]}</td>',
                 *source_lines.cells(at)] for at in source_lines.costliest(kernel.typical)]
        if rows:
            parts += [f'<h3>{escape(kernel.label)}</h3>', table(head, rows)]
    note = ("<p class=quiet>Sectors of 32 bytes for global memory, passes through the banks for shared memory; in red "
            "what takes more than it has to.</p>")
    return note + "\n".join(parts) if parts else ""


def unified_section(metrics: Metrics) -> str:
    if not any(metrics.unified.get(name) for name in ("fault_groups", "cpu_faults", "host_to_device_bytes")):
        return ""
    rows = [[f'<td class="name">{escape(name.replace("_", " "))}</td>', number(float(value)),
             f'<td class="name">{escape(counter(name).unit)}</td>',
             f'<td class="name">{escape(counter(name).meaning)}</td>']
            for name, value in metrics.unified.items() if not isinstance(value, bool)]
    mine = [kernel for kernel in by_time(metrics) if kernel.typical.known("gpusim__fault_groups.sum")]
    kernels = table(['<th class="name">kernel</th>', "<th>fault groups</th>", "<th>migrated bytes</th>",
                     "<th>fault time</th>"],
                    [[name_cell(kernel), number(kernel.typical.known("gpusim__fault_groups.sum")),
                      number(kernel.typical.known("gpusim__migrated_bytes.sum")),
                      duration(kernel.typical.known("gpusim__fault_time_us.sum") or 0.0)] for kernel in mine])
    head = ['<th class="name">whole program</th>', "<th></th>", "<th></th>", '<th class="name">what it is</th>']
    return table(head, rows) + (kernels if mine else "")


def counters_section(metrics: Metrics) -> str:
    """Every counter of the kernels that took longest, with what it means."""
    kernels = by_time(metrics)[:MOST_COUNTED]
    head = ['<th class="name">counter</th>', *(f"<th>{escape(kernel.label)}</th>" for kernel in kernels),
            '<th class="name">unit</th>', '<th class="name">kind</th>', '<th class="name">what it is</th>']
    rows = [[f'<td class="name mono">{escape(row.name)}</td>',
             *(number(kernel.typical.known(row.name)) for kernel in kernels), f'<td class="name">{escape(row.unit)}</td>',
             f'<td class="name">{row.kind}</td>', f'<td class="name">{escape(row.meaning)}</td>']
            for row in counters().values() if any(row.name in kernel.typical.metrics for kernel in kernels)]
    longest = f", of the {MOST_COUNTED} kernels that took longest" if len(metrics.kernels) > MOST_COUNTED else ""
    return (f"<p class=quiet>Names are those of Nsight Compute; gpusim__ are the simulator's own. Figures of the launch "
            f"of median time{longest}. Exact ones follow from addresses and masks, modelled ones from the timing model."
            f"</p>\n<details><summary>{len(rows)} counters</summary>\n{table(head, rows)}\n</details>")


def comparison_section(metrics: Metrics, baseline: Metrics | None) -> str:
    if baseline is None:
        return ""
    parts = [f"<p>Baseline: {escape(text.summary(baseline))}.</p>", '<div class="pairs">']
    for pair in compare.pairs(metrics, baseline):
        parts.append(f'<div><h3 class="mono">{escape(pair.title)}</h3>')
        if pair.note:
            parts.append(f"<p>{escape(pair.note)}</p>")
        if pair.mine is not None and pair.other is not None:
            head, *rows = compare.rows(pair)
            parts.append(table([f'<th class="name">{head.title}</th>', *(f"<th>{word}</th>" for word in
                                                                       (head.mine, head.other, head.ratio, ""))],
                               [[f'<td class="name">{escape(row.title)}</td>', row.mine, row.other, row.ratio,
                                 f'<td class="{row.remark}">{row.remark}</td>'] for row in rows]))
        parts.append("</div>")
    parts.append("</div>")
    return "\n".join(parts)


def report(metrics: Metrics, baseline: Metrics | None) -> str:
    return document(f"gpusim report, {metrics.gpu}", [
        f"<h1>What ran on the simulated GPU</h1>\n<p>{escape(text.summary(metrics))}.</p>",
        section("Summary", summary_section(metrics)),
        section("Compared with the baseline", comparison_section(metrics, baseline)),
        section("Kernels", "<p class=quiet>Figures of the launch of median time.</p>" + kernel_table(metrics, SPEED)),
        section("Roofline", roofline_section(metrics, baseline)),
        section("Stalls", stall_section(metrics)),
        section("Memory", kernel_table(metrics, MEMORY)),
        section("Memory accesses by source line", lines_section(metrics)),
        section("Unified memory", unified_section(metrics)),
        section("Time line", timeline.section(metrics)),
        section("Counters", counters_section(metrics))])


def roofline_page(metrics: Metrics, baseline: Metrics | None) -> str:
    return document(f"Roofline, {metrics.gpu}", [
        f"<h1>Roofline</h1>\n<p>{escape(text.summary(metrics))}.</p>",
        f"<section>\n{roofline_section(metrics, baseline)}\n</section>",
        section("How near each kernel is to each roof", bound_table(metrics))])
