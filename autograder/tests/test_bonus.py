"""Bonus points come on top: who has them sees them, who has not tried for them loses nothing and is not alarmed."""
import json
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest
from hpml_autograder import cli, labspec, pipeline, table
from hpml_autograder.case import Case
from hpml_autograder.collect import TAKEN, Collected
from hpml_autograder.errors import UsageError
from hpml_autograder.next_step import next_step
from hpml_autograder.pipeline import Graded
from hpml_autograder.score import NOT_ATTEMPTED, pass_over_bonuses
from hpml_autograder.verdict import Outcome, Verdict, accepted, wrong
from hpml_class.batch import standin
from hpml_class.classreport import data as report
from hpml_class.classreport import page
from hpml_class.emit import FORMATS, emit
from hpml_class.errors import UsageError as ClassUsageError
from hpml_class.recordfile import check
from test_class_report import make
from test_emitters_totals import IDENTITY

LAB = """
schema = "hpml.lab/v1"
id = "lab9"
title = "Lab 9"
version = "1.0"
total_millipoints = 10000
bonus_millipoints = 4000
floor_millipoints = 0
submit = {files = ["a.c", "b.c"], max_bytes = 100}
build = {std = "c17", flags = [], timeout_s = 1, memory_mb = 1}
limits = {wall_s = 1, cpu_s = 1, memory_mb = 1, fsize_mb = 1, output_kb = 1}
sandbox = {min_level = "L0"}
program = []
exercise = [{id = "A", title = "must", file = "a.c", first_step = "begin"},
            {id = "X", title = "may", file = "b.c", first_step = "begin", bonus = true}]

[[test]]
id = "A.one"
exercise = "A"
kind = "correct"
visibility = "public"
max_millipoints = 10000
generator = "g"

[[test]]
id = "X.build"
exercise = "X"
kind = "build"
visibility = "public"
max_millipoints = 0
generator = "g"

[[test]]
id = "X.two"
exercise = "X"
kind = "correct"
visibility = "public"
max_millipoints = 4000
generator = "g"
"""
UNTOUCHED = {"X.build": accepted("b.c compiles"), "X.two": Outcome(Verdict.SK, "as it was given")}
TRIED = {"X.build": accepted("b.c compiles"), "X.two": wrong("expected 2, got 3")}
PART = {"X.build": accepted("b.c compiles"), "X.two": Outcome(Verdict.PA, "expected 2, got 3", fraction=0.75)}


def spec_of(tmp_path, text=LAB):
    (tmp_path / "lab.toml").write_text(text, encoding="utf-8")
    return labspec.load(tmp_path / "lab.toml")


@pytest.fixture
def graded(tmp_path):
    spec = spec_of(tmp_path)

    def one(bonus, must=accepted("every element")):
        outcomes = pass_over_bonuses(spec, {"A.one": must, **bonus})
        return Graded(spec, SimpleNamespace(lab=tmp_path / "labs/lab9", src=tmp_path / "labs/lab9/src"),
                      SimpleNamespace(built={}), [Collected("a.c", TAKEN)], outcomes, SimpleNamespace(runs={}), "feedback", "in_process")
    return one


def record_of(graded):
    tests = [{"id": test.id, "exercise": test.exercise, "kind": test.kind, "visibility": test.visibility,
              "bonus": graded.spec.is_bonus(test), "max_millipoints": test.max_millipoints,
              "millipoints": graded.millipoints(test), "verdict": graded.outcomes[test.id].verdict.value, "checked": "",
              "detail_public": graded.outcomes[test.id].detail, "detail_staff": "", "metrics": {}}
             for test in graded.tests]
    return make(1, lab="lab9", tests=tests, total_millipoints=graded.total, max_millipoints=10000)


@pytest.mark.parametrize("old, new, message", [
    ("bonus_millipoints = 4000", "bonus_millipoints = 3000", "bonus tests add up to 4000"),
    ("total_millipoints = 10000", "total_millipoints = 14000", "tests add up to 10000"), (", bonus = true", "", "14000")])
def test_bonus_points_are_no_part_of_the_total(tmp_path, old, new, message):
    assert spec_of(tmp_path).bonus_files == {"b.c"}
    with pytest.raises(UsageError, match=message):
        spec_of(tmp_path, LAB.replace(old, new))


def test_a_file_that_another_exercise_needs_has_to_be_handed_in(tmp_path):
    assert spec_of(tmp_path, LAB.replace('file = "b.c"', 'file = "a.c"')).bonus_files == frozenset()


@pytest.mark.parametrize("bonus, passed_over", [
    (UNTOUCHED, True), (TRIED, False), (PART, False), ({"X.build": accepted("b.c compiles"), "X.two": accepted("2 values")}, False),
    ({"X.build": Outcome(Verdict.CE, "no"), "X.two": Outcome(Verdict.SK, "b.c does not compile")}, False)])
def test_only_a_bonus_that_was_not_tried_is_passed_over(graded, bonus, passed_over):
    result = graded(bonus)
    assert all((result.outcomes[name] is NOT_ATTEMPTED) == passed_over for name in bonus)
    assert result.outcomes["A.one"].verdict is Verdict.AC


def test_a_test_runs_after_what_it_requires(tmp_path):
    spec = spec_of(tmp_path, LAB + 'requires = ["X.build", "A.one"]\n' + LAB[LAB.rindex("[[test]]"):].replace(
        "X.two", "X.three").replace("4000", "0") + 'requires = ["X.two"]\n')
    assert [[test.id for test in part] for part in pipeline.parts_of(list(spec.test))] == [
        ["A.one", "X.build"], ["X.two"], ["X.three"]]


@pytest.mark.parametrize("before, ran", [(accepted("3 values"), ["two 1"]), (Outcome(Verdict.WA, "2 values"), [])])
def test_no_program_runs_for_a_test_whose_requirement_failed(tmp_path, before, ran):
    spec = spec_of(tmp_path, LAB + 'requires = ["X.build", "A.one"]\n')
    done: list[str] = []
    runner = SimpleNamespace(is_known=lambda case: False, run_all=lambda cases: done.extend(map(str, cases)))
    part = [test for test in spec.test if test.id == "X.two"]
    pipeline._run(part, {"X.two": [Case("two", "1")]}, {"A.one": before, "X.build": accepted("")}, runner, lambda text: None)
    assert done == ran


def test_an_exercise_that_everybody_owes_is_never_passed_over(graded):
    assert graded(UNTOUCHED, Outcome(Verdict.SK, "empty")).outcomes["A.one"].detail == "empty"


def test_who_leaves_the_bonus_out_reads_one_quiet_line(graded):
    text = table.render(graded(UNTOUCHED))
    assert [line for line in text.splitlines() if "X" in line] == [
        "X may (bonus)  -           -  -        bonus, not attempted"]
    assert text.endswith("Total: 10 of 10 points\n") and "missing" not in text and "Next" not in text


def test_who_has_the_bonus_reads_it_beside_the_total(graded):
    text = table.render(graded(PART))
    assert "Total: 10 of 10 points, and 3 of 4 bonus points\n" in text
    assert "Bonus that can still be earned:\n\n  X.two  1 more: expected 2, got 3\n" in text
    assert "missing" not in text and "Next" not in text


def test_a_bonus_is_not_what_to_do_next_while_points_are_missing(graded):
    text = table.render(graded(TRIED, wrong("expected 1")))
    assert next_step(graded(TRIED, wrong("expected 1")))[0] == "Next: A, labs/lab9/src/a.c: begin; if you have done that, correct what A.one found, above."
    assert "  A.one  -10: expected 1\n" in text and "-4" not in text


@pytest.mark.parametrize("bonus, must, status", [
    (UNTOUCHED, accepted(""), 0), (TRIED, accepted(""), 0), (TRIED, wrong("no"), 1),
    ({**TRIED, "X.two": Outcome(Verdict.XX)}, accepted(""), 3)])
def test_nobody_fails_for_want_of_a_bonus(graded, bonus, must, status):
    assert cli.exit_code(graded(bonus, must)) == status


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("json", "csv", "autolab", "junit")])
def test_no_platform_shows_a_bonus_that_was_not_tried_as_lost(graded, name):
    text = emit(name, record_of(graded(UNTOUCHED)), "student", IDENTITY)
    assert "fail" not in text.lower() and "0/4" not in text and "::warning" not in text and "::error" not in text
    if name == "gradescope":
        assert [test.get("score") for test in json.loads(text)["tests"]] == [10.0, None, None]


def test_junit_skips_a_bonus_that_is_not_earned(graded):
    for bonus, words in ((UNTOUCHED, "bonus, not attempted"), (TRIED, "expected 2, got 3")):
        suite = ElementTree.fromstring(emit("junit", record_of(graded(bonus))))
        assert suite.get("failures") == "0" and suite.find(".//testcase[@name='X.two']/skipped").get("message") == words


def test_points_above_the_maximum_reach_who_takes_them_and_fill_up_elsewhere(graded):
    for must, total, capped in ((accepted(""), 13, 10), (Outcome(Verdict.PA, "part", fraction=0.5), 8, 8)):
        record = record_of(graded(PART, must))
        assert json.loads(emit("gradescope", record))["score"] == total
        assert json.loads(emit("autolab", record))["scores"] == {"A": total - 3, "bonus": 3}
        assert f"lab9: {total} of 10 points" in emit("github-summary", record)
        assert "| X.two | bonus 3/4 | PA |" in emit("github-summary", record)
        assert json.loads(emit("prairielearn", record))["score"] == capped / 10
        assert json.loads(emit("classroom50", record, "student", IDENTITY))["score"] == 100 * capped


def test_the_class_report_counts_who_tried(graded):
    records = [record_of(graded(bonus)) for bonus in (UNTOUCHED, UNTOUCHED, TRIED, PART)]
    found = report.collect("Lab 9", 0, ((f"s{number}", record) for number, record in enumerate(records)), [])
    summary = report.summary(found)
    assert summary["bonuses"] == {"X": 2} and summary["exercises"]["X"]["mean"] == 1500
    text = page.render(found)
    assert "X (bonus)" in text and "tried by 2 of 4" in text and "10.8 of 10" in text and "9 points and more" in text
    assert report.reasons(records[0], 0) == []


def test_a_record_adds_up_with_its_bonuses(graded):
    record = record_of(graded(PART))
    check(record, "r")
    with pytest.raises(ClassUsageError, match="'bonus' should be bool"):
        check({**record, "tests": [{**record["tests"][0], "bonus": "yes"}, *record["tests"][1:]]}, "r")
    with pytest.raises(ClassUsageError, match="edited"):
        check({**record, "max_millipoints": 14000}, "r")


def test_what_nobody_graded_has_the_maximum_of_everybody(tmp_path, monkeypatch):
    monkeypatch.setattr(standin.records, "harness_sha", lambda lab: "0" * 64)
    record = standin.missing(spec_of(tmp_path), SimpleNamespace(lab=tmp_path), None, "disk full")
    check(record, "r")
    assert record["max_millipoints"] == 10000
