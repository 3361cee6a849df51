"""Names in a chart without overlap: a line's name lies along it, a point's goes to the nearest free place around it,
with a thin line to it where that is far."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

MARK_RADIUS = 6.0  # pixels
CLEAR = 2.0        # pixels kept free around a text
FAR = 26.0         # beyond this distance a line leads from text to point
STEP = 8.0         # pixels between the places of a line that texts keep clear of


@dataclass(frozen=True)
class Label:
    text: str
    x: float  # of the point, or of the line's left end, in data units
    y: float
    colour: str
    along: tuple[float, float] | None = None  # a line's name: the line's right end
    shorter: tuple[str, ...] = ()             # what to write where `text` does not fit


def around() -> Iterator[tuple[float, float]]:
    """Offsets in pixels from a point to its text's near corner, best first."""
    for ring in range(40):
        radius = 9.0 + 7.0 * ring
        for turn in (30, -30, 150, -150, 60, -60, 120, -120, 90, -90, 0, 180):
            yield radius * math.cos(math.radians(turn)), radius * math.sin(math.radians(turn))


def box_at(x: float, y: float, size: tuple[float, float], to_left: bool, below: bool) -> Bbox:
    left = x - size[0] if to_left else x
    low = y - size[1] if below else y
    return Bbox.from_bounds(left - CLEAR, low - CLEAR, size[0] + 2 * CLEAR, size[1] + 2 * CLEAR)


def meets(a: Bbox, b: Bbox) -> bool:
    return a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1


def within(inner: Bbox, outer: Bbox) -> bool:
    return inner.x0 >= outer.x0 and inner.x1 <= outer.x1 and inner.y0 >= outer.y0 and inner.y1 <= outer.y1


class Placer:
    """Keeps the places that are taken, in pixels."""

    def __init__(self, figure: Figure, axes: Axes, marks: list[tuple[float, float]], font: float) -> None:
        self.axes, self.font = axes, font
        self.renderer = figure._get_renderer()
        self.frame = axes.get_window_extent(self.renderer)
        self.taken = [self.square(x, y, MARK_RADIUS) for x, y in axes.transData.transform(marks)] if marks else []
        legend = axes.get_legend()
        if legend is not None:
            self.taken.append(legend.get_window_extent(self.renderer))
        self.lines: list[Bbox] = []
        self.placed: list[tuple[str, list[Bbox]]] = []

    @staticmethod
    def square(x: float, y: float, radius: float) -> Bbox:
        return Bbox.from_bounds(x - radius, y - radius, 2 * radius, 2 * radius)

    def ends(self, label: Label) -> tuple[tuple[float, float], tuple[float, float]]:
        assert label.along is not None
        (x0, y0), (x1, y1) = self.axes.transData.transform([(label.x, label.y), label.along])
        return (x0, y0), (x1, y1)

    def keep_clear(self, label: Label) -> None:
        (x0, y0), (x1, y1) = self.ends(label)
        count = max(int(math.hypot(x1 - x0, y1 - y0) / STEP), 1)
        self.lines += [self.square(x0 + (x1 - x0) * i / count, y0 + (y1 - y0) * i / count, 1.0)
                       for i in range(count + 1)]

    def is_free(self, boxes: list[Bbox], obstacles: list[Bbox]) -> bool:
        return all(within(box, self.frame) and not any(meets(box, other) for other in obstacles) for box in boxes)

    def put_along(self, label: Label) -> None:
        """On the line, near its left end where it rises and near its right end where it is flat."""
        (x0, y0), (x1, y1) = self.ends(label)
        angle = math.atan2(y1 - y0, x1 - x0)
        length = math.hypot(x1 - x0, y1 - y0)
        text = self.axes.text(label.x, label.y, label.text, fontsize=self.font, color=label.colour, zorder=4)
        extent = text.get_window_extent(self.renderer)
        starts = [10.0 + STEP * i for i in range(int(max(length - extent.width - 10, 0) / STEP))]
        for start in starts if angle > 0.01 else reversed(starts):
            corner = (x0 + start * math.cos(angle) - 5 * math.sin(angle),
                      y0 + start * math.sin(angle) + 5 * math.cos(angle))
            pieces = [self.square(corner[0] + along * math.cos(angle) - extent.height / 2 * math.sin(angle),
                                  corner[1] + along * math.sin(angle) + extent.height / 2 * math.cos(angle),
                                  extent.height / 2 + CLEAR)
                      for along in [extent.width * i / 12 for i in range(13)]]
            if self.is_free(pieces, self.taken):
                self.take(label, pieces)
                text.set(position=self.axes.transData.inverted().transform(corner), rotation=math.degrees(angle),
                         rotation_mode="anchor", verticalalignment="baseline")
                return
        text.remove()

    def put_around(self, label: Label) -> None:
        """Clear of everything, else over a line, else in fewer words, else not at all."""
        x, y = self.axes.transData.transform((label.x, label.y))
        text = self.axes.text(label.x, label.y, "", fontsize=self.font, color=label.colour, zorder=4,
                              verticalalignment="bottom")
        for words in (label.text, *label.shorter):
            text.set_text(words)
            extent = text.get_window_extent(self.renderer)
            boxes = [box_at(x + dx, y + dy, (extent.width, extent.height), dx < -1, dy < -1) for dx, dy in around()]
            free = next((box for obstacles in (self.taken + self.lines, self.taken) for box in boxes
                         if self.is_free([box], obstacles)), None)
            if free is not None:
                self.take(label, [free])
                text.set_position(self.axes.transData.inverted().transform((free.x0 + CLEAR, free.y0 + CLEAR)))
                self.lead(label, free, x, y)
                return
        text.remove()

    def lead(self, label: Label, box: Bbox, x: float, y: float) -> None:
        """A line from a far text to its point, which lies at pixel (x, y)."""
        near_x, near_y = min(max(x, box.x0), box.x1), min(max(y, box.y0), box.y1)
        if math.hypot(near_x - x, near_y - y) > FAR - MARK_RADIUS:
            end = self.axes.transData.inverted().transform((near_x, near_y))
            self.axes.plot([label.x, end[0]], [label.y, end[1]], "-", color=label.colour, linewidth=0.5, zorder=2)

    def take(self, label: Label, boxes: list[Bbox]) -> None:
        self.taken += boxes
        self.placed.append((label.text, boxes))


def place(figure: Figure, axes: Axes, roofs: list[Label], points: list[Label], marks: list[tuple[float, float]],
          font: float) -> Placer:
    """Draws every label that finds a free place, in the order given. Precondition: the figure's layout is final."""
    placer = Placer(figure, axes, marks, font)
    for label in roofs:
        placer.keep_clear(label)
        placer.put_along(label)
    for label in points:
        placer.put_around(label)
    return placer
