#!/usr/bin/python3
"""Run a program with one and with three threads of the host: what it prints and every figure of its
launches and copies are the same.

    check_threads.py GPUSIM PROGRAM SOURCE.cu [GPU]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from run_program import beside

OURS = {"simulator"}  # what the simulator says of itself: seconds, memory


def figures(gpusim: str, program: str, options: list[str], threads: int) -> tuple[str, dict]:
    """What the program prints, and the metrics of its run."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "metrics.json"
        words = [gpusim, "run", *options, "--threads", str(threads), "--metrics", out, "--", program]
        done = subprocess.run(words, check=False, capture_output=True, text=True)
        metrics = json.loads(out.read_text(encoding="utf-8"))
    return done.stdout, {key: value for key, value in metrics.items() if key not in OURS}


def main(gpusim: str, program: str, source: str, gpu: str = "t4") -> int:
    """0 when nothing differs."""
    options = ["--gpu", gpu, *beside(Path(source), ".options").split()]
    (printed, alone), (printed_by_three, three) = (figures(gpusim, program, options, n) for n in (1, 3))
    different = [key for key in alone.keys() | three.keys() if alone.get(key) != three.get(key)]
    if printed == printed_by_three and not different:
        return 0
    print(f"three threads: output {'the same' if printed == printed_by_three else 'differs'}; differs: {different}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
