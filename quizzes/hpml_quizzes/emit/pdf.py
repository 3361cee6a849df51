"""Quiz -> PDF with embedded fonts, the same bytes for the same quiz."""
import io
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (CondPageBreak, Flowable, KeepTogether, Paragraph, Preformatted, SimpleDocTemplate,
                                Spacer, Table, TableStyle)

from .. import figures, markup
from ..errors import InfraError
from ..figures.drawing import Drawing, Line, Shape, arrow_head
from ..instance import Instance
from ..quiz import Quiz, points_text
from .common import ask, heading, instruction, key_text, part_name, scorings, whys

FONTS = Path("/usr/share/fonts/truetype/dejavu")
_FACES = {"Sans": "DejaVuSans.ttf", "Sans-Bold": "DejaVuSans-Bold.ttf", "Mono": "DejaVuSansMono.ttf"}
_INK, _GREY, _GREEN = HexColor("#1a1a1a"), HexColor("#4d4d4d"), HexColor("#00694f")
_TEXT = ParagraphStyle("text", fontName="Sans", fontSize=9.5, leading=13.5, textColor=_INK, spaceAfter=3)
_SMALL = ParagraphStyle("small", _TEXT, fontSize=8.5, leading=11.5, textColor=_GREY)
_H1 = ParagraphStyle("h1", _TEXT, fontName="Sans-Bold", fontSize=15, leading=19)
_H2 = ParagraphStyle("h2", _TEXT, fontName="Sans-Bold", fontSize=10.5, leading=14, spaceBefore=8)
_CODE = ParagraphStyle("code", _TEXT, fontName="Mono", fontSize=8, leading=10.5, backColor=HexColor("#f4f4f4"),
                       leftIndent=4, borderPadding=3, spaceBefore=5, spaceAfter=6)
_OPTION = ParagraphStyle("option", _TEXT, leftIndent=34, bulletIndent=2, bulletFontName="Sans", bulletFontSize=9.5,
                         spaceAfter=1)
_WIDTH = A4[0] - 40 * mm


def _register_fonts() -> None:
    if "Sans" in pdfmetrics.getRegisteredFontNames():
        return
    for name, file in _FACES.items():
        if not (FONTS / file).is_file():
            raise InfraError(f"{FONTS / file} is not there; install the package fonts-dejavu-core")
        pdfmetrics.registerFont(TTFont(name, str(FONTS / file)))
    pdfmetrics.registerFontFamily("Sans", normal="Sans", bold="Sans-Bold", italic="Sans", boldItalic="Sans-Bold")


_TAGS = {"code": ('<font face="Mono" size="8.5">', "</font>"), "bold": ("<b>", "</b>"),
         "sup": ('<super rise="4" size="7">', "</super>"), "sub": ('<sub rise="2" size="7">', "</sub>"),
         "text": ("", "")}


def _inline(spans: markup.Spans) -> str:
    return "".join(f"{_TAGS[span.kind][0]}{escape(span.text)}{_TAGS[span.kind][1]}" for span in spans)


def _line(text: str) -> str:
    return _inline(markup.spans(" ".join(text.split())))


def _blocks(text: str, style: ParagraphStyle = _TEXT) -> list[Flowable]:
    out: list[Flowable] = []
    for block in markup.parse(text):
        if isinstance(block, markup.Paragraph):
            out.append(Paragraph(_inline(block.spans), style))
        elif isinstance(block, markup.CodeBlock):
            out.append(Preformatted(block.text, _CODE, maxLineLength=100))
        elif isinstance(block, markup.BulletList):
            out += [Paragraph("•  " + _inline(item), style) for item in block.items]
        else:
            rows = [[Paragraph(_inline(cell), style) for cell in row] for row in (block.header, *block.rows)]
            widths = [min(60 * mm, _WIDTH / len(block.header))] * len(block.header)
            out.append(Table(rows, colWidths=widths, hAlign="LEFT", style=TableStyle([
                ("GRID", (0, 0), (-1, -1), 0.5, _GREY), ("BACKGROUND", (0, 0), (-1, 0), HexColor("#eeeeee")),
                ("TOPPADDING", (0, 0), (-1, -1), 1), ("BOTTOMPADDING", (0, 0), (-1, -1), 1)]), spaceAfter=6))
    return out


class _Picture(Flowable):
    def __init__(self, drawing: Drawing):
        super().__init__()
        self.drawing, self.scale = drawing, min(1.0, _WIDTH / drawing.width)
        self.width, self.height = drawing.width * self.scale, drawing.height * self.scale

    def draw(self) -> None:
        canvas = self.canv
        canvas.saveState()
        canvas.translate(0, self.height)
        canvas.scale(self.scale, -self.scale)
        for item in self.drawing.items:
            if isinstance(item, Line):
                self._polyline(item)
                if item.arrow:
                    self._polygon(arrow_head(item))
            elif isinstance(item, Shape):
                self._polygon(item)
            else:
                self._words(item)
        canvas.restoreState()

    def _path(self, points):
        path = self.canv.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        return path

    def _polyline(self, line: Line) -> None:
        self.canv.setStrokeColor(HexColor(line.colour))
        self.canv.setLineWidth(line.width)
        self.canv.setDash(*([list(line.dash)] if line.dash else []))
        self.canv.drawPath(self._path(line.points))
        self.canv.setDash()

    def _polygon(self, shape: Shape) -> None:
        self.canv.setStrokeColor(HexColor(shape.colour))
        self.canv.setFillColor(HexColor(shape.fill))
        self.canv.setLineWidth(shape.width)
        path = self._path(shape.points)
        path.close()
        self.canv.drawPath(path, fill=1)

    def _words(self, words) -> None:
        canvas = self.canv
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


_MARKS = {("ms", False): "☐", ("ms", True): "☑", ("one", False): "○", ("one", True): "◉"}


def _options(instance: Instance, with_key: bool) -> list[Flowable]:
    rows: list[Flowable] = []
    for place, option in enumerate(instance.options, start=1):
        right = with_key and option.correct
        mark = _MARKS["ms" if instance.kind == "ms" else "one", right]
        text = f"<b>{_line(option.text)}</b>" if right else _line(option.text)
        rows.append(Paragraph(text, _OPTION, bulletText=f"{mark}  ({place})"))
    return rows


def _parts(instance: Instance, with_key: bool) -> list[Flowable]:
    out: list[Flowable] = []
    for place, part in enumerate(instance.parts):
        label = f"{part_name(place)} {_line(part.label)}: " if part.label else ""
        asked = f'<font color="#4d4d4d">{_line(ask(part))}</font> ' + "_" * 22
        out.append(Paragraph(label + (f"<b>{_line(key_text(part))}</b>" if with_key else asked), _TEXT))
    return out


def _solution(instance: Instance) -> list[Flowable]:
    inner = [Paragraph("<b>Solution</b>", _TEXT), *_blocks(instance.explanation)]
    inner += [Paragraph("•  option " + _line(why), _SMALL) for why in whys(instance)]
    inner.append(Paragraph("Source: " + escape(instance.template.source), _SMALL))
    return [Table([[inner]], colWidths=[_WIDTH], style=TableStyle([("LINEBEFORE", (0, 0), (0, -1), 2.5, _GREEN),
                                                                  ("LEFTPADDING", (0, 0), (-1, -1), 8)]))]


def _question(instance: Instance, with_key: bool) -> list[Flowable]:
    title = f": {escape(instance.template.title)}" if with_key else ""
    picture = [] if instance.figure is None else [_Picture(figures.make(instance.figure))]
    blocks = [Paragraph(heading(instance) + title, _H2), *_blocks(instance.stem), *picture,
              Paragraph(instruction(instance), _SMALL), *_options(instance, with_key), *_parts(instance, with_key)]
    return [KeepTogether(blocks), *(_solution(instance) if with_key else []), Spacer(1, 6)]


def to_pdf(quiz: Quiz, with_key: bool) -> bytes:
    _register_fonts()
    title = quiz.title + (": answer key" if with_key else "")
    variant = f", variant {quiz.variant}" if quiz.variant else ""
    story: list[Flowable] = [Paragraph(escape(title), _H1), Paragraph(
        f"{points_text(quiz.points_milli)} points, {len(quiz.instances)} questions{variant}.", _SMALL)]
    if not with_key:
        story.append(Paragraph("Name: " + "_" * 40, _TEXT))
    story += [Paragraph(rule, _SMALL) for rule in scorings(quiz)]
    for instance in quiz.instances:
        story += [CondPageBreak(20 * mm), *_question(instance, with_key)]
    footer = f"{title}{variant}  ·  {quiz.sha256[:12]}  ·  page "

    def number_page(canvas, document) -> None:
        canvas.setFont("Sans", 7)
        canvas.setFillColor(_GREY)
        canvas.drawCentredString(A4[0] / 2, 10 * mm, footer + str(document.page))

    rl_config.invariant = 1  # no dates, no random identifiers
    out = io.BytesIO()
    document = SimpleDocTemplate(out, pagesize=A4, title=title, author="", creator="", subject="", invariant=1,
                                 leftMargin=20 * mm, rightMargin=20 * mm, topMargin=16 * mm, bottomMargin=18 * mm)
    document.build(story, onFirstPage=number_page, onLaterPages=number_page)
    return out.getvalue()
