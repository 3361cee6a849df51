"""Which line of the source asked how much of memory: the accesses of each kernel, the costliest lines first."""

from __future__ import annotations

from typing import Any

from hpml_report.metrics import Launch

OPS = {"ld": "load", "st": "store", "atom": "atomic"}
MOST_LINES = 12  # per kernel


def parts(entry: dict[str, Any]) -> str:
    """What a request is made of: sectors, or passes through the banks of shared memory."""
    return "wavefronts" if entry["space"] == "shared" else "sectors"


def excess(entry: dict[str, Any]) -> int:
    return int(entry[parts(entry)]) - int(entry[f"ideal_{parts(entry)}"])


def costliest(launch: Launch) -> list[dict[str, Any]]:
    ordered = sorted(launch.lines, key=lambda entry: (-max(0, excess(entry)), -int(entry[parts(entry)]),
                                                      entry["file"], entry["line"]))
    return ordered[:MOST_LINES]


def apart(entry: dict[str, Any]) -> str:
    """Of neighbouring threads' addresses."""
    stride = entry["lane_stride_bytes"]
    return "differs" if stride is None else "same address" if stride == 0 else f"{stride} B"


def cells(entry: dict[str, Any]) -> list[str]:
    requests, need = int(entry["requests"]), int(entry[f"ideal_{parts(entry)}"])
    return [f"{requests}", f"{int(entry[parts(entry)]) / requests:.2f}", f"{need / requests:.2f}", apart(entry)]
