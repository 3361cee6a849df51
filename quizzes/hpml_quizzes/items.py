"""Item statistics of a graded quiz: how hard each question was, how well it tells strong students from weak ones, and which options
were chosen.

Difficulty: mean share of the points (1 is easy). Discrimination: correlation of the question's points with the points of all other
questions (item-rest correlation; Nunnally and Bernstein, Psychometric Theory, 1994); empty where either does not vary. Below 0.2 a
question deserves a look, below 0 its key.
"""
import statistics
from collections import Counter

import hpml_gradebook

from .grade import Graded
from .scoring import BadResponse, parse_options

LOW = 0.2


def difficulty(graded: list[Graded], number: str) -> float:
    return statistics.fmean(one.points_milli[number] / one.key[number]["points_milli"] for one in graded)


def discrimination(graded: list[Graded], number: str) -> float | None:
    own = [one.points_milli[number] for one in graded]
    others = [one.total_milli - points for one, points in zip(graded, own)]
    if len(set(own)) < 2 or len(set(others)) < 2:
        return None
    return statistics.correlation(own, others)


def choices(graded: list[Graded], number: str) -> Counter:
    """Option's words -> how many chose it: places differ between variants, words are compared. A right one ends in " *"."""
    found: Counter = Counter()
    for one in graded:
        entry = one.key[number]
        if "options" not in entry or number not in one.answers:
            continue
        try:
            chosen = parse_options(one.answers[number], entry["options"], entry["kind"])
        except BadResponse:
            continue
        found.update(entry["options"][place - 1] + (" *" if place in entry["published_order"] else "") for place in sorted(chosen))
    return found


def table(graded: list[Graded]) -> str:
    """CSV: a line for each question."""
    rows: list[list[object]] = [["question", "id", "students", "difficulty", "discrimination", "look", "chosen"]]
    for number, entry in graded[0].key.items():
        tells = discrimination(graded, number)
        look = "" if tells is None or tells >= LOW else "check the key" if tells < 0 else "tells little"
        chosen = "; ".join(f"{count} x {words}" for words, count in sorted(choices(graded, number).items(), key=lambda one: (-one[1], one[0])))
        rows.append([number, entry["id"], len(graded), f"{difficulty(graded, number):.3f}", "" if tells is None else f"{tells:.3f}",
                     look, chosen])
    return hpml_gradebook.table(rows)
