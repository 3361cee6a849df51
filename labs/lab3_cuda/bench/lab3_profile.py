"""`make lab3 profile`: one page, each of the student's kernels beside the given one, with what its counters mean."""
import html
import os
import re
import subprocess
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hpml_autograder.lab import Case, Kernel, Run, find_gpusim, worst_line
from lab3_answers import SHAPES
from lab3_data import make_case
from lab3_reference import CONVOLUTION
from lab3_measure import CONFLICTS, LOADS, SHARED_LOADS, STORES

# The student's run | the run beside it.
PAIRS = ((Case("vecadd01", "500"), Case("vecadd00", "500")), (Case("matmult01", "8"), Case("matmult00", "16")),
         (Case("convolution", CONVOLUTION.format(2)), Case("convolution", CONVOLUTION.format(1))),
         (Case("convolution", CONVOLUTION.format(3)), Case("convolution", CONVOLUTION.format(1))),
         (Case("convolution4", CONVOLUTION.partition(" {} ")[2]), Case("convolution", CONVOLUTION.format(2))),
         *((make_case("vecaddgpu01", f"{words} 1"), make_case("vecaddgpu00", f"{words} 1")) for words in SHAPES.values()))
MEANING = {
    "gpu__time_duration.sum": "simulated nanoseconds",
    LOADS: "32-byte sectors per load of a warp: 4 for 32 neighbouring floats, 8 for doubles, 32 at worst",
    STORES: "the same for stores",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "sectors loaded: fewer when shared memory or registers serve",
    CONFLICTS[0]: "turns lost because lanes read different words of one bank; 0 is possible",
    CONFLICTS[1]: "the same for stores",
    SHARED_LOADS: "load instructions from shared memory; each should feed several multiply-adds",
    "sm__maximum_warps_per_active_cycle_pct": "warps that fit on a multiprocessor, percent of its places",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "warps that were there, percent of the places",
    "launch__registers_per_thread": "many registers leave room for few warps",
    "launch__waves_per_multiprocessor": "blocks in units of what all multiprocessors hold: below 1 some idle",
    "smsp__thread_inst_executed_per_inst_executed.ratio": "lanes at work per instruction, 32 without divergence",
    "l1tex__t_sector_hit_rate.pct": "loads served by L1",
    "lts__t_sector_hit_rate.pct": "what L1 missed, served by L2",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "near 100: bound by memory",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "near 100: bound by arithmetic",
    "gpusim__fault_groups.sum": "page faults of unified memory",
}
# Of the others neither more nor less is better by itself.
LESS_IS_BETTER = frozenset(("gpu__time_duration.sum", LOADS, STORES, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                            *CONFLICTS, SHARED_LOADS, "gpusim__fault_groups.sum"))
STYLE = ("body{font:15px/1.45 sans-serif;margin:1em auto;padding:0 1em;max-width:75em;color:#222}"
         "table{border-collapse:collapse}div{overflow-x:auto}h2{overflow-wrap:anywhere}"
         "td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:left}"
         "td.n{text-align:right;font-family:monospace}"
         "small{color:#555;overflow-wrap:anywhere}@media(max-width:640px){td,th{padding:.2em .3em}}"
         "tr.better td.own{background:#e3f4e1}tr.worse td.own{background:#fbe5e1}")


@dataclass(frozen=True)
class Side:
    case: Case
    kernel: Kernel | None
    problem: str = ""
    metrics_file: Path | None = None


def side(case: Case, run: Run | None) -> Side:
    if run is None:
        return Side(case, None, f"{case.program} does not compile")
    if run.metrics is None or not run.metrics.kernels:
        return Side(case, None, f"`{case}` launched no kernel")
    return Side(case, run.metrics.kernels[-1], metrics_file=run.metrics.file)


def write_reports(pairs: Sequence[tuple[Side, Side]], folder: Path) -> dict[str, str]:
    """For each pair the simulator's own report, roofline and stalls included; case -> file name beside the page."""
    written = {}
    for own, beside in pairs:
        if own.metrics_file is None or beside.metrics_file is None:
            continue
        name = "lab3_profile_" + re.sub(r"\W+", "_", str(own.case)) + ".html"
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([str(find_gpusim()), "profile", str(own.metrics_file), "--baseline",
                               str(beside.metrics_file), "-o", str(folder / name)],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0:
            written[str(own.case)] = name
        else:
            print(f"no report for `{own.case}`: {done.stderr.strip()}", file=sys.stderr)
    return written


def show(path: Path) -> None:
    """Where somebody sits in front of a screen."""
    if sys.stdout.isatty() and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(path.as_uri())


def page(gpu: str, pairs: Sequence[tuple[Side, Side]], reference_ms: dict[str, list[float]],
         reports: dict[str, str]) -> str:
    body = "".join(_section(own, beside, reference_ms.get(str(own.case), []), reports.get(str(own.case), ""))
                   for own, beside in pairs)
    return ("<!DOCTYPE html><html lang=en><meta charset=utf-8>"
            f"<meta name=viewport content='width=device-width,initial-scale=1'>"
            f"<title>Lab 3 on {html.escape(gpu)}</title>"
            f"<style>{STYLE}</style><h1>Lab 3, your kernels on a simulated {html.escape(gpu)}</h1>"
            "<p>The last launch of each run. Green: better than beside it, red: worse.</p>" + body + "</html>\n")


def _section(own: Side, beside: Side, reference_ms: Sequence[float], report: str) -> str:
    head = f"<h2>{html.escape(str(own.case))} <small>beside {html.escape(str(beside.case))}</small></h2>"
    if own.kernel is None or beside.kernel is None:
        return head + f"<p>{html.escape(own.problem or beside.problem)}</p>"
    known = f"<p>The reference solution takes {reference_ms[-1]:g} ms.</p>" if reference_ms else ""
    known += "".join(f"<p>{html.escape(clause)}.</p>" for space in ("global", "shared")
                     if (clause := worst_line(own.kernel, space)))
    known += f"<p><a href='{report}'>Roofline, stalls and source lines of both</a></p>" if report else ""
    rows = "".join(_row(name, meaning, own.kernel.metrics, beside.kernel.metrics) for name, meaning in MEANING.items())
    return (head + known + f"<div><table><tr><th>counter<th>{html.escape(own.case.program)}<th>"
            f"{html.escape(beside.case.program)}</tr>{rows}</table></div>")


def _row(name: str, meaning: str, own: dict[str, float], beside: dict[str, float]) -> str:
    """Kernels of cuDNN have no counters of instructions: a missing number stays empty."""
    if name not in own and name not in beside:
        return ""
    cells = [_number(values[name]) if name in values else "" for values in (own, beside)]
    both = name in LESS_IS_BETTER and name in own and name in beside and own[name] != beside[name]
    colour = "" if not both else " class=better" if own[name] < beside[name] else " class=worse"
    return (f"<tr{colour}><td>{html.escape(meaning)}<br><small>{html.escape(name)}</small><td class='n own'>{cells[0]}"
            f"<td class=n>{cells[1]}</tr>")


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4g}" if value < 1000 else f"{value:,.1f}"
