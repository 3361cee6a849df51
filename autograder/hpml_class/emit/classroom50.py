"""Classroom 50's result.json, schema classroom50/result/v1: whole numbers, so points are written as centipoints.

Performance fractions are rounded down to 10 millipoints, so a test's centipoints are exact; should a lab's maximum not
be, the largest remainders get what rounding down has lost. `scale=1` writes whole points the same way. A score above the
maximum is none there: bonus points fill up what is missing, and their tests are 0 of 0 and say what they earned.
"""
import json
import re

from ..errors import NoScore, UsageError
from ..marks import Record, capped, is_bonus, listed, share_out, short
from ..redact import detail
from .escape import plain

SCHEMA = "classroom50/result/v1"
OPTIONS = ("classroom", "owner", "submission", "commit", "release", "review", "datetime")
MAY = ("scale", "assignment", "assignment_type")
DATETIME = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ")
GRAINS = {"100": 10, "1": 1000}


def render(record: Record, options: dict[str, str]) -> str:
    if record["status"] == "infra_error":
        raise NoScore("the record says infra_error; Classroom 50 keeps the score it has")
    if record["max_millipoints"] == 0:
        raise NoScore("the record has no points to give; Classroom 50 would call 0 of 0 a pass")
    grain = GRAINS.get(options.get("scale", "100"))
    if grain is None:
        raise UsageError(f"scale={options['scale']}: use 100 (centipoints) or 1 (points)")
    if not DATETIME.fullmatch(options["datetime"]):
        raise UsageError(f"datetime={options['datetime']}: expected the committer date as 2026-11-20T12:00:00Z")
    if not options["submission"].startswith("submit/"):
        raise UsageError(f"submission={options['submission']}: expected a tag that begins with submit/")
    tests = listed(record)
    most = share_out([0 if is_bonus(test) else test["max_millipoints"] for test in tests], grain)
    scores = share_out([0 if is_bonus(test) else test["millipoints"] for test in tests], grain, most)
    result = {
        "schema": SCHEMA, **{name: options[name] for name in OPTIONS},
        "assignment": options.get("assignment") or record["lab"],
        "assignment_type": options.get("assignment_type") or "individual",
        "score": capped(record) // grain, "max-score": record["max_millipoints"] // grain,
        "tests": [{"test-name": plain(test["id"]), "passed": test["verdict"] == "AC", "score": score, "max-score": top,
                   "verdict": test["verdict"], "message": _message(test)}
                  for test, score, top in zip(tests, scores, most)],
    }
    if result["assignment_type"] not in ("individual", "group"):
        raise UsageError(f"assignment_type={result['assignment_type']}: use individual or group")
    if result["max-score"] == 0:
        raise NoScore(f"{record['max_millipoints']} millipoints are less than one whole point; use scale=100")
    return json.dumps(result, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _message(test: Record) -> str:
    earned = f"bonus, {short(test['millipoints'])} of {short(test['max_millipoints'])} points. " if is_bonus(test) else ""
    return (earned + plain(detail(test))).strip()
