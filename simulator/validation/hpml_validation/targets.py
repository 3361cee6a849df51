"""targets.toml: published rows, each with the program of ours that repeats the measurement."""
from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOM = Path(__file__).resolve().parent.parent

# unit of a row or of a program's result -> (dimension, factor to the dimension's first unit)
UNITS = {
    "cycles": ("cycles", 1.0), "cycles/instr/warp": ("cycles", 1.0), "cycles/warp-load": ("cycles", 1.0),
    "cycles/op": ("cycles", 1.0), "ns": ("us", 1e-3), "us": ("us", 1.0), "ms": ("us", 1e3), "s": ("us", 1e6), "GB/s": ("GB/s", 1.0),
    "TB/s": ("GB/s", 1e3), "GiB/s": ("GB/s", 1.073741824), "B/clk": ("B/clk", 1.0), "B/clk/SM": ("B/clk", 1.0),
    "GFLOP/s": ("GFLOP/s", 1.0), "count": ("count", 1.0), "MiB": ("MiB", 1.0),
}


class TargetsError(Exception):
    """targets.toml says something that cannot be right; the message names the row."""


@dataclass(frozen=True)
class Run:
    gpu: str        # simulated GPU; "" = the real one
    command: str    # program and arguments


@dataclass(frozen=True)
class Target:
    family: str
    name: str
    gpu: str            # the card measured
    on: str             # the simulated GPU
    value: float        # in `unit`
    unit: str
    run: str            # program and arguments
    result: str         # a name the program prints, or metric:WORD
    source: str
    confidence: str
    proxy: bool = False
    slow: bool = False  # only in a full run
    quick: bool = False  # also in `make check`
    fit: str = ""       # parameters of the GPU file that were set or fitted to this very row
    conditions: str = ""

    @property
    def as_run(self) -> Run:
        return Run(self.on, self.run)

    def measured(self, value: float, unit: str) -> float:
        """A program's result in the unit of the row."""
        (mine, factor), (other, given) = UNITS[self.unit], UNITS[unit]
        if mine != other:
            raise TargetsError(f"{self.name}: published in {self.unit}, but '{self.run}' gives {self.result} in {unit}")
        return value * given / factor


@dataclass
class Family:
    name: str
    title: str
    course: bool = False
    note: str = ""      # what a reader of the rows should know
    rows: list[Target] = field(default_factory=list)


@dataclass
class Targets:
    families: list[Family]
    sources: dict[str, str]
    unused: list[tuple[str, str]]   # row, reason
    fitted: dict[str, dict[str, str]] = field(default_factory=dict)  # measured card -> beginning of a command -> parameters

    def rows(self) -> list[Target]:
        return [row for family in self.families for row in family.rows]


def target(family: str, raw: dict, sources: dict[str, str]) -> Target:
    values = raw["value"] if isinstance(raw["value"], list) else [raw["value"]]
    row = Target(family=family, **{**raw, "value": sum(values) / len(values)})
    if row.source not in sources:
        raise TargetsError(f"{row.name}: source '{row.source}' is not in [sources]")
    if row.unit not in UNITS:
        raise TargetsError(f"{row.name}: unit '{row.unit}' is unknown")
    if row.value <= 0:
        raise TargetsError(f"{row.name}: a published value is positive")
    return row


def load(path: Path = ROOM / "targets.toml") -> Targets:
    with path.open("rb") as file:
        raw = tomllib.load(file)
    families = []
    for name, entry in raw["family"].items():
        rows = [target(name, row, raw["sources"]) for row in entry["rows"]]
        families.append(Family(name, entry["title"], entry.get("course", False), entry.get("note", ""), rows))
    unused = [(row, group["reason"]) for group in raw["unused"] for row in group["rows"]]
    return Targets(families, raw["sources"], unused, raw["fitted"])
