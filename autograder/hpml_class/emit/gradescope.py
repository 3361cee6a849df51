"""Gradescope's results.json (autograder specification, section 10). Points are floats with at most three decimals."""
import json

from ..errors import NoScore
from ..marks import Record, bonus, deduction, earned, is_bonus, net, number, pending, short
from ..redact import detail
from .escape import plain

VISIBILITY = {"public": "visible", "hidden": "hidden", "after_due": "after_due_date"}


def render(record: Record, options: dict[str, str]) -> str:
    if record["status"] == "infra_error":
        raise NoScore("the record says infra_error; Gradescope keeps the score it has")
    result = {
        "score": number(net(record)),
        "output": _headline(record),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "execution_time": int(record["volatile"].get("wall_s", {}).get("total", 0)),
        "extra_data": {"record_sha256": record["record_sha256"], "lab": record["lab"]},
        "tests": [_test(test, position) for position, test in enumerate(record["tests"], start=1)],
        "leaderboard": [{"name": entry["name"], "value": entry["value"], "order": entry["order"]}
                        for entry in record["leaderboard"]],
    }
    return json.dumps(result, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _headline(record: Record) -> str:
    lines = [f"{record['lab']}: {short(net(record))} of {short(record['max_millipoints'])} points"
             + (f", {short(bonus(record))} of them bonus points" if bonus(record) else "")]
    if any(test["visibility"] != "public" for test in record["tests"]):
        lines = [f"{record['lab']}: some tests are not shown before the due date"]
        open_bonus = [test for test in record["tests"] if is_bonus(test) and test["visibility"] == "public"]
        if earned(open_bonus):
            lines.append(f"{short(earned(open_bonus))} bonus points in the tests that are shown")
    if deduction(record):
        lines.append(f"Late by {record['late']['days']} days: -{short(deduction(record))} points")
    if record["status"] == "inconclusive":
        lines.append("Some tests are pending: they will be graded again and cost nothing now.")
    return "\n".join(lines)


def _test(test: Record, position: int) -> Record:
    # A test without a score is informational there: a pending one must be neither zero nor full, and of a bonus nothing
    # is lost. Points above the assignment's are taken as they are.
    unscored = pending(test) or is_bonus(test) and not test["millipoints"]
    scores = {} if unscored else {"score": number(test["millipoints"]), "max_score": number(test["max_millipoints"]),
                                       "status": "passed" if test["verdict"] == "AC" else "failed"}
    note = f"pending, {short(test['max_millipoints'])} points: " if pending(test) else ""
    said = plain(detail(test)) or ("" if unscored else f"verdict {test['verdict']}")
    return {**scores, "name": plain(test["id"]) + (" (bonus)" if is_bonus(test) else ""), "name_format": "text", "number": str(position),
            "output": f"{note}{said}".strip(), "output_format": "text", "tags": [test["exercise"], test["kind"]],
            "visibility": VISIBILITY[test["visibility"]], "extra_data": {"verdict": test["verdict"]}}
