"""Quiz -> PrairieLearn question directories: a fixed template per kind, all that differs in variants.json."""
import json
import uuid
from itertools import groupby

from .. import markup
from ..quiz import Quiz
from .common import Item, ask, items_of, plain_decimal, tolerance_decimal, whys
from .refusal import Refusal

_NAMESPACE = uuid.UUID("6f1d7f0e-5d0c-5b8e-9a53-0d2f6a1b7c11")
_CREDIT = {"each_decision": "each-answer", "net_correct": "net-correct", "all_or_nothing": "off"}
_PANEL = "<pl-question-panel>\n{{{params.stem}}}\n</pl-question-panel>\n"
_SOLUTION = "<pl-answer-panel>\n{{{params.solution}}}\n</pl-answer-panel>\n"
_ROWS = '{{#params.options}}<pl-answer correct="{{correct}}">{{{html}}}</pl-answer>\n{{/params.options}}'
SERVER = '''"""Picks one of the drawn variants for all parts of the question; nothing is computed here."""
import json
import pathlib


def generate(data):
    folder = pathlib.Path(data.get("options", {}).get("question_path", "."))  # a server may run this without __file__
    variants = json.loads((folder / "variants.json").read_text(encoding="utf-8"))
    variant = variants[int(str(data["variant_seed"]), 36) % len(variants)]
    data["params"].update(variant["params"])
    data["correct_answers"].update(variant["correct_answers"])
'''

Question = list[Item]  # the parts of one question, which share a draw


def questions_of(quiz: Quiz) -> list[Question]:
    return [list(parts) for _, parts in groupby(items_of(quiz), key=lambda item: item.instance.number)]


def qid(quiz: Quiz, question: Question) -> str:
    return f"{quiz.id}_{question[0].instance.number:02d}_{question[0].ident[1:9]}"


def _name(item: Item) -> str:
    return item.letter or "a"


def question_html(question: Question) -> str:
    """What all variants of a question have in common."""
    return _PANEL + "".join(map(_input, question)) + _SOLUTION


def _input(item: Item) -> str:
    if item.kind in ("mc", "tf"):
        return f'<pl-multiple-choice answers-name="a" order="fixed">\n{_ROWS}\n</pl-multiple-choice>\n'
    if item.kind == "ms":
        credit = _CREDIT[item.instance.scoring]
        return (f'<pl-checkbox answers-name="a" partial-credit="{credit}" order="fixed" allow-blank="true">\n'
                f"{_ROWS}\n</pl-checkbox>\n")
    name = _name(item)
    prompt = f"<pl-question-panel>\n{{{{{{params.prompt_{name}}}}}}}\n</pl-question-panel>\n"
    which = f'answers-name="{name}" weight="{item.points_milli}"'
    if item.letter:  # else one part left blank makes the answer to all of them invalid
        which += ' allow-blank="true"' + (' blank-value=""' if item.kind == "num" else "")
    if item.kind == "num":
        return prompt + (f'<pl-number-input {which} comparison="relabs" rtol="0" atol="{{{{params.atol_{name}}}}}" '
                         f'allow-fractions="false" suffix="{{{{params.unit_{name}}}}}"></pl-number-input>\n')
    return prompt + f'<pl-string-input {which} remove-spaces="true" ignore-case="true"></pl-string-input>\n'


def variant(question: Question) -> dict:
    instance = question[0].instance
    svg = instance.svg
    params: dict = {"stem": markup.to_html(instance.stem) + ("\n" + svg if svg else ""), "solution": _solution(question)}
    answers: dict = {}
    if instance.options:
        params["options"] = [{"correct": "true" if option.correct else "false", "html": markup.line_html(option.text)}
                             for option in instance.options]
    for item in question:
        if item.part is None:
            continue
        name = _name(item)
        words = f"({item.letter}) {item.part.label}\n\n" if item.letter else ""
        params[f"prompt_{name}"] = markup.to_html(words + (ask(item.part) if item.part.value is not None else "Answer:"))
        if item.part.value is None:
            answers[name] = item.part.accept[0]
        else:
            params |= {f"atol_{name}": tolerance_decimal(item.part.tolerance), f"unit_{name}": item.part.unit_words}
            answers[name] = plain_decimal(item.part.value)
    return {"params": params, "correct_answers": answers}


def _solution(question: Question) -> str:
    """Shown with the right answers: why they are, and why a wrong option is not."""
    instance = question[0].instance
    rows = "".join(f"<li>option {markup.line_html(why)}</li>" for why in whys(instance))
    return markup.to_html(instance.explanation) + (f"\n<ul>{rows}</ul>" if rows else "")


def info(quiz: Quiz, question: Question) -> dict:
    name, instance = qid(quiz, question), question[0].instance
    return {"uuid": str(uuid.uuid5(_NAMESPACE, name)), "type": "v3", "title": f"{quiz.title}, question {instance.number}",
            "topic": instance.template.topic, "tags": ["hpml", quiz.id], "gradingMethod": "Internal",
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
    questions = questions_of(quiz)
    others = [questions_of(other) for other in more]
    notes = [note for question in questions for item in question for note in refusals(item)]
    refused = {note.question for note in notes if note.how == "refused"}
    files = {}
    for place, question in enumerate(questions):
        if question[0].instance.id in refused:
            continue
        folder = f"prairielearn/questions/{qid(quiz, question)}"
        variants = [variant(question), *(variant(drawn[place]) for drawn in others)]
        files[f"{folder}/info.json"] = json.dumps(info(quiz, question), indent=1) + "\n"
        files[f"{folder}/question.html"] = question_html(question)
        files[f"{folder}/server.py"] = SERVER
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in variants)
        files[f"{folder}/variants.json"] = f"[\n{lines}\n]\n"
    zones = [{"title": quiz.title, "questions": [
        {"id": qid(quiz, question), "points": question[0].instance.points_milli / 1000} for question in questions
        if question[0].instance.id not in refused]}]
    assessment = {"uuid": str(uuid.uuid5(_NAMESPACE, quiz.id + "|assessment")), "type": "Exam", "title": quiz.title,
                  "set": "Quiz", "number": quiz.id, "allowAccess": [], "zones": zones}
    files[f"prairielearn/assessments/{quiz.id}/infoAssessment.json"] = json.dumps(assessment, indent=1) + "\n"
    return files, notes
