"""course.toml, receipts.csv, extensions.csv: what a course knows and the repository does not hold.

    schema = "hpml.course/v1"                  # course.toml
    keep = "best"                              # of a student's hand-ins: best or last
    compiler = "clang"                         # of CUDA programs: every score of record comes from this one
    [due]
    lab3 = 2026-11-20T23:59:00Z
    [late]
    policy = "percent_per_day"
    percent = 10
    max_days = 3

receipts.csv: handin,received_at[,student]     extensions.csv: student,lab,due_at
"""
import csv
import datetime
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hpml_autograder.paths import known_labs
from hpml_autograder.strict import fill

from .errors import UsageError
from .late import Policy, as_utc, utc

SCHEMA = "hpml.course/v1"
KEEP = ("best", "last")
COMPILERS = ("clang", "nvcc")


@dataclass(frozen=True)
class Course:
    schema: str = SCHEMA
    keep: str = "best"
    compiler: str = "clang"  # counters differ between compilers, so a course has one, whatever a machine has installed
    due: dict[str, Any] = field(default_factory=dict)
    late: Policy = Policy()

    def due_at(self, lab: str) -> datetime.datetime | None:
        return self.due.get(lab)


@dataclass(frozen=True)
class Receipt:
    received_at: datetime.datetime | None = None
    student: str = ""


def load_course(path: Path | None) -> Course:
    if path is None:
        return Course()
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from error
    try:
        course = fill(Course, table, str(path))
    except UsageError as error:  # of the late policy, which knows no file
        raise UsageError(str(error) if str(path) in str(error) else f"{path}: {error}") from error
    unknown = sorted(set(course.due) - set(known_labs()))
    if unknown:
        raise UsageError(f"{path}: due.{unknown[0]}: there is no such lab; there are {', '.join(known_labs())}")
    if course.schema != SCHEMA or course.keep not in KEEP:
        raise UsageError(f"{path}: schema must be '{SCHEMA}' and keep one of {', '.join(KEEP)}")
    if course.compiler not in COMPILERS:
        raise UsageError(f"{path}: compiler must be one of {', '.join(COMPILERS)}")
    due = {}
    for lab, time in course.due.items():
        if not isinstance(time, datetime.datetime):
            raise UsageError(f"{path}: due.{lab} is no date and time; write {lab} = 2026-11-20T23:59:00Z")
        due[lab] = as_utc(time, f"{path}: due.{lab} = {time}")
    return replace(course, due=due)


def load_receipts(path: Path | None) -> dict[str, Receipt]:
    rows = _rows(path, ("handin", "received_at"))
    return {row["handin"]: Receipt(_time(row["received_at"], where), (row.get("student") or "").strip())
            for where, row in rows}


def load_extensions(path: Path | None) -> dict[tuple[str, str], datetime.datetime]:
    found = {}
    for where, row in _rows(path, ("student", "lab", "due_at")):
        if row["lab"] not in known_labs():
            raise UsageError(f"{where}: there is no lab '{row['lab']}'; there are {', '.join(known_labs())}")
        if (row["student"], row["lab"]) in found:
            raise UsageError(f"{where}: a second extension of {row['lab']} for {row['student']}")
        found[row["student"], row["lab"]] = _time(row["due_at"], where)
    return found


def _time(text: str, where: str) -> datetime.datetime:
    try:
        return utc(text)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from error


def _rows(path: Path | None, needed: tuple[str, ...]) -> list[tuple[str, dict[str, str]]]:
    if path is None:
        return []
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            rows = [(f"{path}:{reader.line_num}", row) for row in reader]
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from error
    missing = [name for name in needed if name not in (reader.fieldnames or ())]
    if missing:
        raise UsageError(f"{path}: no column '{missing[0]}'; expected {','.join(needed)}")
    for where, row in rows:
        if any(not row[name] for name in needed):
            raise UsageError(f"{where}: an empty field; every line needs {','.join(needed)}")
    return rows
