"""The table of the counters, ../counters.tsv: what each is called, counts and means."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "counters.tsv"
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"


@dataclass(frozen=True)
class Counter:
    name: str
    unit: str
    kind: str     # exact, modelled, always 0
    counted: str  # device, exec, timing: of a launch; program: of the whole run, block "unified_memory"
    meaning: str


@functools.cache
def counters() -> dict[str, Counter]:
    """By name, in the order of the document."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    columns = {title: number for number, title in enumerate(rows[0])}
    found = [Counter(*(row[columns[title]] for title in ("name", "unit", "kind", "counted", "meaning")))
             for row in rows[1:]]
    return {counter.name: counter for counter in found}


def counter(name: str) -> Counter:
    """Precondition: a row has this name."""
    return counters()[name]


def stall_meanings() -> dict[str, str]:
    """What warps wait for, by the reason's name in the document's "stalls"."""
    before, after = STALL.split("{}")
    return {name[len(before):-len(after)]: row.meaning for name, row in counters().items()
            if name.startswith(before) and name.endswith(after)}
