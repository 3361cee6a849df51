"""Whether a result was in the GPU's memory, and what a judge hears of a replay with other data."""
import dataclasses

import numpy
import pytest
from hpml_autograder.case import Case, Copy, Run
from hpml_autograder.data import Expected

VALUES = numpy.arange(8, dtype=numpy.float32)


@pytest.fixture
def copies(tmp_path):
    def make(*parts):
        made = []
        for number, (values, launches) in enumerate(parts):
            path = tmp_path / f"{number}.bin"
            path.write_bytes(values.tobytes())
            made.append(Copy(path, launches))
        return made
    return make


def test_a_result_in_one_copy_is_found(copies):
    assert Expected(VALUES).is_in(copies((VALUES + 1, 1), (VALUES, 1)), 1)


def test_a_result_in_parts_is_found_in_their_order(copies):
    assert Expected(VALUES).is_in(copies((VALUES[:3], 1), (VALUES[3:], 1)), 1)
    assert not Expected(VALUES).is_in(copies((VALUES[3:], 1), (VALUES[:3], 1)), 1)


@pytest.mark.parametrize("changed", [0.5, float("nan"), float("inf")])
def test_one_wrong_element_is_enough(copies, changed):
    values = VALUES.copy()
    values[5] = changed
    assert not Expected(VALUES).is_in(copies((values, 1)), 1)
    assert not Expected(VALUES, tolerance=0.01).is_in(copies((values, 1)), 1)


def test_a_tolerance_is_a_part_of_the_largest_element(copies):
    assert Expected(VALUES, tolerance=0.01).is_in(copies((VALUES + 0.06, 1)), 1)
    assert not Expected(VALUES, tolerance=0.01).is_in(copies((VALUES + 0.08, 1)), 1)


def test_a_result_before_the_last_launch_may_not_count(copies):
    early = copies((VALUES, 1))
    assert Expected(VALUES).is_in(early, 2)
    assert not Expected(VALUES, after_last_launch=True).is_in(early, 2)


def test_a_short_copy_is_no_result(copies):
    assert not Expected(VALUES).is_in(copies((VALUES[:7], 1)), 1)


@pytest.mark.parametrize("other_data, words", [(True, ""), (False, "with other numbers of the same shape"), (None, "")])
def test_what_other_data_gave_decides(other_data, words):
    run = Run(Case("program", ""), "exit", other_data=other_data)
    assert words in run.unheld(VALUES.tobytes())
    assert bool(run.unheld(VALUES.tobytes())) == bool(words)


def test_a_replay_with_the_given_data_must_have_held_the_result(copies):
    run = Run(Case("program", ""), "exit", results=tuple(copies((VALUES + 1, 1))))
    assert "never held it" in run.unheld(VALUES.tobytes())
    held = dataclasses.replace(run, results=tuple(copies((VALUES, 1))))
    assert not held.unheld(VALUES.tobytes())


def test_a_value_may_be_cut_by_the_border_between_two_copies(tmp_path):
    data, parts = VALUES.tobytes(), []
    for number, (begin, end) in enumerate(((0, 6), (6, 7), (7, 7), (7, len(data)))):
        (tmp_path / str(number)).write_bytes(data[begin:end])
        parts.append(Copy(tmp_path / str(number), 1))
    assert Expected(VALUES).is_in(parts, 1) and not Expected(VALUES).is_in(parts[:3], 1)


def test_of_very_many_copies_each_is_opened_a_few_times_only(tmp_path, monkeypatch):
    (tmp_path / "one").write_bytes(bytes(4))
    opened = []
    monkeypatch.setattr(type(tmp_path), "open", lambda path, mode: opened.append(path) or open(path, mode))
    many = [Copy(tmp_path / "one", 1)] * 3000
    assert not Expected(VALUES + 1).is_in(many, 1) and len(opened) <= 2 * len(many)
    opened.clear()
    assert not Run(Case("program", ""), "exit", results=tuple(many))._held(tuple(many), (VALUES + 1).tobytes(), False)
    assert len(opened) <= 2 * len(many)


def test_small_integers_that_differ_by_half_of_their_range_are_no_match(copies):
    values = numpy.arange(-64, 64, dtype=numpy.int8)
    [copy] = copies((values ^ numpy.int8(-128), 1))
    assert not Expected(values).is_in([copy], 1)
