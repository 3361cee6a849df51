"""One program of a lab, run as its author asks: does the person see what it prints, what it cost and what went wrong?"""
import pytest
from hpml_autograder.assignment import select
from hpml_autograder.cli import main
from hpml_autograder.labspec import load
from hpml_autograder.paths import find_lab

LAB3 = load(find_lab("lab3").lab / "lab.toml")


@pytest.mark.xdist_group("commands of lab3")
def test_a_program_runs_with_arguments_of_ones_own(capfd):
    assert main(["run", "lab3", "--solution", "--cuda", "clang", "--program", "vecadd01 5"]) == 0
    told = capfd.readouterr()
    assert "Total vector size: 38400" in told.out and "2 kernels" in told.err and "simulated" in told.err


@pytest.mark.xdist_group("commands of lab3")
def test_the_check_tools_name_the_line_of_a_mistake(capfd, tmp_path):
    text = (find_lab("lab3").solution / "vecaddgpu00.cu").read_text(encoding="utf-8")
    (tmp_path / "vecaddgpu00.cu").write_text(text.replace("i < n; i += stride", "i <= n; i += stride"), encoding="utf-8")
    assert main(["run", "lab3", "--source", str(tmp_path), "--cuda", "clang", "--check",
                 "--program", "vecaddgpu00 1 256 1 --n 1000"]) == 1
    assert "memcheck: invalid read of 4 bytes" in (told := capfd.readouterr().err) and "vecaddgpu00.cu:12" in told


def test_a_program_that_prints_nothing_is_told_where_its_results_go(capfd):
    assert main(["run", "lab5", "--solution", "--program", "codebook uniform 5 540 3"]) == 0
    told = capfd.readouterr()
    assert told.out == "" and "ended well and printed nothing" in told.err and "`make lab5 test` judges" in told.err


def test_a_goal_that_a_lab_does_not_have_names_those_it_has(capfd):
    assert main(["profile", "lab5"]) == 2
    assert "lab5 has no `profile`; beside test, run, debug and submit-check it has bench" in capfd.readouterr().err


@pytest.mark.parametrize("words, reason", [("", "name a program of lab3"), ("vecadd9 1", "there are vecadd00, vecadd01"),
                                           ("vecadd01 '5'", "without quotes and braces")])
def test_words_that_name_no_program_are_one_line(words, reason, capfd):
    assert main(["run", "lab3", "--program", words]) == 2
    assert reason in capfd.readouterr().err


def test_the_name_of_a_test_stands_for_it_alone():
    lab4 = load(find_lab("lab4").lab / "lab.toml")
    assert [test.id for test in select(lab4, "E4.build")] == ["E4.build"]  # and not E4.build.simulated


def test_an_exercise_stands_for_its_tests():
    assert {test.id for test in select(LAB3, "B1")} == {test.id for test in LAB3.test if test.exercise == "B1"}
    assert [test.id for test in select(LAB3, "B2.correct") if test.id.startswith("B2.correct")] == [
        test.id for test in LAB3.test if test.id.startswith("B2.correct")]
