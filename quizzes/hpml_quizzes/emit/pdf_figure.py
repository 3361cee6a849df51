"""Drawing -> a block of a PDF page."""
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from ..figures.drawing import Drawing, Line, Shape, Words, arrow_head
from .pdf_blocks import Block, Blocks, gap


def _path(canvas: Canvas, points: tuple, closed: bool):
    path = canvas.beginPath()
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    if closed:
        path.close()
    return path


def _polyline(canvas: Canvas, line: Line) -> None:
    canvas.setStrokeColor(HexColor(line.colour))
    canvas.setLineWidth(line.width)
    canvas.setDash(*([list(line.dash)] if line.dash else []))
    canvas.drawPath(_path(canvas, line.points, False))
    canvas.setDash()
    if line.arrow:
        _polygon(canvas, arrow_head(line))


def _polygon(canvas: Canvas, shape: Shape) -> None:
    canvas.setStrokeColor(HexColor(shape.colour))
    canvas.setFillColor(HexColor(shape.fill))
    canvas.setLineWidth(shape.width)
    canvas.drawPath(_path(canvas, shape.points, True), fill=1)


def _words(canvas: Canvas, words: Words) -> None:
    canvas.saveState()
    canvas.translate(*words.at)
    canvas.scale(1, -1)
    if words.turned:
        canvas.rotate(90)
    canvas.setFont("Sans-Bold" if words.bold else "Sans", words.size)
    canvas.setFillColor(HexColor(words.colour))
    {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}[words.anchor](
        0, 0, words.text)
    canvas.restoreState()


def picture(drawing: Drawing, width: float) -> Blocks:
    scale = min(1.0, width / drawing.width)

    def draw(canvas: Canvas, x: float, y: float) -> None:
        canvas.saveState()
        canvas.translate(x, y)
        canvas.scale(scale, -scale)
        for item in drawing.items:
            if isinstance(item, Line):
                _polyline(canvas, item)
            elif isinstance(item, Shape):
                _polygon(canvas, item)
            else:
                _words(canvas, item)
        canvas.restoreState()
    return [gap(2), Block(drawing.height * scale, draw), gap(4)]
