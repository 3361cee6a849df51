"""Typical mistakes of beginners: does what the grader says name the cause, and does the page show what it says?"""
import sys

import pytest
from hpml_autograder.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import mistakes  # noqa: E402

ALL = [(lab, one) for lab in mistakes.labs() for one in mistakes.mistakes(lab)]
OF_EACH_KIND = ("too far", "2048 threads", "host's pointers", "bytes, is allocated", "no barrier between loading", "GiB for GB", "right by chance",
                "arguments of cudaMemcpy are swapped", "is freed twice", "without `&`")


def seen(lab: str, mistake: mistakes.Mistake) -> None:
    said = mistakes.told(lab, mistake)
    assert [words for words in mistake.says if words not in said] == [], said
    page = mistakes.page_of(lab).read_text(encoding="utf-8")
    row = mistakes.comparable(lab, mistakes.row(mistake, said))
    assert row in mistakes.comparable(lab, page), f"run docs/update.py --mistakes {lab}"


@pytest.mark.parametrize("lab, mistake", [(lab, one) for lab, one in ALL if any(words in one.title for words in OF_EACH_KIND)],
                         ids=lambda one: getattr(one, "title", one))
def test_one_mistake_of_each_kind_is_named_with_its_cause(lab, mistake):
    seen(lab, mistake)


@pytest.mark.parametrize("lab, mistake", ALL, ids=lambda one: getattr(one, "title", one))
def test_each_mistake_is_named_with_its_cause(lab, mistake):
    seen(lab, mistake)


def test_the_pages_have_every_mistake():
    for lab in mistakes.labs():
        page = mistakes.page_of(lab).read_text(encoding="utf-8")
        titles = [one.title for one in mistakes.mistakes(lab)]
        assert [title for title in titles if f"| {title} |" not in page] == [] and page.count("\n| ") == len(titles) + 1, lab


def test_the_lab_with_most_beginners_has_thirty():
    assert len(mistakes.mistakes("lab3")) >= 30
