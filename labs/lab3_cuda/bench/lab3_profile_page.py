"""The page of `make lab3 profile`: times and limiters first, then each kernel's source with heat, its stalls and counters."""
import html
from collections.abc import Sequence
from pathlib import Path

from hpml_autograder.lab import Kernel, LineAccess, hints, limiter, stall_reasons
from lab3_measure import CONFLICTS, LOADS, SHARED_LOADS, STORES
from lab3_profile import Side, text_rows

# Counter -> its title in Nsight Compute, and what to read from it.
MEANING = {
    "gpu__time_duration.sum": ("Duration", "simulated nanoseconds"),
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": ("Compute (SM) Throughput", "near 100 %: limited by arithmetic"),
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": ("DRAM Throughput", "near 100 %: limited by memory"),
    LOADS: ("Sectors/Req, global loads", "4 for 32 neighbouring floats, 8 for doubles, 1 for a broadcast, 32 at worst"),
    STORES: ("Sectors/Req, global stores", "the same for stores"),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": ("Sectors, global loads", "fewer when shared memory or registers serve"),
    "l1tex__t_sector_hit_rate.pct": ("L1/TEX Hit Rate", "percent of the sectors that L1 serves"),
    "lts__t_sector_hit_rate.pct": ("L2 Hit Rate", "percent of the sectors that L2 serves, of those that L1 missed"),
    SHARED_LOADS: ("Shared Loads", "instructions; each should feed several multiply-adds"),
    CONFLICTS[0]: ("Bank Conflicts, shared loads", "extra passes because lanes read different words of one bank; 0 is possible"),
    CONFLICTS[1]: ("Bank Conflicts, shared stores", "the same for stores"),
    "sm__maximum_warps_per_active_cycle_pct": ("Theoretical Occupancy", "percent of the warps that could be resident"),
    "sm__warps_active.avg.pct_of_peak_sustained_active": ("Achieved Occupancy", "percent of them that were resident, on average"),
    "launch__registers_per_thread": ("Registers Per Thread", "many registers leave room for few warps"),
    "launch__waves_per_multiprocessor": ("Waves Per SM", "below 1 some multiprocessors are idle"),
    "smsp__thread_inst_executed_per_inst_executed.ratio": ("Avg. Active Threads Per Warp", "32 without divergence"),
    "gpusim__fault_groups.sum": ("Page Fault Groups", "of unified memory"),
}
# Of the others neither more nor less is better by itself.
LESS_IS_BETTER = frozenset(("gpu__time_duration.sum", LOADS, STORES, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                            *CONFLICTS, SHARED_LOADS, "gpusim__fault_groups.sum"))
AROUND = 2  # lines of source shown before and behind those with counters
STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:1em auto;padding:0 1em;max-width:75em;color:#222}
table{border-collapse:collapse;margin:.4em 0}div{overflow-x:auto}h2{overflow-wrap:anywhere;margin-top:2em}h3{font-size:1em}
td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}td.n,th.n{text-align:right}
td.n,pre,td.code{font-family:monospace}td.code{white-space:pre;border:0;padding:0 .8em}tr.line td{border:0;padding:0 .8em}
small{color:#555;overflow-wrap:anywhere}i.bar{display:inline-block;height:.8em;background:#64b5f6}
tr.better td.own{background:#e3f4e1}tr.worse td.own{background:#fbe5e1}@media(max-width:640px){td,th{padding:.2em .3em}}"""


def page(gpu: str, pairs: Sequence[tuple[Side, Side]], reference_ms: dict[str, list[float]], reports: dict[str, str],
         source: Path) -> str:
    """source: the folder of the student's files."""
    body = "".join(_section(own, beside, reference_ms.get(str(own.case), []), reports.get(str(own.case), ""), source)
                   for own, beside in pairs)
    return ("<!DOCTYPE html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width,initial-scale=1'>"
            f"<title>Lab 3 on {html.escape(gpu)}</title><style>{STYLE}</style>"
            f"<h1>Lab 3: your kernels on a simulated {html.escape(gpu)}</h1>"
            "<p>Time is that of one launch: the last one of each run, and of unified memory also the first, cold one. A kernel is "
            "limited by the resource that is used most; by latency where none is used to 60 %.</p>"
            + _summary(pairs) + body + "</html>\n")


def _anchor(own: Side) -> str:
    return "k" + "".join(letter if letter.isalnum() else "_" for letter in own.title)


def _summary(pairs: Sequence[tuple[Side, Side]]) -> str:
    head, *rows = text_rows(pairs)
    cells = "".join("<tr>" + "".join(
        f"<td{' class=n' if column in (1, 4, 5) else ''}>"
        + (f"<a href='#{_anchor(own)}'>{html.escape(cell)}</a>" if column == 0 else html.escape(cell))
        for column, cell in enumerate(row)) + "</tr>" for (own, _), row in zip(pairs, rows))
    titles = "".join(f"<th{' class=n' if column in (1, 4, 5) else ''}>{html.escape(cell)}" for column, cell in enumerate(head))
    return f"<div><table><tr>{titles}</tr>{cells}</table></div>"


def _section(own: Side, beside: Side, reference_ms: Sequence[float], report: str, source: Path) -> str:
    head = (f"<h2 id={_anchor(own)}>{html.escape(own.title)} <small>beside {html.escape(beside.title)}</small></h2>")
    if own.kernel is None or beside.kernel is None:
        return head + f"<p>{html.escape(own.problem or beside.problem)}</p>"
    known = reference_ms[0 if own.launch == "cold" else -1] if reference_ms else None
    facts = (f"<p><b>{own.kernel.duration_us / 1e3:.4g} ms, limited by {html.escape(limiter(own.kernel))}.</b>"
             + (f" The reference solution takes {known:g} ms." if known is not None else "") + "</p>")
    said = "".join(f"<li>{html.escape(hint)}" for hint in hints(own.kernel))
    link = f"<p><a href='{report}'>Roofline, time line and all counters of both</a></p>" if report else ""
    return (head + facts + (f"<p>What to try next:</p><ul>{said}</ul>" if said else "") + _source(own.kernel, source)
            + _stalls(own.kernel) + _counters(own, beside) + link)


def _source(kernel: Kernel, source: Path) -> str:
    """The student's lines with what each asks of memory; the redder, the larger its share."""
    parts = []
    for name in dict.fromkeys(line.file for line in kernel.lines):
        path = source / name
        if "/" in name or not path.is_file():  # headers of the compiler
            continue
        text = path.read_text(encoding="utf-8", errors="replace").splitlines()
        parts.append(_listing(name, text, [line for line in kernel.lines if line.file == name]))
    note = ("<p>Source. Sectors of 32 bytes of global memory, wavefronts (passes through the banks) of shared memory; excessive "
            "are those beyond what the same bytes need side by side and without conflicts.</p>")
    return note + "".join(parts) if parts else ""


def _listing(name: str, text: Sequence[str], lines: Sequence[LineAccess]) -> str:
    shown = range(max(1, min(line.line for line in lines) - AROUND), min(len(text), max(line.line for line in lines) + AROUND) + 1)
    most = {space: max((line.parts for line in lines if (line.space == "shared") == space), default=0) for space in (True, False)}
    rows = []
    for number in shown:
        cells, heat = [], 0.0
        for shared in (False, True):
            here = [line for line in lines if line.line == number and (line.space == "shared") == shared]
            parts, excess = sum(line.parts for line in here), sum(max(0, line.excess) for line in here)
            heat = max(heat, parts / most[shared] if most[shared] else 0.0)
            cells += [f"{parts:,}" if here else "", f"{excess:,}" if excess else ""]
        colour = f" style='background:rgba(229,57,53,{min(heat, 1.0) * 0.45:.2f})'" if heat else ""
        rows.append(f"<tr class=line{colour}><td class=n>{number}<td class=code>{html.escape(text[number - 1])}"
                    + "".join(f"<td class=n>{cell}" for cell in cells) + "</tr>")
    titles = ("Sectors Global", "Excessive", "Wavefronts Shared", "Excessive")
    return (f"<div><table><tr><th class=n>line<th>{html.escape(name)}" + "".join(f"<th class=n>{title}" for title in titles)
            + f"</tr>{''.join(rows)}</table></div>")


def _stalls(kernel: Kernel) -> str:
    rows = "".join(f"<tr><td>{html.escape(reason.replace('_', ' '))}<td class=n>{share:.1f} %"
                   f"<td><i class=bar style='width:{share / 10:.2f}em'></i><td>{html.escape(meaning)}</tr>"
                   for reason, share, meaning in stall_reasons(kernel))
    return ("<p>Warp states: why resident warps did not issue, in percent of their time.</p><div><table>"
            f"<tr><th>stall<th class=n>share<th><th>what it is</tr>{rows}</table></div>") if rows else ""


def _counters(own: Side, beside: Side) -> str:
    assert own.kernel is not None and beside.kernel is not None
    faster = own.kernel.duration_us < beside.kernel.duration_us
    rows = "".join(_row(name, title, meaning, own.kernel.metrics, beside.kernel.metrics, faster)
                   for name, (title, meaning) in MEANING.items())
    return (f"<p>Counters. Green: better than beside it{'' if faster else '; red: worse'}.</p><div><table><tr><th>metric"
            f"<th class=n>{html.escape(own.title)}<th class=n>{html.escape(beside.title)}<th>how to read it</tr>{rows}</table></div>")


def _row(name: str, title: str, meaning: str, own: dict[str, float], beside: dict[str, float], faster: bool) -> str:
    """Kernels of cuDNN have no counters of instructions: a missing number stays empty. Of a kernel that is faster nothing is red:
    it has bought its time with these counters."""
    if name not in own and name not in beside:
        return ""
    cells = [_number(values[name]) if name in values else "" for values in (own, beside)]
    both = name in LESS_IS_BETTER and name in own and name in beside and own[name] != beside[name]
    colour = "" if not both else " class=better" if own[name] < beside[name] else "" if faster else " class=worse"
    return (f"<tr{colour}><td>{html.escape(title)}<br><small>{html.escape(name)}</small><td class='n own'>{cells[0]}"
            f"<td class=n>{cells[1]}<td>{html.escape(meaning)}</tr>")


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4g}" if value < 1000 else f"{value:,.1f}"
