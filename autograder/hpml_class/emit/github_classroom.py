"""The step output that GitHub Classroom's reporter read: base64 of a JSON object. For archived courses.

The service took whole points only, and no more than the maximum; a score is its share of whole points, as in
classroom50.py, and what bonuses earn above the maximum comes off the last tests.
"""
import base64
import json

from ..marks import Record, capped, is_bonus, listed, pending, share_out
from ..redact import detail
from .escape import plain


def render(record: Record, options: dict[str, str]) -> str:
    return base64.b64encode(json.dumps(document(record), ensure_ascii=False, sort_keys=True).encode()).decode() + "\n"


def document(record: Record) -> Record:
    tests = listed(record)
    infra = record["status"] == "infra_error"
    scores = _lower(share_out([test["millipoints"] for test in tests], 1000), capped(record) // 1000)
    passed = all(test["verdict"] == "AC" for test in tests if not is_bonus(test))
    return {"version": 1, "status": "error" if infra else "pass" if passed else "fail",
            "max_score": record["max_millipoints"] // 1000,
            "tests": [{"name": plain(test["id"]), "status": _status(test), "score": score, "message": plain(detail(test)),
                       "test_code": "", "filename": "", "line_no": 0, "duration": 0}
                      for test, score in zip(tests, scores)]}


def _status(test: Record) -> str:
    return "pass" if test["verdict"] == "AC" else "error" if pending(test) else "fail"


def _lower(scores: list[int], total: int) -> list[int]:
    """The reporter adds the tests up itself, so what does not count comes off the last ones."""
    lowered = list(scores)
    excess = sum(lowered) - total
    for index in reversed(range(len(lowered))):
        taken = min(excess, lowered[index])
        lowered[index] -= taken
        excess -= taken
    return lowered
