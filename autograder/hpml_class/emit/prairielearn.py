"""PrairieLearn's results.json. A submission that does not compile is not gradable there, which costs no attempt. Its
scores end at 1: bonus points fill up what is missing, and no more."""
import json

from ..marks import Record, capped, is_bonus, listed, net, number, pending, short
from ..redact import detail
from .escape import plain

MAX_BYTES = 1_000_000
SHORT = 200  # letters of each message when the whole would be too long


def render(record: Record, options: dict[str, str]) -> str:
    text = _dump(document(record, 16 * 1024))
    return text if len(text.encode()) <= MAX_BYTES else _dump(document(record, SHORT))


def document(record: Record, limit: int) -> Record:
    tests = listed(record)
    broken = [plain(detail(test), limit) for test in tests if test["verdict"] == "CE" and not is_bonus(test)]
    if record["status"] == "infra_error":
        return {"gradable": False, "message": "The grader itself had a problem. No attempt was used.", "format_errors": [
            "The grader itself had a problem; submit again later."]}
    if broken and not net(record):
        return {"gradable": False, "message": "Nothing to grade: it does not compile.", "format_errors": broken}
    most = record["max_millipoints"]
    message = f"{short(net(record))} of {short(most)} points"
    if record["status"] == "inconclusive":
        message += "; some tests are pending"
    return {"gradable": True, "score": capped(record) / most if most else 0.0, "message": message, "output": "",
            "images": [], "tests": [_test(test, limit) for test in tests]}


def _test(test: Record, limit: int) -> Record:
    return {"name": plain(test["id"]), "description": f"{test['exercise']}, {test['kind']}",
            "points": number(test["millipoints"]), "max_points": number(test["max_millipoints"]),
            "message": "pending" if pending(test) else f"verdict {test['verdict']}", "output": plain(detail(test), limit),
            "images": []}


def _dump(value: Record) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"
