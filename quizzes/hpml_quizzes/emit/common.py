"""What all formats say in the same words."""
from dataclasses import dataclass
from fractions import Fraction

from .. import markup
from ..instance import Instance, Option, Part
from ..quiz import Quiz, points_text

SCORING_RULES = {
    "each_decision": "Each option counts: checked and true, or not checked and false, earns an equal share of the points.",
    "net_correct": "Right checks less wrong checks count, never below zero.",
    "all_or_nothing": "Points only for exactly the right set of options.",
}


def heading(instance: Instance) -> str:
    points = points_text(instance.points_milli)
    return f"Question {instance.number} ({points} point{'' if points == '1' else 's'})"


def instruction(instance: Instance) -> str:
    if instance.kind == "ms":
        return "Check all that are true."
    return "Check one." if instance.options else ""


def ask(part: Part) -> str:
    """The unit and how exact: "Answer in GB/s, accepted within 0.5 %." """
    words = " ".join(word for word in (f"in {part.unit_words}" if part.unit_words else "", part.wanted and
                                       f"({part.wanted})") if word)
    return f"Answer {words}." if words else "Answer:"


def part_name(place: int) -> str:
    return f"({'abcdefghijklmnopqrstuvwxyz'[place]})"


def scorings(quiz: Quiz) -> list[str]:
    """The rules that occur, each once."""
    used = {instance.scoring for instance in quiz.instances if instance.kind == "ms"}
    return [text for name, text in SCORING_RULES.items() if name in used]


def label_of(instance: Instance, place: int) -> str:
    """Before the place for an answer, as markup; "" for a question with one part."""
    label = instance.parts[place].label
    return f"{part_name(place)} {label}{'' if label.endswith(('?', ':')) else ':'}" if label else ""


def key_value(part: Part) -> str:
    """For the answer key: value and unit."""
    return " or ".join(part.accept) if part.value is None else f"{part.shown} {part.unit_words}".strip()


def precision(part: Part) -> str:
    return f"({part.wanted})" if part.wanted else ""


def whys(instance: Instance) -> list[str]:
    """The misconception behind each wrong option, as markup."""
    return [f"{place}: {option.why}" for place, option in enumerate(instance.options, start=1)
            if option.why and not option.correct]


@dataclass(frozen=True)
class Item:
    """What a learning platform takes for one question: a blanks question is several."""
    instance: Instance
    ident: str
    name: str
    kind: str               # mc, tf, ms, num, short
    stem: str               # markup
    points_milli: int
    part: Part | None
    letter: str = ""        # of the blank

    @property
    def options(self) -> tuple[Option, ...]:
        return self.instance.options

    @property
    def stem_html(self) -> str:
        return markup.to_html(self.stem)


def shares(total: int, count: int) -> list[int]:
    """Whole parts of a whole, as equal as they can be."""
    return [total * (i + 1) // count - total * i // count for i in range(count)]


def items_of(quiz: Quiz) -> list[Item]:
    """For every platform in the same order; nothing is left out here."""
    from .idents import ident
    items = []
    for instance in quiz.instances:
        name = f"{quiz.title}, question {instance.number}"
        base = ident(quiz, instance, "item")
        if not instance.parts:
            items.append(Item(instance, base, name, instance.kind, instance.stem, instance.points_milli, None))
            continue
        points = shares(instance.points_milli, len(instance.parts))
        for place, part in enumerate(instance.parts):
            label = f"\n\n{part_name(place)} {part.label}" if part.label else ""
            ending = f"\n\n{ask(part)}" if part.value is not None else ""
            items.append(Item(instance, base if not part.label else ident(quiz, instance, f"item{place}"),
                              name + (f" {part_name(place)}" if part.label else ""),
                              "num" if part.value is not None else "short", instance.stem + label + ending,
                              points[place], part, part_name(place)[1] if part.label else ""))
    return items


def plain_decimal(value: Fraction) -> str:
    """A decimal without exponent that is exact, or as near as twelve places come."""
    from ..numbers import decimals, finite_places
    places = finite_places(value)
    return decimals(value, places if places is not None and places <= 12 else 12)


def tolerance_decimal(value: Fraction) -> str:
    """Rounded up, so that what should pass passes."""
    text = plain_decimal(value)
    return text if Fraction(text) >= value else plain_decimal(Fraction(text) + Fraction(1, 10**12))
