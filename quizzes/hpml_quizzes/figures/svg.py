"""Drawing -> SVG text: self-contained, the same bytes everywhere."""
import html

from .drawing import Drawing, Line, Shape, Words, arrow_head

FONT = "DejaVu Sans, Verdana, sans-serif"


def _n(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _points(points) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _line(line: Line) -> str:
    dash = f' stroke-dasharray="{" ".join(map(_n, line.dash))}"' if line.dash else ""
    text = (f'<polyline points="{_points(line.points)}" fill="none" stroke="{line.colour}" '
            f'stroke-width="{_n(line.width)}"{dash}/>')
    return text + (_shape(arrow_head(line)) if line.arrow else "")


def _shape(shape: Shape) -> str:
    return (f'<polygon points="{_points(shape.points)}" fill="{shape.fill}" stroke="{shape.colour}" '
            f'stroke-width="{_n(shape.width)}"/>')


def _words(words: Words) -> str:
    x, y = words.at
    turned = f' transform="rotate(-90 {_n(x)} {_n(y)})"' if words.turned else ""
    bold = ' font-weight="bold"' if words.bold else ""
    return (f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(words.size)}" text-anchor="{words.anchor}" '
            f'fill="{words.colour}"{bold}{turned}>{html.escape(words.text)}</text>')


def to_svg(drawing: Drawing, alt: str) -> str:
    writers = {Line: _line, Shape: _shape, Words: _words}
    body = "\n".join(writers[type(item)](item) for item in drawing.items)  # type: ignore[operator]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(drawing.width)} {_n(drawing.height)}" '
            f'width="{_n(drawing.width)}" height="{_n(drawing.height)}" role="img" aria-label="{html.escape(alt)}" '
            f'font-family="{FONT}">\n{body}\n</svg>\n')
