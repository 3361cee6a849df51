"""Are the handout's drawings what the addresses say, and the committed ones the ones that are drawn?"""
from pathlib import Path

import lab3_figures as figures
import pytest
from xml.etree import ElementTree

LAB = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", sorted(figures.FIGURES))
def test_the_committed_drawing_is_the_one_that_is_drawn(name):
    drawn = figures.FIGURES[name]()
    ElementTree.fromstring(drawn)
    assert (LAB / "figures" / name).read_text(encoding="utf-8") == drawn, "run docs/update.py --pages"


def test_the_drawing_counts_the_sectors_of_the_specification():
    assert len(figures.sectors(500)) == 32 and len(figures.sectors(1)) == 4 and len(figures.sectors(2)) == 8


def test_the_numbers_in_the_drawings():
    assert "32 sectors" in figures.coalescing() and "4 sectors" in figures.coalescing()
    assert "18 x 18 = 324" in figures.halo() and "= 2304" in figures.halo()  # lab specification, section 11
    assert "loaded 512 times" in figures.tiles() and "only 16 times" in figures.tiles()
