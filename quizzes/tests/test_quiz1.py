"""Is Quiz 1 keyed rightly, and is the published key refused where it is wrong?"""
import json
import subprocess

import pytest
from hpml_quizzes import audit, grade, quiz
from hpml_quizzes.paths import ROOT

# Recomputed by hand from the published statements; places from 1.
KEY = {1: [2], 2: [3, 4], 3: [3], 4: [2], 5: [2], 6: [1], 7: [1, 2, 4], 8: [2], 9: [1, 2], 10: [2], 11: [4], 12: [1, 2, 3],
       13: [1, 4], 14: [2], 15: [1, 2, 4, 5], 16: [2], 17: [1], 18: [1, 3, 4]}
PUBLISHED = KEY | {2: [1, 2, 3, 4], 7: [1, 2, 3, 4], 9: [1, 2, 3, 4], 13: [1, 2, 3, 4], 15: [1, 2, 3, 4, 5], 18: [1, 2, 3, 4]}
POINTS = [1, 2, 1.5, 2, 1.5, 1, 2, 2, 1, 1, 1, 1, 1.5, 1.5, 1, 1, 1, 2]


def test_the_computed_key_is_the_corrected_one(quiz1):
    assert {instance.number: instance.key for instance in quiz1.instances} == KEY
    assert [instance.points_milli / 1000 for instance in quiz1.instances] == POINTS
    assert quiz1.points_milli == 25_000


def test_the_published_key_is_recorded_as_printed(quiz1):
    assert {instance.number: audit.printed_places(instance) for instance in quiz1.instances} == PUBLISHED


@pytest.mark.parametrize("number", [2, 18])
def test_contradictory_keys_are_named_as_such(quiz1, number):
    problems = audit.check_places(quiz1.instances[number - 1], PUBLISHED[number])
    assert any("contradictory" in str(problem) and f"question {number}" in str(problem) for problem in problems)
    assert str(problems[0]).split(":")[0].endswith(".toml")


@pytest.mark.parametrize(("number", "option", "who"), [(7, 3, "the solver"), (9, 3, "the fact list"),
                                                       (9, 4, "the fact list"), (13, 2, "the fact list"),
                                                       (13, 3, "the fact list"), (15, 3, "the fact list")])
def test_false_options_that_were_keyed_are_named(quiz1, number, option, who):
    problems = [str(problem) for problem in audit.check_places(quiz1.instances[number - 1], PUBLISHED[number])]
    assert any(f"question {number}: option {option} is keyed, but {who} says it is false" in text for text in problems)


def test_the_twelve_right_keys_pass(quiz1):
    right = [number for number in KEY if PUBLISHED[number] == KEY[number]]
    assert len(right) == 12 and 12 in right
    for number in right:
        assert audit.check_places(quiz1.instances[number - 1], PUBLISHED[number]) == []


def test_a_true_option_that_is_not_keyed_is_named(quiz1):
    problems = [str(problem) for problem in audit.check_places(quiz1.instances[17], [1, 3])]
    assert any("option 4 is true, but not keyed" in text for text in problems)


def test_answering_with_the_published_key_scores_21_55(quiz1):
    assert audit.published_score(list(quiz1.instances)) == 21_550
    assert audit.published_score(list(quiz1.instances), "all_or_nothing") == 15_500


def test_the_key_file_holds_places_from_one(quiz1):
    key = quiz.key_of(quiz1)
    assert {int(number): entry["published_order"] for number, entry in key.items()} == KEY


def test_the_command_refuses_the_published_key(tmp_path):
    path = tmp_path / "key.json"
    path.write_text(json.dumps({str(n): {"published_order": places} for n, places in PUBLISHED.items()}))
    done = subprocess.run([ROOT / "tools/hpml", "quiz", "check-key", path], capture_output=True, text=True, check=False)
    named = {line.split("question ")[1].split(":")[0] for line in done.stdout.splitlines() if "question " in line}
    assert done.returncode == 1 and named == {"2", "7", "9", "13", "15", "18"}


def test_a_response_file_is_graded_per_option(tmp_path, quiz1):
    folder = tmp_path / "quiz1"
    folder.mkdir()
    (folder / "key.json").write_text(json.dumps(quiz.key_of(quiz1)))
    rows = ["student," + ",".join(map(str, KEY))]
    rows += [name + "," + ",".join('"' + ",".join(map(str, key[n])) + '"' for n in KEY)
             for name, key in (("wrong", PUBLISHED), ("right", KEY))]
    (tmp_path / "r.csv").write_text("\n".join(rows) + "\n")
    graded = grade.grade(tmp_path / "r.csv", folder).graded
    assert [(one.student, one.total_milli) for one in graded] == [("wrong", 21_550), ("right", 25_000)]


def test_the_audit_page_is_what_the_question_files_say(solver):
    page = (ROOT / "docs/quiz1_audit.md").read_text(encoding="utf-8")
    assert page == audit.page(solver), "run docs/update.py --pages"
    assert "2, 7, 9, 13, 15 and 18" in page and "21.55 of 25" in page
