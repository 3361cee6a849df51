"""A part of a terminal session as an SVG picture: commands stand out, and the marks of lanes and banks have colours."""
import re
from collections.abc import Iterable
from xml.sax.saxutils import escape

ADVANCE, LINE, MARGIN = 7.83, 18, 14  # of DejaVu Sans Mono at 13 pixels
PROMPT = "(gpusim) "
BACKGROUND, TEXT, QUIET, COMMAND = "#10151c", "#d8dee6", "#8b98a8", "#7fd18b"
MARKS = {"#": "#3f8f5b", ".": "#39434f", "[": "#a8761f"}  # lanes that are active, that are not; words of the next access
STRIP = re.compile(r"(?<![^ ])[#.-]{32}(?![^ ])")
SHARED = re.compile(r" *\d+ ([\[ ][^\]\s]+[\] ])+")  # a row of shared memory
WORD = re.compile(r"\[[^\]\s]+\]")


def drawing(lines: Iterable[str], title: str) -> str:
    """`lines` as `gpusim debug --batch` prints them. The same lines give the same bytes."""
    lines = list(lines)
    width = round(2 * MARGIN + ADVANCE * max(map(len, lines)))
    height = 2 * MARGIN + LINE * len(lines)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
           f' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">',
           f"<title>{escape(title)}</title>", f'<rect width="{width}" height="{height}" rx="6" fill="{BACKGROUND}"/>']
    for row, line in enumerate(lines):
        top = MARGIN + LINE * row
        out += [box(match.start() + at, top, MARKS[kind]) for match, at, kind in marks(line)]
        out += [words(0, top, PROMPT.rstrip(), QUIET), words(len(PROMPT), top, line[len(PROMPT):], COMMAND)] \
            if line.startswith(PROMPT) else [words(0, top, line, TEXT)]
    return "\n".join([*out, "</svg>"]) + "\n"


def marks(line: str) -> Iterable[tuple[re.Match, int, str]]:
    """The characters of `line` that get a box: its match, the place in it, the kind."""
    for match in STRIP.finditer(line):
        yield from ((match, at, kind) for at, kind in enumerate(match[0]) if kind in MARKS)
    if SHARED.fullmatch(line):
        for match in WORD.finditer(line):
            yield from ((match, at, "[") for at in range(len(match[0])))


def box(column: int, top: float, fill: str) -> str:
    return f'<rect x="{MARGIN + ADVANCE * column:.2f}" y="{top}" width="{ADVANCE:.2f}" height="{LINE - 2}" fill="{fill}"/>'


def words(column: int, top: float, text: str, fill: str) -> str:
    """With its length given, so that it keeps its columns in whichever font the reader has."""
    length = f' textLength="{ADVANCE * len(text):.2f}" lengthAdjust="spacingAndGlyphs"' if text.strip() else ""
    return f'<text x="{MARGIN + ADVANCE * column:.2f}" y="{top + 13}" fill="{fill}" xml:space="preserve"{length}>{escape(text)}</text>'
