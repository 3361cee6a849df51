"""Where the minutes of the last runs went: steps, tests, compiled units, headers. Read from what those runs left."""
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable

from . import paths, runner

MOST_TESTS, MOST_UNITS, MOST_HEADERS = 50, 30, 20
HEADERS_ALONE = "headers_alone.dir/headers_alone/"


def table(heading: str, rows: Iterable[tuple[str, ...]]) -> str:
    rows = [heading_row := tuple(heading.split("|")), *rows]
    widths = [max(len(row[at]) for row in rows) for at in range(len(heading_row))]
    lines = ["  ".join(cell.rjust(width) if at < len(row) - 1 else cell
                       for at, (cell, width) in enumerate(zip(row, widths, strict=True))) for row in rows]
    return "\n".join(lines) + "\n"


def step_rows() -> list[tuple[str, ...]]:
    rows = [(f"{cost.wall_s:.0f}", f"{cost.cpu_s:.0f}", name) for name, cost in runner.costs().items()]
    total = [sum(float(row[at]) for row in rows) for at in (0, 1)]
    return [*rows, (f"{total[0]:.0f}", f"{total[1]:.0f}", "all")]


def test_rows() -> list[tuple[str, ...]]:
    found = [(float(case.get("time") or 0), f"{case.get('classname')}::{case.get('name')}")
             for path in sorted(paths.LOGS.glob("*.xml")) for case in ElementTree.parse(path).iter("testcase")]
    return [(f"{seconds:.1f}", name) for seconds, name in sorted(found, reverse=True)[:MOST_TESTS]]


def built(preset: str) -> dict[str, float]:
    """Output of each command that ninja has run, and the seconds it took."""
    log = paths.ROOT / "build" / preset / ".ninja_log"
    if not log.is_file():
        return {}
    lines = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {fields[3]: (int(fields[1]) - int(fields[0])) / 1000 for fields in lines if len(fields) == 5}


def presets() -> list[str]:
    return sorted(path.parent.name for path in paths.ROOT.glob("build/*/.ninja_log"))


def unit_rows() -> list[tuple[str, ...]]:
    found = [(seconds, preset, output) for preset in presets() for output, seconds in built(preset).items()]
    return [(f"{seconds:.1f}", preset, output) for seconds, preset, output in sorted(found, reverse=True)[:MOST_UNITS]]


def header_rows() -> list[tuple[str, ...]]:
    """Headers by what they cost in all: the seconds each takes alone, times the units that include it."""
    alone = {output.split(HEADERS_ALONE)[1].removesuffix(".cpp.o"): seconds
             for output, seconds in built("release").items() if HEADERS_ALONE in output}
    listed = subprocess.run(["ninja", "-C", paths.ROOT / "build/release", "-t", "deps"], capture_output=True, text=True,
                            check=False).stdout
    used: Counter[str] = Counter()
    for unit in re.split(r"\n\n", listed):
        if HEADERS_ALONE not in unit:
            used.update({line.strip() for line in unit.splitlines()[1:]})
    prefix = f"{paths.ROOT}/"
    costs = sorted(((seconds * used[prefix + name], seconds, used[prefix + name], name) for name, seconds in alone.items()),
                   reverse=True)
    return [(f"{cost:.0f}", f"{seconds:.1f}", str(units), name) for cost, seconds, units, name in costs[:MOST_HEADERS]]


def report() -> str:
    parts = ["Steps, when they last passed:", table("wall s|processor s|step", step_rows()),
             f"The {MOST_TESTS} slowest tests:", table("wall s|test", test_rows()),
             f"The {MOST_UNITS} slowest outputs of the builds:", table("wall s|preset|output", unit_rows())]
    if headers := header_rows():
        parts += ["Headers that cost most (their seconds come from step headers):",
                  table("product|alone s|units|header", headers)]
    return "\n".join(parts)
