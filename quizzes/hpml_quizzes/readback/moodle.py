"""Reads Moodle XML as Moodle's importer does."""
import re
import xml.etree.ElementTree as ElementTree
from decimal import Decimal

from .question import BadFile, ReadQuestion

_PARTS = [Decimal(100) / n for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20)]
_GRADES = _PARTS + [Decimal(n) for n in (90, 80, 75, 70, 60, 40, 30)] + [Decimal(250) / 3, Decimal(200) / 3]


def read(text: str) -> list[ReadQuestion]:
    if not text.startswith('<?xml version="1.0" encoding="UTF-8"?>'):
        raise BadFile("the first line must be the XML declaration")
    root = ElementTree.fromstring(text.encode())
    questions = [_question(entry) for entry in root.findall("question") if entry.get("type") != "category"]
    names = [question.ident for question in questions]
    if len(set(names)) != len(names):
        raise BadFile("an idnumber is used twice: Moodle would drop a question silently")
    return questions


def _grade(text: str | None) -> Decimal:
    value = Decimal(text or "0")
    if value != 0 and not any(abs(abs(value) - grade) <= Decimal("0.001") for grade in _GRADES):
        raise BadFile(f"fraction {value} is not a grade of Moodle's")
    return value


def _question(entry: ElementTree.Element) -> ReadQuestion:
    kind = entry.get("type")
    stem = entry.findtext("questiontext/text") or ""
    files = {file.get("name") for file in entry.iter("file")}
    for image in re.findall(r'@@PLUGINFILE@@/([^"]+)"', stem):
        if image not in files:
            raise BadFile(f"picture {image} is not in the file")
    question = ReadQuestion(entry.findtext("idnumber") or "", "", stem, Decimal(entry.findtext("defaultgrade") or "1"))
    answers = entry.findall("answer")
    if kind in ("multichoice", "truefalse"):
        single = kind == "truefalse" or (entry.findtext("single") or "true") == "true"
        question.kind = "one" if single else "several"
        question.options = [(str(place), a.findtext("text") or "") for place, a in enumerate(answers, start=1)]
        question.credit = {str(place): _grade(a.get("fraction")) for place, a in enumerate(answers, start=1)}
        if kind == "truefalse" and [text for _, text in question.options] != ["true", "false"]:
            raise BadFile("a true/false question must have the answers true and false")
    elif kind == "numerical":
        question.kind = "number"
        value, slack = Decimal(answers[0].findtext("text") or ""), Decimal(answers[0].findtext("tolerance") or "0")
        question.low, question.high = value - slack, value + slack
    elif kind == "shortanswer":
        question.kind = "words"
        question.accept = [re.sub(r"\\\*", "*", a.findtext("text") or "") for a in answers]
    else:
        raise BadFile(f"question type {kind} is not known")
    return question
