"""course.toml, receipts.csv, extensions.csv: what a course knows and the repository does not hold.

    schema = "hpml.course/v1"                  # course.toml
    keep = "best"                              # of a student's hand-ins: best or last
    compiler = "clang"                         # of CUDA programs: every score of record comes from this one
    title = "HPML, autumn 2026"                # for the semester's page
    start = 2026-09-07                         # first day of week 1
    [due]
    lab3 = 2026-11-20T23:59:00Z
    [quizzes]
    quiz1 = 2026-09-25T15:00:00Z
    [late]
    policy = "percent_per_day"
    percent = 10
    max_days = 3

receipts.csv: handin,received_at[,student]     extensions.csv: student,lab,due_at
"""
import csv
import dataclasses
import datetime
import itertools
import tomllib
import unicodedata
from collections.abc import Callable, Collection, Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hpml_autograder.paths import known_labs
from hpml_autograder.strict import fill

from .errors import UsageError
from .late import USES, Policy, as_utc, utc

SCHEMA = "hpml.course/v1"
KEEP = ("best", "last")
COMPILERS = ("clang", "nvcc")
SEMESTER = datetime.timedelta(days=183)
RECEIPTS, EXTENSIONS = "receipts.csv", "extensions.csv"
RECEIPT_COLUMNS, EXTENSION_COLUMNS = ("handin", "received_at"), ("student", "lab", "due_at")

Row = dict[str, str]


@dataclass(frozen=True)
class Course:
    schema: str = SCHEMA
    keep: str = "best"
    compiler: str = "clang"  # counters differ between compilers, so a course has one, whatever a machine has installed
    title: str = ""
    start: Any = None        # date of the first day of week 1
    due: dict[str, Any] = field(default_factory=dict)   # in the time zone of the file, in which people read them
    quizzes: dict[str, Any] = field(default_factory=dict)
    late: Policy = Policy()

    def due_at(self, lab: str) -> datetime.datetime | None:
        return as_utc(self.due[lab], lab) if lab in self.due else None


@dataclass(frozen=True)
class Receipt:
    received_at: datetime.datetime | None = None
    student: str = ""


def load_course(path: Path | None) -> Course:
    if path is None:
        return Course()
    table = _table(path)
    try:
        course = fill(Course, table, str(path))
    except UsageError as error:  # of the late policy, which knows no file
        raise UsageError(str(error) if str(path) in str(error) else f"{path}: {error}") from error
    for problem in itertools.chain(_problems(course, path), _contradictions(course, path)):
        raise problem
    return course


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from error


def _problems(course: Course, path: Path) -> Iterator[UsageError]:
    """What is wrong with values whose types are right."""
    for lab in sorted(set(course.due) - set(known_labs())):
        yield UsageError(f"{path}: due.{lab}: there is no such lab; there are {', '.join(known_labs())}")
    if course.schema != SCHEMA:
        yield UsageError(f"{path}: schema is '{course.schema}'; it must be '{SCHEMA}'")
    if course.keep not in KEEP:
        yield UsageError(f"{path}: keep is '{course.keep}'; it must be one of {', '.join(KEEP)}")
    if course.compiler not in COMPILERS:
        yield UsageError(f"{path}: compiler must be one of {', '.join(COMPILERS)}")
    if course.start is not None and (isinstance(course.start, datetime.datetime) or not isinstance(course.start, datetime.date)):
        yield UsageError(f"{path}: start = {course.start!r} is no date; write start = 2026-09-07, without quotes and time")
    for name in ("due", "quizzes"):
        for key, time in getattr(course, name).items():
            try:
                if not isinstance(time, datetime.datetime):
                    raise UsageError(f"it is no date and time; write {key} = 2026-11-20T23:59:00Z, without quotes")
                as_utc(time, str(time))
            except UsageError as error:
                yield UsageError(f"{path}: {name}.{key}: {error}")


def _contradictions(course: Course, path: Path) -> Iterator[UsageError]:
    """What is wrong with values that are right each by itself: a policy that costs nothing, a due time of another year."""
    late, uses = course.late, USES[course.late.policy]
    if late.policy in ("percent_per_day", "points_per_day", "budget") and not getattr(late, uses[0]):
        yield UsageError(f"{path}: late.policy = \"{late.policy}\" without late.{uses[0]}: late days would cost nothing; "
                         f"give {uses[0]}, or policy = \"none\"")
    for setting in dataclasses.fields(late):
        value = getattr(late, setting.name)
        if setting.name not in ("policy", *uses) and value != setting.default:
            yield UsageError(f"{path}: late.{setting.name} = {value} has no effect with late.policy = \"{late.policy}\"; leave it out, or give "
                             f"the policy that uses it: {', '.join(name for name, used in USES.items() if setting.name in used)}")
    for name in ("due", "quizzes"):
        for key, time in getattr(course, name).items() if course.start is not None else ():
            if not course.start <= time.date() <= course.start + SEMESTER:
                yield UsageError(f"{path}: {name}.{key} = {time:%Y-%m-%d} is not in the half year from the first week, "
                                 f"which begins on {course.start}")


def _pieces(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The table's settings, each by itself."""
    for key, value in table.items():
        if key in ("late", "due", "quizzes") and isinstance(value, dict):
            yield from ({key: {inner: one}} for inner, one in value.items())
        else:
            yield {key: value}


def _of_course(table: dict[str, Any], path: Path) -> list[str]:
    """The mistakes of course.toml: of each setting, then those between the settings that are right."""
    found: list[str] = []
    right: dict[str, Any] = {}
    wrong: set[str] = set()
    for piece in _pieces(table):
        try:
            problems = list(map(str, _problems(fill(Course, piece, str(path)), path)))
        except UsageError as error:
            problems = [str(error) if str(path) in str(error) else f"{path}: {error}"]
        found += problems
        (key, value), = piece.items()
        if problems:
            wrong.add(key)
        else:
            right[key] = {**right.get(key, {}), **value} if isinstance(value, dict) else value
    if "late" in wrong:
        right.pop("late", None)     # half a policy says nothing about the whole
    return found + list(map(str, _contradictions(fill(Course, right, str(path)), path)))


def mistakes(folder: Path, quizzes: Collection[str] = ()) -> list[str]:
    """Everything that is wrong with a semester's files, not the first of it alone. quizzes: those that there are."""
    found: list[str] = []
    course = folder / "course.toml"
    try:
        table = _table(course)
        found += [f"{course}: quizzes.{name}: there is no such quiz; there are {', '.join(quizzes)}"
                  for name in table.get("quizzes", {}) if quizzes and name not in quizzes]
        found += _of_course(table, course)
    except UsageError as error:
        found.append(str(error))
    for name, columns, read in ((RECEIPTS, RECEIPT_COLUMNS, _receipt), (EXTENSIONS, EXTENSION_COLUMNS, _extension)):
        if not (folder / name).is_file():
            continue
        try:
            rows = _read(folder / name, columns)
        except UsageError as error:
            found.append(str(error))
            continue
        keys: set[Any] = set()
        for where, row in rows:
            try:
                key, _ = read(where, row)
                _refuse_second(key, keys, where)
                keys.add(key)
            except UsageError as error:
                found.append(str(error))
    return list(dict.fromkeys(found))


def load_receipts(path: Path | None) -> dict[str, Receipt]:
    return _loaded(path, RECEIPT_COLUMNS, _receipt)


def _receipt(where: str, row: Row) -> tuple[str, Receipt]:
    _full(where, row, RECEIPT_COLUMNS)
    return row["handin"], Receipt(_time(row["received_at"], where), row.get("student") or "")


def load_extensions(path: Path | None) -> dict[tuple[str, str], datetime.datetime]:
    return _loaded(path, EXTENSION_COLUMNS, _extension)


def _extension(where: str, row: Row) -> tuple[tuple[str, str], datetime.datetime]:
    _full(where, row, EXTENSION_COLUMNS)
    if row["lab"] not in known_labs():
        raise UsageError(f"{where}: there is no lab '{row['lab']}'; there are {', '.join(known_labs())}")
    return (row["student"], row["lab"]), _time(row["due_at"], where)


def _refuse_second(key: Any, known: Container[Any], where: str) -> None:
    """Which of two lines counts would else depend on their order."""
    if key in known:
        raise UsageError(f"{where}: a second line for {key if isinstance(key, str) else ' and '.join(key)}")


def _time(text: str, where: str) -> datetime.datetime:
    try:
        return utc(text)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from error


def _loaded(path: Path | None, columns: tuple[str, ...], read: Callable[[str, Row], tuple[Any, Any]]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for where, row in [] if path is None else _read(path, columns):
        key, value = read(where, row)
        _refuse_second(key, found, where)
        found[key] = value
    return found


def _read(path: Path, needed: tuple[str, ...]) -> list[tuple[str, Row]]:
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            rows = [(f"{path}:{reader.line_num}", _composed(row)) for row in reader]
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from error
    missing = [name for name in needed if name not in (reader.fieldnames or ())]
    if missing:
        raise UsageError(f"{path}: no column '{missing[0]}'; expected {','.join(needed)}")
    return rows


def _composed(row: Row) -> Row:
    """Names as hand-ins have them, whatever form of Unicode and spaces around them the spreadsheet has written."""
    return {name: unicodedata.normalize("NFC", value).strip() if isinstance(value, str) else value for name, value in row.items()}


def _full(where: str, row: Row, needed: tuple[str, ...]) -> None:
    if None in row:
        raise UsageError(f"{where}: more fields than the first line names; a name with a comma stands in quotes: \"Ng, Ana\"")
    if any(not row[name] for name in needed):
        raise UsageError(f"{where}: an empty field; every line needs {','.join(needed)}")
