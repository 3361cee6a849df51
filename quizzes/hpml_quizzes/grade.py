"""hpml quiz grade RESPONSES.csv: points per student and question."""
import difflib
import json
from dataclasses import dataclass, field
from pathlib import Path

import hpml_gradebook

from .errors import UsageError
from .paths import relative
from .quiz import points_text
from .responses import Answers, Responses, read
from .scoring import BadResponse, entry_score, notes_on

Key = dict[str, dict]
MOST_NAMED = 10


@dataclass(frozen=True)
class Graded:
    student: str
    points_milli: dict[str, int]   # by number of the question
    key: Key
    answers: dict[str, str] = field(default_factory=dict)  # by number: what was answered
    notes: tuple[str, ...] = ()    # what somebody should look at: an answer in another unit

    @property
    def total_milli(self) -> int:
        return sum(self.points_milli.values())

    @property
    def possible_milli(self) -> int:
        return sum(entry["points_milli"] for entry in self.key.values())


@dataclass(frozen=True)
class Marked:
    """Everybody of a file of responses, and what was done with the rest of it."""
    graded: list[Graded]
    summary: list[str]  # sentences for whoever ran it


def read_key(path: Path) -> Key:
    try:
        key = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{relative(path)} is not there; `make quizzes` writes the keys") from None
    except ValueError as error:
        raise UsageError(f"{relative(path)}: not JSON: {error}") from None
    return key


def _several(names: list[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")


def sheets_of(folder: Path) -> dict[str, Path]:
    """Where the sheets of a quiz and their keys lie: by student, or by variant (v1, v2, ..., and what the sheet prints)."""
    if (folder / "keys").is_dir():
        return {one.name: one for one in sorted((folder / "keys").iterdir())}
    places = [folder, *sorted((one for one in folder.glob("v*") if one.name[1:].isdigit()), key=lambda one: int(one.name[1:]))]
    if len(places) == 1:
        return {}
    printed = [json.loads((place / "export_report.json").read_text(encoding="utf-8"))["variant"].lower() for place in places]
    return {**{f"v{number}": place for number, place in enumerate(places, start=1)}, **dict(zip(printed, places))}


def keys_of(folder: Path, responses: Responses) -> dict[str, Key]:
    """Everybody's key. Another's would give points for other numbers, so a student without a sheet, or with one that
    nobody can tell, is refused by name."""
    sheets = sheets_of(folder)
    path = relative(responses.path)
    if not sheets:
        return dict.fromkeys(responses.answers, read_key(folder / "key.json"))
    if (folder / "keys").is_dir():
        unknown = [student for student in responses.answers if student not in sheets]
        if unknown:
            lower = {name.lower(): name for name in sheets}
            near = difflib.get_close_matches(unknown[0].lower(), lower, 1)
            raise UsageError(f"{path}: no sheet was drawn for {_several(unknown)} ({len(sheets)} students have one)"
                             + (f"; did you mean {lower[near[0]]}?" if near else ""))
        return {student: read_key(sheets[student] / "key.json") for student in responses.answers}
    unknown = [student for student, variant in responses.variants.items() if variant.lower() not in sheets]
    if unknown:
        raise UsageError(f"{path}: which sheet had {_several(unknown)}? The quiz has {len(sheets) // 2} variants: "
                         "add a column variant with what the sheet prints, or v1, v2, ...")
    return {student: read_key(sheets[variant.lower()] / "key.json") for student, variant in responses.variants.items()}


def grade_student(key: Key, student: str, answers: Answers, responses: Responses, scoring: str | None) -> Graded:
    """Raises UsageError of all answers that are none, a line each."""
    points, notes, bad = {}, [], []
    for number, (line, _) in answers.items():
        if number not in key:
            raise responses.fail(line, f"there is no question {number}; the key has 1 to {len(key)}")
    for number, entry in key.items():
        line, text = answers.get(number, (0, ""))
        where = f"student {student}, question {number}"
        try:
            # A question without a cell was not seen: no points. An empty cell is an answer: nothing checked.
            points[number] = entry_score(entry, text, scoring) if number in answers else 0
            notes += [f"{relative(responses.path)}:{line}: {where}: {note}" for note in notes_on(entry, text)]
        except BadResponse as error:
            bad.append(str(responses.fail(line, f"{where}: {error}")))
    if bad:
        raise UsageError("\n".join(bad))
    return Graded(student, points, key, {number: text for number, (_, text) in answers.items()}, tuple(notes))


def grade(path: Path, folder: Path, scoring: str | None = None) -> Marked:
    responses = read(path)
    keys = keys_of(folder, responses)
    graded, bad = [], []
    for student, answers in responses.answers.items():
        try:
            graded.append(grade_student(keys[student], student, answers, responses, scoring))
        except UsageError as error:
            bad.append(str(error))
    if bad:
        raise UsageError("\n".join(bad))
    return Marked(graded, _summary(graded, responses, folder))


def _summary(graded: list[Graded], responses: Responses, folder: Path) -> list[str]:
    """How many, with which keys, and what earned nothing or was not looked at."""
    sheets = sheets_of(folder)
    own = "each with the key of their own sheet" if sheets else f"with {relative(folder / 'key.json')}"
    lines = [f"{len(graded)} student{'s' if len(graded) != 1 else ''}, {own}"]
    if not sheets and any(responses.variants.values()):
        lines.append("the quiz has one sheet for everybody: the column that names variants was not looked at")
    if responses.ignored:
        lines.append(f"columns that are no question and were not looked at: {_several(list(responses.ignored))}")
    unseen = [number for number in graded[0].key if all(number not in one.answers for one in graded)]
    if unseen:
        lines.append(f"questions that nobody has answered, 0 points for all: {', '.join(unseen)}")
    if (folder / "keys").is_dir() and (absent := [name for name in sheets if name not in responses.answers]):
        lines.append(f"students with a sheet and no response: {_several(absent)}")
    if notes := sum(len(one.notes) for one in graded):
        lines.append(f"{notes} answer{'s' if notes != 1 else ''} to look at, listed above")
    return lines


def as_csv(graded: list[Graded]) -> str:
    """One line per student: total, possible, points per question."""
    return hpml_gradebook.table([["student", "total", "of", *graded[0].key],
                                 *([one.student, points_text(one.total_milli), points_text(one.possible_milli),
                                    *map(points_text, one.points_milli.values())] for one in graded)])


def _canvas(title: str, graded: list[Graded]) -> str:
    return hpml_gradebook.canvas(title, points_text(graded[0].possible_milli), _grades(graded))


def _moodle(title: str, graded: list[Graded]) -> str:
    return hpml_gradebook.moodle(title, _grades(graded))


def _grades(graded: list[Graded]) -> list[hpml_gradebook.Grade]:
    return [hpml_gradebook.Grade(one.student, points_text(one.total_milli)) for one in graded]


GRADEBOOKS = {"canvas": _canvas, "moodle": _moodle}  # (title of the quiz, results) -> file to import
