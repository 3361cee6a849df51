"""Axes, linear or logarithmic, for figures with curves."""
import math
from dataclasses import dataclass

from ..numbers import auto
from .drawing import INK, Drawing, Point


@dataclass(frozen=True)
class Axis:
    low: float
    high: float
    log: bool
    title: str

    def share(self, value: float) -> float:
        if self.log:
            return (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        if not self.log:
            step = _round_step((self.high - self.low) / 5)
            first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
            return [(i * step, auto(round(i * step, 10))) for i in range(first, last + 1)]
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        few = -2 <= first and last <= 4
        decades = [(10.0**e, auto(10.0**e) if few else _power(e)) for e in range(first, last + 1)]
        if last - first < 3:  # few decades: 2 and 5 as well
            decades += [(m * 10.0**e, auto(m * 10.0**e)) for e in range(first - 1, last + 1) for m in (2, 5)
                        if self.low <= m * 10.0**e <= self.high]
        return decades


def _round_step(about: float) -> float:
    """1, 2 or 5 times a power of ten, nearest to `about`."""
    scale = 10.0 ** math.floor(math.log10(about))
    return min((m * scale for m in (1, 2, 5, 10)), key=lambda step: abs(math.log(step / about)))


def _power(exponent: int) -> str:
    return "10" + str(exponent).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))


class Plot:
    """A drawing with axes; at() gives the place of a data point."""

    def __init__(self, drawing: Drawing, x: Axis, y: Axis, left: float = 62, right: float = 14, top: float = 14,
                 bottom: float = 44):
        self.drawing, self.x, self.y = drawing, x, y
        self.left, self.top = left, top
        self.width, self.height = drawing.width - left - right, drawing.height - top - bottom
        self._frame()

    def at(self, x: float, y: float) -> Point:
        return self.left + self.x.share(x) * self.width, self.top + (1 - self.y.share(y)) * self.height

    def _frame(self) -> None:
        drawing, bottom = self.drawing, self.top + self.height
        for value, label in self.x.ticks():
            px = self.at(value, self.y.low)[0]
            drawing.line((px, self.top), (px, bottom), colour="#dddddd", width=0.6)
            drawing.words(px, bottom + 14, label, size=9)
        for value, label in self.y.ticks():
            py = self.at(self.x.low, value)[1]
            drawing.line((self.left, py), (self.left + self.width, py), colour="#dddddd", width=0.6)
            drawing.words(self.left - 6, py + 3, label, size=9, anchor="end")
        drawing.line((self.left, self.top), (self.left, bottom), (self.left + self.width, bottom), colour=INK)
        drawing.words(self.left + self.width / 2, bottom + 32, self.x.title, size=10)
        drawing.words(14, self.top + self.height / 2, self.y.title, size=10, turned=True)
