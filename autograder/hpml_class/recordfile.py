"""Reads a record from a file, and refuses what is none: bad input is one line, never a traceback or a score."""
import json
from pathlib import Path
from typing import Any

from hpml_autograder.record import forged
from hpml_autograder.verdict import Verdict

from .errors import UsageError
from .marks import Record, is_bonus

SCHEMA = "hpml.grade/v1"
MAX_BYTES = 64 << 20
STATUSES = ("ok", "inconclusive", "infra_error")
VISIBILITIES = ("public", "hidden", "after_due")
VERDICTS = {verdict.value for verdict in Verdict} | {"ML"}

# Field: its type. A dot goes into a table.
FIELDS = {"lab": str, "status": str, "submission": dict, "submission.id": str, "submission.files": list, "harness": dict,
          "harness.sha": str, "seed_id": str, "metrics_trust": str, "sandbox": dict, "total_millipoints": int,
          "max_millipoints": int, "late": dict, "late.days": int, "late.deduction_millipoints": int, "tests": list,
          "leaderboard": list, "volatile": dict, "record_sha256": str}
TEST_FIELDS = {"id": str, "exercise": str, "kind": str, "visibility": str, "max_millipoints": int, "millipoints": int,
               "verdict": str, "detail_public": str, "detail_staff": str, "metrics": dict}


def load(path: Path, key: bytes | None = None) -> Record:
    """key: the course key, where only records that carry its MAC are taken."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path}: larger than {MAX_BYTES >> 20} MiB; this is no record")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 at byte {error.start}; a record is JSON in UTF-8") from error
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not JSON: {error}") from error
    record = check(value, str(path))
    refuse_forged(record, path, key)
    return record


def refuse_forged(record: Record, path: Path, key: bytes | None) -> None:
    if reason := forged(record, key):
        raise UsageError(f"{path}: {reason}; grade the hand-in again")


def check(value: Any, where: str) -> Record:
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        found = value.get("schema") if isinstance(value, dict) else None
        raise UsageError(f"{where}: no record of schema {SCHEMA}" + (f" (it says {found!r})" if found else ""))
    _fields(value, FIELDS, where)
    if value["status"] not in STATUSES:
        raise UsageError(f"{where}: status {value['status']!r} is none of {', '.join(STATUSES)}")
    if value["late"]["deduction_millipoints"] < 0:
        raise UsageError(f"{where}: late.deduction_millipoints is negative")
    seen: set[str] = set()
    for position, test in enumerate(value["tests"]):
        _check_test(test, f"{where}: tests[{position}]", seen)
    for name in ("millipoints", "max_millipoints"):
        total = value["total_millipoints" if name == "millipoints" else name]
        added = sum(test[name] for test in value["tests"] if name == "millipoints" or not is_bonus(test))
        if added != total:
            raise UsageError(f"{where}: its tests add up to {added} {name}, the record says {total}: it was edited")
    return value


def _check_test(test: Any, where: str, seen: set[str]) -> None:
    if not isinstance(test, dict):
        raise UsageError(f"{where}: expected a table")
    _fields(test, TEST_FIELDS, where)
    if test["id"] in seen:
        raise UsageError(f"{where}: test id {test['id']!r} occurs twice")
    seen.add(test["id"])
    if test["verdict"] not in VERDICTS:
        raise UsageError(f"{where}: unknown verdict {test['verdict']!r}")
    if test["visibility"] not in VISIBILITIES:
        raise UsageError(f"{where}: unknown visibility {test['visibility']!r}")
    if type(is_bonus(test)) is not bool:
        raise UsageError(f"{where}: field 'bonus' should be bool, is {type(test['bonus']).__name__}")
    if not 0 <= test["millipoints"] <= test["max_millipoints"]:
        raise UsageError(f"{where}: {test['millipoints']} of {test['max_millipoints']} millipoints")


def _fields(table: Record, fields: dict[str, type], where: str) -> None:
    for path, kind in fields.items():
        value: Any = table
        for name in path.split("."):
            if not isinstance(value, dict) or name not in value:
                raise UsageError(f"{where}: missing field '{path}'")
            value = value[name]
        if type(value) is not kind:
            raise UsageError(f"{where}: field '{path}' should be {kind.__name__}, is {type(value).__name__}")
