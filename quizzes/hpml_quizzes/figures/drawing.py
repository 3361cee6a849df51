"""A picture as a list of lines, boxes and words in points, y downwards: written as SVG and as PDF by the same numbers."""
from dataclasses import dataclass, field

INK, FAINT, PAPER = "#1a1a1a", "#767676", "#ffffff"
# Told apart by dash and marker as well, never by colour alone (Okabe, Ito 2008; all 4.5:1 on white).
COLOURS = ("#00558b", "#a34100", "#00694f", "#7a3b69", "#4d4d4d")
DASHES = ((), (6, 3), (2, 2), (8, 3, 2, 3), (1, 3))
MARKERS = ("circle", "square", "triangle", "diamond", "cross")

LETTERS = 1.15   # all words, so that the smallest can be read on a phone and in print

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    points: tuple[Point, ...]
    colour: str = INK
    width: float = 1.0
    dash: tuple[float, ...] = ()
    arrow: bool = False


@dataclass(frozen=True)
class Shape:
    """A filled polygon."""
    points: tuple[Point, ...]
    fill: str = PAPER
    colour: str = INK
    width: float = 1.0


@dataclass(frozen=True)
class Words:
    at: Point
    text: str
    size: float = 10
    anchor: str = "middle"  # start, middle, end
    bold: bool = False
    turned: bool = False    # reads upwards
    colour: str = INK


@dataclass
class Drawing:
    width: float
    height: float
    items: list[Line | Shape | Words] = field(default_factory=list)

    def line(self, *points: Point, **style) -> None:
        self.items.append(Line(tuple(points), **style))

    def box(self, x: float, y: float, width: float, height: float, **style) -> None:
        self.items.append(Shape(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), **style))

    def words(self, x: float, y: float, text: str, **style) -> None:
        style["size"] = style.get("size", 10) * LETTERS
        self.items.append(Words((x, y), text, **style))

    def marker(self, x: float, y: float, kind: str, colour: str, size: float = 3.5) -> None:
        s = size
        shapes = {"square": ((-s, -s), (s, -s), (s, s), (-s, s)), "triangle": ((0, -s * 1.2), (s * 1.2, s), (-s * 1.2, s)),
                  "diamond": ((0, -s * 1.3), (s * 1.3, 0), (0, s * 1.3), (-s * 1.3, 0)),
                  "circle": ((s, 0), (.707 * s, .707 * s), (0, s), (-.707 * s, .707 * s), (-s, 0), (-.707 * s, -.707 * s),
                             (0, -s), (.707 * s, -.707 * s))}
        if kind == "cross":
            self.line((x - s, y - s), (x + s, y + s), colour=colour, width=1.5)
            self.line((x - s, y + s), (x + s, y - s), colour=colour, width=1.5)
            return
        self.items.append(Shape(tuple((x + dx, y + dy) for dx, dy in shapes[kind]), colour, colour))


def arrow_head(line: Line, size: float = 5) -> Shape:
    """At the last point of the line."""
    (x0, y0), (x1, y1) = line.points[-2:]
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
    ux, uy = (x1 - x0) / length * size, (y1 - y0) / length * size
    return Shape(((x1, y1), (x1 - ux - uy / 2, y1 - uy + ux / 2), (x1 - ux + uy / 2, y1 - uy - ux / 2)), line.colour,
                 line.colour)
