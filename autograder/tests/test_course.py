"""Are a course's own files read, refused with their line, and is the right hand-in of a student counted?"""
import argparse
import datetime
import subprocess

import pytest
import random_records
from hpml_autograder.paths import ROOT
from hpml_class import semester
from hpml_class.commands import common
from hpml_class.course import load_course, load_extensions, load_receipts, mistakes
from hpml_class.errors import UsageError
from hpml_class.late import utc
from hpml_class.standing import Entry, better, counts

COURSE = """schema = "hpml.course/v1"
keep = "last"
[due]
lab3 = 2026-11-20T18:59:00-05:00
[late]
policy = "points_per_day"
millipoints = 500
"""


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_a_course_is_read(tmp_path):
    course = load_course(write(tmp_path / "course.toml", COURSE))
    assert course.due_at("lab3") == utc("2026-11-20T23:59:00Z") and course.due_at("lab4") is None
    assert (course.keep, course.late.policy, course.late.millipoints) == ("last", "points_per_day", 500)


@pytest.mark.parametrize("old, new, words", [
    ("keep", "keeep", "did you mean 'keep'"), ("-05:00", "", "no time zone"), ("2026-11-20T18:59:00-05:00", "7", "no date"),
    ("points_per_day", "mercy", "late policy 'mercy'"), ('"last"', '"first"', "keep is .first.; it must be one of best, last"), ("[due]", 'compiler = "gcc"\n[due]', "compiler must be one of clang, nvcc"),
    ("[due]", "[due", "course.toml"),
    ("lab3 =", "lab33 =", "due.lab33: there is no such lab"),
    ('policy = "points_per_day"', 'policy = "percent_per_day"\npercent = 1000', "percent = 1000: at most 100")])
def test_a_damaged_course_is_one_line(tmp_path, old, new, words):
    with pytest.raises(UsageError, match=words):
        load_course(write(tmp_path / "course.toml", COURSE.replace(old, new)))


@pytest.mark.parametrize("pinned, asked, compiler", [("", "", "clang"), ("nvcc", "", "nvcc"), ("", "clang", "clang"),
                                                     ("nvcc", "clang", None), ("", "nvcc", None)])
def test_a_course_has_one_compiler_of_record(tmp_path, pinned, asked, compiler):
    folder = tmp_path / "class"
    (folder / "ann").mkdir(parents=True)
    line = f'compiler = "{pinned}"\n' if pinned else ""
    write(folder / "course.toml", COURSE.replace("[due]", line + "[due]"))
    parser = argparse.ArgumentParser()
    common.add_grading(parser)
    options = parser.parse_args(["--lab", "lab3", *(["--cuda", asked] if asked else [])])
    if compiler is None:
        with pytest.raises(UsageError, match="the compiler of record is"):
            common.make_plan(options, [], folder)
    else:
        assert common.make_plan(options, [], folder).cuda == compiler


def test_receipts_and_extensions_are_read(tmp_path):
    receipts = load_receipts(write(tmp_path / "r.csv", "handin,received_at,student\na-1,2026-11-20T00:00:00Z,ann\n"))
    assert receipts["a-1"].student == "ann" and receipts["a-1"].received_at == utc("2026-11-20T00:00:00Z")
    extensions = load_extensions(write(tmp_path / "e.csv", "student,lab,due_at\nann,lab3,2026-11-22T00:00:00Z\n"))
    assert extensions == {("ann", "lab3"): utc("2026-11-22T00:00:00Z")}


@pytest.mark.parametrize("text, words", [
    ("ann,lab33,2026-11-22T00:00:00Z\n", "e.csv:2: there is no lab 'lab33'"),
    ("ann,lab3,2026-11-22T00:00:00Z\nann,lab3,2026-11-23T00:00:00Z\n", "e.csv:3: a second line for ann and lab3")])
def test_an_extension_of_nothing_is_refused(tmp_path, text, words):
    with pytest.raises(UsageError, match=words):
        load_extensions(write(tmp_path / "e.csv", "student,lab,due_at\n" + text))


@pytest.mark.parametrize("text, words", [("handin\na\n", "no column 'received_at'"),
                                         ("handin,received_at\na,noon\n", "r.csv:2: 'noon' is no time"),
                                         ("handin,received_at\na,\n", "r.csv:2: an empty field"),
                                         ("handin,received_at\nNg, Ana,2026-11-20T00:00:00Z\n", "r.csv:2: more fields than"),
                                         ("handin,received_at\na,2026-11-20T00:00:00Z\na,2026-11-21T00:00:00Z\n",
                                          "r.csv:3: a second line for a")])
def test_a_damaged_receipt_names_its_line(tmp_path, text, words):
    with pytest.raises(UsageError, match=words):
        load_receipts(write(tmp_path / "r.csv", text))


def test_all_mistakes_of_a_semester_are_told_at_once(tmp_path):
    write(tmp_path / "course.toml", COURSE.replace("lab3 =", "lab33 =").replace('"last"', '"first"').replace("500", "-1") + "percent = 1000\ncolour = 1\n")
    write(tmp_path / "extensions.csv", "student,lab,due_at\nann,lab9,2026-11-22T00:00:00Z\nbob,lab3,noon\n")
    write(tmp_path / "receipts.csv", "handin,received_at\na,\nb,2026-11-20T00:00:00Z\nb,2026-11-21T00:00:00Z\n")
    found = "\n".join(mistakes(tmp_path))
    for words in ("due.lab33", "keep is", "millipoints = -1", "percent = 1000", "unknown key 'colour'", "csv:2: there is no lab 'lab9'", "csv:3: 'noon'", "an empty field",
                  "receipts.csv:4: a second line for b"):
        assert words in found, words
    assert len(mistakes(tmp_path)) == 9
    (tmp_path / "good").mkdir()
    good = write(tmp_path / "good/course.toml", COURSE).parent
    assert mistakes(good) == []
    write(good / "course.toml", COURSE + "[quizzes]\nquiz1 = 2026-09-13T23:00:00Z\n")
    assert [line for line in mistakes(good, ["quiz7"]) if "quizzes.quiz1: there is no such quiz; there are quiz7" in line]


def test_a_semesters_page_puts_each_due_time_in_its_week(tmp_path):
    course = load_course(write(tmp_path / "course.toml", 'title = "HPML <1>"\nstart = 2026-09-07\n' + COURSE + "[quizzes]\nquiz1 = 2026-09-13T23:00:00Z\n"))
    due = {number: [name for _, name in items] for number, _, items in semester.weeks(course)}
    assert due[1] == ["quiz1"] and due[11] == ["lab3"] and len(due) == 11 and sum(map(len, due.values())) == 2
    (tmp_path / "quiz1.toml").write_text('title = "Quiz 1"\nabout = "Roofline & <means>."\n', encoding="utf-8")
    page = semester.page(course, {"lab3": "Lab 3", **semester.quiz_titles(tmp_path, course.quizzes)})
    assert "Quiz 1 (Roofline &amp; &lt;means&gt;): " in page and semester.quiz_titles(tmp_path, ["midterm"]) == {}
    assert "HPML &lt;1&gt;" in page and "Lab 3: Fri 20 Nov, 18:59 UTC-05:00" in page and "costs 0.5 points" in page


@pytest.mark.parametrize("first, words", [("start = 2026-12-01\n", "due.lab3 = 2026-11-20 is not in the half year"),
                                          ("start = 2025-09-07\n", "due.lab3 = 2026-11-20 is not in the half year"),
                                          ('start = "2026-09-07"\n', "start = '2026-09-07' is no date; .*without quotes")])
def test_a_due_time_of_another_semester_is_refused(tmp_path, first, words):
    with pytest.raises(UsageError, match=words):
        load_course(write(tmp_path / "course.toml", first + COURSE))
    (found,) = mistakes(tmp_path)
    assert words.split(";")[0] in found


def test_a_late_policy_that_costs_nothing_is_refused(tmp_path):
    write(tmp_path / "course.toml", COURSE.replace("millipoints = 500", "percent = 10"))
    missing, unused = mistakes(tmp_path)
    assert "points_per_day\" without late.millipoints" in missing and "late.percent = 10" in unused


def test_settings_that_the_late_policy_does_not_use_are_refused(tmp_path):
    write(tmp_path / "course.toml", 'schema = "hpml.course/v1"\n[late]\npercent = 10\nmax_days = 3\n')
    first, second = mistakes(tmp_path)
    assert 'late.percent = 10' in first and 'no effect with late.policy = "none"' in first and "late.max_days = 3" in second
    with pytest.raises(UsageError, match="no effect"):
        load_course(tmp_path / "course.toml")


def test_a_due_time_of_another_year_is_told_beside_other_mistakes(tmp_path):
    write(tmp_path / "course.toml", "start = 2025-09-07\ncolour = 1\n" + COURSE)
    assert [word for line in mistakes(tmp_path) for word in ("colour", "due.lab3") if word in line] == ["colour", "due.lab3"]


def test_the_files_of_a_semester_that_were_read_are_named(tmp_path):
    good = write(tmp_path / "course.toml", COURSE).parent
    write(good / "extension.csv", "student,lab,due_at\n")
    done = subprocess.run([ROOT / "tools/hpml", "course", "check", good], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.endswith("(read: course.toml; no receipts.csv; no extensions.csv; not looked at: extension.csv)\n")


def entry(points, status="ok", day=1):
    record = {**random_records.make(1), "status": status, "total_millipoints": points}
    record["late"] = {"days": 0, "deduction_millipoints": 0}
    return Entry(record, datetime.datetime(2026, 11, day, tzinfo=datetime.timezone.utc))


def test_best_of_and_last_of():
    entries = [entry(5, day=3), entry(9, day=1), entry(9, day=2), entry(0, "infra_error", day=9)]
    assert counts(entries, "best") is entries[1]
    assert counts(entries, "last") is entries[0]
    assert counts(entries[3:], "last") is entries[3]


def test_a_failure_takes_no_scores_place():
    good, pending, failed = (entry(1, status).record for status in ("ok", "inconclusive", "infra_error"))
    assert better(good, pending) and better(good, good) and better(pending, failed) and better(failed, None)
    assert not better(failed, good) and not better(pending, good)
