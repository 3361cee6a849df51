"""What an exported quiz must score, computed from the drawn quiz by the rules of the formats specification."""
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

from hpml_quizzes.emit.common import items_of
from hpml_quizzes.readback.question import ReadQuestion


def subsets(names):
    """All of them up to six options; beyond, the empty set, all, and each one and each pair."""
    sizes = range(len(names) + 1) if len(names) <= 6 else (0, 1, 2, len(names))
    return [frozenset(chosen) for size in sizes for chosen in combinations(names, size)]


def expected(item, places, rule):
    right = {place for place, option in enumerate(item.options, start=1) if option.correct}
    if item.kind in ("mc", "tf") or rule == "exact":
        return Fraction(100 if places == right and (item.kind == "ms" or len(places) == 1) else 0)
    count, wrong = len(item.options), len(item.options) - len(right)
    if rule == "each":
        return Fraction(100 * sum((p in places) == (p in right) for p in range(1, count + 1)), count)
    score = Fraction(100 * len(places & right), len(right)) - (Fraction(100 * len(places - right), wrong) if wrong else 0)
    return min(Fraction(100), max(Fraction(0), score))


def check_options(item, question: ReadQuestion, rule):
    names = [name for name, _ in question.options]
    assert len(names) == len(item.options)
    for chosen in subsets(names):
        places = {names.index(name) + 1 for name in chosen}
        got = Fraction(question.percent(chosen))
        assert abs(got - expected(item, places, rule)) < Fraction(1, 1000), (item.instance.id, places, rule)


def check_number(item, question: ReadQuestion):
    value, slack = item.part.value, item.part.tolerance
    for text, passes in ((_decimal(value), True), (item.part.shown, True), (_decimal(value + slack * Fraction(99, 100)), True),
                         (_decimal(value - slack * Fraction(99, 100)), True), ("", False), ("many", False),
                         (_decimal(value + slack * Fraction(101, 100)), False),
                         (_decimal(value - slack * Fraction(101, 100)), False)):
        assert question.percent(text) == (100 if passes else 0), (item.instance.id, text)


def check_words(item, question: ReadQuestion, every=True):
    for entry in item.part.accept if every else item.part.accept[:1]:
        assert question.percent(f" {entry.upper()} ") == 100
    assert question.percent("something else") == 0


def _decimal(value: Fraction) -> str:
    return format(Decimal(value.numerator) / Decimal(value.denominator), ".15f")


def check(quiz, questions: list[ReadQuestion], rule, refused=(), every=True, points=True):
    items = [item for item in items_of(quiz) if item.instance.id not in refused]
    assert len(items) == len(questions)
    for item, question in zip(items, questions):
        {"num": check_number, "short": lambda i, q: check_words(i, q, every)}.get(
            item.kind, lambda i, q: check_options(i, q, rule))(item, question)
        assert not points or question.points == Decimal(item.points_milli) / 1000
