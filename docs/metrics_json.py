"""The page docs/metrics_json.md: what metrics.json holds. Made from the schema and the table of counters in
simulator/metrics, the room that writes the file."""
from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

ROOM = Path(__file__).resolve().parent.parent / "simulator/metrics"
sys.path.append(str(ROOM))

from hpml_metrics.counters import Counter, counters  # noqa: E402  (the path comes first)

HEAD = """# metrics.json

Written by `docs/update.py --pages` from `simulator/metrics`. `gpusim run`, `gpusim replay` and `gpusim launch` write
this file (`--metrics FILE`); `gpusim profile` and the grader read it. Its exact form is the JSON Schema
[gpusim.metrics.v1.json](../simulator/metrics/gpusim.metrics.v1.json).
"""
COUNTERS = """## Counters of a launch

Names are those of Nsight Compute; where it has no such counter, the name starts with `gpusim__`. An *exact* counter
follows from the addresses and the active threads of the instructions that were executed, and is the same in every mode.
A *modelled* one is what the timing model says; *always 0* means that the model has no such unit. What was not counted
is left out: counters of the timing model where nothing was timed, limits that do not limit.
"""
PROGRAM = """## Counters of the whole program

Block `unified_memory`: the managed memory of the first GPU.
"""


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def fields(table: dict) -> Iterable[str]:
    yield from ("| field | what it is |", "|---|---|")
    for name, form in table["properties"].items():
        if "description" in form:
            yield f"| `{name}` | {cell(form['description'])} |"


def rows(found: Iterable[Counter]) -> Iterable[str]:
    yield from ("| counter | unit | kind | what it is |", "|---|---|---|---|")
    for row in found:
        yield f"| `{row.name}` | {cell(row.unit)} | {row.kind} | {cell(row.meaning)} |"


def page() -> str:
    schema = json.loads((ROOM / "gpusim.metrics.v1.json").read_text(encoding="utf-8"))
    of_program = [row for row in counters().values() if row.counted == "program"]
    of_launch = [row for row in counters().values() if row.counted != "program"]
    lines = [HEAD, schema["description"], "", *fields(schema), "", "An entry of `kernels` is one launch:", "",
             *fields(schema["$defs"]["kernel"]), "", "An entry of its `lines` is one line of the source:", "",
             *fields(schema["$defs"]["line"]), "", COUNTERS, *rows(of_launch), "", PROGRAM, *rows(of_program)]
    return "\n".join(lines) + "\n"
