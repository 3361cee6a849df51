"""Points of a quiz as files that Canvas and Moodle import into their gradebooks, matched by the student's login.

Canvas (Grades, Import): Student, ID, SIS User ID, SIS Login ID, Section, then the quiz with its points possible in the second line.
Moodle (Grades, Import, CSV file): map username to username and the other column to the grade item.
"""
import csv
import io

from .grade import Graded
from .quiz import points_text

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def _table(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def canvas(title: str, graded: list[Graded]) -> str:
    rows = [[*CANVAS, title], ["    Points Possible", "", "", "", "", points_text(graded[0].possible_milli)]]
    return _table(rows + [[one.student, "", "", one.student, "", points_text(one.total_milli)] for one in graded])


def moodle(title: str, graded: list[Graded]) -> str:
    return _table([["username", title]] + [[one.student, points_text(one.total_milli)] for one in graded])


PLATFORMS = {"canvas": canvas, "moodle": moodle}
