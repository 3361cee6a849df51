"""The table is plain text, whatever a student's program says."""
from dataclasses import replace

import pytest
from hpml_autograder.paths import find_lab
from hpml_autograder.table import clean, columns, points, render


def test_control_characters_do_not_reach_the_terminal():
    assert clean("a\x1b[31mred\n::error::\x07") == "a?[31mred?::error::?"


def test_points_are_shown_without_idle_zeros():
    assert [points(value) for value in (0, 500, 660, 20000)] == ["0", "0.5", "0.66", "20"]


def test_columns_line_up_left_and_right():
    assert columns([("a", "1"), ("bb", "10")], frozenset({1})) == ["a    1", "bb  10"]


@pytest.mark.xdist_group("grading lab3")
def test_tests_that_wait_for_the_same_one_are_one_line(graded, tmp_path):
    starter = (find_lab("lab3").src / "vecaddgpu00.cu").read_text(encoding="utf-8")
    (tmp_path / "vecaddgpu00.cu").write_text(starter, encoding="utf-8")
    text = render(graded("lab3", source=tmp_path, only="B2.launch,B2.memory"))
    assert "  B2.launch, B2.memory  -2: not looked at: B2.correct.many_blocks must pass first" in text


def test_a_release_says_where_the_other_points_come_from(graded, tmp_path):
    result = graded("lab3", source=tmp_path, only="B1.build")
    cut = replace(result, spec=replace(result.spec, elsewhere_millipoints=20500))
    assert "Total: 0 of 0.5 points (hidden tests give more, when your instructor grades)" in render(cut)  # TEST= asked for one
    whole = replace(cut, spec=replace(cut.spec, test=tuple(cut.tests)))
    assert "Total: 0 of 0.5 points (the other 20.5 come from hidden tests, when your instructor grades)" in render(whole)
