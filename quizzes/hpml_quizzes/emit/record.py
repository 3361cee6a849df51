"""Quiz -> the record hpml.quiz/v1: everything about a drawn quiz, with its answers, for other programs."""
import json
from fractions import Fraction
from typing import Any

from .. import markup
from ..quiz import Quiz
from .common import Item, items_of, plain_decimal, tolerance_decimal

SCHEMA = "hpml.quiz/v1"


def _plain(value: Any) -> Any:
    """Parameters as JSON: exact numbers as decimals or fractions in text."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    return value


def _answer(item: Item) -> dict:
    if item.part is None:
        groups: dict[str, list[str]] = {}
        for option in item.options:
            if option.group:
                groups.setdefault(option.group, []).append(option.id)
        return {"options": [{"id": option.id, "html": markup.line_html(option.text), "correct": option.correct,
                             "misconception": "" if option.correct else markup.line_html(option.why)}
                            for option in item.options],
                "exclusive_groups": [names for names in groups.values() if len(names) > 1]}
    if item.part.value is None:
        return {"short": {"accepted": list(item.part.accept), "case": False}}
    return {"numeric": {"value": plain_decimal(item.part.value), "tol_abs": tolerance_decimal(item.part.tolerance),
                        "unit": item.part.unit, "display_digits": item.part.places}}


def _instance(quiz: Quiz, item: Item) -> dict:
    instance, template = item.instance, item.instance.template
    names = [parameter.name for parameter in template.parameters]
    scoring = {"mc": "single", "tf": "single", "num": "within", "short": "exact"}.get(item.kind, instance.scoring)
    return {"id": item.ident, "question": instance.id, "number": instance.number, "quiz": quiz.id, "variant": quiz.variant,
            "type": item.kind, "title": template.title, "stem_html": item.stem_html, "points_milli": item.points_milli,
            "topic": template.topic, "tags": ["hpml", quiz.id], "scoring": scoring, "shuffle": "fixed", **_answer(item),
            "figure_svg": instance.svg, "solution_html": markup.to_html(instance.explanation),
            "provenance": template.source, "params": {name: _plain(instance.values[name]) for name in names}}


def to_json(quiz: Quiz) -> str:
    record = {"schema": SCHEMA, "quiz": quiz.id, "variant": quiz.variant, "sha256": quiz.sha256,
              "points_milli": quiz.points_milli, "instances": [_instance(quiz, item) for item in items_of(quiz)]}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"
