"""hpml quiz grade RESPONSES.csv: points per student and question."""
import csv
import difflib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .errors import UsageError
from .paths import relative
from .quiz import points_text
from .scoring import BadResponse, entry_score, unit_notes

Key = dict[str, dict]
STUDENT_COLUMNS = ("student", "id", "login", "name", "user")


@dataclass(frozen=True)
class Graded:
    student: str
    points_milli: dict[str, int]   # by number of the question
    notes: tuple[str, ...] = ()    # what somebody should look at: an answer in another unit

    @property
    def total_milli(self) -> int:
        return sum(self.points_milli.values())


def read_key(path: Path) -> Key:
    try:
        key = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{relative(path)} is not there; `make quizzes` writes the keys") from None
    except ValueError as error:
        raise UsageError(f"{relative(path)}: not JSON: {error}") from None
    return key


def keys_of(folder: Path, students: Iterable[str], path: Path) -> dict[str, Key]:
    """Where every student has a sheet of their own, each one's own key; else that of the quiz. Who has no sheet is refused:
    another's key would give points for other numbers."""
    if not (folder / "keys").is_dir():
        return dict.fromkeys(students, read_key(folder / "key.json"))
    drawn = {one.name for one in (folder / "keys").iterdir()}
    unknown = [student for student in students if student not in drawn]
    if unknown:
        near = difflib.get_close_matches(unknown[0], drawn, 1)
        raise UsageError(f"{relative(path)}: no sheet was drawn for {', '.join(unknown[:10])}{' ...' if len(unknown) > 10 else ''} "
                         f"({len(drawn)} students have one)" + (f"; did you mean {near[0]}?" if near else ""))
    return {student: read_key(folder / "keys" / student / "key.json") for student in students}


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, strict=True)
            rows = [(reader.line_num, row) for row in reader]
            header = reader.fieldnames
    except FileNotFoundError:
        raise UsageError(f"{relative(path)}: there is no such file") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise UsageError(f"{relative(path)}:1: not a CSV file in UTF-8: {error}") from None
    if not header:
        raise UsageError(f"{relative(path)}:1: the file is empty; its first line must be: student,1,2,...")
    for line, row in rows:
        if None in row or None in row.values():
            raise UsageError(f"{relative(path)}:{line}: {len(header)} columns expected; quote answers with commas")
    return rows


def _question(column: str) -> str | None:
    """ "3", "q3", "Q03", "Question 3" name question 3."""
    match = re.fullmatch(r"(?:q|question)?[ _]?0*(\d+)", column.strip().lower())
    return match[1] if match else None


def responses(path: Path) -> dict[str, dict[str, tuple[int, str]]]:
    """student -> question -> (line, response). Wide (student,1,2,...) or long (student,question,response)."""
    result: dict[str, dict[str, tuple[int, str]]] = {}
    for line, row in _rows(path):
        names = {name.strip().lower(): name for name in row}
        column = next((names[name] for name in STUDENT_COLUMNS if name in names), None)
        if column is None:
            raise UsageError(f"{relative(path)}:1: no column names the student; call it student")
        student = row[column].strip()
        answers = result.setdefault(student, {})
        long = next((names[name] for name in ("response", "answer") if name in names), None)
        if "question" in names and long is not None:
            cells = {row[names["question"]]: row[long]}
        else:
            cells = {name: value for name, value in row.items() if name != column and _question(name)}
            if not cells:
                raise UsageError(f"{relative(path)}:1: no column names a question; call them 1,2,... or question,response")
            if answers:
                raise UsageError(f"{relative(path)}:{line}: student {student} is there twice")
        for name, value in cells.items():
            number = _question(name)
            if number is None:
                raise UsageError(f"{relative(path)}:{line}: '{name}' is no number of a question")
            if number in answers:
                raise UsageError(f"{relative(path)}:{line}: student {student} answers question {number} twice")
            answers[number] = (line, value)
    return result


def grade_student(key: Key, student: str, answers: dict[str, tuple[int, str]], path: Path,
                  scoring: str | None) -> Graded:
    points, notes = {}, []
    for number, (line, _) in answers.items():
        if number not in key:
            raise UsageError(f"{relative(path)}:{line}: there is no question {number}; the key has 1 to {len(key)}")
    for number, entry in key.items():
        line, text = answers.get(number, (0, ""))
        try:
            # A question without a cell was not seen: no points. An empty cell is an answer: nothing checked.
            points[number] = entry_score(entry, text, scoring) if number in answers else 0
            notes += [f"{relative(path)}:{line}: student {student}, question {number}: {note}" for note in unit_notes(entry, text)]
        except BadResponse as error:
            raise UsageError(f"{relative(path)}:{line}: student {student}, question {number}: {error}") from None
    return Graded(student, points, tuple(notes))


def grade(path: Path, folder: Path, scoring: str | None = None) -> tuple[list[Graded], Key]:
    everyone = responses(path)
    if not everyone:
        raise UsageError(f"{relative(path)}: there is no response in it")
    keys = keys_of(folder, everyone, path)
    graded = [grade_student(keys[student], student, answers, path, scoring) for student, answers in everyone.items()]
    return graded, keys[next(iter(keys))]


def as_csv(graded: list[Graded], key: Key) -> str:
    """One line per student: total, possible, points per question."""
    possible = points_text(sum(entry["points_milli"] for entry in key.values()))
    lines = [",".join(["student", "total", "of", *key])]
    for one in graded:
        name = f'"{one.student}"' if "," in one.student else one.student
        cells = [points_text(one.points_milli[number]) for number in key]
        lines.append(",".join([name, points_text(one.total_milli), possible, *cells]))
    return "\n".join(lines) + "\n"
