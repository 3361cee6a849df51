"""Where everything stands on an answer form: the one description that the writer and the reader of forms share.

Lengths are millimetres from the upper left corner of the page. A field is one thing to answer: the options of a question, or
one of its blanks as a grid with a column for each character. It follows from the question's entry in the key file, of which
it tells nothing but the kind of answer.
"""
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

from ..emit.common import part_name
from ..errors import UsageError

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}   # width, height
MARK_SIDE, MARK_CENTRE = 6.0, 10.0  # the black squares in the corners; their centres' distance from both edges
CODE_SIDE, CODE_TOP, CODE_EDGE = 24.0, 18.0, 18.0           # the QR code; its distance from the upper and right edge
TOP, BOTTOM, SIDE = 49.0, 17.0, 13.0    # margins of the fields
PER_ROW = 4                             # fields beside each other
RADIUS = 1.4                            # of a bubble
PITCH, COLUMNS, GRID_LEFT = 3.8, 11, 3.6
GRID_TOP = 10.0                         # from a grid's upper edge to its first row: heading and boxes to write in
OPTION_PITCH, OPTIONS_PER_LINE, OPTIONS_LEFT, LINE = 7.2, 5, 12.0, 6.0
HAND_HEIGHT = 16.0
GAP = 1.5
NUMBER, SIZES = "-.0123456789", "x0123456789"
MAGIC = "HPML1"


@dataclass(frozen=True)
class Field:
    question: str
    part: int               # place of the blank, from 0
    parts: int              # of the question; 0 where it has options
    kind: str               # "options", "grid", or "hand" for an answer in words, which no machine reads
    several: bool = False   # of the options, more than one may be marked
    count: int = 0          # options
    rows: str = ""          # characters of a grid
    unit: str = ""
    x: float = 0.0
    y: float = 0.0

    @property
    def label(self) -> str:
        return self.question + (part_name(self.part) if self.parts > 1 else "")

    @property
    def height(self) -> float:
        if self.kind == "options":
            return LINE * ceil(self.count / OPTIONS_PER_LINE) + GAP
        return HAND_HEIGHT if self.kind == "hand" else GRID_TOP + PITCH * len(self.rows) + GAP

    def option_centres(self) -> Iterator[tuple[float, float]]:
        for place in range(self.count):
            line, column = divmod(place, OPTIONS_PER_LINE)
            yield self.x + OPTIONS_LEFT + OPTION_PITCH * column, self.y + LINE * (line + 0.5)

    def grid_centres(self, column: int) -> Iterator[tuple[float, float]]:
        """Of the bubbles in one column, in the order of `rows`."""
        for row in range(len(self.rows)):
            yield self.x + GRID_LEFT + PITCH * (column + 0.5), self.y + GRID_TOP + PITCH * (row + 0.5)


@dataclass(frozen=True)
class Code:
    """What the QR code says: whose form, of which quiz and variant, on which paper, which page of it."""
    quiz: str
    variant: str
    student: str
    paper: str
    page: int

    def text(self) -> str:
        return "|".join((MAGIC, self.quiz, self.variant, self.student, self.paper, str(self.page)))


def parse_code(text: str) -> Code | None:
    words = text.split("|")
    if len(words) != 6 or words[0] != MAGIC or words[4] not in PAPERS or not words[5].isdecimal():
        return None
    return Code(words[1], words[2], words[3], words[4], int(words[5]))


def _fields(key: dict[str, dict]) -> Iterator[Field]:
    for number, entry in key.items():
        if "options" in entry:
            yield Field(number, 0, 0, "options", entry["kind"] == "ms", len(entry["options"]))
        for place, part in enumerate(entry.get("parts", ())):
            unit = part.get("unit", "")
            common = Field(number, place, len(entry["parts"]), "grid", unit="" if unit == "none" else unit)
            if "accept" not in part:
                yield replace(common, rows=NUMBER)
            elif all(set(text.lower()) <= {*SIZES, "*"} for text in part["accept"]):
                yield replace(common, rows=SIZES)
            else:
                yield replace(common, kind="hand")


def columns_of(paper: str) -> list[float]:
    """Left edges of the fields."""
    width = (PAPERS[paper][0] - 2 * SIDE) / PER_ROW
    return [SIDE + width * column for column in range(PER_ROW)]


def pages(key: dict[str, dict], paper: str) -> list[list[Field]]:
    """The fields of each page, filled column by column. Raises UsageError where an answer is too long for its grid."""
    end = PAPERS[paper][1] - BOTTOM
    lefts = columns_of(paper)
    placed: list[list[Field]] = [[]]
    column, y = 0, TOP
    for field in _fields(key):
        if y + field.height > end:
            column, y = column + 1, TOP
        if column == PER_ROW:
            placed.append([])
            column = 0
        placed[-1].append(replace(field, x=lefts[column], y=y))
        y += field.height
    _check_lengths(key)
    return placed


def _check_lengths(key: dict[str, dict]) -> None:
    for number, entry in key.items():
        for part in entry.get("parts", ()):
            texts = [text for text in part["accept"] if set(text.lower()) <= set(SIZES)] if "accept" in part else [part["value"]]
            for text in texts:
                if len(text) > COLUMNS:
                    raise UsageError(f"question {number}: an answer of {len(text)} characters does not fit a form's {COLUMNS} columns")
