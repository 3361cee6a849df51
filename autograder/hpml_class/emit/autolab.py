"""Autolab reads the last line of an autograder's output: {"scores": {problem: points}, "scoreboard": [...]}.

Problems are the exercises, and "late" where points were taken off for it, so that Autolab's sum is ours.
"""
import json

from ..errors import NoScore
from ..marks import Record, deduction, earned, exercises, net, number, of_exercise
from .escape import plain


def render(record: Record, options: dict[str, str]) -> str:
    if record["status"] == "infra_error":
        raise NoScore("the record says infra_error; without a score line Autolab keeps the score it has")
    scores = {plain(exercise): number(earned(of_exercise(record, exercise))) for exercise in exercises(record)}
    if deduction(record):
        scores["late"] = -number(deduction(record))
    return json.dumps({"scores": scores, "scoreboard": [number(net(record))]}, ensure_ascii=True) + "\n"
