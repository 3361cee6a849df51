"""CSV files for gradebooks: what labs and quizzes both hand to spreadsheets, Canvas and Moodle.

Canvas (Grades, Import): Student, ID, SIS User ID, SIS Login ID, Section, then the assignment with its points possible in the second
line. Moodle (Grades, Import, CSV file): map username to username and the other column to the grade item. A student without a grade
gets no line, so that a grade that is there stays. Points are decimal text.
"""
import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the wide ones are read as the narrow ones
INNER = re.compile(r"""([;|]["\s]*)(?=[=+@\uff1d\uff0b\uff0d\uff20-])""")  # begins a cell where semicolons part cells


@dataclass(frozen=True)
class Grade:
    login: str
    points: str


def cell(text: str) -> str:
    """One line that a spreadsheet does not take for a formula: an apostrophe goes before what would begin one. Numbers stay."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    text = INNER.sub(r"\1'", text)
    is_number = text.lstrip("-").replace(".", "", 1).isdigit()
    return f"'{text}" if text.startswith(FORMULA) and not is_number else text


def table(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([cell(str(one)) for one in row] for row in rows)
    return text.getvalue()


def canvas(title: str, possible: str, grades: Iterable[Grade]) -> str:
    # Canvas recognises the second line by these words; the spaces are its own.
    head = table([[*CANVAS, title]]) + f"    Points Possible,,,,,{possible}\n"
    return head + table([one.login, "", "", one.login, "", one.points] for one in grades)


def moodle(title: str, grades: Iterable[Grade]) -> str:
    return table([["username", title], *([one.login, one.points] for one in grades)])
