"""Who may read what of a record. The one function that every emitter goes through (autograder specification, section 9).

student    before the due date: no details, metrics or seeds of hidden tests; names, verdicts and points stay
after_due  the same, but tests of visibility after_due are open
public     anybody: points and verdicts, nothing that names a person, a file or a value
staff      everything

A list of what passes, never of what does not: a field that somebody adds later is hidden until somebody lets it through.
"""
from typing import Any

from .errors import UsageError
from .marks import Record

AUDIENCES = ("student", "after_due", "public", "staff")

TOP = ("schema", "lab", "status", "standing", "metrics_trust", "total_millipoints", "max_millipoints", "late", "record_sha256")
TOP_STUDENT = (*TOP, "target", "sandbox")
SUBMISSION = ("id", "student", "sha256", "commit", "received_at")
FILE = ("path", "state", "sha256", "bytes", "note")
TEST = ("id", "exercise", "kind", "visibility", "bonus", "max_millipoints", "millipoints", "verdict")
TEST_OPEN = (*TEST, "checked", "detail_public", "metrics")
VOLATILE = ("started", "ended", "attempt")
LEADERBOARD = ("name", "metric", "order", "value")
HELD_BACK = {"student": ("hidden", "after_due"), "after_due": ("hidden",)}


def redact(record: Record, audience: str) -> Record:
    """A new record with what the audience may read. Pure: the record itself is left as it is."""
    if audience not in AUDIENCES:
        raise UsageError(f"there is no audience '{audience}'; there are {', '.join(AUDIENCES)}")
    if audience == "staff":
        return _copy(record)
    redacted = _pick(record, TOP if audience == "public" else TOP_STUDENT)
    redacted["harness"] = _pick(record["harness"], ("sha", "lab_version"))
    redacted["audience"] = audience
    if audience == "public":
        redacted["late"] = {"days": 0, "deduction_millipoints": record["late"]["deduction_millipoints"]}
        redacted["submission"] = {"id": "anonymous", "files": []}
        redacted["tests"] = [_pick(test, TEST) for test in record["tests"]]
        redacted["leaderboard"], redacted["volatile"] = [], {}
        return redacted
    redacted["submission"] = _pick(record["submission"], SUBMISSION)
    redacted["submission"]["files"] = [_pick(file, FILE) for file in record["submission"]["files"]]
    redacted["tests"] = [_pick(test, TEST if test["visibility"] in HELD_BACK[audience] else TEST_OPEN)
                         for test in record["tests"]]
    redacted["leaderboard"] = [_pick(entry, LEADERBOARD) for entry in record["leaderboard"]]
    redacted["volatile"] = _pick(record["volatile"], VOLATILE)
    redacted["volatile"]["wall_s"] = _pick(record["volatile"].get("wall_s", {}), ("total",))
    return redacted


def detail(test: Record) -> str:
    """What may be said about a test of a redacted record; staff read their own line as well."""
    parts = [test.get("detail_public", ""), test.get("detail_staff", "")]
    return "\n".join(part for part in parts if part)


def _pick(table: Record, names: tuple[str, ...]) -> Record:
    return {name: _copy(table[name]) for name in names if name in table}


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value
