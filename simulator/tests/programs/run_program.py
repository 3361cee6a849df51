#!/usr/bin/python3
"""Run one CUDA program on a simulated GPU, a T4 unless another is named, and compare what it prints with what it should.

    run_program.py GPUSIM PROGRAM EXPECTED [GPU]
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
    done = subprocess.run([gpusim, "run", "--gpu", gpu, "--", program], check=False, capture_output=True, text=True)
    expected = Path(expected_file).read_text(encoding="utf-8")
    if done.returncode == 0 and done.stdout == expected:
        return 0
    print(f"exit status {done.returncode}")
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), done.stdout.splitlines(True),
                                               "expected", "printed"))
    print(done.stderr, end="")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
