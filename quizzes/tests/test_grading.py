"""Are responses scored as the course scored them, and bad files refused with their line?"""
import csv
import io
import json
import math
import subprocess

import pytest
from hpml_quizzes import grade, items, quiz, scoring
from hpml_quizzes.errors import UsageError
from hpml_quizzes.paths import ROOT


@pytest.mark.parametrize(("points", "key", "chosen", "count", "earned"), [
    (1500, {1, 4}, {1, 2, 4}, 4, 1125), (1000, {1, 2}, {1, 2, 3}, 4, 750), (2000, {1, 2, 4}, {1, 2}, 4, 1500),
    (2000, {1, 2}, {1, 3}, 4, 1000), (2000, {1, 2}, {3, 4}, 4, 0), (2000, {1, 2}, set(), 4, 1000),
    (1000, {1, 2, 4, 5}, {1, 2, 3, 4, 5}, 5, 800)])
def test_each_option_counts(points, key, chosen, count, earned):
    assert scoring.options_score(points, "each_decision", key, chosen, count) == earned


def test_the_other_rules():
    assert scoring.options_score(2000, "net_correct", {1, 2}, {1, 2, 3}, 4) == 1000
    assert scoring.options_score(2000, "net_correct", {1, 2}, {3, 4}, 4) == 0
    assert scoring.options_score(2000, "all_or_nothing", {1, 2}, {1, 2}, 4) == 2000
    assert scoring.options_score(2000, "all_or_nothing", {1, 2}, {1}, 4) == 0


def test_a_blank_of_fifteen_is_a_fifteenth():
    entry = {"kind": "blanks", "points_milli": 15000, "scoring": "share",
             "parts": [{"value": str(n), "exact": str(n), "tolerance": "1/2", "unit": "s"} for n in range(15)]}
    assert scoring.entry_score(entry, "|".join(["0"] + ["77"] * 14)) == 1000


@pytest.mark.parametrize(("text", "places"), [("1,3", {1, 3}), ("1;3", {1, 3}), ("3 1", {1, 3}), ("A C", {1, 3}), ("(1)|(3)", {1, 3}),
                                              ("", set()), ("[]", set()), ("None", set()), ("[1, 3]", {1, 3}), ("'1','3'", {1, 3}),
                                              ("w;Y", {1, 3})])
def test_ways_to_write_options(text, places):
    assert scoring.parse_options(text, ["w", "x", "y", "z"], "ms") == places


def test_options_by_their_own_words():
    options = ["15", "√15", "0.125, memory-bound", "5 times", "two words"]
    assert scoring.parse_options("15", options, "mc") == {1}       # there is no fifteenth option
    assert scoring.parse_options("5", options, "mc") == {5}        # a place, where it is one
    assert scoring.parse_options("0.125, Memory-bound", options, "mc") == {3}
    assert scoring.parse_options("5 times | Two  words", options, "ms") == {4, 5}


@pytest.mark.parametrize(("text", "right"), [
    ("819.67", True), ("819.67 FLOPS", True), ("819,67", False), ("8.1967e2", True), ("820.2", True), ("900", False),
    ("", False), ("many", False), ("+819.7", True)])
def test_numbers_within_the_tolerance(text, right):
    part = {"value": "819.7", "exact": "100000/122", "tolerance": "1", "unit": "FLOPS"}
    assert scoring.part_right(part, text) == right


def test_thousands_separators_and_units_do_not_count():
    part = {"value": "24000200", "exact": "24000200", "tolerance": "1/2", "unit": "parameters"}
    for text in ("24,000,200", "24 000 200", "24000200 parameters", "24'000'200"):
        assert scoring.part_right(part, text)


@pytest.mark.parametrize(("text", "right"), [("200", True), ("200 MB", True), ("200 mB", True), ("200MB", True), ("200 kB", False),
                                              ("200 GB", False), ("200 ms", False), ("200 bananas", False)])
def test_a_number_in_another_unit_is_another_number(text, right):
    part = {"value": "200", "exact": "200", "tolerance": "1", "unit": "MB"}
    assert scoring.part_right(part, text) == right


@pytest.mark.parametrize(("text", "unit", "right"), [
    ("5 Seconds", "seconds", True), ("5 second", "seconds", True), ("5 GFLOPS", "GFLOP/s", True), ("5 flop / byte", "FLOP/byte", True),
    ("5 ms", "s", False), ("5 s", "s", True), ("5 µs", "ms", False), ("5 %", "%", True), ("5", "ms", True), ("5 B", "bytes", True), ("5 bytes", "B", True), ("5 kB", "bytes", False),
    ("5 percent", "%", True), ("5 $", "dollars", True), ("5e99999999", "ms", False), ("5 workers", "", True)])
def test_spellings_of_units(text, unit, right):
    assert (scoring.parse_number(text, unit) is not None) == right


TWO = {"kind": "blanks", "points_milli": 1000, "scoring": "share",
       "parts": [{"value": value, "exact": value, "tolerance": "1", "unit": "ms"} for value in ("800", "80")]}


@pytest.mark.parametrize(("text", "earned"), [("800|80", 1000), ("800; 80", 1000), ("800|", 500), ("|80 ms", 500), ("", 0), ("80|800", 0)])
def test_several_blanks(text, earned):
    assert scoring.entry_score(TWO, text) == earned


@pytest.mark.parametrize("text", ["800", "800|80|8"])
def test_too_few_or_too_many_blanks_are_refused(text):
    with pytest.raises(scoring.BadResponse, match="answers? for 2 blanks; separate them by |"):
        scoring.entry_score(TWO, text)


def test_another_unit_is_reported():
    assert scoring.notes_on(TWO, "800 s|80 ms") == ["'800 s' is not in ms and earned nothing"]
    factor = {"parts": [{"value": "3.87", "exact": "387/100", "tolerance": "1/100", "unit": "none"}], "points_milli": 1000}
    assert scoring.entry_score(factor, "3.87x") == 1000 and scoring.notes_on(factor, "3.87 times") == []
    assert scoring.notes_on(factor, "3.87 %") == ["'3.87 %' scales the number, which the question does not ask for; it earned nothing"]
    assert scoring.notes_on(TWO, "about 8|") == ["'about 8' is no number and earned nothing"]


def test_who_has_no_sheet_is_refused_by_name(folder):
    for student in ("ann", "bob"):
        (folder / "quiz1/keys" / student).mkdir(parents=True)
        (folder / "quiz1/keys" / student / "key.json").write_text((folder / "quiz1/key.json").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(UsageError, match="no sheet was drawn for anne, ../bob .2 students have one.; did you mean ann"):
        graded(folder, "student,1\nbob,1\nanne,1\n../bob,1\n")


def test_of_several_variants_the_file_says_which(folder, quiz1):
    other = quiz.key_of(quiz1)
    other["1"]["published_order"] = [1]
    (folder / "quiz1/v2").mkdir()
    (folder / "quiz1/v2/key.json").write_text(json.dumps(other), encoding="utf-8")
    for place, printed in (("", "AAAA1111"), ("v2", "BBBB2222")):
        (folder / "quiz1" / place / "export_report.json").write_text(json.dumps({"variant": printed}), encoding="utf-8")
    with pytest.raises(UsageError, match="which sheet had ann, bob. The quiz has 2 variants: add a column variant"):
        graded(folder, "student,1\nann,True\nbob,True\n")
    with pytest.raises(UsageError, match="which sheet had bob"):
        graded(folder, "student,variant,1\nann,v1,True\nbob,v3,True\n")
    one, two, three = graded(folder, "student,variant,1\nann,v1,True\nbob,v2,True\ncy,bbbb2222,True\n")
    assert (one.total_milli, two.total_milli, three.total_milli) == (0, 1000, 1000)


def test_every_wrong_answer_is_named_at_once(folder):
    with pytest.raises(UsageError, match=r"r.csv:2: student ann, question 2: .*\n.*r.csv:3: student bob, question 4: "):
        graded(folder, "student,2,4\nann,7,1\nbob,1,9\n")


def test_the_summary_names_what_was_not_looked_at(folder):
    (folder / "r.csv").write_text("student,1,comment\nann,True,late\n", encoding="utf-8")
    said = "\n".join(grade.grade(folder / "r.csv", folder / "quiz1").summary)
    assert "1 student, with" in said and "not looked at: comment" in said and "nobody has answered, 0 points for all: 2, 3" in said


@pytest.mark.parametrize("text", ["29x29x32", "29*29*32", " 29 X 29 X 32 ", "29×29×32"])
def test_shapes_in_other_spellings(text):
    assert scoring.part_right({"accept": ["29x29x32"]}, text)


@pytest.fixture
def folder(tmp_path, quiz1):
    (tmp_path / "quiz1").mkdir()
    (tmp_path / "quiz1/key.json").write_text(json.dumps(quiz.key_of(quiz1)), encoding="utf-8")
    return tmp_path


def test_variants_of_a_quiz_that_has_one_sheet_are_said_to_be_ignored(folder):
    (folder / "v.csv").write_text("student,variant,1\nann,v9,True\n", encoding="utf-8")
    assert [line for line in grade.grade(folder / "v.csv", folder / "quiz1").summary if "one sheet for everybody" in line]


def graded(folder, text):
    (folder / "r.csv").write_text(text, encoding="utf-8")
    return grade.grade(folder / "r.csv", folder / "quiz1").graded


def test_the_long_form(folder):
    one, = graded(folder, "student,question,response\nann,2,\"3,4\"\nann,Q13,\"1,2,3,4\"\nann,1,False\n")
    assert (one.points_milli["2"], one.points_milli["13"], one.points_milli["1"], one.total_milli) == (2000, 750, 1000, 3750)


def test_a_question_without_a_column_earns_nothing_and_an_empty_cell_is_an_answer(folder):
    one, = graded(folder, "student,13\nann,\n")
    assert one.points_milli["13"] == 750 and one.total_milli == 750


@pytest.mark.parametrize(("text", "says"), [
    ("", r"r.csv:1: the file is empty"), ("name?,1\nx,1\n", r"r.csv:1: no column names the student"),
    ("student,1\n,1\n", r"r.csv:2: the line names no student"),
    ("student,1\nann,1\nann,2\n", r"r.csv:3: student ann is there twice"),
    ("student,19\nann,1\n", r"r.csv:2: there is no question 19; the key has 1 to 18"),
    ("student,2\nann,7\n", r"r.csv:2: student ann, question 2: there is no option 7; there are 4"),
    ("student,2\nann,yes\n", r"r.csv:2: student ann, question 2: 'yes' is no option"),
    ("student,2,3\nann,1\n", r"r.csv:2: 3 columns expected"), ("student,1\n", r"there is no response in it"),
    ("student,1,2,2\nann,1,2,3\n", r"r.csv:1: column '2' is there twice"),
    ("student;1\nann;1\n", r"r.csv:1: .*separated by commas; here they are 'student;1'"),
    ("student,mail\nann,x\n", r"r.csv:1: no column names a question"),
    ("student,question,response\nann,one,1\n", r"r.csv:2: 'one' is no number of a question")])
def test_bad_files_are_refused_with_their_line(folder, text, says):
    with pytest.raises(UsageError, match=says):
        graded(folder, text)


def test_the_command_prints_a_table(folder):
    (folder / "r.csv").write_text("student,1,2\nann,False,\"1,2,3,4\"\n", encoding="utf-8")
    done = subprocess.run([ROOT / "tools/hpml", "quiz", "grade", folder / "r.csv", "--keys", folder], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0 and done.stdout.splitlines()[1].startswith("ann,2,25,1,1,0")
    done = subprocess.run([ROOT / "tools/hpml", "quiz", "grade", folder / "none.csv", "--keys", folder], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "there is no such file" in done.stderr


def test_a_drawn_quiz_grades_its_own_key_in_full(sets, solver):
    for name in ("quiz2", "quiz5", "final"):
        key = quiz.key_of(quiz.draw_quiz(sets[name], solver, "tests", "v1"))
        for entry in key.values():
            answer = "|".join(part.get("value", part.get("accept", [""])[0]) for part in entry["parts"]) if "parts" in entry else \
                ",".join(map(str, entry["published_order"]))
            assert scoring.entry_score(entry, answer) == entry["points_milli"], entry


RESPONSES = "student,1,5,16\nann,False,2,2\nbob,False,2,2\ncy,True,1,2\ndi,True,1,1\n"


def test_items_are_hard_or_easy_and_tell_strong_from_weak(folder):
    """By hand: question 1 is right for two of four, who have 2.5, 2.5, 1, 0 points elsewhere; every mean is of four."""
    rows = {row["question"]: row for row in csv.DictReader(io.StringIO(items.table(graded(folder, RESPONSES))))}
    assert (rows["1"]["difficulty"], rows["16"]["difficulty"], rows["2"]["difficulty"]) == ("0.500", "0.750", "0.000")
    # Points of 1: 1 1 0 0. Of the others: 2.5 2.5 1 0, mean 1.5; covariance sum 2, sums of squares 1 and 4.5.
    assert float(rows["1"]["discrimination"]) == pytest.approx(2 / math.sqrt(1 * 4.5), abs=5e-4)
    assert rows["2"]["discrimination"] == "" and rows["1"]["chosen"] == "2 x False *; 2 x True"


def test_gradebooks_of_platforms_get_logins_and_totals(folder):
    made = graded(folder, RESPONSES)
    head, possible, ann = list(csv.reader(io.StringIO(grade.GRADEBOOKS["canvas"]("Quiz 1", made))))[:3]
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Quiz 1"]
    assert (possible[0].strip(), possible[-1], ann[3], ann[-1]) == ("Points Possible", "25", "ann", "3.5")
    assert grade.GRADEBOOKS["moodle"]("Quiz 1", made).splitlines()[:2] == ["username,Quiz 1", "ann,3.5"]
