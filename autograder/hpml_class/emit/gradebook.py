"""CSV for the gradebook: one line per hand-in."""
from collections.abc import Iterable, Sequence

import hpml_gradebook

from ..marks import Record, decimal, deduction, earned, exercises, net, of_exercise
from .escape import one_line


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
    return hpml_gradebook.table([columns, *([one_line(row.get(name, "")) for name in columns] for row in rows)])
