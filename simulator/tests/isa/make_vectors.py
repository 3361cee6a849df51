#!/usr/bin/python3
"""Writes vectors/<mnemonic>.tsv: inputs and expected results of every instruction that computes a value.

The meaning of each instruction is written here a second time, on exact integers and fractions, from the PTX ISA manual,
and from what an H200 gave where the hardware departs from it; nothing of the simulator is used. `make_vectors.py
--check` fails if the committed files are not what it would write.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import vectors_convert
import vectors_float
import vectors_integer
import vectors_libm
import vectors_measured
import vectors_packed
import vectors_video
from vector_rows import Row

COLUMNS = "# op\ta\tb\tc\td\te\tcc\tx\ty\tz\tw\tcc_out\tcheck"


def all_rows() -> list[Row]:
    return (vectors_integer.rows() + vectors_float.rows() + vectors_packed.rows() + vectors_convert.rows() +
            vectors_video.rows() + vectors_libm.rows() + vectors_measured.rows())


def render() -> dict[str, str]:
    files: dict[str, list[str]] = defaultdict(list)
    for row in all_rows():
        root = row.op.split(".")[0]
        files["libdevice" if root.startswith("__nv_") else root].append(row.line())
    return {name: "\n".join([COLUMNS, *lines]) + "\n" for name, lines in files.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed files instead of writing")
    arguments = parser.parse_args()
    folder = Path(__file__).resolve().parent / "vectors"
    wanted = render()
    if arguments.check:
        present = {path.stem: path.read_text() for path in folder.glob("*.tsv")}
        stale = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
        print("stale: " + ", ".join(stale) if stale else "vectors are up to date")
        return 1 if stale else 0
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.tsv"):
        path.unlink()
    for name, text in wanted.items():
        (folder / f"{name}.tsv").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
