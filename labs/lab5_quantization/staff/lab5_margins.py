"""The comparisons of accuracies that the lab makes, each with the points that it asks for. Which points are graded stands in
lab.toml; over several seeds, reference/margins.json says how far the solution is from them."""
import json
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import tomllib

LAB = Path(__file__).resolve().parent.parent
SEEDS = range(1, 6)
TESTS = {test["id"]: test for test in tomllib.loads((LAB / "lab.toml").read_text(encoding="utf-8"))["test"]}
Numbers = Mapping[str, float]


@dataclass(frozen=True)
class Margin:
    name: str
    least: float                             # points, %
    difference: Callable[[Numbers], float]   # points, of what is measured
    shapes: tuple[str, ...] = ()             # commands of lab5_trainer without their seed


def commands(test: str) -> tuple[str, ...]:
    """A test's shapes without their seed, the last word; `convert` trains nothing and has none."""
    return tuple(shape if shape == "convert" else shape.rsplit(" ", 1)[0] for shape in TESTS[test]["shapes"])


def measured(shape: str, lines: list[float]) -> Numbers:
    return {f"{shape} {place}": 100 * value for place, value in enumerate(lines)}


def between(more: str, less: str) -> Callable[[Numbers], float]:
    return lambda numbers: numbers[more] - numbers[less]


def _trained(name: str, least: float, test: str, more: tuple[int, int], less: tuple[int, int] | None = None) -> Margin:
    """more, less: which shape of the test, and which line of its result; without `less`, the accuracy itself."""
    shapes = commands(test)
    keys = [f"{shapes[shape]} {line}" for shape, line in (more, *([less] if less else []))]
    return Margin(name, least, between(*keys) if less else lambda numbers: numbers[keys[0]], shapes)


def _compared() -> list[Margin]:
    of = {name: TESTS[name]["params"] for name in ("E7.train", "E7.convert", "P1.untrained", "P1.tuned", "P1.half", "P2.gain", "P2.noise")}
    return [
        Margin("8 bits, weights and activations, over float", -1.0, between("8 bits", "float")),
        Margin("2 bits: weights per channel over per tensor", 25.0, between("W channel", "W tensor")),
        Margin("2 bits: squared error over min-max for activations", 5.0, between("A MSE", "A min-max")),
        Margin("2 bits: two epochs of training over none", 15.0, between("QAT", "W+A channel, both MSE")),
        Margin("2 bits: accuracy after two epochs", 80.0, lambda numbers: numbers["QAT"]),
        _trained("E7: graded training at 2 bits over none", of["E7.train"]["margin"], "E7.train", (0, 1), (0, 0)),
        _trained("E7: accuracy after it", 100 * of["E7.train"]["least"], "E7.train", (0, 1)),
        _trained("E7: equal predictions of 8-bit floats and integers", 100 * of["E7.convert"]["least"], "E7.convert", (0, 0)),
        _trained("P1: 75 % pruned, all layers together over each layer", of["P1.untrained"]["margins"][0], "P1.untrained", (0, 0), (1, 0)),
        _trained("P1: 75 % pruned, each layer over random", of["P1.untrained"]["margins"][1], "P1.untrained", (1, 0), (2, 0)),
        _trained("P1: 90 % fine-tuned, magnitude over random", of["P1.tuned"]["margin"], "P1.tuned", (0, 1), (1, 1)),
        _trained("P1: accuracy of magnitude at 90 %", 100 * of["P1.tuned"]["least"], "P1.tuned", (0, 1)),
        _trained("P1: 2:4 fine-tuned over dense", -of["P1.half"]["margin"], "P1.half", (1, 1), (0, 0)),
        _trained("P2: teacher over labels", of["P2.gain"]["margin"], "P2.gain", (0, 1), (0, 2)),
        _trained("P2: the same, 40 % of the labels wrong", of["P2.noise"]["margin"], "P2.noise", (0, 1), (0, 2)),
    ]


COMPARED = _compared()


def table(text: str) -> str:
    """margins.json as the handout shows it."""
    points = json.loads(text)["points"]
    lines = ["| points between | asked for | least | median | most |", "|---|---|---|---|---|"]
    for one in COMPARED:
        found = points[one.name]
        lines.append(f"| {one.name} | {one.least:g} | {min(found):.1f} | {statistics.median(found):.1f} | {max(found):.1f} |")
    return "\n".join(lines) + "\n"
