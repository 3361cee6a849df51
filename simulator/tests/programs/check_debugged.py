#!/usr/bin/python3
"""Run a program under the debugger, which explores its launches, goes back in the first of them and lets them go: it prints
what it prints without, and memory and counters after every launch are those that were explored.

    check_debugged.py GPUSIM PROGRAM SOURCE.cu [GPU]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from run_program import beside

STEPPED, LAUNCHES = 4, 300  # launches that are looked into, and that are explored at all
DIFFERENT = "not what was explored"


def commands() -> str:
    looked_into = ["stepi 40", "lanes threadIdx.x", "reverse-stepi 3", "info registers", "backtrace", "continue"]
    return "\n".join(["catch launch", "run", *(looked_into * STEPPED), *(["continue"] * LAUNCHES), "catch none", "continue",
                      "quit", ""])


def main(gpusim: str, program: str, source: str, gpu: str = "t4") -> int:
    """0 when nothing differs."""
    options = ["--gpu", gpu, *beside(Path(source), ".options").split()]
    plain = subprocess.run([gpusim, "run", *options, "--mode", "functional", "--", program], check=False, capture_output=True,
                           text=True)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        done = subprocess.run([gpusim, "debug", *options, "--verify", "--output", out, "--", program], check=False,
                              input=commands(), capture_output=True, text=True)
        printed = out.read_text(encoding="utf-8")
    if printed == plain.stdout and done.returncode == plain.returncode and DIFFERENT not in done.stdout:
        return 0
    print(f"output {'the same' if printed == plain.stdout else 'differs'}; status {done.returncode}, without the debugger "
          f"{plain.returncode}")
    print(done.stdout[-4000:], done.stderr[-2000:], sep="\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
