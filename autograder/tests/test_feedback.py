"""Feedback for students (first step, missing files, reasons) and pages for staff (rubric, similarity, regrade requests)."""
import copy

import pytest
import random_records
from hpml_autograder import labspec
from hpml_autograder.paths import find_lab
from hpml_class import feedback, requests, similarity
from hpml_class.classreport import alike, rubric
from hpml_class.errors import UsageError
from hpml_class.redact import redact

SPEC = labspec.load(find_lab("lab3").lab / "lab.toml")


def record(**verdicts: str) -> dict:
    """All of lab 3 is right but the tests given, whose points are lost."""
    made = copy.deepcopy(random_records.make(1))
    made["tests"] = []
    for test in SPEC.test:
        verdict = verdicts.get(test.id.replace(".", "_"), "AC")
        made["tests"].append({"id": test.id, "exercise": test.exercise, "kind": test.kind, "visibility": test.visibility, "checked": "",
                              "bonus": SPEC.is_bonus(test), "max_millipoints": test.max_millipoints, "verdict": verdict, "metrics": {},
                              "millipoints": test.max_millipoints if verdict == "AC" else 0, "detail_staff": "staff",
                              "detail_public": "" if verdict == "AC" else f"`x` & <b>{test.id}</b> is [wrong](http://x)"})
    made |= {"status": "ok", "standing": "record", "max_millipoints": 100000, "late": {"days": 0, "deduction_millipoints": 0, "reason": ""}}
    made["total_millipoints"] = sum(test["millipoints"] for test in made["tests"])
    return made


def text_of(made: dict) -> str:
    return feedback.to_text(feedback.lines(redact(made, "student"), SPEC, "Ann"))


def test_it_begins_with_one_thing_to_do():
    text = text_of(record(A4_build="CE", B1_format="WA"))
    first = text[text.index("## Do this first"):text.index("## Exercises")]
    exercise = next(one for one in SPEC.exercise if one.id == "A4")
    assert f"Exercise A4 ({exercise.title}), file {exercise.file}: correct the first error that the compiler names." in first
    assert "make lab3 test TEST=A4.build" in first and "A4.build</b> is [wrong]" in first and "B1" not in first


def first_of(made: dict) -> str:
    text = text_of(made)
    return text[text.index("## Do this first"):text.index("## Exercises")]


def test_the_first_step_is_a_cause_not_what_waits_for_it():
    assert "correct what A2.time found." in first_of(record(A2_loads="SK", A2_time="WA"))


def test_an_exercise_that_was_not_begun_begins_with_its_first_step():
    lost = {test.id.replace(".", "_"): "WA" for test in SPEC.test if test.exercise == "A2" and test.kind != "build"}
    exercise = next(one for one in SPEC.exercise if one.id == "A2")
    assert f"file {exercise.file}: {exercise.first_step}." in first_of(record(**lost))


def test_a_missing_file_comes_first_where_its_exercise_does():
    made = record(A2_build="SK", A2_time="SK")
    made["submission"]["files"] = [{"path": "vecaddKernel01.cu", "state": "missing", "sha256": "", "bytes": 0, "note": "x"}]
    text = text_of(made)
    assert "vecaddKernel01.cu was not handed in: all of exercise A2 depends on it." in text
    assert "## Files\n\n- vecaddKernel01.cu: not handed in\n" in text


def test_plain_text_has_no_entities_and_a_programs_words_are_no_markup():
    made = record(A2_time="WA")
    text, page = text_of(made), feedback.to_html(feedback.lines(redact(made, "student"), SPEC, "Ann"))
    assert "        `x` & <b>A2.time</b> is [wrong](http://x)\n" in text and "&#" not in text and "&amp;" not in text
    assert "&lt;b&gt;A2.time" in page and "<b>" not in page and "<script" not in page


def test_codes_that_occur_are_explained_and_hidden_tests_are_named_hidden():
    text = text_of(record(A2_correct_hidden="WA", A2_time="TO"))
    assert "A2.correct.hidden: 0 of 2.5 points (WA, hidden test)" in text and feedback.HIDDEN["hidden"] in text
    assert "is [wrong]" in text and "A2.correct.hidden</b>" not in text
    meanings = text[text.index("## What the codes mean"):]
    assert "- WA: " in meanings and "- TO: " in meanings and "- CE: " not in meanings


def test_lateness_and_what_kind_of_score_it_is_are_said():
    made = record() | {"late": {"days": 2, "deduction_millipoints": 9000, "reason": "2 late days: received a, due b"}, "standing": "feedback"}
    text = text_of(made)
    assert "late by 2 days, which costs 9 points" in text and "Receipt: 2 late days: received a, due b." in text
    assert "not the score of record" in text and "not the score of record" not in text_of(record())


def test_every_verdict_has_a_meaning():
    assert set(random_records.VERDICTS) <= set(feedback.MEANING)


def test_a_request_is_listed_beside_what_the_record_says(tmp_path):
    made = record(A2_time="WA")
    form = tmp_path / requests.FILE
    form.write_text(requests.blank(made), encoding="utf-8")
    assert not requests.is_filled(form) and requests.rows(requests.load(form), made, "x") == []
    form.write_text(form.read_text().replace('test = ""', 'test = "A2.time"').replace('reason = ""', 'reason = "=it is fast"'), encoding="utf-8")
    (row,) = requests.rows(requests.load(form), made, "x")
    assert requests.is_filled(form) and (row["test"], row["points"], row["of"], row["grading"]) == ("A2.time", "0", "1", "the current one")
    assert "'=it is fast" in requests.as_csv([row])
    other = made | {"record_sha256": "f" * 64}
    assert requests.rows(requests.load(form), other, "x")[0]["grading"] == "an earlier one"


@pytest.mark.parametrize("old, new, words", [
    ('test = ""', 'test = "A9.x"', "no test 'A9.x'"), ('test = ""', 'test = "A2.time"', "no reason is given for A2.time"),
    ("hpml.regrade-request/v1", "v9", "expected schema"), ("[[request]]", "[[request", "form.toml: ")])
def test_a_damaged_request_is_one_line(tmp_path, old, new, words):
    made = record(A2_time="WA")
    path = tmp_path / "form.toml"
    path.write_text(requests.blank(made).replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        requests.rows(requests.load(path), made, str(path))


def test_the_rubric_groups_equal_reasons_of_a_test():
    page = rubric.render("Lab 3", rubric.collect([("ann", record(A2_time="WA")), ("bob", record(A2_time="WA")), ("cy", record())]))
    assert "A2.time (1 point): 2 of 3 lost points" in page and '<td class="who">ann; bob</td>' in page
    assert "A2.loads (1.5 points): 0 of 3 lost points" in page


ONE = "int f(int a) {\n  int s = 0;\n  for (int i = 0; i < a; ++i) {\n    s += i * i - 3;\n  }\n  return s;\n}\n"


def test_lines_that_stand_in_both_programs_are_marked_whatever_their_names():
    other = "// mine\n" + ONE.replace("int s", "int sum").replace("s +=", "sum +=").replace("return s", "return sum") + "double g() {\n  return 1;\n}\n"
    first, second = similarity.shared_lines(ONE, other)
    assert first == {1, 2, 3, 4, 5, 6, 7} and second == {line + 1 for line in first}
    assert similarity.shared_lines(ONE, other, ONE) == (set(), set())
    page = alike.render("Lab 3", [similarity.Pair("ann", "bob", 1.0, 9)], {"ann": {"a.cu": ONE}, "bob": {"a.cu": other}}, {"a.cu": ""})
    assert "7 of 7 lines of ann, 7 of 11 lines of bob are alike" in page and page.count("<mark>") == 14
    many = [similarity.Group("a.cu", ("ann", "bob", "cy", "dan"))]
    page = alike.render("Lab 3", [], {"ann": {"a.cu": ONE}, "bob": {"a.cu": other}}, {"a.cu": ""}, many)
    assert "4 hand-ins are alike in a.cu: ann; bob; cy; dan" in page and page.count("<mark>") == 14 and "No two" not in page
