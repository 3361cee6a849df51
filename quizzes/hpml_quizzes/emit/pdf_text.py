"""Lines of text on a PDF page: fonts, widths, line breaks. Platypus, reportlab's own layout, takes several times
as long, which a class with a sheet and a key per student feels."""
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from .. import typeset
from ..errors import InfraError
from ..markup import Span, Spans

FONTS = Path("/usr/share/fonts/truetype/dejavu")
_FILES = {"Sans": "DejaVuSans.ttf", "Sans-Bold": "DejaVuSans-Bold.ttf", "Mono": "DejaVuSansMono.ttf"}
INK, GREY = "#1a1a1a", "#4d4d4d"


@dataclass(frozen=True)
class Style:
    size: float
    leading: float
    colour: str = INK
    bold: bool = False
    after: float = 0.0      # space below the paragraph


class Run(NamedTuple):
    """Text in one font."""
    text: str
    face: str
    size: float
    rise: float = 0.0

    @property
    def width(self) -> float:
        return _unit_width(self.face, self.text) * self.size


Runs = list[Run]


@lru_cache(maxsize=1)
def register_fonts() -> None:
    for name, file in _FILES.items():
        if not (FONTS / file).is_file():
            raise InfraError(f"{FONTS / file} is not there; install the package fonts-dejavu-core")
        pdfmetrics.registerFont(TTFont(name, str(FONTS / file)))


@lru_cache(maxsize=65536)
def _unit_width(face: str, text: str) -> float:
    return pdfmetrics.stringWidth(text, face, 1)


def has_letters(text: str) -> bool:
    """Can the fonts write it? Not what they have no glyphs for, nor what is written from right to left, whose letters they would
    set in the wrong order."""
    register_fonts()
    glyphs = pdfmetrics.getFont("Sans-Bold").face.charToGlyph  # the smaller of the two for text
    return all(ord(letter) in glyphs and unicodedata.bidirectional(letter) not in ("R", "AL") for letter in text)


def fitted(text: str, face: str, size: float, width: float) -> str:
    """The text, or as much of it as there is room for, with an ellipsis."""
    if Run(text, face, size).width <= width:
        return text
    while text and Run(text + "…", face, size).width > width:
        text = text[:-1]
    return text.rstrip() + "…"


def _run(span: Span, style: Style) -> Run:
    face = "Sans-Bold" if style.bold or span.kind == "bold" else "Sans"
    if span.kind == "code":
        return Run(span.text, "Mono", style.size * 0.9)
    if span.kind == "sup":
        return Run(span.text, face, style.size * 0.74, style.size * 0.38)
    if span.kind == "sub":
        return Run(span.text, face, style.size * 0.74, style.size * -0.18)
    return Run(span.text, face, style.size)


def _width(runs: Runs) -> float:
    return sum(run.width for run in runs)


@lru_cache(maxsize=64)
def _space(style: Style) -> Run:
    return Run(" ", "Sans-Bold" if style.bold else "Sans", style.size)


def _font(run: Run) -> tuple[str, float, float]:
    return run.face, run.size, run.rise


def _merged(runs: Runs) -> Runs:
    return [Run("".join(run.text for run in same), *font) for font, same in groupby(runs, _font)]


def _in_words(words: tuple[typeset.Word, ...], style: Style) -> Runs:
    runs: Runs = []
    for word in words:
        runs += [_space(style)] if runs else []
        runs += [_run(span, style) for span in word.spans]
    return runs


def cut(runs: Runs, width: float) -> list[Runs]:
    """A word that is wider than the line: cut where the line ends."""
    pieces: list[Runs] = [[]]
    used = 0.0
    for run in runs:
        for character in run.text:
            one = run._replace(text=character)
            if used + one.width > width and pieces[-1]:
                pieces.append([])
                used = 0.0
            pieces[-1].append(one)
            used += one.width
    return [_merged(piece) for piece in pieces]


def _pieces(group: typeset.Group, style: Style, width: float) -> list[Runs]:
    runs = _in_words(group, style)
    if _width(runs) <= width:
        return [runs]
    words: list[Runs] = []
    for word in group:
        for number, span in enumerate(word.spans):
            parts = span.text.split(" ")  # code is only cut when it must be
            for place, part in enumerate(parts):
                if number == 0 or place:
                    words.append([])
                words[-1].append(_run(replace(span, text=part), style))
    return [piece for word in words for piece in (cut(word, width) if _width(word) > width else [word])]


@lru_cache(maxsize=4096)
def broken(spans: Spans, style: Style, width: float) -> tuple[Runs, ...]:
    """The lines of a paragraph. Remembered, because a sheet and its key have most of them in common."""
    lines: list[Runs] = []
    used, space = 0.0, _space(style)
    for group in typeset.groups(spans):
        for piece in _pieces(group, style, width):
            size = _width(piece)
            if lines and used + space.width + size <= width:
                lines[-1] += [space, *piece]
                used += space.width + size
            else:
                lines.append(list(piece))
                used = size
    return tuple(_merged(line) for line in lines)


def natural_width(spans: Spans, style: Style) -> float:
    return _width(_in_words(tuple(typeset.words(spans)), style))


_colour = lru_cache(HexColor)


def draw(canvas: Canvas, runs: Runs, x: float, y: float, colour: str) -> None:
    """y: of the base line."""
    text = canvas.beginText(x, y)
    text.setFillColor(_colour(colour))
    rise = 0.0
    for run in runs:
        text.setFont(run.face, run.size)
        if run.rise != rise:
            text.setRise(run.rise)
            rise = run.rise
        text.textOut(run.text)
    if rise:
        text.setRise(0)  # it would stay for the next line
    canvas.drawText(text)
