"""Typical mistakes of beginners: does what the grader says name the cause, and does the page show what it says?"""
import sys

import pytest
from hpml_autograder.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import mistakes  # noqa: E402

ALL = mistakes.mistakes()
PAGE = (ROOT / "docs/lab3_mistakes.md").read_text(encoding="utf-8")
OF_EACH_KIND = ("too far", "2048 threads", "host's pointers", "bytes, is allocated", "no barrier between loading")


def seen(mistake: mistakes.Mistake) -> None:
    said = mistakes.told(mistake)
    assert [words for words in mistake.says if words not in said] == [], said
    assert mistakes.row(mistake, said) in PAGE, "run docs/update.py --mistakes"


@pytest.mark.parametrize("mistake", [one for one in ALL if any(words in one.title for words in OF_EACH_KIND)], ids=lambda one: one.title)
def test_one_mistake_of_each_kind_is_named_with_its_cause(mistake):
    seen(mistake)


@pytest.mark.parametrize("mistake", ALL, ids=lambda one: one.title)
def test_each_mistake_is_named_with_its_cause(mistake):
    seen(mistake)


def test_the_page_has_every_mistake():
    assert len(ALL) >= 30 and [one.title for one in ALL if f"| {one.title} |" not in PAGE] == []
