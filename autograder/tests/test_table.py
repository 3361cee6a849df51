"""The table is plain text, whatever a student's program says."""
from hpml_autograder.table import clean, columns, points


def test_control_characters_do_not_reach_the_terminal():
    assert clean("a\x1b[31mred\n::error::\x07") == "a?[31mred?::error::?"


def test_points_are_shown_without_idle_zeros():
    assert [points(value) for value in (0, 500, 660, 20000)] == ["0", "0.5", "0.66", "20"]


def test_columns_line_up_left_and_right():
    assert columns([("a", "1"), ("bb", "10")], frozenset({1})) == ["a    1", "bb  10"]
