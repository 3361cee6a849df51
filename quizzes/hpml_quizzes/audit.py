"""Keys from elsewhere against what is computed: the page on Quiz 1's published key, and check-key."""
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import markup
from .draw import as_published, exact_parameters, with_parameters
from .errors import Problem, UsageError
from .instance import Instance
from .load import load_bank
from .logic import key_reasons, number_reasons
from .models import Models
from .paths import relative
from .quiz import QuizSet, draw_quiz, load_sets, points_text
from .rng import Draws
from .scoring import options_score
from .template import Official, Template


def _problem(instance: Instance, reason: str) -> Problem:
    """Questions by name have no number."""
    file = instance.template.file
    where = f"question {instance.number}: " if instance.number else ""
    return file.problem(where + reason, "published" if instance.number else "official")


def printed_places(instance: Instance) -> list[int]:
    """What the published copy marked, as places."""
    published = instance.template.published
    assert published is not None
    return [place for place, option in enumerate(instance.options, start=1) if option.id in published.printed_key]


def check_places(instance: Instance, places: list[int]) -> list[Problem]:
    return [_problem(instance, reason) for reason in key_reasons(instance, places)]


def check_number(instance: Instance, part: int, value: Fraction | str) -> list[Problem]:
    return [_problem(instance, reason) for reason in number_reasons(instance, part, value)]


def _number(text: Any) -> Fraction | str:
    try:
        return Fraction(str(text))
    except ValueError:
        return str(text)


def _entry_problems(instance: Instance, entry: Any, where: str) -> list[Problem]:
    places = entry.get("published_order") if isinstance(entry, dict) else None
    parts = entry.get("parts") if isinstance(entry, dict) else None
    if instance.parts and isinstance(parts, list) and len(parts) <= len(instance.parts):
        return [problem for part, value in enumerate(parts, start=1) if value not in ("", None)
                for problem in check_number(instance, part, _number(value))]
    if instance.options and isinstance(places, list) and all(isinstance(place, int) for place in places):
        return check_places(instance, places)
    wanted = f'{{"parts": [{len(instance.parts)} values]}}' if instance.parts else '{"published_order": [places from 1]}'
    raise UsageError(f"{where}: write {wanted}")


def _instance_of(name: str, entry: Any, by_number: dict[str, Instance], bank: dict[str, Template], models: Models,
                 where: str) -> Instance:
    """By the number of the quiz's question; or by a question's name, with the parameters it was asked with."""
    if name in by_number:
        return by_number[name]
    if name not in bank:
        raise UsageError(f"{where}: there is no such question, by number or by name")
    given = entry.get("parameters") if isinstance(entry, dict) else None
    if not isinstance(given, dict):
        raise UsageError(f'{where}: a question by name wants "parameters": {{...}}')
    template = bank[name]
    return with_parameters(template, exact_parameters(template, given, 1), Draws(0), models)


def check_key_file(quiz_set: QuizSet, path: Path, models: Models) -> list[Problem]:
    try:
        key = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{relative(path)}: {error}") from None
    if not isinstance(key, dict):
        raise UsageError(f'{relative(path)}: write {{"1": {{"published_order": [2]}}, ...}}')
    quiz, bank = draw_quiz(quiz_set, models, "public", "v1"), load_bank()
    by_number = {str(instance.number): instance for instance in quiz.instances}
    problems = []
    for name, entry in key.items():
        where = f"{relative(path)}: question {name}"
        problems += _entry_problems(_instance_of(name, entry, by_number, bank, models, where), entry, where)
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


def _official(template: Template, official: Official, models: Models) -> str:
    parameters = exact_parameters(template, official.parameters, official.line)
    instance = with_parameters(template, parameters, Draws(0), models)
    part = instance.parts[official.part - 1]
    asked = f"{markup.line_markdown(instance.stem)} {markup.line_markdown(part.label)}".strip()
    reasons = [markup.line_markdown(problem.reason) for problem in check_number(instance, official.part, _number(official.key))]
    lines = [f"### {template.title}", "", asked, "", f"Computed: {part.shown}. Official: **{official.key}**: {official.verdict}."]
    return "\n".join([*lines, "", "What the validator says to the official key:", "", *(f"- {reason}" for reason in reasons)])


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
    others = [_official(template, official, models) for template in bank.values() for official in template.official]
    return (head + "\n".join(map(_row, instances)) + "\n\n## The wrong keys\n\n" + "\n\n".join(map(_defect, wrong))
            + "\n\n## Errors in official keys of later quizzes\n\n" + "\n\n".join(others) + "\n\n## Statements that were repaired\n\n" + "\n".join(repaired) + "\n")
