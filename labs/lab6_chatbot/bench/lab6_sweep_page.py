"""The page of a sweep: parallel coordinates, importance, learning curves and the table of runs, in one HTML file that needs no
network. Point at a line, a curve or a row, and the same run is emphasised everywhere."""
import html
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, MARGIN, SIDE = 960, 320, 40, 90
RAMP = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))  # viridis, five of its colours
STYLE = """body{font:14px system-ui,sans-serif;margin:24px auto;max-width:1000px;color:#222}h1{font-size:20px}h2{font-size:15px;margin:28px 0 6px}
p{color:#555;margin:4px 0 8px}svg{width:100%;height:auto}path{fill:none;stroke-width:1.6;opacity:.75}text{font-size:11px;fill:#333;paint-order:stroke;stroke:#fff;stroke-width:3px}
.axis{stroke:#999}.grid{stroke:#eee}table{border-collapse:collapse;font-size:12px}td,th{padding:3px 9px;text-align:right;border-bottom:1px solid #eee}
.dim path[data-run],.dim tr[data-run]{opacity:.12}.dim .on{opacity:1!important;stroke-width:3.5}.best{font-weight:600;background:#fff7d6}"""
SCRIPT = """for(const e of document.querySelectorAll('[data-run]')){const all=()=>document.querySelectorAll('[data-run="'+e.dataset.run+'"]');
e.onmouseenter=()=>{document.body.classList.add('dim');all().forEach(x=>x.classList.add('on'))};
e.onmouseleave=()=>{document.body.classList.remove('dim');all().forEach(x=>x.classList.remove('on'))}}"""

Run = dict[str, Any]


def score(run: Run, goal: str) -> float | None:
    values = [value for value in run["history"] if value is not None]
    if run["state"] == "failed" or not values:
        return None
    return max(values) if goal == "maximize" else min(values)


def colour(share: float) -> str:
    """0 is the worst score, 1 the best."""
    place = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    i = min(int(place), len(RAMP) - 2)
    return "#" + "".join(f"{round(a + (b - a) * (place - i)):02x}" for a, b in zip(RAMP[i], RAMP[i + 1]))


def shown(value: Any) -> str:
    if value is None:
        return "null"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def varying(runs: Sequence[Run]) -> list[str]:
    names = sorted({name for run in runs for name in run["config"]})
    return [name for name in names if len({json.dumps(run["config"].get(name)) for run in runs}) > 1]


class Axis:
    """Places of values on an axis from 0 to 1: numbers in proportion (by logarithm over more than a decade), words evenly."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.numeric = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
        distinct = {json.dumps(value): value for value in values}
        self.values = sorted(distinct.values()) if self.numeric else [distinct[key] for key in sorted(distinct)]
        low, high = (self.values[0], self.values[-1]) if self.numeric else (0, 1)
        self.log = self.numeric and low > 0 and high / low >= 10

    def at(self, value: Any) -> float:
        if not self.numeric:
            return (self.values.index(value) + 0.5) / len(self.values)
        low, high = (self._scaled(self.values[0]), self._scaled(self.values[-1]))
        return (self._scaled(value) - low) / (high - low) if high > low else 0.5

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.log else value

    def ticks(self) -> list[Any]:
        if len(self.values) <= 6:
            return list(self.values)
        middle = min(self.values, key=lambda value: abs(self.at(value) - 0.5))
        return [self.values[0], *([middle] if abs(self.at(middle) - 0.5) < 0.3 else []), self.values[-1]]


def shares(runs: Sequence[Run], goal: str) -> dict[int, float]:
    """Of each run with a score: how good it is among them, 0 to 1, by rank."""
    found = sorted(((value, run["run"]) for run in runs if (value := score(run, goal)) is not None), reverse=goal != "maximize")
    return {number: place / max(1, len(found) - 1) for place, (_, number) in enumerate(found)}


def coordinates(runs: Sequence[Run], names: Sequence[str], metric: str, goal: str) -> str:
    used = [run for run in runs if score(run, goal) is not None]
    columns = {name: [run["config"].get(name) for run in used] for name in names} | {metric: [score(run, goal) for run in used]}
    axes = {name: Axis(values) for name, values in columns.items()}
    step = (WIDTH - 2 * SIDE) / max(1, len(axes) - 1)
    x = {name: SIDE + i * step for i, name in enumerate(axes)}
    best = shares(runs, goal)

    def y(name: str, value: Any) -> float:
        return HEIGHT - MARGIN - axes[name].at(value) * (HEIGHT - 2 * MARGIN)

    parts = []
    for i, run in enumerate(sorted(used, key=lambda run: best[run["run"]])):
        row = used.index(run)
        points = [(x[name], y(name, columns[name][row])) for name in axes]
        line = f"M{points[0][0]:.1f},{points[0][1]:.1f}" + "".join(
            f"C{(a[0] + b[0]) / 2:.1f},{a[1]:.1f} {(a[0] + b[0]) / 2:.1f},{b[1]:.1f} {b[0]:.1f},{b[1]:.1f}" for a, b in zip(points, points[1:]))
        parts.append(f'<path data-run="{run["run"]}" d="{line}" stroke="{colour(best[run["run"]])}"><title>{tip(run, metric, goal)}</title></path>')
    for name, axis in axes.items():
        parts.append(f'<line class="axis" x1="{x[name]:.1f}" x2="{x[name]:.1f}" y1="{MARGIN}" y2="{HEIGHT - MARGIN}"/>'
                     f'<text x="{x[name]:.1f}" y="{MARGIN - 18}" text-anchor="middle" font-weight="600">{html.escape(name)}</text>')
        parts += [f'<text x="{x[name] + 5:.1f}" y="{y(name, tick) - 5:.1f}">{html.escape(shown(tick))}</text>' for tick in axis.ticks()]
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</svg>'


def tip(run: Run, metric: str, goal: str) -> str:
    words = ", ".join(f"{name} {shown(value)}" for name, value in run["config"].items())
    value = score(run, goal)
    return html.escape(f"run {run['run']} ({run['state']}): {metric} {shown(value)}; {words}")


def importance(rows: Sequence[dict[str, Any]]) -> str:
    parts = []
    for i, row in enumerate(rows):
        size, y = abs(row["value"]) * 420, 24 + 28 * i
        fill = "#2a9d8f" if row["measure"] == "eta_squared" else "#3b6fb6" if row["value"] >= 0 else "#d1495b"
        parts.append(f'<text x="210" y="{y + 13}" text-anchor="end">{html.escape(row["parameter"])}</text>'
                     f'<rect x="220" y="{y}" width="{size:.1f}" height="18" fill="{fill}"/>'
                     f'<text x="{226 + size:.1f}" y="{y + 13}">{row["value"]:.3f} ({row["measure"].replace("_", " ")}, {row["runs"]} runs)</text>')
    return f'<svg viewBox="0 0 {WIDTH} {40 + 28 * len(rows)}">{"".join(parts)}</svg>'


def curves(runs: Sequence[Run], metric: str, goal: str) -> str:
    longest = max((len(run["history"]) for run in runs), default=1)
    values = [value for run in runs for value in run["history"] if value is not None]
    low, high, best = min(values, default=0), max(values, default=1), shares(runs, goal)
    spread = (high - low) or 1.0

    def place(epoch: int, value: float) -> str:
        x = SIDE + (epoch - 1) * (WIDTH - 2 * SIDE) / max(1, longest - 1)
        return f"{x:.1f},{HEIGHT - MARGIN - (value - low) / spread * (HEIGHT - 2 * MARGIN):.1f}"

    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)
        parts.append(f'<line class="grid" x1="{SIDE}" x2="{WIDTH - SIDE}" y1="{y}" y2="{y}"/><text x="{SIDE - 8}" y="{y + 4}" text-anchor="end">'
                     f'{low + share * spread:.2f}</text>')
    for epoch in range(1, longest + 1):
        x = place(epoch, low).split(",")[0]
        parts.append(f'<text x="{x}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{epoch}</text>')
    for run in runs:
        points = [place(i + 1, value) for i, value in enumerate(run["history"]) if value is not None]
        if points:
            parts.append(f'<path data-run="{run["run"]}" d="M{" L".join(points)}" stroke="{colour(best.get(run["run"], 0))}" '
                         f'{"stroke-dasharray=4" if run["state"] == "stopped" else ""}><title>{tip(run, metric, goal)}</title></path>')
            x, y = points[-1].split(",")
            parts.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour(best.get(run["run"], 0))}"/>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 6}" text-anchor="middle">epoch</text>')
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</svg>'


def table(runs: Sequence[Run], names: Sequence[str], summary: dict[str, Any]) -> str:
    metric, goal = summary["metric"], summary["goal"]
    others = sorted({name for run in runs for name in run["metrics"]} - {metric})
    head = "".join(f"<th>{html.escape(word)}</th>" for word in ("run", "state", "epochs", metric, *others, *names))
    best = shares(runs, goal)
    rows = []
    for run in sorted(runs, key=lambda run: (-best.get(run["run"], -1), run["run"])):
        cells = [run["run"], run["state"], len(run["history"]), score(run, goal), *(run["metrics"].get(name) for name in others),
                 *(run["config"].get(name) for name in names)]
        mark = ' class="best"' if run["run"] == summary["best"] else ""
        rows.append(f'<tr data-run="{run["run"]}"{mark}>{"".join(f"<td>{html.escape(shown(cell))}</td>" for cell in cells)}</tr>')
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def best_runs(runs: Sequence[Run], summary: dict[str, Any]) -> str:
    """The run with the best metric beside the one that answers most questions, which need not be the same."""
    text = "" if summary["best"] is None else f"Run {summary['best']} has the best {html.escape(summary['metric'])}."
    measured = [run for run in runs if run["metrics"].get("exact_match") is not None]
    if not measured:
        return text
    most = max(measured, key=lambda run: (run["metrics"]["exact_match"], -run["run"]))
    return f"{text} Run {most['run']} answers the most questions right: exact_match {shown(most['metrics']['exact_match'])}."


def page(runs: Sequence[Run], summary: dict[str, Any]) -> str:
    names, metric, goal = varying(runs), summary["metric"], summary["goal"]
    epochs = sum(len(run["history"]) for run in runs)
    whole = len(runs) * max((len(run["history"]) for run in runs), default=0)
    states = ", ".join(f"{sum(run['state'] == state for run in runs)} {state}" for state in ("finished", "stopped", "failed"))
    saved = f"; stopping early saved {1 - epochs / whole:.0%} of {whole}" if epochs < whole else ""
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(summary['name'])}</title><style>{STYLE}</style>
<h1>Sweep {html.escape(summary['name'])}: {len(runs)} runs</h1>
<p>{summary['method']} search, {goal} {html.escape(metric)}. {states}; {epochs} epochs trained{saved}.</p>
<h2>Parallel coordinates</h2><p>A line is a run; it crosses each axis at its value. Yellow is the best {html.escape(metric)}, violet the worst.</p>
{coordinates(runs, names, metric, goal)}
<h2>Importance</h2><p>Blue and red: Spearman's rank correlation with {html.escape(metric)} (red: larger values gave smaller ones). Green: eta
squared, the share of the variance that lies between the groups.</p>{importance(summary['importance'])}
<h2>Learning curves</h2><p>{html.escape(metric)} after each epoch. A dashed line was stopped early.</p>{curves(runs, metric, goal)}
<h2>Runs</h2><p>{best_runs(runs, summary)}</p>{table(runs, names, summary)}<script>{SCRIPT}</script></html>
"""


def write(log: Path, out: Path) -> None:
    """log: runs.jsonl; its .summary.json lies beside it."""
    runs = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    summary = json.loads(log.with_suffix(".summary.json").read_text(encoding="utf-8"))
    out.write_text(page(sorted(runs, key=lambda run: run["run"]), summary), encoding="utf-8")
