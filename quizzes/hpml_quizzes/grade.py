"""hpml quiz grade RESPONSES.csv: points per student and question."""
import csv
import json
import re
from dataclasses import dataclass
from pathlib import Path

from .errors import UsageError
from .paths import relative
from .quiz import points_text
from .scoring import BadResponse, entry_score

Key = dict[str, dict]
STUDENT_COLUMNS = ("student", "id", "login", "name", "user")


@dataclass(frozen=True)
class Graded:
    student: str
    points_milli: dict[str, int]   # by number of the question

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


def key_for(folder: Path, student: str) -> Key:
    """The student's own key where there is one, else that of the quiz."""
    own = folder / "keys" / student / "key.json"
    return read_key(own if own.is_file() else folder / "key.json")


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
    points = {}
    for number, (line, _) in answers.items():
        if number not in key:
            raise UsageError(f"{relative(path)}:{line}: there is no question {number}; the key has 1 to {len(key)}")
    for number, entry in key.items():
        line, text = answers.get(number, (0, ""))
        try:
            # A question without a cell was not seen: no points. An empty cell is an answer: nothing checked.
            points[number] = entry_score(entry, text, scoring) if number in answers else 0
        except BadResponse as error:
            raise UsageError(f"{relative(path)}:{line}: student {student}, question {number}: {error}") from None
    return Graded(student, points)


def grade(path: Path, folder: Path, scoring: str | None = None) -> tuple[list[Graded], Key]:
    everyone = responses(path)
    if not everyone:
        raise UsageError(f"{relative(path)}: there is no response in it")
    keys = {student: key_for(folder, student) for student in everyone}
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
