"""A file of responses: who answered what, on which sheet. Everything in it is used, refused with its line, or named."""
import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

from .errors import UsageError
from .paths import relative

STUDENT_COLUMNS = ("student", "id", "login", "name", "user")
VARIANT_COLUMNS = ("variant", "sheet")
RESPONSE_COLUMNS = ("response", "answer")

Answers = dict[str, tuple[int, str]]  # question -> (line, response)


@dataclass(frozen=True)
class Responses:
    path: Path
    answers: dict[str, Answers] = field(default_factory=dict)   # by student
    variants: dict[str, str] = field(default_factory=dict)      # by student: what the column variant says
    ignored: tuple[str, ...] = ()                               # columns that are no question

    def fail(self, line: int, words: str) -> UsageError:
        return UsageError(f"{relative(self.path)}:{line}: {words}")


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
    twice = [name for name in dict.fromkeys(header) if header.count(name) > 1]
    if twice:
        raise UsageError(f"{relative(path)}:1: column '{twice[0]}' is there twice")
    for line, row in rows:
        if None in row or None in row.values():
            raise UsageError(f"{relative(path)}:{line}: {len(header)} columns expected; quote answers with commas")
    return rows


def columns_are(header: list[str]) -> str:
    """For a message: a file with other separators has one column."""
    return f"Columns are separated by commas; here they are {', '.join(repr(name[:40]) for name in header[:8])}"


def _question(column: str) -> str | None:
    """ "3", "q3", "Q03", "Question 3" name question 3."""
    match = re.fullmatch(r"(?:q|question)?[ _]?0*(\d+)", column.strip().lower())
    return match[1] if match else None


def read(path: Path) -> Responses:
    """Wide (student,1,2,...) or long (student,question,response); a column `variant` says which sheet a student had."""
    rows = _rows(path)
    if not rows:
        raise UsageError(f"{relative(path)}: there is no response in it")
    header = list(rows[0][1])
    names = {name.strip().lower(): name for name in header}
    column = next((names[name] for name in STUDENT_COLUMNS if name in names), None)
    if column is None:
        raise UsageError(f"{relative(path)}:1: no column names the student; call it student. " + columns_are(header))
    variant = next((names[name] for name in VARIANT_COLUMNS if name in names), None)
    long = next((names[name] for name in RESPONSE_COLUMNS if name in names), None) if "question" in names else None
    used = {column, variant, *((names["question"], long) if long else filter(_question, header))}
    found = Responses(path, ignored=tuple(name for name in header if name not in used))
    if long is None and not any(map(_question, header)):
        raise UsageError(f"{relative(path)}:1: no column names a question; call them 1,2,... or question,response")
    for line, row in rows:
        cells = {row[names["question"]]: row[long]} if long else {name: row[name] for name in header if _question(name)}
        _take(found, line, row[column].strip(), cells, row[variant].strip() if variant else "", once=long is None)
    return found


def _take(found: Responses, line: int, student: str, cells: dict[str, str], variant: str, once: bool) -> None:
    """One line of the file."""
    if not student:
        raise found.fail(line, "the line names no student")
    if once and student in found.answers:
        raise found.fail(line, f"student {student} is there twice")
    if found.variants.setdefault(student, variant) != variant:
        raise found.fail(line, f"student {student} has two variants, {found.variants[student]} and {variant}")
    answers = found.answers.setdefault(student, {})
    for name, value in cells.items():
        number = _question(name)
        if number is None:
            raise found.fail(line, f"'{name}' is no number of a question")
        if number in answers:
            raise found.fail(line, f"student {student} answers question {number} twice")
        answers[number] = (line, value)
