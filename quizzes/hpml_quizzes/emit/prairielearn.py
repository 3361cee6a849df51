"""Quiz -> PrairieLearn question directories: a fixed template per kind, all that differs in variants.json."""
import json
import uuid

from .. import markup
from ..quiz import Quiz
from .common import Item, items_of, plain_decimal, tolerance_decimal
from .refusal import Refusal

_NAMESPACE = uuid.UUID("6f1d7f0e-5d0c-5b8e-9a53-0d2f6a1b7c11")
_CREDIT = {"each_decision": "each-answer", "net_correct": "net-correct", "all_or_nothing": "off"}
_PANEL = "<pl-question-panel>\n{{{params.stem}}}\n</pl-question-panel>\n"
_ROWS = '{{#params.options}}<pl-answer correct="{{correct}}">{{{html}}}</pl-answer>\n{{/params.options}}'
SERVER = '''"""Picks one of the drawn variants; nothing is computed here."""
import json
import pathlib


def generate(data):
    variants = json.loads((pathlib.Path(__file__).parent / "variants.json").read_text(encoding="utf-8"))
    variant = variants[int(str(data["variant_seed"]), 36) % len(variants)]
    data["params"].update(variant["params"])
    data["correct_answers"].update(variant["correct_answers"])
'''


def qid(quiz: Quiz, item: Item) -> str:
    return f"{quiz.id}_{item.instance.number:02d}{item.letter}_{item.ident[1:9]}"


def question_html(item: Item) -> str:
    if item.kind in ("mc", "tf"):
        return _PANEL + f'<pl-multiple-choice answers-name="a" order="fixed">\n{_ROWS}\n</pl-multiple-choice>\n'
    if item.kind == "ms":
        credit = _CREDIT[item.instance.scoring]
        return _PANEL + (f'<pl-checkbox answers-name="a" partial-credit="{credit}" order="fixed" allow-blank="true">\n'
                         f"{_ROWS}\n</pl-checkbox>\n")
    if item.kind == "num":
        return _PANEL + ('<pl-number-input answers-name="a" comparison="relabs" rtol="0" atol="{{params.atol}}" '
                         'allow-fractions="false" suffix="{{params.unit}}"></pl-number-input>\n')
    return _PANEL + '<pl-string-input answers-name="a" remove-spaces="true" ignore-case="true"></pl-string-input>\n'


def variant(item: Item) -> dict:
    svg = item.instance.svg
    params: dict = {"stem": item.stem_html + ("\n" + svg if svg else "")}
    answers: dict = {}
    if item.options:
        params["options"] = [{"correct": "true" if option.correct else "false", "html": markup.line_html(option.text)}
                             for option in item.options]
    elif item.part is not None and item.part.value is not None:
        params |= {"atol": tolerance_decimal(item.part.tolerance), "unit": item.part.unit_words}
        answers["a"] = plain_decimal(item.part.value)
    elif item.part is not None:
        answers["a"] = item.part.accept[0]
    return {"params": params, "correct_answers": answers}


def info(quiz: Quiz, item: Item) -> dict:
    name = qid(quiz, item)
    return {"uuid": str(uuid.uuid5(_NAMESPACE, name)), "type": "v3", "title": item.name,
            "topic": item.instance.template.topic, "tags": ["hpml", quiz.id], "gradingMethod": "Internal",
            "singleVariant": False, "partialCredit": True}


def refusals(item: Item) -> list[Refusal]:
    if item.kind == "ms" and not any(option.correct for option in item.options):
        return [Refusal(item.instance.id, "refused", "PrairieLearn wants a right option", "Moodle XML")]
    if item.kind == "short" and item.part is not None and len(item.part.accept) > 1:
        return [Refusal(item.instance.id, "approximated", "PrairieLearn compares with the first accepted answer only",
                        "Moodle XML")]
    return []


def export(quiz: Quiz, more: tuple[Quiz, ...] = ()) -> tuple[dict[str, str], list[Refusal]]:
    """more: further draws of the same quiz, as further variants of each question."""
    items = items_of(quiz)
    others = [items_of(other) for other in more]
    notes = [note for item in items for note in refusals(item)]
    refused = {note.question for note in notes if note.how == "refused"}
    files = {}
    for place, item in enumerate(items):
        if item.instance.id in refused:
            continue
        folder = f"prairielearn/questions/{qid(quiz, item)}"
        variants = [variant(item), *(variant(drawn[place]) for drawn in others)]
        files[f"{folder}/info.json"] = json.dumps(info(quiz, item), indent=1) + "\n"
        files[f"{folder}/question.html"] = question_html(item)
        files[f"{folder}/server.py"] = SERVER
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in variants)
        files[f"{folder}/variants.json"] = f"[\n{lines}\n]\n"
    zones = [{"title": quiz.title, "questions": [
        {"id": qid(quiz, item), "points": item.points_milli / 1000} for item in items if item.instance.id not in refused]}]
    assessment = {"uuid": str(uuid.uuid5(_NAMESPACE, quiz.id + "|assessment")), "type": "Exam", "title": quiz.title,
                  "set": "Quiz", "number": quiz.id, "allowAccess": [], "zones": zones}
    files[f"prairielearn/assessments/{quiz.id}/infoAssessment.json"] = json.dumps(assessment, indent=1) + "\n"
    return files, notes
