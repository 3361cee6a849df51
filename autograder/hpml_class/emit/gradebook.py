"""CSV for the gradebook: one line per hand-in; a spreadsheet must not take a name for a formula."""
import csv
import io
from collections.abc import Iterable, Sequence

from ..marks import Record, decimal, deduction, earned, exercises, net, of_exercise
from .escape import one_line

FORMULA = ("=", "+", "-", "@", "\t")


def render(record: Record, options: dict[str, str]) -> str:
    return table([record])


def table(records: Iterable[Record]) -> str:
    return write((row_of(record) for record in records))


def row_of(record: Record) -> dict[str, str]:
    points = {exercise: decimal(earned(of_exercise(record, exercise))) for exercise in exercises(record)}
    submission = record["submission"]  # a platform knows the student; a hand-in may be called otherwise
    return {"id": submission.get("student") or submission["id"], **points, "total": decimal(net(record)), "late": decimal(-deduction(record)),
            "status": record["status"], "record_sha256": record["record_sha256"]}


def write(rows: Iterable[dict[str, str]]) -> str:
    """Exercise columns are those of the first row that has any: all rows of a class are of one lab."""
    rows = list(rows)
    columns: Sequence[str] = max((list(row) for row in rows), key=len, default=[])
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: cell(value) for name, value in row.items()})
    return text.getvalue()


def cell(text: str) -> str:
    text = one_line(text)
    is_number = text.lstrip("-").replace(".", "", 1).isdigit()
    return f"'{text}" if text.startswith(FORMULA) and not is_number else text
