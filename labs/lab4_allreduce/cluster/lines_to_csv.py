#!/usr/bin/python3
"""Lines that the ranks of wall_main print, CELL json {...}, to CSV with the columns of `make lab4 bench`: seconds of one
all-reduce by the slowest rank's clock. Usage: lines_to_csv.py < LINES > CSV"""
import json
import sys
from collections import defaultdict
from collections.abc import Iterable

FLOAT = 4


def rows(lines: Iterable[str]) -> list[str]:
    by_cell = defaultdict(list)
    for line in lines:
        cell, kind, text = (*line.split(" ", 2), "", "")[:3]
        if cell.isdecimal() and kind == "json":
            by_cell[int(cell)].append(json.loads(text))
    found = ["algorithm,ranks,bytes,seconds"]
    for _, ranks in sorted(by_cell.items()):
        one = ranks[0]
        seconds = max(rank["seconds"] for rank in ranks) / one["calls"]
        found.append(f"{one['operation']},{len(ranks)},{one['n'] * FLOAT},{seconds!r}")
    return found


def main() -> int:
    try:
        found = rows(sys.stdin)
    except (ValueError, KeyError, TypeError) as error:
        print(f"lines_to_csv.py: a line is not what wall_main prints: {error!r}", file=sys.stderr)
        return 2
    if len(found) == 1:
        print("lines_to_csv.py: no rank has printed a time; what did srun say?", file=sys.stderr)
        return 2
    print("\n".join(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
