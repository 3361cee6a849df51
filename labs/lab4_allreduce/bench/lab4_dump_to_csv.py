#!/usr/bin/python3
"""Prints the times that wall_main has left as CSV, with the columns of `make lab4 bench`. Usage: lab4_dump_to_csv.py DUMP"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "judges"))
import lab4_observation as observations  # noqa: E402
from lab4_table import FLOAT  # noqa: E402


def rows(observed: observations.Observation) -> list[str]:
    """Seconds are those of the slowest rank, for one all-reduce."""
    found = ["algorithm,ranks,bytes,seconds"]
    for cell in sorted({cell for cell, _, _ in observed.records}):
        records = observed.all_json(cell)
        one = records[min(records)]
        seconds = max(record["seconds"] for record in records.values()) / one["calls"]
        found.append(f"{one['operation']},{observed.ranks},{one['n'] * FLOAT},{seconds!r}")
    return found


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: lab4_dump_to_csv.py DUMP", file=sys.stderr)
        return 2
    try:
        print("\n".join(rows(observations.load(Path(sys.argv[1])))))
    except (OSError, observations.Unreadable) as error:
        print(f"lab4_dump_to_csv.py: {sys.argv[1]}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
