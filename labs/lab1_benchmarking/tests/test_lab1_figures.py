"""Are the handout's drawings the ones that are drawn, and do they show the specification's numbers?"""
from pathlib import Path
from xml.etree import ElementTree

import lab1_figures as figures
import numpy as np
import pytest

LAB = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", sorted(figures.FIGURES))
def test_the_committed_drawing_is_the_one_that_is_drawn(name):
    drawn = figures.FIGURES[name]()
    ElementTree.fromstring(drawn)
    assert (LAB / "figures" / name).read_text(encoding="utf-8") == drawn, "run docs/update.py --pages"


def test_the_handout_shows_every_drawing():
    handout = (LAB / "README.md").read_text(encoding="utf-8")
    assert all(f"(figures/{name})" in handout for name in figures.FIGURES)


def test_an_addition_that_waits_four_cycles_holds_the_loop_down():
    assert [figures.chained(products) for products in (1, 4, 64)] == [1.5, 6.0, 7.5]


def test_sums_of_the_harmonic_series_and_of_tenths_are_the_known_ones():
    assert figures.harmonic(10**7) == figures.harmonic(2**21) == np.float32(15.4036827)  # stops at term 2^21
    drawn = figures.series()
    for known in ("15.4036827", "16.6860313", "16.6953114", "10^6 times, one after the other: 100958.344", "1087937."):
        assert known in drawn


def test_the_marks_of_a_drawing_lie_where_its_axes_say():
    plot = figures.Plot(figures.Axis(1, 16, 100, 500, True), figures.Axis(0, 10, 300, 100))
    assert 'cx="300" cy="200"' in plot.mark(4, 5, "#000")
    assert 'points="100,300 500,100"' in plot.line([(1, 0), (16, 10)], "#000")
