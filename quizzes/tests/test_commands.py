"""Do the commands for one quiz give what make quizzes gives, and does the check of an exported file find what is wrong with it?"""
import json
import re
import shutil
import stat
import subprocess

import pytest
from hpml_quizzes import cli
from hpml_quizzes.paths import ROOT

FORMATS = {"qti": "quiz.qti.zip", "moodle": "quiz.moodle.xml", "gift": "quiz.gift", "d2lcsv": "quiz.d2l.csv", "prairielearn": "prairielearn"}


def hpml(*arguments):
    return subprocess.run([ROOT / "tools/hpml", "quiz", *map(str, arguments)], capture_output=True, text=True, check=False)


def done(*arguments):
    result = hpml(*arguments)
    assert result.returncode == 0, result.stderr + result.stdout
    return result.stdout


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exported")
    for name in FORMATS:
        done("export", "quiz1", "--format", name, "--out", folder, "--incomplete")
    return folder


def test_a_drawn_quiz_is_a_complete_record():
    record = json.loads(done("draw", "final", "--seed", "9"))
    assert record["schema"] == "hpml.quiz/v1" and record["points_milli"] == sum(one["points_milli"] for one in record["instances"])
    for one in record["instances"]:
        answers = {"mc": "options", "tf": "options", "ms": "options", "num": "numeric", "short": "short"}
        assert set(one) & set(answers.values()) == {answers[one["type"]]}
        assert one["type"] not in ("mc", "tf") or sum(option["correct"] for option in one["options"]) == 1
        if one["type"] == "num":
            assert abs(float(one["numeric"]["tol_abs"])) > 0 and "e" not in one["numeric"]["value"]
    assert done("draw", "final", "--seed", "9") != done("draw", "final", "--seed", "9", "--label", "v2")


def test_the_key_is_that_of_make_quizzes(tmp_path):
    done("make", "quiz2", "--seed", "9", "--out", tmp_path)
    assert done("key", "quiz2", "--seed", "9") == (tmp_path / "quiz2/key.json").read_text(encoding="utf-8")


def test_sheets_are_exported_without_answers_unless_asked(tmp_path):
    assert done("export", "quiz4", "--format", "html", "--variants", "2", "--out", tmp_path).count("\n") == 2
    assert sorted(path.name for path in tmp_path.rglob("*.html")) == ["quiz.html", "quiz.html"]
    done("export", "quiz4", "--format", "md", "--out", tmp_path, "--with-answers")
    assert stat.S_IMODE((tmp_path / "quiz_key.md").stat().st_mode) == 0o600 and (tmp_path / "figures").is_dir()


def test_an_export_that_leaves_questions_out_is_refused_with_their_names_unless_asked_for(tmp_path):
    refused = hpml("export", "quiz4", "--format", "d2lcsv", "--out", tmp_path / "d")
    assert refused.returncode == 2 and not (tmp_path / "d").exists() and refused.stderr.count("\n") == 1
    report = json.loads(done_report(tmp_path))
    names = {note["question"] for note in report["formats"]["Brightspace CSV"]["notes"] if note["how"] == "refused"}
    assert len(names) > 4 and all(name in refused.stderr for name in names) and "--incomplete" in refused.stderr


def done_report(folder):
    done("export", "quiz4", "--format", "d2lcsv", "--incomplete", "--out", folder / "asked")
    assert (folder / "asked/quiz.d2l.csv").is_file()
    return (folder / "asked/export_report.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_exported_files_are_read_back_and_graded(exported, name):
    assert done("check", exported / FORMATS[name]) == "1 exported files, 0 problems\n"
    path = exported / FORMATS[name]
    assert path.is_dir() or stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(("name", "old", "new", "says"), [
    ("quiz.gift", "{F ", "{T ", "question 1: the key does not earn all points"),
    ("quiz.moodle.xml", "33.33333", "33.33", "not a file the platform takes"),
    ("quiz.d2l.csv", "Points,1.5", "Points,2", "25.5 points|points, the key has"),
    ("quiz.moodle.xml", "<quiz>", "<quiz", "not a file the platform takes")])
def test_damage_is_found_with_file_and_question(exported, tmp_path, name, old, new, says):
    for file in ("key.json", "export_report.json", name):
        shutil.copy(exported / file, tmp_path)
    text = (tmp_path / name).read_bytes().decode()
    assert old in text
    (tmp_path / name).write_bytes(text.replace(old, new, 1).encode())
    result = hpml("check", tmp_path / name)
    assert result.returncode == 1 and name in result.stdout and any(one in result.stdout for one in says.split("|"))


def test_a_file_without_its_key_is_refused_in_one_line(exported, tmp_path):
    shutil.copy(exported / "quiz.gift", tmp_path)
    result = hpml("check", tmp_path / "quiz.gift")
    assert result.returncode == 2 and result.stderr.count("\n") == 1 and "key.json" in result.stderr


def test_a_quiz_is_stressed_by_its_name():
    assert re.search(r"^(\d+) of \1 questions are sound; 0 problems\n$", done("stress", "quiz4", "--draws", "40"))
    assert hpml("stress", "quiz9").returncode == 2


def test_a_seed_that_a_student_can_find_out_is_named(capsys):
    for seed, said in (("2026", True), ("public", True), ("k" * cli.LEAST_SEED, False)):
        cli._say_weak(seed)
        assert ("found out" in capsys.readouterr().err) == said
