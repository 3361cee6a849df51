"""Is a file that was not handed in worth nothing, instead of what the starter's would earn?"""
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hpml_autograder.check import Check, Context
from hpml_autograder.handin import collect_hand_in
from hpml_autograder.judging import Judge
from hpml_autograder.labspec import load
from hpml_autograder.paths import find_lab
from hpml_autograder.verdict import Verdict, accepted

DIRS = find_lab("lab3")
SPEC = load(DIRS.lab / "lab.toml")


def handed_in(folder):
    assignment = SimpleNamespace(spec=SPEC, dirs=DIRS, source=folder, request=SimpleNamespace(wrong=None))
    return collect_hand_in(assignment)


def test_the_exercises_of_a_missing_file_say_so_and_earn_nothing(tmp_path):
    (tmp_path / "vecaddgpu00.cu").write_text("", encoding="utf-8")
    missing = handed_in(tmp_path).missing
    assert missing["vecaddcpu.cpp"] == "vecaddcpu.cpp was not handed in" and "vecaddgpu00.cu" not in missing
    check = Check(lambda test, context: [], lambda test, context, runs: accepted("the starter's"))
    judge = Judge({test.generator: check for test in SPEC.test}, Context(SPEC, tmp_path, {}, "t4", "clang", "sim"),
                  {test.id: [] for test in SPEC.test}, SimpleNamespace(runs={}), missing)
    for test in SPEC.test:
        outcome = judge.outcome(replace(test, requires=(), kind="correct"), {})
        file = SPEC.exercise_of(test).file
        expected = (Verdict.SK, f"{file} was not handed in") if file in missing else (Verdict.AC, "")
        assert (outcome.verdict, outcome.detail) == expected, test.id


def test_nobody_misses_the_file_of_a_bonus(tmp_path):
    assert SPEC.bonus_files and not SPEC.bonus_files & set(handed_in(tmp_path).missing)


@pytest.mark.parametrize("lab, file", [("lab2", "main.cpp"), ("lab2", "conv.cpp")])
def test_of_a_file_that_is_no_exercise_the_starters_is_used_and_that_is_said(tmp_path, lab, file):
    dirs = find_lab(lab)
    assignment = SimpleNamespace(spec=load(dirs.lab / "lab.toml"), dirs=dirs, source=tmp_path, request=SimpleNamespace(wrong=None))
    note = collect_hand_in(assignment).missing[file]
    of_an_exercise = file in {exercise.file for exercise in assignment.spec.exercise}
    assert ("the starter's version is used" in note) is not of_an_exercise
