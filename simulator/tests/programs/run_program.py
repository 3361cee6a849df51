#!/usr/bin/python3
"""Run one CUDA program on a simulated GPU, a T4 unless another is named, and compare what it prints with what it should.

    run_program.py GPUSIM PROGRAM EXPECTED [GPU]

Beside EXPECTED may lie a file .options, words for `gpusim run`, and a file .stderr, whose lines must all be said there.
"""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path


def beside(path: Path, suffix: str) -> str:
    """The text of the file of that name with another suffix; empty where there is none."""
    other = path.with_suffix(suffix)
    return other.read_text(encoding="utf-8") if other.exists() else ""


def main(gpusim: str, program: str, expected_file: str, gpu: str = "t4") -> int:
    """0 when status and output are right; otherwise 1, after showing the difference and the simulator's words."""
    options = beside(Path(expected_file), ".options").split()
    done = subprocess.run([gpusim, "run", "--gpu", gpu, *options, "--", program], check=False, capture_output=True,
                          text=True)
    expected = Path(expected_file).read_text(encoding="utf-8")
    unsaid = [line for line in beside(Path(expected_file), ".stderr").splitlines() if line not in done.stderr]
    if done.returncode == 0 and done.stdout == expected and not unsaid:
        return 0
    print(f"exit status {done.returncode}")
    for line in unsaid:
        print(f"not said: {line}")
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), done.stdout.splitlines(True),
                                               "expected", "printed"))
    print(done.stderr, end="")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
