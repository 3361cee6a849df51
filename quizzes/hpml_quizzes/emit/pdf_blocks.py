"""What stands on a PDF page: lines, code, tables and figures, each a block with its height. A block is never broken; text
is a block per line."""
from collections.abc import Callable
from dataclasses import dataclass, replace

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from .. import markup
from . import pdf_text
from .pdf_text import GREY, Run, Style

GREEN, PALE, HEADER = HexColor("#00694f"), HexColor("#f4f4f4"), HexColor("#eeeeee")
_PADDING = 4.0


@dataclass(frozen=True)
class Block:
    height: float
    draw: Callable[[Canvas, float, float], None]  # x of the left, y of the upper edge


Blocks = list[Block]


def gap(height: float) -> Block:
    return Block(height, lambda canvas, x, y: None)


def _line(runs: list[Run], style: Style, height: float, indent: float = 0.0) -> Block:
    def draw(canvas: Canvas, x: float, y: float) -> None:
        pdf_text.draw(canvas, runs, x + indent, y - style.leading * 0.76, style.colour)
    return Block(height, draw)


def paragraph(spans: markup.Spans, style: Style, width: float, indent: float = 0.0) -> Blocks:
    lines = pdf_text.broken(spans, style, width - indent)
    return [_line(runs, style, style.leading + (style.after if number + 1 == len(lines) else 0), indent)
            for number, runs in enumerate(lines)]


def marked(mark: str, spans: markup.Spans, style: Style, width: float, indent: float) -> Blocks:
    """A paragraph with something before its first line."""
    first, *others = paragraph(spans, style, width, indent) or [gap(style.leading)]
    runs = [Run(mark, "Sans", style.size)]

    def draw(canvas: Canvas, x: float, y: float) -> None:
        pdf_text.draw(canvas, runs, x + 2, y - style.leading * 0.76, style.colour)
        first.draw(canvas, x, y)
    return [replace(first, draw=draw), *others]


def code(text: str, style: Style, width: float) -> Blocks:
    face = Style(style.size * 0.86, style.size * 1.15)
    lines = [piece for line in text.split("\n") for piece in
             pdf_text.cut([Run(line, "Mono", face.size)], width - 2 * _PADDING) or [[]]]

    def lined(runs: list[Run]) -> Block:
        text_of_line = _line(runs, face, face.leading, _PADDING)

        def draw(canvas: Canvas, x: float, y: float) -> None:
            canvas.setFillColor(PALE)
            canvas.rect(x, y - face.leading - 1, width, face.leading + 1, stroke=0, fill=1)
            text_of_line.draw(canvas, x, y)
        return Block(face.leading, draw)
    return [gap(2), *map(lined, lines), gap(6)]


def _row(cells: list[Blocks], widths: list[float], header: bool) -> Block:
    inner = max(sum(block.height for block in cell) for cell in cells)
    height = inner + _PADDING

    def draw(canvas: Canvas, x: float, y: float) -> None:
        canvas.setStrokeColor(HexColor(GREY))
        canvas.setLineWidth(0.5)
        canvas.setFillColor(HEADER)
        for cell, width in zip(cells, widths):
            canvas.rect(x, y - height, width, height, stroke=1, fill=1 if header else 0)
            top = y - _PADDING / 2
            for block in cell:
                block.draw(canvas, x + _PADDING, top)
                top -= block.height
            canvas.setFillColor(HEADER)
            x += width
    return Block(height, draw)


def table(grid: markup.Grid, style: Style, width: float) -> Blocks:
    """Columns as wide as their text, or all equal where that is too wide."""
    rows = ([grid.header] if any(grid.header) else []) + list(grid.rows)
    style = replace(style, after=0.0)
    bold = replace(style, bold=True)
    styles = [bold if row is grid.header else style for row in rows]
    widths = [max(pdf_text.natural_width(row[column], face) for row, face in zip(rows, styles)) + 3 * _PADDING
              for column in range(len(rows[0]))]
    if sum(widths) > width:
        widths = [width / len(widths)] * len(widths)
    return [gap(2), *(_row([paragraph(cell, face, room - 2 * _PADDING) or [gap(style.leading)]
                            for cell, room in zip(row, widths)], widths, row is grid.header)
                      for row, face in zip(rows, styles)), gap(6)]


def text(source: str, style: Style, width: float) -> Blocks:
    """Markup as blocks."""
    out: Blocks = []
    for part in markup.parse(source):
        if isinstance(part, markup.Paragraph):
            out += paragraph(part.spans, style, width)
        elif isinstance(part, markup.CodeBlock):
            out += code(part.text, style, width)
        elif isinstance(part, markup.BulletList):
            out += [block for item in part.items for block in marked("•", item, style, width, 12)]
        else:
            out += table(part, style, width)
    return out


def barred(blocks: Blocks, indent: float) -> Blocks:
    """With a green bar on their left."""
    def one(block: Block) -> Block:
        def draw(canvas: Canvas, x: float, y: float) -> None:
            canvas.setFillColor(GREEN)
            canvas.rect(x, y - block.height, 2.5, block.height, stroke=0, fill=1)
            block.draw(canvas, x + indent, y)
        return Block(block.height, draw)
    return [one(block) for block in blocks]
