"""Are the handout's drawings what the traffic table says, and the committed ones the ones that are drawn?"""
from pathlib import Path
from xml.etree import ElementTree

import lab4_figures as figures
import pytest

LAB = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", sorted(figures.FIGURES))
def test_the_committed_drawing_is_the_one_that_is_drawn(name):
    drawn = figures.FIGURES[name]()
    ElementTree.fromstring(drawn)
    assert (LAB / "figures" / name).read_text(encoding="utf-8") == drawn, "run docs/update.py --pages"


def test_the_hot_link_carries_what_the_handout_says():
    """Server: n (P-1) out and the same in. Ring: 2 (P-1)/P out and the same in."""
    drawn = figures.hot_link(8)
    assert "14 N" in drawn and "3.5 N" in drawn


def test_the_ring_ends_with_all_terms_everywhere():
    assert figures.ring(4).count(figures.GREEN) == (1 + 2 + 3 + 4) * 4  # owned after the scatter, one more a step
