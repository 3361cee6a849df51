"""The handout's drawings are what the code draws, and say what the loader's model says."""
from pathlib import Path

import lab2_figures as figures
import pytest

LAB = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", sorted(figures.FIGURES))
def test_drawn_as_the_handout_shows_it(name):
    assert (LAB / "figures" / name).read_text(encoding="utf-8") == figures.FIGURES[name]()


@pytest.mark.parametrize("workers, end", [
    (0, figures.BATCHES * (figures.LOAD + figures.TRAIN)),             # nothing overlaps
    (1, figures.BATCHES * figures.LOAD + figures.TRAIN),               # the loader is the limit
    (16, figures.LOAD + figures.BATCHES * figures.TRAIN)])             # training is, after the first batch
def test_ends_follow_the_model(workers, end):
    assert figures.schedule(workers)[1][-1][1] == pytest.approx(end)
