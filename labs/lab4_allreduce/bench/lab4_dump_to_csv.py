#!/usr/bin/python3
"""Prints the pairs of times that wall_main has left, as CSV. Usage: lab4_dump_to_csv.py DUMP"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "judges"))
import lab4_observation as observations  # noqa: E402


def rows(observed: observations.Observation) -> list[str]:
    cells = sorted({cell for cell, rank, _ in observed.records if rank == 0})
    pairs = [(cell, own, mpi) for cell in cells for own, mpi in observed.json(cell, 0) or []]
    return ["cell,seconds,mpi_allreduce_seconds", *(f"{cell},{own!r},{mpi!r}" for cell, own, mpi in pairs)]


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
