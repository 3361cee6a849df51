"""Can words of a student's program, or of a hidden test, do anything in a platform's format?"""
import base64
import copy
import csv
import io
import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import jsonschema
import pytest
import random_records
from hpml_autograder.paths import ROOT
from hpml_class.emit import FORMATS, emit
from hpml_class.errors import NoScore, UsageError
from hpml_class.redact import AUDIENCES, redact
from lxml import etree
from test_emitters_totals import IDENTITY

SCHEMA = Path(__file__).resolve().parents[1] / "schema"
SAMPLE = range(150)
SCHEMAS = {"gradescope": "gradescope.results.json", "classroom50": "classroom50.result.v1.json",
           "github-classroom": "github_classroom.result.json", "prairielearn": "prairielearn.results.json",
           "autolab": "autolab.json"}


def written(name: str, record: dict, audience: str = "student") -> str | None:
    try:
        text = emit(name, record, audience, IDENTITY)
    except NoScore:
        return None
    return base64.b64decode(text).decode() if name == "github-classroom" else text


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_written_is_what_the_platform_reads(name):
    schema = json.loads((SCHEMA / SCHEMAS[name]).read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    texts = [written(name, random_records.make(seed)) for seed in SAMPLE]
    assert sum(text is not None for text in texts) > 50
    for text in texts:
        if text is not None:
            validator.validate(json.loads(text))


def test_junit_is_valid():
    schema = etree.XMLSchema(etree.parse(SCHEMA / "junit.xsd"))
    for seed in SAMPLE:
        schema.assertValid(etree.fromstring(written("junit", random_records.make(seed)).encode()))


def test_random_records_are_records():
    schema = json.loads((SCHEMA / "hpml.grade.v1.json").read_text(encoding="utf-8"))
    for seed in range(40):
        jsonschema.Draft202012Validator(schema).validate(random_records.make(seed))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("audience", [one for one in AUDIENCES if one != "staff"])
def test_nothing_of_a_hidden_test_leaves(name, audience):
    secret = random_records.SECRET
    for seed in SAMPLE:
        text = written(name, random_records.make(seed), audience) or ""
        found = set(re.findall(rf"(?:due-)?{secret}", text))
        assert found <= ({f"due-{secret}"} if audience == "after_due" else set()), (seed, found)


def test_staff_read_everything():
    record = random_records.make(1)
    assert redact(record, "staff") == record and redact(record, "staff")["tests"] is not record["tests"]
    assert any(random_records.SECRET in (written("json", random_records.make(seed), "staff") or "") for seed in SAMPLE)


@pytest.mark.parametrize("audience", AUDIENCES)
def test_redacting_changes_no_name_count_or_point_and_not_the_record(audience):
    for seed in SAMPLE:
        record = random_records.make(seed)
        before = copy.deepcopy(record)
        redacted = redact(record, audience)
        assert record == before
        for name in ("id", "exercise", "kind", "visibility", "millipoints", "max_millipoints", "verdict"):
            assert [test[name] for test in redacted["tests"]] == [test[name] for test in record["tests"]]
        assert redacted["total_millipoints"] == record["total_millipoints"]
        if audience != "staff":
            assert "seed_id" not in redacted and not any("detail_staff" in test for test in redacted["tests"])
            assert "host" not in redacted["volatile"]
        if audience == "public":
            assert record["submission"]["id"] not in json.dumps(redacted)


def test_workflow_commands_begin_no_line_but_ours():
    for seed in SAMPLE:
        lines = written("github-annotations", random_records.make(seed)).split("\n")
        assert all(re.match(r"::(error|warning|notice) title=[^:,\n]*::[^\n\r]*$", line) for line in lines if line)
        for kind in ("error", "warning", "notice"):
            assert sum(line.startswith(f"::{kind} ") for line in lines) <= 10
        assert not any(line.lstrip().startswith("::") for line in
                       written("github-summary", random_records.make(seed)).split("\n"))


def test_a_summary_row_has_four_cells_and_no_markup():
    for seed in SAMPLE:
        rows = [line for line in written("github-summary", random_records.make(seed)).splitlines() if line.startswith("| E")]
        for row in rows:
            assert row.count("|") == 5 and "<" not in row and "`" not in row and "](" not in row


def test_a_huge_summary_stays_under_githubs_limit():
    record = random_records.make(3)
    one = {**record["tests"][0], "visibility": "public", "detail_public": "x" * 5000, "verdict": "WA", "millipoints": 0}
    record["tests"] = [{**one, "id": f"E0.t{number}"} for number in range(20_000)]
    text = written("github-summary", record)
    assert 800_000 < len(text.encode()) < 1 << 20 and "more tests" in text


def test_prairielearn_gets_less_than_a_megabyte():
    record = random_records.make(3)
    one = {**record["tests"][0], "visibility": "public", "detail_public": "é" * 15_000, "verdict": "WA", "millipoints": 0}
    record["tests"] = [{**one, "id": f"E0.t{number}"} for number in range(100)]
    assert len(written("prairielearn", {**record, "status": "ok"}).encode()) < 1_000_000


def test_no_terminal_sequence_survives_anywhere():
    for name in FORMATS:
        if name == "json":
            continue
        for seed in SAMPLE:
            text = written(name, random_records.make(seed), "staff") or ""
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", text), (name, seed)
            assert "\\u001b" not in text and "\\u202e" not in text


def test_a_spreadsheet_sees_no_formula():
    record = random_records.make(1)
    record["submission"]["id"] = "=HYPERLINK(\"http://x\")"
    (row,) = csv.DictReader(io.StringIO(written("csv", record)))
    assert row["id"].startswith("'=")


def test_an_autolab_score_line_is_one_line_of_json():
    for seed in SAMPLE:
        text = written("autolab", random_records.make(seed))
        assert text is None or (text.endswith("}\n") and text.count("\n") == 1 and json.loads(text))


def test_unpublishable_records_write_no_score():
    record = next(one for one in map(random_records.make, range(100)) if one["status"] == "infra_error")
    for name in ("gradescope", "classroom50", "autolab"):
        with pytest.raises(NoScore):
            emit(name, record, "student", IDENTITY)
    assert json.loads(emit("prairielearn", record))["gradable"] is False
    suite = ElementTree.fromstring(emit("junit", record))
    assert int(suite.get("errors")) >= 1


@pytest.mark.parametrize("name, options, words", [
    ("gradscope", {}, "there is no format 'gradscope'"), ("classroom50", {}, "--set classroom=..."),
    ("classroom50", {**IDENTITY, "datetime": "yesterday"}, "expected the committer date"),
    ("classroom50", {**IDENTITY, "submission": "v1"}, "begins with submit/"),
    ("classroom50", {**IDENTITY, "scale": "3"}, "use 100 (centipoints) or 1 (points)")])
def test_a_wrong_order_says_what_is_wrong(name, options, words):
    record = next(one for one in map(random_records.make, range(100)) if one["status"] == "ok")
    with pytest.raises(UsageError, match=re.escape(words)):
        emit(name, record, "student", options)


def one_verdict(verdict: str, points: int, words: str = "said") -> dict:
    record = random_records.make(3)
    test = {**record["tests"][0], "visibility": "public", "verdict": verdict, "max_millipoints": 100, "millipoints": points,
            "detail_public": words, "detail_staff": ""}
    return {**record, "tests": [test], "total_millipoints": points, "max_millipoints": 100,
            "late": {"days": 0, "deduction_millipoints": 0}}


@pytest.mark.parametrize("verdict, points, element", [
    ("AC", 100, None), ("PA", 50, "failure"), ("WA", 0, "failure"), ("PV", 0, "failure"), ("SK", 0, "skipped"),
    ("INC", 0, "skipped"), ("XX", 0, "error")])
def test_a_verdict_is_the_right_junit_outcome(verdict, points, element):
    case = ElementTree.fromstring(emit("junit", one_verdict(verdict, points))).find(".//testcase")
    outcomes = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
    assert outcomes == ([element] if element else [])


def test_what_github_would_unescape_arrives_as_it_was_written():
    text = emit("github-annotations", one_verdict("WA", 0, "100%0A::error::x, a:b"))
    assert "::100%250A::error::x, a:b\n" in text


def test_an_option_that_the_format_has_not_is_refused(tmp_path):
    record = tmp_path / "record.json"
    record.write_text(json.dumps(next(one for one in map(random_records.make, range(100)) if one["status"] == "ok")), encoding="utf-8")
    done = subprocess.run([ROOT / "tools/hpml", "emit", "csv", record, "--set", "colour=red"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr == "hpml emit: format csv has no option 'colour'; it has none\n"
