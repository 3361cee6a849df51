"""Answer forms as pages of a PDF."""
from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from ..emit.pdf_text import GREY, INK, fitted
from . import form
from .form import Code, Field

_INSTRUCTIONS = (
    "Fill the bubbles of your answers completely with a dark pen or pencil; erase completely what you change.",
    "Numbers: write the answer into the boxes, then fill one bubble below each character. No thousands separators.",
    "Two marks where one is asked for, or half a mark, are looked at by a person.",
)


class _Page:
    """Draws in millimetres from the upper left corner."""

    def __init__(self, canvas: Canvas, paper: str):
        self.canvas = canvas
        self.width, self.height = form.PAPERS[paper]
        canvas.setStrokeColor(HexColor(INK))
        canvas.setLineWidth(0.6)

    @property
    def beside_code(self) -> float:
        """Room for words from the left edge of the fields to the QR code and its quiet zone."""
        return self.width - form.CODE_EDGE - form.CODE_SIDE - form.SIDE - 4

    def text(self, x: float, y: float, text: str, size: float, face: str = "Sans", colour: str = INK) -> None:
        self.canvas.setFillColor(HexColor(colour))
        self.canvas.setFont(face, size)
        self.canvas.drawString(x * mm, (self.height - y) * mm, text)

    def black(self, x: float, y: float, width: float, height: float) -> None:
        self.canvas.setFillColorRGB(0, 0, 0)
        self.canvas.rect(x * mm, (self.height - y - height) * mm, width * mm, height * mm, stroke=0, fill=1)

    def bubble(self, centre: tuple[float, float]) -> None:
        self.canvas.circle(centre[0] * mm, (self.height - centre[1]) * mm, form.RADIUS * mm, stroke=1, fill=0)

    def box(self, x: float, y: float, width: float, height: float) -> None:
        self.canvas.rect(x * mm, (self.height - y - height) * mm, width * mm, height * mm, stroke=1, fill=0)

    def code(self, text: str) -> None:
        widget = QrCodeWidget(text, barLevel="M")
        widget.qr.make()
        side = form.CODE_SIDE / len(widget.qr.modules)
        left = self.width - form.CODE_EDGE - form.CODE_SIDE
        for row, modules in enumerate(widget.qr.modules):
            start = None
            for column, dark in enumerate([*modules, False]):
                if dark and start is None:
                    start = column
                elif not dark and start is not None:    # one rectangle for neighbours: no white seams between them
                    self.black(left + start * side, form.CODE_TOP + row * side, (column - start) * side, side)
                    start = None


def _options(page: _Page, field: Field) -> None:
    page.text(field.x, field.y + form.LINE / 2 + 1, field.label, 8, "Sans-Bold")
    for place, centre in enumerate(field.option_centres(), start=1):
        page.text(centre[0] - 3.6, centre[1] + 0.9, str(place), 7, colour=GREY)
        page.bubble(centre)


def _grid(page: _Page, field: Field) -> None:
    page.text(field.x, field.y + 3.4, field.label, 8, "Sans-Bold")
    page.text(field.x + 14, field.y + 3.4, field.unit, 7, colour=GREY)
    for column in range(form.COLUMNS):
        page.box(field.x + form.GRID_LEFT + form.PITCH * column, field.y + 4.6, form.PITCH, 4.6)
        for centre in field.grid_centres(column):
            page.bubble(centre)
    for character, (_, y) in zip(field.rows, field.grid_centres(0)):
        page.text(field.x + 0.8, y + 0.9, {"-": "−", "x": "×"}.get(character, character), 7, colour=GREY)


def _hand(page: _Page, field: Field) -> None:
    page.text(field.x, field.y + 3.4, f"{field.label}  in words", 8, "Sans-Bold")
    page.box(field.x, field.y + 5.5, form.GRID_LEFT + form.PITCH * form.COLUMNS, 8)


_DRAW = {"options": _options, "grid": _grid, "hand": _hand}


def add_form(canvas: Canvas, key: dict[str, dict], code: Code, title: str, name: str) -> int:
    """Writes the form of one student, `code` being that of its first page. Returns the number of pages."""
    pages = form.pages(key, code.paper)
    for number, fields in enumerate(pages, start=1):
        page = _Page(canvas, code.paper)
        near, far = form.MARK_CENTRE - form.MARK_SIDE / 2, form.MARK_CENTRE + form.MARK_SIDE / 2
        for x in (near, page.width - far):
            for y in (near, page.height - far):
                page.black(x, y, form.MARK_SIDE, form.MARK_SIDE)
        page.code(Code(code.quiz, code.variant, code.student, code.paper, number).text())
        variant = f"variant {code.variant}, " if code.variant else ""
        for y, words, size, face in ((22, f"{title}: answers", 13, "Sans-Bold"), (28, name, 10, "Sans-Bold"),
                                     (33, f"{variant}form page {number} of {len(pages)}, {code.student}", 8, "Sans")):
            page.text(form.SIDE, y, fitted(words, face, size, page.beside_code * mm), size, face)
        for line, words in enumerate(_INSTRUCTIONS):
            page.text(form.SIDE, 38 + 3.6 * line, words, 7, colour=GREY)
        for field in fields:
            _DRAW[field.kind](page, field)
        canvas.showPage()
    return len(pages)
