"""Reads Brightspace's CSV of questions."""
import csv
import io
from decimal import Decimal

from .question import BadFile, ReadQuestion

_KINDS = {"MC": "one", "TF": "one", "MS": "several", "SA": "words"}
_RULES = {"RightAnswers": "each", "RightMinusWrong": "net", "AllOrNothing": "exact"}


def read(text: str) -> list[ReadQuestion]:
    if not text.startswith("\ufeff"):
        raise BadFile("no byte order mark: Brightspace would misread letters outside ASCII")
    if "\r\n" not in text:
        raise BadFile("lines must end in CR LF")
    questions: list[ReadQuestion] = []
    for row in csv.reader(io.StringIO(text[1:], newline=""), strict=True):
        if not any(row) or row[0].startswith("//"):
            continue
        if len(row) < 5:
            raise BadFile(f"{row[0]}: {len(row)} columns, five are needed")
        if row[0] == "NewQuestion":
            if row[1] not in _KINDS:
                raise BadFile(f"Brightspace imports no {row[1]}")
            questions.append(ReadQuestion("", _KINDS[row[1]], "", None))
        elif not questions:
            raise BadFile(f"{row[0]} before the first NewQuestion")
        else:
            _field(questions[-1], row)
    idents = [question.ident for question in questions]
    if len(set(idents)) != len(idents):
        raise BadFile("an ID is used twice")
    return questions


def _field(question: ReadQuestion, row: list[str]) -> None:
    name, value = row[0], row[1]
    if name == "ID":
        question.ident = value
    elif name == "QuestionText":
        question.stem = value
    elif name == "Points":
        question.points = Decimal(value)
    elif name == "Scoring":
        question.rule = _RULES[value]
    elif name in ("Option", "TRUE", "FALSE"):
        place = str(len(question.options) + 1)
        question.options.append((place, row[2] if name == "Option" else name))
        question.credit[place] = Decimal(value)
    elif name == "Answer":
        if value != "100":
            raise BadFile("an accepted answer earns 100 %")
        question.accept.append(row[2])
    elif name not in ("Title", "Feedback", "Difficulty", "Hint"):
        raise BadFile(f"unknown field {name}")
