"""Sets of questions (quizzes/sets/*.toml) and the quizzes drawn from them."""
import hashlib
import hmac
import json
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from . import markup
from .draw import as_published, draw, draw_many
from .errors import UsageError
from .instance import Instance
from .models import Models
from .numbers import auto
from .paths import SETS, relative
from .rng import Draws, seed_of
from .template import Template
from .tomlfile import Table, TomlFile


@dataclass(frozen=True)
class QuizSet:
    id: str
    title: str
    about: str
    date: str                  # of the set, for packages that want one: no export asks the clock
    published: bool
    questions: tuple[Template, ...]


@dataclass(frozen=True)
class Quiz:
    id: str
    title: str
    variant: str               # what the sheet prints to be matched with its key; "" as published
    instances: tuple[Instance, ...]
    date: str = ""

    @property
    def points_milli(self) -> int:
        return sum(instance.points_milli for instance in self.instances)

    @cached_property
    def sha256(self) -> str:
        """Of what a student sees, so that a sheet and its key can be matched and nothing else."""
        seen = [[one.kind, one.points_milli, one.stem, [option.text for option in one.options],
                 [part.label for part in one.parts]] for one in self.instances]
        text = json.dumps([self.id, self.variant, seen], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def _date(root: Table) -> str:
    text = root.get("date")
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise root.fail(f"date '{text}' must be written as 2026-09-01", "date") from None


def _chosen(root: Table, bank: dict[str, Template]) -> list[str]:
    """The questions named, then those of whole weeks by name, so that a new file is asked without an edit here; but those of
    leave_out, which repeat another."""
    names, weeks = list(root.get("questions", list, [])), root.get("weeks", list, [])
    leave_out = root.get("leave_out", list, [])
    for name in names:
        if name not in bank:
            raise root.fail(f"there is no question '{name}'", "questions")
    for week in weeks:
        found = sorted(template.id for template in bank.values() if template.week == week and not template.published)
        if not found:
            raise root.fail(f"there is no question of week {week!r}", "weeks")
        names += [name for name in found if name not in names]
    for name in leave_out:
        if name not in names:
            raise root.fail(f"question '{name}' would not be asked anyway", "leave_out")
    names = [name for name in names if name not in leave_out]
    if not names:
        raise root.fail("a quiz needs questions = [...] by name, or weeks = [...]")
    return names


def load_set(path: Path, bank: dict[str, Template]) -> QuizSet:
    root = TomlFile(path).root()
    names = _chosen(root, bank)
    result = QuizSet(path.stem, root.get("title"), root.get("about"), _date(root), root.get("published", bool, False),
                     tuple(bank[name] for name in names))
    total = root.get("total_points", (int, Fraction), None)
    points = Fraction(sum(template.points_milli for template in result.questions), 1000)
    if total is not None and total != points:
        raise root.fail(f"the questions have {auto(points)} points together, not {auto(Fraction(total))}", "total_points")
    root.finish()
    return result


def load_sets(bank: dict[str, Template], folder: Path = SETS) -> dict[str, QuizSet]:
    return {path.stem: load_set(path, bank) for path in sorted(folder.glob("*.toml"))}


def find_set(name: str, sets: dict[str, QuizSet]) -> QuizSet:
    if name not in sets:
        raise UsageError(f"there is no quiz '{name}' in {relative(SETS)}; there are {', '.join(sets)}")
    return sets[name]


def variant_id(course_key: str, quiz: str, label: str) -> str:
    """Printed on the sheet; says nothing of the seed."""
    return hmac.new(course_key.encode(), f"variant|{quiz}|{label}".encode(), hashlib.sha256).hexdigest()[:8].upper()


def draw_quiz(quiz_set: QuizSet, models: Models, course_key: str, label: str) -> Quiz:
    """label: of the variant or the student. A published quiz is the same for everybody."""
    instances = []
    variant = "" if quiz_set.published else variant_id(course_key, quiz_set.id, label)
    for number, template in enumerate(quiz_set.questions, start=1):
        if quiz_set.published:
            instances.append(as_published(template, models, quiz_set.id, number))
        else:
            seed = seed_of(course_key, quiz_set.id, label, template.id)
            instances.append(draw(template, Draws(seed), models, quiz_set.id, variant, number))
    return Quiz(quiz_set.id, quiz_set.title, variant, tuple(instances), quiz_set.date)


def draw_more(quiz_set: QuizSet, models: Models, course_key: str, labels: list[str]) -> list[Quiz]:
    """A quiz per label, with few exchanges with the models."""
    columns = [draw_many(template, [seed_of(course_key, quiz_set.id, label, template.id) for label in labels], models,
                         quiz_set.id) for template in quiz_set.questions]
    return [Quiz(quiz_set.id, quiz_set.title, variant_id(course_key, quiz_set.id, label),
                 tuple(replace(column[place], number=number) for number, column in enumerate(columns, start=1)))
            for place, label in enumerate(labels)]


def points_text(milli: int) -> str:
    return auto(Fraction(milli, 1000))


def key_entry(instance: Instance) -> dict:
    entry: dict = {"id": instance.id, "kind": instance.kind, "points_milli": instance.points_milli,
                   "scoring": instance.scoring}
    if instance.options:
        entry |= {"published_order": instance.key, "options": [markup.plain(one.text) for one in instance.options]}
    if instance.parts:
        entry["parts"] = [{"accept": list(part.accept)} if part.value is None else
                          {"value": part.shown, "exact": str(part.value), "tolerance": str(part.tolerance),
                           "unit": part.unit} for part in instance.parts]
    return entry


def key_of(quiz: Quiz) -> dict[str, dict]:
    """By the number of the question: places of the keyed options from 1, or the parts to fill in."""
    return {str(instance.number): key_entry(instance) for instance in quiz.instances}


def key_json(quiz: Quiz) -> str:
    return json.dumps(key_of(quiz), ensure_ascii=False, indent=1) + "\n"
