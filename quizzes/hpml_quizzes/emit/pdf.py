"""Quiz -> PDF with embedded fonts, the same bytes for the same quiz."""
import io
from dataclasses import dataclass

from reportlab import rl_config
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from .. import figures, markup
from ..instance import Instance
from ..quiz import Quiz, points_text
from . import pdf_blocks as blocks
from .common import heading, instruction, key_value, label_of, precision, scorings, whys
from .pdf_blocks import Block, Blocks
from .pdf_figure import picture
from .pdf_text import GREY, Run, Style, draw, register_fonts

_TEXT = Style(9.5, 13.5, after=3)
_OPTION = Style(9.5, 13.5, after=1.5)
_RIGHT = Style(9.5, 13.5, bold=True, after=1.5)
_SMALL = Style(8.5, 11.5, GREY, after=3)
_H1 = Style(15, 19, bold=True, after=3)
_H2 = Style(10.5, 15, bold=True, after=2)
_LEFT, _BOTTOM = 20 * mm, 18 * mm
_BAR = 10.0
_BLANK = "_" * 16
_MARKS = {("ms", False): "☐", ("ms", True): "☑", ("one", False): "○", ("one", True): "◉"}


@dataclass(frozen=True)
class Paper:
    """Lengths in points."""
    width: float
    height: float

    @property
    def room(self) -> float:
        """For text, from left to right."""
        return self.width - 2 * _LEFT

    @property
    def top(self) -> float:
        return self.height - 16 * mm


PAPERS = {"a4": Paper(*A4), "letter": Paper(*LETTER)}


def _line(text: str, style: Style, width: float) -> Blocks:
    return blocks.paragraph(markup.line(text), style, width)


def _options(instance: Instance, with_key: bool, width: float) -> Blocks:
    out: Blocks = _line(instruction(instance), _SMALL, width) if instance.options else []
    for place, option in enumerate(instance.options, start=1):
        right = with_key and option.correct
        mark = _MARKS["ms" if instance.kind == "ms" else "one", right]
        out += blocks.marked(f"{mark}  ({place})", markup.line(option.text), _RIGHT if right else _OPTION, width, 36)
    return out


def _parts(instance: Instance, with_key: bool, width: float) -> Blocks:
    out: Blocks = []
    for place, part in enumerate(instance.parts):
        value = f"**{key_value(part)}**" if with_key else f"{_BLANK} {part.unit_words}".rstrip()
        out += _line(f"{label_of(instance, place)} {value} {precision(part)}", _TEXT, width)
        out.append(blocks.gap(0 if with_key else 3))
    return out


def _solution(instance: Instance, width: float) -> Blocks:
    width -= _BAR
    inner = [*blocks.paragraph((markup.Span("bold", "Solution"),), _TEXT, width),
             *blocks.text(instance.explanation, _TEXT, width)]
    for why in whys(instance):
        inner += blocks.marked("•", markup.line("option " + why), _SMALL, width, 12)
    inner += blocks.paragraph((markup.Span("text", "Source: " + instance.template.source),), _SMALL, width)
    return [blocks.gap(2), *blocks.barred(inner, _BAR)]


def _question(instance: Instance, with_key: bool, width: float) -> Blocks:
    title = f": {instance.template.title}" if with_key else ""
    figure = [] if instance.figure is None else picture(figures.make(instance.figure), width)
    return [*_line(heading(instance) + title, _H2, width), *blocks.text(instance.stem, _TEXT, width), *figure,
            *_options(instance, with_key, width), *_parts(instance, with_key, width),
            *(_solution(instance, width) if with_key else [])]


def _pages(head: Blocks, questions: list[Blocks], top: float) -> list[list[tuple[float, Block]]]:
    """Blocks with their upper edges. A question stays on one page when a page can hold it."""
    pages: list[list[tuple[float, Block]]] = [[]]
    y = top
    for group in [head, *questions]:
        whole = sum(block.height for block in group)
        for number, block in enumerate(group):
            needed = whole if number == 0 and whole <= top - _BOTTOM else block.height
            if y - needed < _BOTTOM and pages[-1]:
                pages.append([])
                y = top
            pages[-1].append((y, block))
            y -= block.height
        y -= 14
    return pages


def _title(quiz: Quiz, with_key: bool) -> str:
    return quiz.title + (": answer key" if with_key else "")


def new_canvas(out: io.BytesIO, title: str, paper: Paper) -> Canvas:
    register_fonts()
    rl_config.invariant = 1  # no dates, no random identifiers
    canvas = Canvas(out, pagesize=(paper.width, paper.height), invariant=1, initialFontName="Sans")
    for setter, text in ((canvas.setTitle, title), (canvas.setAuthor, ""), (canvas.setCreator, ""), (canvas.setSubject, "")):
        setter(text)
    return canvas


def add_sheet(canvas: Canvas, quiz: Quiz, with_key: bool, paper: Paper, name: str = "") -> int:
    """Writes the pages of a quiz, with a line for the student's name where none is given. Returns their number."""
    title, width = _title(quiz, with_key), paper.room
    variant = f", variant {quiz.variant}" if quiz.variant else ""
    head = [*_line(title, _H1, width), *_line(f"{points_text(quiz.points_milli)} points, {len(quiz.instances)} questions"
                                              f"{variant}.", _SMALL, width)]
    if not with_key:
        head += [blocks.gap(4), *blocks.paragraph((markup.Span("text", f"Name: {name or '_' * 40}"),), _TEXT, width)]
    for rule in scorings(quiz):
        head += _line(rule, _SMALL, width)
    pages = _pages(head, [_question(instance, with_key, width) for instance in quiz.instances], paper.top)
    for number, page in enumerate(pages, start=1):
        for y, block in page:
            block.draw(canvas, _LEFT, y)
        footer = [Run(f"{title}{variant}  ·  {quiz.sha256[:12]}  ·  page {number} of {len(pages)}", "Sans", 7)]
        draw(canvas, footer, (paper.width - footer[0].width) / 2, 10 * mm, GREY)
        canvas.showPage()
    return len(pages)


def to_pdf(quiz: Quiz, with_key: bool) -> bytes:
    out = io.BytesIO()
    canvas = new_canvas(out, _title(quiz, with_key), PAPERS["a4"])
    add_sheet(canvas, quiz, with_key, PAPERS["a4"])
    canvas.save()
    return out.getvalue()
