"""The class's totals as files that Canvas and Moodle import into their gradebooks, matched by the student's login.

Canvas (Grades, Import): Student, ID, SIS User ID, SIS Login ID, Section, then the assignment with its points possible in the second
line. Moodle (Grades, Import, CSV file): map username to username and the other column to the grade item. A record that is pending or
was not graded has no line, so that a grade that is there stays.
"""
import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from ..marks import decimal
from .gradebook import cell

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


@dataclass(frozen=True)
class Grade:
    login: str
    millipoints: int


def _table(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def canvas(title: str, possible: int, grades: Sequence[Grade]) -> str:
    rows = [[*CANVAS, cell(title)], ["    Points Possible", "", "", "", "", decimal(possible)]]
    return _table(rows + [[cell(one.login), "", "", cell(one.login), "", decimal(one.millipoints)] for one in grades])


def moodle(title: str, grades: Sequence[Grade]) -> str:
    return _table([["username", cell(title)]] + [[cell(one.login), decimal(one.millipoints)] for one in grades])
