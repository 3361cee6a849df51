"""Keys from elsewhere against what is computed: the page on Quiz 1's published key, and check-key."""
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import markup
from .draw import as_published
from .errors import Problem, UsageError
from .instance import Instance
from .load import load_bank
from .logic import key_reasons, number_reasons
from .models import Models
from .paths import relative
from .quiz import QuizSet, draw_quiz, load_sets, points_text
from .scoring import options_score


def _problem(instance: Instance, reason: str) -> Problem:
    file = instance.template.file
    return file.problem(f"question {instance.number}: {reason}", "published")


def printed_places(instance: Instance) -> list[int]:
    """What the published copy marked, as places."""
    published = instance.template.published
    assert published is not None
    return [place for place, option in enumerate(instance.options, start=1) if option.id in published.printed_key]


def check_places(instance: Instance, places: list[int]) -> list[Problem]:
    return [_problem(instance, reason) for reason in key_reasons(instance, places)]


def check_number(instance: Instance, part: int, value: Fraction) -> list[Problem]:
    return [_problem(instance, reason) for reason in number_reasons(instance, part, value)]


def _places_of(number: str, entry: Any, path: Path) -> list[int]:
    places = entry.get("published_order") if isinstance(entry, dict) else None
    if not isinstance(places, list) or not all(isinstance(place, int) for place in places):
        raise UsageError(f"{relative(path)}: question {number}: write {{\"published_order\": [places from 1]}}")
    return places


def check_key_file(quiz_set: QuizSet, path: Path, models: Models) -> list[Problem]:
    try:
        key = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{relative(path)}: {error}") from None
    quiz = draw_quiz(quiz_set, models, "public", "v1")
    by_number = {str(instance.number): instance for instance in quiz.instances}
    problems = []
    for number, entry in key.items():
        if number not in by_number:
            raise UsageError(f"{relative(path)}: there is no question {number} in {quiz_set.id}")
        problems += check_places(by_number[number], _places_of(number, entry, path))
    return problems


def published_score(instances: list[Instance], scoring: str | None = None) -> int:
    """Points, in thousandths, of someone who answers with the published key."""
    total = 0
    for instance in instances:
        rule = (scoring or instance.scoring) if instance.kind == "ms" else "all_or_nothing"
        total += options_score(instance.points_milli, rule, set(instance.key), set(printed_places(instance)),
                               len(instance.options))
    return total


def _places(places: list[int]) -> str:
    return ", ".join(map(str, places))


def _row(instance: Instance) -> str:
    printed = printed_places(instance)
    right = printed == instance.key
    published = instance.template.published
    assert published is not None
    cells = [str(instance.number), points_text(instance.points_milli), instance.kind, instance.template.title,
             _places(instance.key), _places(printed) if right else f"**{_places(printed)}**",
             published.verdict.replace("|", "/")]
    return "| " + " | ".join(cells) + " |"


def _defect(instance: Instance) -> str:
    lines = [f"### Question {instance.number}: {instance.template.title}", ""]
    for place, option in enumerate(instance.options, start=1):
        lines.append(f"{place}. {markup.line_markdown(option.text)}: {'true' if option.correct else '**false**'}")
    lines += ["", f"{markup.to_markdown(instance.explanation)}", "", "What the validator says to the published key:", ""]
    lines += [f"- {markup.line_markdown(reason)}" for reason in key_reasons(instance, printed_places(instance))]
    return "\n".join(lines)


_HEAD = """# Audit of Quiz 1's published key

Written by `docs/update.py` from the question files in `quizzes/bank/quiz1`; do not edit.

A public copy of the course's first quiz carries an answer key. Of its {count} questions {right} are keyed rightly and {wrong}
wrongly: {numbers}.

**Cause.** The learning platform's export prints a tick beside every option that the student *decided* correctly (checked, or
rightly left unchecked), and arrows at the true key only where something was wrong. An attempt with full marks therefore has a
tick beside every option. The copy took ticks for keys, so that every question with several answers was keyed "all options".
Where all options are true (question 12) that happened to be right.

Whoever answers with the published key scores **{each} of {total}** points when each option counts, and {strict} when only the
exact set does.

| # | Points | Kind | Question | Key, computed | Key, published | Verdict on the published key |
| --- | --- | --- | --- | --- | --- | --- |
"""


def page(models: Models) -> str:
    bank = load_bank()
    quiz_set = load_sets(bank)["quiz1"]
    instances = [as_published(template, models, quiz_set.id, number)
                 for number, template in enumerate(quiz_set.questions, start=1)]
    wrong = [instance for instance in instances if printed_places(instance) != instance.key]
    numbers = [str(instance.number) for instance in wrong]
    head = _HEAD.format(count=len(instances), right=len(instances) - len(wrong), wrong=len(wrong),
                        numbers=", ".join(numbers[:-1]) + " and " + numbers[-1],
                        each=points_text(published_score(instances)),
                        strict=points_text(published_score(instances, "all_or_nothing")),
                        total=points_text(sum(instance.points_milli for instance in instances)))
    repaired = [f"- Question {one.number}: {one.template.published.repaired}" for one in instances
                if one.template.published and one.template.published.repaired]
    return (head + "\n".join(map(_row, instances)) + "\n\n## The wrong keys\n\n" + "\n\n".join(map(_defect, wrong))
            + "\n\n## Statements that were repaired\n\n" + "\n".join(repaired) + "\n")
