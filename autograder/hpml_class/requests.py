"""Regrade requests: the file that a student fills in, and what an instructor reads of all of them.

    schema = "hpml.regrade-request/v1"
    lab = "lab3"
    handin = "ann"
    record = "4fdd8c3dac7a5a05"       # which grading it is about
    [[request]]
    test = "A2.time"
    reason = "..."
"""
import tomllib
from dataclasses import dataclass
from pathlib import Path

from hpml_autograder import untrusted
from hpml_autograder.strict import fill

from .emit.escape import one_line
from .emit.gradebook import write
from .errors import UsageError
from .marks import Record, short

SCHEMA = "hpml.regrade-request/v1"
FILE = "regrade_request.toml"
LONGEST = 64 * 1024


@dataclass(frozen=True)
class Request:
    test: str
    reason: str


@dataclass(frozen=True)
class Form:
    schema: str
    lab: str
    handin: str
    record: str
    request: tuple[Request, ...] = ()


def blank(record: Record) -> str:
    """The form for one record. Its tests with missing points are listed; hidden ones may be asked about as well."""
    lost = [test for test in record["tests"] if test["millipoints"] < test["max_millipoints"]]
    listed = "".join(f"#   {test['id']}: {short(test['millipoints'])} of {short(test['max_millipoints'])} points, {test['verdict']}\n"
                     for test in lost)
    return (f'# A request to look at a grading again. Copy the last block for each test that you ask about.\n'
            f'schema = "{SCHEMA}"\nlab = "{record["lab"]}"\nhandin = "{record["submission"]["id"]}"\n'
            f'record = "{record["record_sha256"][:16]}"\n\n# Tests that did not get all points:\n{listed}\n'
            f'[[request]]\ntest = ""    # such as {lost[0]["id"] if lost else "A1.table"}\nreason = ""  # what you think is right, and why\n')


def load(path: Path) -> Form:
    """Raises UsageError in one line; the file was written by a student."""
    try:
        content = untrusted.read(path, LONGEST)  # a link, a pipe or a device may have its name
        form = fill(Form, tomllib.loads(content.decode("utf-8")), str(path))
    except untrusted.TooLong as error:
        raise UsageError(f"{path}: larger than {LONGEST} bytes") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {one_line(str(error))}") from error
    if form.schema != SCHEMA:
        raise UsageError(f"{path}: expected schema = \"{SCHEMA}\"")
    return form


def is_filled(path: Path) -> bool:
    """May the form not be written anew? One that cannot be read is somebody's as well."""
    if not path.is_file():
        return False
    try:
        return any(request.test or request.reason for request in load(path).request)
    except UsageError:
        return True


def rows(form: Form, record: Record, where: str) -> list[dict[str, str]]:
    """A line for each request, beside what the record says now. Raises UsageError for a test that the lab has not."""
    tests = {test["id"]: test for test in record["tests"]}
    found = []
    for request in form.request:
        if not request.test and not request.reason:
            continue
        if request.test not in tests:
            raise UsageError(f"{where}: the lab has no test '{one_line(request.test)}'")
        if not request.reason.strip():
            raise UsageError(f"{where}: no reason is given for {request.test}")
        test = tests[request.test]
        same = record["record_sha256"].startswith(form.record) and len(form.record) >= 16
        found.append({"student": record["submission"].get("student") or form.handin, "handin": form.handin, "test": request.test,
                      "points": short(test["millipoints"]), "of": short(test["max_millipoints"]), "verdict": test["verdict"],
                      "grading": "the current one" if same else "an earlier one", "reason": one_line(request.reason),
                      "grader_said": one_line(test.get("detail_public", ""))})
    return found


def as_csv(found: list[dict[str, str]]) -> str:
    return write(found)
