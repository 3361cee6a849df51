"""Pieces of the handouts' drawings: SVG written as text, the same bytes everywhere."""
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

INK, GRID, PALE = "#222", "#dfe3e8", "#e8ebee"
GREEN, RED, BLUE, PURPLE, ORANGE, GRAY = "#5aa469", "#d9705f", "#5b84c4", "#8a63b0", "#c98a2b", "#8a8f98"


def svg(width: int, height: int, title: str, shapes: Iterable[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'font-family="DejaVu Sans, sans-serif" font-size="13">\n<title>{title}</title>\n'
            f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(shapes) + "\n</svg>\n")


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    return (f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="#fff" '
            'stroke-width="1"/>')


def text(x: float, y: float, words: str, anchor: str = "start", colour: str = INK) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}">{words}</text>'


def arrow(x0: float, y0: float, x1: float, y1: float, colour: str) -> str:
    return f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{colour}" stroke-width="1"/>'


@dataclass(frozen=True)
class Axis:
    """Values from low to high onto pixels from begin to end; by their logarithms where the base is not 0."""
    low: float
    high: float
    begin: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        scale = math.log2 if self.logarithmic else float
        share = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))
        return round(self.begin + share * (self.end - self.begin), 1)


@dataclass(frozen=True)
class Plot:
    x: Axis
    y: Axis

    def grid(self, xs: Sequence[tuple[float, str]], ys: Sequence[tuple[float, str]]) -> list[str]:
        """A line and a word for each of these values."""
        shapes = []
        for value, word in xs:
            shapes += [arrow(self.x(value), self.y.begin, self.x(value), self.y.end, GRID),
                       text(self.x(value), self.y.begin + 18, word, "middle")]
        for value, word in ys:
            shapes += [arrow(self.x.begin, self.y(value), self.x.end, self.y(value), GRID),
                       text(self.x.begin - 8, self.y(value) + 4, word, "end")]
        return shapes

    def names(self, x: str, y: str) -> list[str]:
        return [text((self.x.begin + self.x.end) / 2, self.y.begin + 38, x, "middle"),
                text(self.x.begin, self.y.end - 14, y)]

    def line(self, points: Iterable[tuple[float, float]], colour: str, dash: str = "") -> str:
        corners = " ".join(f"{self.x(x):g},{self.y(y):g}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        return f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>'

    def mark(self, x: float, y: float, colour: str) -> str:
        return f'<circle cx="{self.x(x):g}" cy="{self.y(y):g}" r="5" fill="{colour}"/>'

    def word(self, x: float, y: float, words: str, colour: str = INK, anchor: str = "start",
             shift: tuple[float, float] = (9, 4)) -> str:
        """Words beside a value; `shift` in pixels."""
        return text(self.x(x) + shift[0], self.y(y) + shift[1], words, anchor, colour)
