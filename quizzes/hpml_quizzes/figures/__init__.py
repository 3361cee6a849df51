"""Figures by name: each a function from its inputs to a Drawing. A new one is a function and a line here."""
from typing import Any, Callable

from . import curves, diagrams
from .drawing import Drawing

FIGURES: dict[str, Callable[..., Drawing]] = {
    "roofline": curves.roofline, "trends": curves.trends, "decay_curves": curves.decay_curves,
    "survival": curves.survival, "line_of_memory": diagrams.line_of_memory, "learners": diagrams.learners,
    "pushes": diagrams.pushes, "ring": diagrams.ring, "pipeline": diagrams.pipeline, "chain": diagrams.chain,
}


def make(figure: dict[str, Any]) -> Drawing:
    inputs = {name: value for name, value in figure.items() if name != "name"}
    return FIGURES[figure["name"]](**inputs)
