"""What a student reads of a record: what to do first, what was handed in, and why points are missing; as plain text that is
Markdown as well (feedback.md), and as a page (feedback.html). Pure functions of the redacted record and the lab's description.

Words of a student's program stand in indented blocks, which no reader of Markdown takes for markup, so that nothing has to be
written in entities.
"""
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from hpml_autograder.labspec import Exercise, LabSpec
from hpml_autograder.next_step import ADVICE
from hpml_autograder.verdict import Verdict

from .emit.escape import one_line, plain
from .marks import Record, bonus, deduction, earned, is_bonus, net, of_exercise, pending, possible, short
from .redact import detail

MEANING = {
    "AC": "accepted: all points",
    "PA": "partly right: a part of the points; the reason says what is missing",
    "WA": "wrong: your program ran, and its result or its evidence is not right",
    "CE": "does not compile: see what the compiler says with `make {lab}`",
    "RE": "ended with an error: the exit code was not 0",
    "SG": "crashed: killed by a signal, most often an access outside of an array",
    "TO": "took too long and was stopped",
    "ML": "needed more memory than allowed and was stopped",
    "OL": "printed or wrote more than allowed and was stopped",
    "PV": "not allowed: your code uses what the rules of the lab forbid",
    "SK": "not looked at: a file is missing, or another test has to pass first",
    "INC": "pending: it could not be decided yet and costs nothing now",
    "XX": "pending: the grader had a problem, not you; it costs nothing now",
}
HIDDEN = {"hidden": "This is a hidden test: it runs your program on inputs that are not shown.",
          "after_due": "What this test found is shown after the due date."}
NOT_TAKEN = {"missing": "not handed in", "refused": "not accepted"}
STYLE = """:root{color-scheme:light dark}body{margin:0 auto;max-width:46rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;
overflow-wrap:break-word}h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1.05rem;margin-bottom:.2rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#8882;padding:.5rem .8rem;border-radius:6px;margin:.3rem 0 .8rem}
p,li{margin:.3rem 0}"""


@dataclass(frozen=True)
class Line:
    """kind: h1, h2, h3, p, li, or words (verbatim, of a program or the grader)."""
    kind: str
    text: str


def lines(record: Record, spec: LabSpec, student: str) -> list[Line]:
    """record: redacted for the student."""
    return [*_head(record, spec, student), *_first(record, spec), *_files(record), *_exercises(record, spec),
            *_meanings(record, spec), *_objection(record)]


def _head(record: Record, spec: LabSpec, student: str) -> Iterator[Line]:
    yield Line("h1", f"{spec.title}: feedback for {one_line(student)}")
    gained = f", {short(bonus(record))} of them bonus points" if bonus(record) else ""
    yield Line("p", f"You have {short(net(record))} of {short(record['max_millipoints'])} points{gained}.")
    if record.get("standing") != "record":
        yield Line("p", "This is feedback, not the score of record: it was not graded in the course's own sandbox.")
    late = record["late"]
    if deduction(record):
        days = f"{late['days']} day{'s' if late['days'] != 1 else ''}"
        yield Line("p", f"Your work earned {short(record['total_millipoints'])} points. It was late by {days}, which costs "
                        f"{short(deduction(record))} points.")
    if late.get("reason"):
        yield Line("p", f"Receipt: {one_line(late['reason'])}.")
    if record["status"] == "infra_error":
        yield Line("p", "The grader itself had a problem. Nothing here is held against you; it will be graded again.")
    elif any(map(pending, record["tests"])):
        yield Line("p", "Some tests are pending. They cost nothing now and will be decided later.")


def _lost(record: Record) -> list[Record]:
    return [test for test in record["tests"] if not is_bonus(test) and test["millipoints"] < test["max_millipoints"]]


def _first(record: Record, spec: LabSpec) -> Iterator[Line]:
    """One thing to do, of the first exercise that lost points; what next_step says under a student's table."""
    lost = [test for test in _lost(record) if not pending(test)]
    if not lost:
        return
    first = next((test for test in lost if test["verdict"] != "SK"), lost[0])  # what waits for another test is no cause
    exercise = spec.exercise_of(next(test for test in spec.test if test.id == first["id"]))
    yield Line("h2", "Do this first")
    absent = {file["path"]: NOT_TAKEN[file["state"]] for file in record["submission"]["files"] if file["state"] in NOT_TAKEN}
    if exercise.file in absent:
        yield Line("p", f"{exercise.file} was {absent[exercise.file]}: all of exercise {exercise.id} depends on it. "
                        f"`make {spec.id} submit-check` lists what would be handed in.")
        return
    begun = any(test["millipoints"] and test["kind"] != "build" for test in of_exercise(record, exercise.id))
    advice = ADVICE.get(Verdict(first["verdict"]), f"correct what {first['id']} found" if begun else exercise.first_step)
    yield Line("p", f"Exercise {exercise.id} ({exercise.title}), file {exercise.file}: {advice}.")
    if first["visibility"] == "public":
        if begun or first["verdict"] in ADVICE:
            yield Line("words", plain(detail(first)).strip())
        yield Line("p", f"Try it alone: `make {spec.id} test TEST={first['id']}`")


def _files(record: Record) -> Iterator[Line]:
    absent = [file for file in record["submission"]["files"] if file["state"] in NOT_TAKEN]
    if not absent:
        return
    yield Line("h2", "Files")
    for file in absent:
        note = f": {one_line(file['note'])}" if file.get("note") and file["state"] == "refused" else ""
        yield Line("li", f"{file['path']}: {NOT_TAKEN[file['state']]}{note}")


def _exercises(record: Record, spec: LabSpec) -> Iterator[Line]:
    yield Line("h2", "Exercises")
    for exercise in spec.exercise:
        tests = of_exercise(record, exercise.id)
        if tests:
            yield from _exercise(exercise, tests)


def _exercise(exercise: Exercise, tests: list[Record]) -> Iterator[Line]:
    points = f"{short(earned(tests))} of {short(possible(tests))} points"
    heading = f"{exercise.id} {exercise.title} ({exercise.file})"
    if exercise.bonus:
        untouched = all(test["verdict"] == "SK" for test in tests)
        yield Line("h3", f"{heading}: bonus, {'not attempted, nothing is lost' if untouched else points}")
        if untouched:
            return
    else:
        yield Line("h3", f"{heading}: {points}")
    worth = possible(tests) > 0  # an exercise without points is looked at all the same
    missing = [test for test in tests if (test["millipoints"] < test["max_millipoints"] if worth else test["verdict"] != "AC")]
    if not missing:
        yield Line("p", "Everything is right.")
    said = ""
    for test in missing:
        yield Line("li", f"{test['id']}: {_state(test)}")
        words = plain(detail(test)).strip() or HIDDEN.get(test["visibility"], "")
        if words and words != said:  # of six tests that wait for one file, the first says so
            yield Line("words", words)
        said = words


def _state(test: Record) -> str:
    if pending(test):
        return f"pending, {short(test['max_millipoints'])} points ({test['verdict']})"
    hidden = ", hidden test" if test["visibility"] == "hidden" else ""
    return f"{short(test['millipoints'])} of {short(test['max_millipoints'])} points ({test['verdict']}{hidden})"


def _meanings(record: Record, spec: LabSpec) -> Iterator[Line]:
    used = {test["verdict"] for test in record["tests"] if test["millipoints"] < test["max_millipoints"]}
    if used:
        yield Line("h2", "What the codes mean")
        for code in MEANING:
            if code in used:
                yield Line("li", f"{code}: {MEANING[code].format(lab=spec.id)}")


def _objection(record: Record) -> Iterator[Line]:
    yield Line("h2", "If you think that this is wrong")
    yield Line("p", "Fill in regrade_request.toml, which lies beside this file, and hand it to your instructor.")
    yield Line("p", f"Record {record['record_sha256'][:16]}, harness {record['harness']['sha'][:12]}.")


def to_text(content: list[Line]) -> str:
    """Items and their words stand together, everything else a blank line apart."""
    marks = {"h1": "# ", "h2": "## ", "h3": "### ", "li": "- "}
    rows: list[str] = []
    before = ""
    for line in content:
        if rows and not (line.kind == "li" and before == "li"):
            rows.append("")
        if line.kind == "words":
            rows += [f"        {row}" for row in line.text.splitlines()]
        else:
            rows.append(marks.get(line.kind, "") + line.text)
        before = line.kind
    return "\n".join(rows) + "\n"


def to_html(content: list[Line]) -> str:
    rows = []
    for line in content:
        tag = {"words": "pre", "li": "p"}.get(line.kind, line.kind)
        bullet = "&bull; " if line.kind == "li" else ""
        text = html.escape(line.text)
        if line.kind == "p":  # ours alone: commands to type
            text = re.sub("`([^`]+)`", r"<code>\1</code>", text)
        rows.append(f"<{tag}>{bullet}{text}</{tag}>")
    return ('<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, '
            'initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
            f'\'unsafe-inline\'"><title>{html.escape(content[0].text)}</title><style>{STYLE}</style></head><body>\n'
            + "\n".join(rows) + "\n</body></html>\n")
