"""Does `make quizzes` give each student a variant, the same bytes every time, and nothing that tells the key?"""
import json
import os
import shutil
import stat
import subprocess

import pytest
from hpml_quizzes import load, near, quiz, roster
from hpml_quizzes.errors import UsageError
from hpml_quizzes.paths import BANK, ROOT
from hpml_quizzes.rng import Draws, seed_of
from test_validator import NUM

ROSTER = "student\nann\nbob\n"


def make(folder, *arguments, **environment):
    command = [ROOT / "tools/hpml", "quiz", "make", "--out", folder, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    (folder / "roster.csv").write_text(ROSTER)
    done = make(folder / "one", "quiz1", "quiz4", SEED="7", COUNT="2", STUDENTS=str(folder / "roster.csv"))
    assert done.returncode == 0, done.stderr
    return folder


def test_the_same_seed_gives_the_same_bytes(made):
    done = make(made / "two", "quiz1", "quiz4", SEED="7", COUNT="2", STUDENTS=str(made / "roster.csv"))
    assert done.returncode == 0, done.stderr
    assert tree(made / "one") == tree(made / "two")
    assert "quiz1: 18 questions, one sheet, as published, the same for everybody: COUNT and STUDENTS left out" in done.stdout
    assert f"quiz4: 11 questions, 2 variants and one for each of {ROSTER.count(chr(10)) - 1} students" in done.stdout
    assert "Brightspace CSV leaves out 10 of 11 questions" in done.stdout


def test_another_seed_gives_other_variants_but_the_same_published_quiz(made):
    done = make(made / "other", "quiz1", "quiz4", SEED="8")
    assert done.returncode == 0, done.stderr
    one, other = tree(made / "one"), tree(made / "other")
    assert one["quiz4/quiz.md"] != other["quiz4/quiz.md"]
    assert one["quiz1/key.json"] == other["quiz1/key.json"] and one["quiz1/quiz.html"] == other["quiz1/quiz.html"]


def test_every_format_is_there(made):
    names = set(tree(made / "one"))
    for folder in ("quiz1", "quiz4", "quiz4/v2"):
        for name in ("quiz.md", "quiz_key.md", "quiz.html", "quiz_key.html", "key.json", "quiz.qti.zip", "quiz.moodle.xml", "quiz.gift",
                     "export_report.json"):
            assert f"{folder}/{name}" in names
    assert any(name.startswith("quiz4/prairielearn/questions/") for name in names)
    pytest.importorskip("reportlab")
    assert {"quiz1/quiz.pdf", "quiz1/quiz_key.pdf", "quiz4/students/ann/quiz.pdf"} <= names


def test_students_have_their_own_variant_and_no_key(made):
    names = tree(made / "one")
    assert names["quiz4/students/ann/quiz.md"] != names["quiz4/students/bob/quiz.md"]
    for name, data in names.items():
        if "/students/" in name:
            assert "key" not in name and b"[x]" not in data and b"Solution" not in data
    assert {"quiz4/keys/ann/key.json", "quiz4/keys/bob/quiz_key.html"} <= set(names)


def test_keys_and_packages_are_for_staff_only(made):
    for name in ("quiz1/key.json", "quiz1/quiz_key.md", "quiz1/quiz.moodle.xml", "quiz4/keys/ann/key.json"):
        assert stat.S_IMODE((made / "one" / name).stat().st_mode) == 0o600


def test_the_key_file_of_quiz1_has_the_published_order(made):
    key = json.loads((made / "one/quiz1/key.json").read_text())
    assert key["1"]["published_order"] == [2] and key["18"]["published_order"] == [1, 3, 4] and len(key) == 18


def test_student_pdf_text_holds_no_key(made):
    pytest.importorskip("reportlab")
    try:
        done = subprocess.run(["pdftotext", made / "one/quiz1/quiz.pdf", "-"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("pdftotext is not installed")
    assert "Question 18" in done.stdout and "Solution" not in done.stdout and "☑" not in done.stdout


@pytest.mark.parametrize(("variables", "says"), [
    ({"COUNT": "0"}, "COUNT=0: must be a number from 1 to 1000"), ({"COUNT": "many"}, "COUNT=many"), ({"COUNT": "²"}, "COUNT=²"),
    ({"STUDENTS": "/nonexistent.csv"}, "STUDENTS=/nonexistent.csv: there is no such file"), ({"QUIZ": "quiz9"}, "there is no quiz 'quiz9'")])
def test_bad_variables_are_one_clear_line(tmp_path, variables, says):
    done = make(tmp_path, **variables)
    assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(("text", "says"), [
    ("", "the roster is empty"), ("who\nann\n", ":1: no column names the student"), ("student\n../x\n", ":2: '../x' cannot name a folder"),
    ("student\nann\nann\n", ":3: student ann is there twice"),
    ("student\nann\nAnn\n", ":3: student Ann is there twice, as ann before"), ("student;name\nann;A\n", "separated by commas; here they are 'student;name'"), ("student\n", "there is no student in it")])
def test_bad_rosters_are_refused_with_their_line(tmp_path, text, says):
    path = tmp_path / "roster.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=says.replace(".", r"\.")):
        roster.read(path)


def test_a_gradebook_of_canvas_is_a_roster(tmp_path):
    path = tmp_path / "gradebook.csv"
    path.write_text('Student,ID,SIS User ID,SIS Login ID,Section,Quiz (1)\n    Points Possible,,,,,10\n"Ng, Ana",1,u1,ana.ng,S1,\n'
                    '"Student, Test",3,,x,S1,\n')
    assert roster.read(path) == ["ana.ng"]


def test_a_new_file_is_asked_in_the_quiz_of_its_week(tmp_path, sets):
    shutil.copytree(BANK, tmp_path / "bank")
    (tmp_path / "bank/week02/my_question.toml").write_text(NUM, encoding="utf-8")
    more = quiz.load_sets(load.load_bank(tmp_path / "bank"))
    added = {name: {one.id for one in more[name].questions} - {one.id for one in sets[name].questions} for name in sets}
    assert added == {name: {"my_question"} if name == "practice2" else set() for name in sets}


@pytest.mark.parametrize(("line", "says"), [
    ("weeks = [14]", r"quiz9.toml:4: .*no question of week 14"), ('questions = ["w02_serch"]', r"quiz9.toml:4: .*no question 'w02_serch'"),
    ("weeks = []", r"quiz9.toml:1: .*needs questions")])
def test_a_set_without_questions_is_refused_with_its_line(tmp_path, bank, line, says):
    path = tmp_path / "quiz9.toml"
    path.write_text(f'title = "T"\nabout = "A"\ndate = "2026-09-01"\n{line}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=says):
        quiz.load_set(path, bank)


def test_a_set_with_a_bad_date_is_refused_with_its_line(tmp_path, bank):
    path = tmp_path / "quiz9.toml"
    path.write_text('title = "T"\nabout = "A"\ndate = "1st of May"\nquestions = ["w02_search"]\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"quiz9.toml:3: .*date '1st of May' must be written as"):
        quiz.load_set(path, bank)


def test_draws_are_the_same_on_every_machine():
    """Numbers written down once: a change of Python or of ours shows."""
    draws = Draws(seed_of("key", "quiz", "student", "question"))
    assert seed_of("key", "quiz") % 10**9 == 57655695
    assert [draws.below(1000) for _ in range(5)] == [991, 239, 286, 71, 221]
    assert sorted(draws.shuffled(range(5))) == [0, 1, 2, 3, 4]


def test_prairielearn_gets_a_hundred_variants_of_a_drawn_quiz(made):
    folder = made / "one/quiz4/prairielearn/questions"
    drawn = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*/variants.json")]
    assert len(drawn) >= 11 and {len(variants) for variants in drawn} == {100}
    assert sum(len({json.dumps(one) for one in variants}) > 4 for variants in drawn) >= 10   # few have nothing to vary


def test_questions_that_ask_nearly_the_same_are_noticed_and_shipped_quizzes_have_none(tmp_path, bank, sets, solver):
    path = tmp_path / "quiz9.toml"
    path.write_text('title = "T"\nabout = "A"\ndate = "2026-09-01"\nquestions = ["w03_gradient_memory", "w10_ring_time"]\n'
                    'weeks = [3]\n', encoding="utf-8")
    (pair,) = near.pairs(quiz.draw_quiz(quiz.load_set(path, bank), solver, "tests", "v1"))
    assert "questions 1 and 9 ask nearly the same" in str(pair) and "training_memory" in str(pair)
    told = [str(pair) for name in sets for label in ("v1", "v2", "ann", "bob")
            for pair in near.pairs(quiz.draw_quiz(sets[name], solver, "tests", label))]
    assert told == []


def test_a_set_leaves_out_what_it_would_ask(tmp_path, bank):
    path = tmp_path / "quiz9.toml"
    path.write_text('title = "T"\nabout = "A"\ndate = "2026-09-01"\nweeks = [3]\nleave_out = ["w03_nesterov"]\n', encoding="utf-8")
    names = [template.id for template in quiz.load_set(path, bank).questions]
    assert "w03_nesterov" not in names and "w03_cross_entropy" in names
    path.write_text(path.read_text(encoding="utf-8").replace("w03_nesterov", "w04_momentum"), encoding="utf-8")
    with pytest.raises(UsageError, match=r"quiz9.toml:5: .*'w04_momentum' would not be asked anyway"):
        quiz.load_set(path, bank)
