"""docs/validation.md and docs/validation.json: what validate.py measured, as a page. A pure function of the targets and
of the results, so that a test can compare."""
from __future__ import annotations

import json
from pathlib import Path

from hpml_validation.programs import Results
from hpml_validation.report import Row, by_family, card, correlation, mean, number
from hpml_validation.targets import Run, Targets

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = DOCS / "validation.md"
RESULTS = DOCS / "validation.json"

HEAD = """# Simulated against published measurements

Made by `simulator/validation/validate.py --write`, never by hand. Our own CUDA programs (`simulator/validation/programs`,
compiled by {compiler}) run on the simulated GPUs; each row compares what a program measured with a published measurement
of the card. Error = measured / published - 1. Where a publication gives several runs or a range, their mean counts.
"proxy" marks rows of another card of the same chip or generation. Confidence: A read in a primary source, B secondary or
derived. `make validate` repeats all of it.

A row is **fitted** if a parameter of the GPU file was set or fitted to this very row (column "fitted"): its error says how
well the model closes, not how well it predicts. **Predicted** rows played no part in choosing a parameter; theirs is the
error to expect of other programs.

![Measured against published](validation_scatter.svg)

![Mean error per family](validation_families.svg)
"""


def results_json(compiler: str, results: dict[Run, Results]) -> str:
    """One line per run, so that a change of one program shows as one line."""
    entries = []
    for run in sorted(results, key=lambda run: (run.gpu, run.command)):
        values = {name: [float(f"{value:.6g}"), unit] for name, (value, unit) in sorted(results[run].items())}
        entries.append(f"  {json.dumps([run.gpu, run.command, values])}")
    return '{{"compiler": {}, "runs": [\n{}\n]}}\n'.format(json.dumps(compiler), ",\n".join(entries))


def read_results(text: str) -> tuple[str, dict[Run, Results]]:
    data = json.loads(text)
    return data["compiler"], {Run(gpu, command): {name: (value, unit) for name, (value, unit) in values.items()}
                              for gpu, command, values in data["runs"]}


def errors(mine: list[Row]) -> str:
    """Two cells: rows and their mean error."""
    return f"{len(mine)} | {mean(mine).error:.1f} %" if mine else "0 | "


def headline(targets: Targets, rows: list[Row]) -> list[str]:
    """Fitted and predicted rows apart, and which parameters were fitted to course kernels."""
    course = {family.name for family in targets.families if family.course}
    groups = [("course kernels", [row for row in rows if row.target.family in course]),
              ("everything else", [row for row in rows if row.target.family not in course]), ("all rows", rows)]
    lines = ["| | predicted rows | mean abs. error | fitted rows | mean abs. error |", "|---|---:|---:|---:|---:|"]
    for title, mine in groups:
        predicted, fitted = ([row for row in mine if bool(row.target.fit) == fits] for fits in (False, True))
        lines.append(f"| {title} | {errors(predicted)} | {errors(fitted)} |")
    fits = sorted({(row.target.on, row.target.fit) for row in groups[0][1] if row.target.fit})
    lines += ["", "Parameters fitted to course kernels: " + "; ".join(f"`{fit}` ({gpu})" for gpu, fit in fits) + "."]
    return lines


def family_table(targets: Targets, rows: list[Row]) -> list[str]:
    lines = ["| family | rows | mean abs. error | worst | measured / published (geometric mean) | predicted rows | their error |",
             "|---|---:|---:|---:|---:|---:|---:|"]

    def line(title: str, mine: list[Row]) -> str:
        of = mean(mine)
        return (f"| {title} | {of.rows} | {of.error:.1f} % | {of.worst:.1f} % | {of.bias:.2f} | "
                f"{errors([row for row in mine if not row.target.fit])} |")

    for _, title, mine in by_family(targets, rows):
        lines.append(line(title, mine))
    course = {family.name for family in targets.families if family.course}
    lines.append(line("**all course kernels**", [row for row in rows if row.target.family in course]))
    lines.append(line("**all rows**", rows))
    return lines


def course_table(targets: Targets, rows: list[Row]) -> list[str]:
    """The course kernels by publication: one card, one host, one clock each."""
    course = {family.name for family in targets.families if family.course}
    lines = ["| course kernels of | rows | mean abs. error | worst | measured / published (geometric mean) |",
             "|---|---:|---:|---:|---:|"]
    mine = [row for row in rows if row.target.family in course]
    for source in sorted({row.target.source for row in mine}):
        of = mean([row for row in mine if row.target.source == source])
        lines.append(f"| {targets.sources[source]} | {of.rows} | {of.error:.1f} % | {of.worst:.1f} % | {of.bias:.2f} |")
    return lines


def row_tables(targets: Targets, rows: list[Row]) -> list[str]:
    lines = []
    notes = {family.name: [family.note, ""] for family in targets.families if family.note}
    for name, title, mine in by_family(targets, rows):
        lines += ["", f"### {title}", "", *notes.get(name, []), "| row | simulated GPU | program | measured | published | error | fitted | source |",
                  "|---|---|---|---:|---:|---:|---|---|"]
        for row in mine:
            target = row.target
            where = f"{target.on}, proxy for {target.gpu}" if target.proxy else target.on
            lines.append(f"| {target.name} | {where} | `{target.run}` | {number(row.measured)} | {number(target.value)} "
                         f"{target.unit} | {row.error:+.1f} % | {target.fit or ' '} | {target.source} ({target.confidence}) |")
    return lines


def page(targets: Targets, rows: list[Row], compiler: str) -> str:
    worst = sorted(rows, key=lambda row: -abs(row.error))[:15]
    lines = [HEAD.format(compiler=compiler), "## Fitted and predicted rows", "", *headline(targets, rows), "",
             "## Mean error per family", "", *family_table(targets, rows), "",
             *course_table(targets, rows), "",
             f"Correlation of the logarithms of measured and published: {correlation(rows):.4f}.", "",
             "## Worst rows", "", "| row | simulated GPU | measured | published | error |", "|---|---|---:|---:|---:|"]
    lines += [f"| {row.target.name} | {card(row.target)} | {number(row.measured)} | {number(row.target.value)} "
              f"{row.target.unit} | {row.error:+.1f} % |" for row in worst]
    lines += ["", "## Every row", *row_tables(targets, rows), "", "## Sources", ""]
    lines += [f"- {key}: {text}" for key, text in sorted(targets.sources.items())]
    lines += ["", "## Published rows that are not repeated, and why", ""]
    for reason in dict.fromkeys(reason for _, reason in targets.unused):
        names = [name for name, why in targets.unused if why == reason]
        lines += [f"- {reason} ({len(names)}): {', '.join(names)}"]
    return "\n".join(lines) + "\n"
