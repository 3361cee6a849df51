"""Which line of the source asked how much of memory: the accesses of each kernel, the costliest lines first."""

from __future__ import annotations

from hpml_metrics.document import LineAccess

from hpml_report.metrics import Launch

OPS = {"ld": "load", "st": "store", "atom": "atomic"}
MOST_LINES = 12  # per kernel


def costliest(launch: Launch) -> list[LineAccess]:
    ordered = sorted(launch.lines, key=lambda at: (-max(0, at.excess), -at.parts, at.file, at.line))
    return ordered[:MOST_LINES]


def apart(at: LineAccess) -> str:
    """Of neighbouring threads' addresses."""
    return "differs" if at.stride is None else "same address" if at.stride == 0 else f"{at.stride} B"


def cells(at: LineAccess) -> list[str]:
    return [f"{at.requests}", f"{at.parts / at.requests:.2f}", f"{at.ideal / at.requests:.2f}", apart(at)]
