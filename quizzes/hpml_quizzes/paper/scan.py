"""hpml quiz scan: scanned answer forms -> the file of responses that hpml quiz grade takes.

Nothing is guessed. Where a mark is doubtful, doubled or in words, the response is `?`, which hpml quiz grade refuses, and a
line says where to look.
"""
import csv
import io
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import UsageError
from ..grade import Key, read_key
from ..paths import relative
from ..scoring import UNDECIDED
from . import form, index, page
from .form import Field
from .page import NoForm, Page, Unreadable

EMPTY, MARKED = 0.20, 0.45  # less dark is empty, darker is marked; between them a person decides
_DPI = 200
_NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)")
_SIZES = re.compile(r"\d+(x\d+)*")


@dataclass
class Answers:
    """What was read of everybody."""
    responses: dict[str, dict[str, list[str]]]                      # student, question: one text for each field
    doubts: list[str] = field(default_factory=list)                 # for a person, a line each
    seen: set[tuple[str, int]] = field(default_factory=set)         # student and page of the form


def _rendered(path: Path) -> Iterator[Path]:
    """The pages of a PDF as pictures."""
    if shutil.which("pdftoppm") is None:
        raise UsageError(f"{relative(path)}: to read a PDF, install the package poppler-utils, or scan to PNG")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["pdftoppm", "-r", str(_DPI), "-gray", str(path), f"{folder}/page"], capture_output=True,
                              text=True, check=False)
        if done.returncode:
            raise UsageError(f"{relative(path)}: not a PDF that pdftoppm reads: {done.stderr.strip()[:100]}")
        yield from sorted(Path(folder).iterdir())


def _pictures(path: Path) -> Iterator[tuple[str, Path]]:
    """Each page with its name for people."""
    if not path.is_file():
        raise UsageError(f"{relative(path)}: there is no such file")
    if path.read_bytes()[:5] != b"%PDF-":
        yield relative(path), path
        return
    for number, picture in enumerate(_rendered(path), start=1):
        yield f"{relative(path)}, page {number}", picture


def _marks(sheet: Page, centres: list[tuple[float, float]]) -> tuple[list[int], list[int]]:
    """Places of the marked and of the doubtful bubbles."""
    dark = [sheet.darkness(centre) for centre in centres]
    return ([place for place, value in enumerate(dark) if value >= MARKED],
            [place for place, value in enumerate(dark) if EMPTY <= value < MARKED])


def _numbers(places: list[int]) -> str:
    return ", ".join(str(place + 1) for place in places)


def _options(sheet: Page, one: Field) -> tuple[str, str]:
    marked, doubtful = _marks(sheet, list(one.option_centres()))
    if doubtful:
        return UNDECIDED, f"option {_numbers(doubtful)} is neither empty nor filled"
    if len(marked) > 1 and not one.several:
        return UNDECIDED, f"{len(marked)} options are marked: {_numbers(marked)}"
    return ";".join(str(place + 1) for place in marked), ""


def _grid(sheet: Page, one: Field) -> tuple[str, str]:
    text = ""
    for column in range(form.COLUMNS):
        marked, doubtful = _marks(sheet, list(one.grid_centres(column)))
        if doubtful:
            return UNDECIDED, f"column {column + 1}: '{one.rows[doubtful[0]]}' is neither empty nor filled"
        if len(marked) > 1:
            return UNDECIDED, f"column {column + 1}: {len(marked)} bubbles are filled"
        text += one.rows[marked[0]] if marked else " "
    text = text.strip()
    if text and not (_NUMBER if one.rows == form.NUMBER else _SIZES).fullmatch(text):
        return UNDECIDED, f"'{text}' is no answer of this kind"
    return text, ""


def _hand(sheet: Page, one: Field) -> tuple[str, str]:
    return UNDECIDED, "is answered in words"


_READ = {"options": _options, "grid": _grid, "hand": _hand}


def _take(found: Answers, keys: dict[str, Key], variants: dict[str, str], sheet: Page, where: str) -> None:
    """Reads one form's page into `found`. Raises Unreadable."""
    code = sheet.code
    if code.student not in keys:
        raise Unreadable(f"the form of {code.student}, who has no key")
    if code.variant != variants[code.student]:
        raise Unreadable(f"the form of {code.student} is of variant {code.variant}, the key of {variants[code.student]}")
    pages = form.pages(keys[code.student], code.paper)
    if code.page > len(pages):
        raise Unreadable(f"the form of {code.student} has {len(pages)} pages, not {code.page}")
    again = (code.student, code.page) in found.seen
    found.seen.add((code.student, code.page))
    if again:
        found.doubts.append(f"{where}: page {code.page} of {code.student}'s form is there twice")
    for one in pages[code.page - 1]:
        text, doubt = (UNDECIDED, "is on a page that is there twice") if again else _READ[one.kind](sheet, one)
        found.responses[code.student][one.question][one.part] = text
        if doubt and not again:
            found.doubts.append(f"{where}: student {code.student}, question {one.label}: {doubt}")


def _missing(found: Answers) -> None:
    """Forms that were not scanned whole. Whoever has no page at all is left out of the responses."""
    absent = [student for student in found.responses if not any(name == student for name, _ in found.seen)]
    for student in absent:
        del found.responses[student]
    if absent:
        found.doubts.append(f"no page of the form of: {', '.join(absent)}")
    for student, answers in found.responses.items():
        lost = [question for question, texts in answers.items() if None in texts]
        if lost:
            found.doubts.append(f"student {student}: a page of the form is missing, with question {', '.join(lost)}")


def read(paths: list[Path], folder: Path, quiz: str) -> Answers:
    """`folder`: of the quiz, as hpml quiz paper wrote it."""
    variants = index.read(folder)
    keys = {student: read_key(folder / "keys" / student / "key.json") for student in variants}
    found = Answers({student: {number: [None] * len(entry.get("parts", [0])) for number, entry in key.items()}  # type: ignore[list-item]
                     for student, key in keys.items()})
    others = []
    for path in paths:
        for where, picture in _pictures(path):
            try:
                sheet = page.read(page.load(picture))
                if sheet.code.quiz != quiz:
                    raise Unreadable(f"a form of {sheet.code.quiz}, not of {quiz}")
                _take(found, keys, variants, sheet, where)
            except NoForm:
                others.append(where)
            except Unreadable as reason:
                found.doubts.append(f"{where}: not read: {reason}")
    if others:
        found.doubts.append(f"pages without the squares of a form: {'; '.join(others)}")
    _missing(found)
    return found


def as_csv(found: Answers) -> str:
    """student,1,2,...: what hpml quiz grade reads."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    questions = list(next(iter(found.responses.values()), {}))
    writer.writerow(["student", *questions])
    for student, answers in found.responses.items():
        writer.writerow([student, *("|".join(UNDECIDED if text is None else text for text in answers[number])
                                    for number in questions)])
    return text.getvalue()
