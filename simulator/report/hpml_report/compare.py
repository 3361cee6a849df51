"""Two metrics files beside each other: which kernel belongs to which, and how their figures differ."""

from __future__ import annotations

from dataclasses import dataclass

from hpml_report.figures import MEMORY, SPEED, Figure, number
from hpml_report.metrics import Kernel, Metrics

SAME_WITHIN = 0.02  # ratios this near to 1 get no remark


@dataclass(frozen=True)
class Pair:
    mine: Kernel | None
    other: Kernel | None
    note: str = ""

    @property
    def title(self) -> str:
        kernel = self.mine or self.other
        assert kernel is not None
        return kernel.typical.name


@dataclass(frozen=True)
class Row:
    title: str
    mine: str
    other: str
    ratio: str
    remark: str  # "better", "worse" or nothing


def pairs(mine: Metrics, other: Metrics) -> list[Pair]:
    """By name and configuration, then by name, then in order where one kernel is left on each side."""
    left, right = list(mine.kernels), list(other.kernels)
    found: list[Pair] = []

    def match(same: object, note: str) -> None:
        for kernel in list(left):
            twin = next((candidate for candidate in right if same(kernel, candidate)), None)  # type: ignore[operator]
            if twin is not None:
                left.remove(kernel)
                right.remove(twin)
                found.append(Pair(kernel, twin, note))

    def same_launch(a: Kernel, b: Kernel) -> bool:
        x, y = a.typical, b.typical
        return (x.name, x.grid, x.block) == (y.name, y.grid, y.block)

    match(same_launch, "")
    match(lambda a, b: a.typical.name == b.typical.name, "the two are launched with different grids or blocks")
    if len(left) == len(right) == 1:
        match(lambda a, b: True, f"compared with {right[0].typical.name}, the one kernel left on the other side")
    found += [Pair(kernel, None, "only here, not in the baseline") for kernel in left]
    found += [Pair(None, kernel, "only in the baseline") for kernel in right]
    return sorted(found, key=lambda pair: (pair.mine is None, (pair.mine or pair.other).number))  # type: ignore[union-attr]


def remark(figure: Figure, ratio: float) -> str:
    if not figure.better or abs(ratio - 1) < SAME_WITHIN:
        return ""
    return "better" if (ratio < 1) == (figure.better == "less") else "worse"


def rows(pair: Pair) -> list[Row]:
    """Of the figures that at least one side knows. Precondition: the pair has both."""
    assert pair.mine is not None and pair.other is not None
    table = [Row("", "this", "baseline", "ratio", "")]
    for figure in (*SPEED, *MEMORY):
        a, b = figure.value(pair.mine.typical), figure.value(pair.other.typical)
        if a is None and b is None:
            continue
        title = f"{figure.title} ({figure.unit})" if figure.unit else figure.title
        if a is None or not b:
            table.append(Row(title, number(a), number(b), "", "worse" if a and b == 0 and figure.better == "less" else ""))
            continue
        table.append(Row(title, number(a), number(b), f"{a / b:.2f}", remark(figure, a / b)))
    return table
