"""Reads PrairieLearn question directories: renders a variant and grades as the elements say."""
import json
import re
import uuid
from decimal import Decimal
from html import escape, unescape

from .question import BadFile, ReadQuestion

_INFO = {"uuid", "type", "title", "topic", "tags", "gradingMethod", "singleVariant", "partialCredit"}
_RULES = {"each-answer": "each", "off": "exact", "net-correct": "net"}


def read(files: dict[str, str], seed: int = 0) -> list[ReadQuestion]:
    """files: path to text, below the course's folder. Points come from the assessment."""
    points = {}
    for path, text in files.items():
        if path.endswith("infoAssessment.json"):
            points = {entry["id"]: Decimal(str(entry["points"])) for zone in json.loads(text)["zones"]
                      for entry in zone["questions"]}
    folders = sorted({path.rsplit("/", 1)[0] for path in files if path.endswith("/question.html")})
    questions = [part for folder in folders for part in _question(folder, files, seed, points)]
    uuids = [json.loads(files[f"{folder}/info.json"])["uuid"] for folder in folders]
    if len(set(uuids)) != len(uuids):
        raise BadFile("a uuid is used twice")
    return questions


_TAG = re.compile(r"\{\{#(?P<list>[\w.]+)\}\}(?P<inner>.*?)\{\{/(?P=list)\}\}|\{\{\{(?P<raw>[\w.]+)\}\}\}|\{\{(?P<text>[\w.]+)\}\}",
                  re.DOTALL)


def _render(template: str, params: dict) -> str:
    """As much of Mustache as question.html may use; what is put in is not looked at again."""
    def put(match: re.Match) -> str:
        name = (match["list"] or match["raw"] or match["text"]).removeprefix("params.")
        if match["list"]:
            return "".join(_render(match["inner"], entry) for entry in params[name])
        return str(params[name]) if match["raw"] else escape(str(params[name]))
    return _TAG.sub(put, template)


def _attributes(tag: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}


_INPUT = re.compile(r"<(pl-(?:multiple-choice|checkbox|number-input|string-input))([^>]*)>")


def _question(folder: str, files: dict[str, str], seed: int, points: dict[str, Decimal]) -> list[ReadQuestion]:
    """Its parts, each with its share of the points; all of one variant."""
    info = json.loads(files[f"{folder}/info.json"])
    if set(info) != _INFO or info["type"] != "v3":
        raise BadFile(f"{folder}/info.json: keys {sorted(set(info) ^ _INFO)}")
    uuid.UUID(info["uuid"])
    variants = json.loads(files[f"{folder}/variants.json"])
    variant = variants[seed % len(variants)]
    html = _render(files[f"{folder}/question.html"], variant["params"])
    stem = re.search(r"<pl-question-panel>(.*?)</pl-question-panel>", html, re.DOTALL)
    inputs = _INPUT.findall(html)
    if stem is None or not inputs or not re.search(r"<pl-answer-panel>\s*\S.*?</pl-answer-panel>", html, re.DOTALL):
        raise BadFile(f"{folder}/question.html: no panel, no input or no solution")
    qid = folder.rsplit("/", 1)[1]
    named = [(name, _attributes(tag)) for name, tag in inputs]
    weights = [Decimal(attributes.get("weight", "1")) for _, attributes in named]
    if len({attributes["answers-name"] for _, attributes in named}) != len(named):
        raise BadFile(f"{folder}: two inputs have one name")
    total = points.get(qid)
    return [_part(folder, html, name, attributes, variant["correct_answers"],
                  ReadQuestion(qid, "", stem[1], None if total is None else total * weight / sum(weights)))
            for (name, attributes), weight in zip(named, weights)]


def _part(folder: str, html: str, name: str, attributes: dict[str, str], answers: dict[str, str],
          question: ReadQuestion) -> ReadQuestion:
    if name in ("pl-multiple-choice", "pl-checkbox"):
        rows = re.findall(r'<pl-answer correct="(true|false)">(.*?)</pl-answer>', html, re.DOTALL)
        texts = [text for _, text in rows]
        if len(set(texts)) != len(texts) or attributes.get("order") != "fixed":
            raise BadFile(f"{folder}: options must differ and keep their order")
        question.kind = "one" if name == "pl-multiple-choice" else "several"
        question.options = [(str(place), text) for place, text in enumerate(texts, start=1)]
        question.credit = {str(place): Decimal(100 if right == "true" else 0)
                           for place, (right, _) in enumerate(rows, start=1)}
        question.rule = _RULES[attributes["partial-credit"]] if question.kind == "several" else "sum"
        return question
    answer = answers[attributes["answers-name"]]
    if name == "pl-number-input":
        if attributes.get("rtol") != "0" or "atol" not in attributes:
            raise BadFile(f"{folder}: without rtol and atol a wrong tolerance holds")
        value, slack = Decimal(answer), Decimal(attributes["atol"])
        question.kind, question.low, question.high = "number", value - slack, value + slack
    else:
        question.kind, question.accept = "words", [answer]
    return question
