"""Measured against published: rows, means per family, the text table."""
from __future__ import annotations

import math
from dataclasses import dataclass

from hpml_validation.programs import Results
from hpml_validation.targets import Run, Target, Targets


@dataclass(frozen=True)
class Row:
    target: Target
    measured: float     # in the target's unit

    @property
    def error(self) -> float:
        """Percent of the published value."""
        return 100.0 * (self.measured / self.target.value - 1.0)


@dataclass(frozen=True)
class Mean:
    rows: int
    error: float        # mean absolute error, percent
    worst: float        # largest absolute error, percent
    bias: float         # geometric mean of measured / published


def rows_of(targets: list[Target], results: dict[Run, Results]) -> list[Row]:
    """One row per target whose program ran and printed the result."""
    rows = []
    for target in targets:
        printed = results.get(target.as_run, {})
        if target.result in printed:
            rows.append(Row(target, target.measured(*printed[target.result])))
    return rows


def mean(rows: list[Row]) -> Mean:
    errors = [abs(row.error) for row in rows]
    logs = [math.log(max(row.measured, 1e-9) / row.target.value) for row in rows]
    return Mean(len(rows), sum(errors) / len(rows), max(errors), math.exp(sum(logs) / len(logs)))


def correlation(rows: list[Row]) -> float:
    """Pearson's, of the logarithms: the values span eight orders of magnitude."""
    x = [math.log(row.target.value) for row in rows]
    y = [math.log(max(row.measured, 1e-9)) for row in rows]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    return covariance / math.sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))


def by_family(targets: Targets, rows: list[Row]) -> list[tuple[str, str, list[Row]]]:
    result = []
    for family in targets.families:
        mine = [row for row in rows if row.target.family == family.name]
        if mine:
            result.append((family.name, family.title, mine))
    return result


def number(value: float) -> str:
    """Four figures, without an exponent."""
    if value == 0:
        return "0"
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def card(target: Target) -> str:
    return f"{target.on} (of {target.gpu})" if target.proxy else target.on


def text_table(targets: Targets, rows: list[Row]) -> str:
    lines = []
    for name, title, mine in by_family(targets, rows):
        lines.append(f"\n{title} [{name}]")
        for row in mine:
            target = row.target
            lines.append(f"  {target.name:<42} {card(target):<24} {number(row.measured):>10} {number(target.value):>10} "
                         f"{target.unit:<10} {row.error:+8.1f} %  {target.source} ({target.confidence})")
    return "\n".join(lines)


def summary(targets: Targets, rows: list[Row]) -> str:
    lines = [f"{'family':<28} {'rows':>5} {'mean |error|':>13} {'worst':>9} {'measured/published':>19}"]

    def line(name: str, mine: list[Row]) -> str:
        of = mean(mine)
        return f"{name:<28} {of.rows:>5} {of.error:>11.1f} % {of.worst:>7.1f} % {of.bias:>19.2f}"

    for name, _, mine in by_family(targets, rows):
        lines.append(line(name, mine))
    course = {family.name for family in targets.families if family.course}
    course_rows = [row for row in rows if row.target.family in course]
    if course_rows:
        lines.append(line("all course kernels", course_rows))
    lines.append(line("all rows", rows))
    for title, fits in (("predicted", False), ("fitted", True)):
        if mine := [row for row in rows if bool(row.target.fit) == fits]:
            lines.append(line(f"all {title} rows", mine))
    if len(rows) > 2:
        lines.append(f"correlation of logarithms: {correlation(rows):.4f}")
    return "\n".join(lines)
