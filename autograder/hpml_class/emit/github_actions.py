"""GitHub Actions: a table for the step summary, and workflow commands that annotate.

Limits and escapes are GitHub's: a summary above 1 MiB is dropped as a whole, at most 10 annotations of a kind per step.
"""
from ..marks import Record, bonus, deduction, exercises, is_bonus, listed, net, of_exercise, pending, short
from ..redact import detail
from .escape import one_line, table_cell

SUMMARY_BYTES = 900 * 1024
PER_KIND = 10
KINDS_OF_SCORE = {
    True: "This is a score of record: it was graded by the course, in its sandbox.",
    False: "This score is advisory: it was computed where your own files could reach it. The score of record is graded by the "
           "course, with other data."}


def summary(record: Record, options: dict[str, str]) -> str:
    lines = [f"## {table_cell(record['lab'])}: {short(net(record))} of {short(record['max_millipoints'])} points", ""]
    lines += [KINDS_OF_SCORE[record.get("standing") == "record"], ""]
    if record["status"] == "infra_error":
        lines += ["**The grader itself had a problem; nothing here is held against you.**", ""]
    lines += ["| test | points | verdict | reason |", "| --- | ---: | --- | --- |"]
    end = ["", f"Record {record['record_sha256'][:16]}, harness {record['harness']['sha'][:12]}."]
    if bonus(record):
        end.insert(0, f"| bonus points among them | {short(bonus(record))} | | |")
    if deduction(record):
        days = record["late"]["days"]
        end.insert(0, f"| late by {days} day{'' if days == 1 else 's'} | -{short(deduction(record))} | | |")
    size = sum(len(line.encode()) + 1 for line in (*lines, *end))
    tests = [test for exercise in exercises(record) for test in of_exercise(record, exercise)]
    for position, test in enumerate(tests):
        line = _row(test)
        size += len(line.encode()) + 1
        if size > SUMMARY_BYTES - 100:
            lines.append(f"| {len(tests) - position} more tests | | | the summary is full; see the record |")
            break
        lines.append(line)
    return "\n".join([*lines, *end]) + "\n"


def _row(test: Record) -> str:
    points = "pending" if pending(test) else f"{short(test['millipoints'])}/{short(test['max_millipoints'])}"
    if is_bonus(test) and not pending(test):
        points = f"bonus {points}" if test["millipoints"] else "bonus"
    return f"| {table_cell(test['id'])} | {points} | {test['verdict']} | {table_cell(detail(test))} |"


def annotations(record: Record, options: dict[str, str]) -> str:
    """::error, ::warning and ::notice lines, then one that sums up. Nothing of a student's begins a line."""
    kinds: dict[str, list[str]] = {"error": [], "warning": [], "notice": []}
    for test in listed(record):
        if test["verdict"] == "AC":
            continue
        kind = "notice" if test["verdict"] in ("SK", "INC", "XX") or is_bonus(test) else "warning" if test["verdict"] == "PA" else "error"
        title = f"{record['lab']} {test['id']}: {short(test['millipoints'])}/{short(test['max_millipoints'])}"
        said = one_line(detail(test)) or f"verdict {test['verdict']}"
        kinds[kind].append(f"::{kind} title={_property(title)}::{_data(said)}")
    total = f"{short(net(record))} of {short(record['max_millipoints'])} points{'' if record.get('standing') == 'record' else ' (advisory)'}"
    kinds["notice"].insert(0, f"::notice title={_property(record['lab'])}::{_data(total)}")
    lines = []
    for commands in kinds.values():
        lines += commands if len(commands) <= PER_KIND else commands[:PER_KIND]
    return "\n".join(lines) + "\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")
