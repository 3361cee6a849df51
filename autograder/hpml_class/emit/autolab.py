"""Autolab reads the last line of an autograder's output: {"scores": {problem: points}, "scoreboard": [...]}.

Problems are the exercises without their bonuses, "bonus" in a lab that has any, and "late" where points were taken off for it,
so that Autolab's sum is ours and the bonus has a column of its own.
"""
import json

from ..errors import NoScore
from ..marks import Record, bonus, deduction, earned, exercises, is_bonus, net, number, of_exercise
from .escape import plain


def render(record: Record, options: dict[str, str]) -> str:
    if record["status"] == "infra_error":
        raise NoScore("the record says infra_error; without a score line Autolab keeps the score it has")
    required = {exercise: [test for test in of_exercise(record, exercise) if not is_bonus(test)] for exercise in exercises(record)}
    scores = {plain(exercise): number(earned(tests)) for exercise, tests in required.items() if tests}
    if any(map(is_bonus, record["tests"])):
        scores["bonus"] = number(bonus(record))
    if deduction(record):
        scores["late"] = -number(deduction(record))
    return json.dumps({"scores": scores, "scoreboard": [number(net(record))]}, ensure_ascii=True) + "\n"
