"""An exported file, read by its independent reader and graded against the key beside it."""
import json
import zipfile
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from xml.etree.ElementTree import ParseError

from .errors import UsageError
from .grade import read_key
from .paths import relative
from .readback import d2l, gift, moodle, prairielearn, qti
from .readback.question import BadFile, ReadQuestion

ENDINGS = {".zip": "QTI 1.2 (Canvas)", ".xml": "Moodle XML", ".gift": "GIFT", ".csv": "Brightspace CSV"}
FOLDER = "PrairieLearn"


def is_exported(path: Path) -> bool:
    return path.suffix in ENDINGS or path.is_dir() and path.name == "prairielearn"


def _read(path: Path) -> tuple[str, list[ReadQuestion]]:
    if path.is_dir():
        files = {str(file.relative_to(path)): file.read_text(encoding="utf-8") for file in path.rglob("*") if file.is_file()}
        return FOLDER, prairielearn.read(files)
    if path.suffix == ".zip":
        return ENDINGS[path.suffix], qti.read(path.read_bytes())
    text = path.read_bytes().decode("utf-8")
    reader = {".xml": moodle.read, ".gift": gift.read, ".csv": d2l.read}[path.suffix]
    return ENDINGS[path.suffix], reader(text)


def _expected(folder: Path, name: str) -> list[tuple[str, dict]]:
    """What the file must hold, in order: the key's entries without what the format refuses, a blank at a time."""
    key = read_key(folder / "key.json")
    report = json.loads((folder / "export_report.json").read_text(encoding="utf-8"))["formats"][name]
    refused = {note["question"] for note in report["notes"] if note["how"] == "refused"}
    entries = []
    for number, entry in key.items():
        if entry["id"] not in refused:
            for part in entry.get("parts", [None]):
                entries.append((number, {**entry, "part": part}))
    return entries


def _defects(question: ReadQuestion, entry: dict) -> list[str]:
    part = entry["part"]
    if part is None:
        return _options(question, entry)
    if "accept" in part:
        wrong = [] if question.percent(part["accept"][0]) == 100 else [f"{part['accept'][0]} is not accepted"]
        return wrong + (["any answer is accepted"] if question.percent("none of these") else [])
    value, slack = Fraction(part["exact"]), Fraction(part["tolerance"])
    found = []
    for factor, passes in ((Fraction(0), True), (Fraction(99, 100), True), (Fraction(101, 100), False)):
        for answer in {value + factor * slack, value - factor * slack}:
            text = format(Decimal(answer.numerator) / Decimal(answer.denominator), "f")
            if question.percent(text) != (100 if passes else 0):
                found.append(f"{text} {'does not pass' if passes else 'passes'}, the key is {part['value']}")
    return found


def _options(question: ReadQuestion, entry: dict) -> list[str]:
    names = [name for name, _ in question.options]
    if len(names) != len(entry["options"]):
        return [f"{len(names)} options, the key has {len(entry['options'])}"]
    keyed = frozenset(names[place - 1] for place in entry["published_order"])
    full = Decimal("99.999")  # Moodle's thirds are 33.33333 %
    found = [] if question.percent(keyed) >= full else ["the key does not earn all points"]
    for place, name in enumerate(names, start=1):
        if name not in keyed and entry["kind"] != "ms" and question.percent(frozenset({name})) != 0:
            found.append(f"option {place} earns points, but is not the key")
        if entry["kind"] == "ms" and question.percent(keyed ^ {name}) >= full:
            found.append(f"option {place} makes no difference")
    return found


def recheck(path: Path) -> list[str]:
    """What is wrong with the file, each in one line; UsageError when it is no such file."""
    try:
        name, questions = _read(path)
        expected = _expected(path.parent, name)
    except (BadFile, ParseError, UnicodeDecodeError, zipfile.BadZipFile, KeyError, StopIteration) as error:
        return [f"{relative(path)}: not a file the platform takes: {error}"]
    except FileNotFoundError as error:
        raise UsageError(f"{relative(path)}: {relative(Path(error.filename))} is not there") from None
    if len(questions) != len(expected):
        return [f"{relative(path)}: {len(questions)} questions, the key has {len(expected)}"]
    found = [f"{relative(path)}: question {number}: {defect}" for question, (number, entry) in zip(questions, expected)
             for defect in _defects(question, entry)]
    total = sum((question.points or Decimal(0) for question in questions), Decimal(0))
    points = sum({number: entry["points_milli"] for number, entry in expected}.values())
    if questions and questions[0].points is not None and total * 1000 != points:
        found.append(f"{relative(path)}: {total} points, the key has {Decimal(points) / 1000}")
    return found
