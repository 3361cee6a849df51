"""The list of students who each get a variant of their own."""
import csv
import re
from pathlib import Path

from .errors import UsageError
from .paths import relative
from .responses import STUDENT_COLUMNS, columns_are


NAME_COLUMNS = ("name", "full name")
CANVAS = "sis login id"                                        # the column of a Canvas gradebook that can name a folder
NO_STUDENTS = ("points possible", "student, test", "test student")  # rows of a Canvas gradebook


def read(path: Path) -> list[str]:
    """Names for files, in the order of the roster."""
    return list(read_named(path))


def read_named(path: Path) -> dict[str, str]:
    """What people call them, by the names for files, in the order of the roster.

    A student is named by the column student (id, login, name, user), and called what a column `name` beside it says; in a
    gradebook exported from Canvas the columns are SIS Login ID and Student ("Ng, Ana").
    """
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = [(reader.line_num, row) for reader in [csv.reader(file, strict=True)] for row in reader if any(row)]
    except FileNotFoundError:
        raise UsageError(f"STUDENTS={path}: there is no such file") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise UsageError(f"{relative(path)}: not a CSV file in UTF-8: {error}") from None
    if not rows:
        raise UsageError(f"{relative(path)}:1: the roster is empty; its first line must be: student")
    header = [cell.strip().lower() for cell in rows[0][1]]
    column = next((header.index(name) for name in (CANVAS, *STUDENT_COLUMNS) if name in header), None)
    if column is None:
        raise UsageError(f"{relative(path)}:1: no column names the student; the first line must be: student. {columns_are(header)}")
    called = next((header.index(name) for name in ("student",) * (header[column] == CANVAS) + NAME_COLUMNS if name in header), column)
    students: dict[str, str] = {}
    for line, row in rows[1:]:
        if header[column] == CANVAS and row[0].strip().lower() in NO_STUDENTS:
            continue
        name = row[column].strip() if column < len(row) else ""
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}", name):
            raise UsageError(f"{relative(path)}:{line}: '{name}' cannot name a folder; use letters, digits and . _ @ -")
        other = next((one for one in students if one.lower() == name.lower()), None)  # one folder where case does not count
        if other is not None:
            raise UsageError(f"{relative(path)}:{line}: student {name} is there twice" + ("" if other == name else f", as {other} before"))
        students[name] = row[called].strip() if called < len(row) else name
    if not students:
        raise UsageError(f"{relative(path)}: there is no student in it")
    return students
