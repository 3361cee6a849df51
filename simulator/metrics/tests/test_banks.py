"""Does the explanation of a bank conflict follow the accesses: lanes, words, bank, and padding that really helps?"""
from collections.abc import Callable

import pytest
from hpml_metrics.banks import meeting, sentence
from hpml_metrics.document import BankConflict


def conflict(word: Callable[[int], int], size: int = 4) -> BankConflict:
    return BankConflict(size, tuple(word(lane) for lane in range(32)))


@pytest.mark.parametrize("found, lanes, words, better", [
    (conflict(lambda lane: 32 * lane), (0, 1), (0, 32), 33),                               # a column of 32 words
    (conflict(lambda lane: 5 + lane // 16 * 32), (0, 16), (5, 37), 33),                    # two broadcasts
    (conflict(lambda lane: lane % 16 + lane // 16 * 32), (0, 16), (0, 32), 48),            # padding by one would not help
    (conflict(lambda lane: lane % 8 + lane // 8 * 34), (6, 12), (6, 38), 40),
    (conflict(lambda lane: 64 * lane, 8), (0, 1), (0, 64), 33),                            # doubles: 33 of them
])
def test_it_names_lanes_words_and_the_next_stride_without_conflicts(found, lanes, words, better):
    met = meeting(found)
    assert met is not None and (met.lanes, met.words, met.better) == (lanes, words, better)
    assert met.words[0] % 32 == met.words[1] % 32 == met.bank


def test_an_even_stride_is_not_cured_by_padding():
    met = meeting(conflict(lambda lane: 2 * lane))
    assert met is not None and sentence(met, "read") == (
        "lanes 0 and 16 read words 0 and 32, both in bank 0; the stride from lane to lane is 2 words: with an odd stride, such "
        "as 1, all lanes are in different banks")


def test_rows_that_do_not_repeat_get_no_padding():
    met = meeting(conflict(lambda lane: lane * lane * 7 % 257))
    assert met is not None and "let neighbouring lanes access neighbouring words" in sentence(met, "write")


@pytest.mark.parametrize("word", [lambda lane: lane, lambda lane: 3, lambda lane: lane % 8 + lane // 8 * 40])
def test_lanes_that_do_not_meet_are_no_conflict(word):
    assert meeting(conflict(word)) is None
