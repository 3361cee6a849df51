#!/usr/bin/python3
"""How far automatic mode, which times a part of a long launch, is from timing all of it.

    sampling.py [--gpu KEY] [--cuda clang|nvcc] [--jobs N]

Runs the kernels of programs/sampled.cu and the programs of many launches of programs/launches.cu in both modes and
prints, for each, its warp instructions, the part of them that was timed, both times of its kernels and the error
(automatic / cycle - 1), then the mean, the median and the worst absolute error. Exit codes:
0 done, 1 a program failed, 2 usage.
"""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from hpml_validation import profile
from hpml_validation.programs import Programs, RunError, progress
from hpml_metrics.document import Launch, load  # (hpml_validation knows where it is)

ROOT = Path(__file__).resolve().parent.parent.parent
KINDS = {
    "sampled": profile.KINDS["sampled"],
    "launches": ("diffusion", "elimination", "sort", "paths", "bodies", "levels", "again"),
}


@dataclass(frozen=True)
class Sampled:
    kind: str
    instructions: float     # of its launches, warp instructions
    timed: float            # part of them
    cycle_us: float
    auto_us: float

    @property
    def error(self) -> float:
        return self.auto_us / self.cycle_us - 1


def launches(build: Path, program: Path, gpu: str, mode: str, kind: str) -> tuple[Launch, ...]:
    """The program's."""
    with tempfile.NamedTemporaryFile(suffix=".json") as metrics:
        command = [str(build / "bin/gpusim"), "run", "--gpu", gpu, "--mode", mode, "--metrics", metrics.name, "--",
                   str(program), kind]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RunError(f"{mode} {kind}: exit status {done.returncode}: {done.stderr.strip()[-200:]}")
        return load(Path(metrics.name)).kernels


def compare(build: Path, program: Path, gpu: str, kind: str) -> Sampled:
    auto, cycle = (launches(build, program, gpu, mode, kind) for mode in ("auto", "cycle"))
    instructions = sum(launch.warp_instructions for launch in auto)
    timed = sum(launch.warp_instructions * launch.sampled_fraction for launch in auto)
    return Sampled(kind, instructions, timed / instructions, sum(launch.duration_us for launch in cycle),
                   sum(launch.duration_us for launch in auto))


def table(rows: list[Sampled]) -> str:
    lines = [f"{'kernel':16}{'M instr':>9}{'timed':>8}{'cycle us':>11}{'auto us':>11}{'error':>9}"]
    lines += [f"{row.kind:16}{row.instructions / 1e6:9.2f}{row.timed:8.3f}{row.cycle_us:11.1f}{row.auto_us:11.1f}"
              f"{100 * row.error:+8.2f}%" for row in rows]
    errors = [100 * abs(row.error) for row in rows]
    lines.append(f"absolute error: mean {mean(errors):.2f} %, median {median(errors):.2f} %, worst {max(errors):.2f} %")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="t4", help="simulated GPU")
    parser.add_argument("--cuda", choices=["clang", "nvcc"], default="clang", help="compiler of the program")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="kernels at a time")
    options = parser.parse_args()
    build = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
    programs = Programs(build, options.cuda)
    programs.build(list(KINDS), 1)
    all_kinds = [(programs.path(program), kind) for program, kinds in KINDS.items() for kind in kinds]
    rows = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda one: compare(build, one[0], options.gpu, one[1]), all_kinds):
            rows.append(row)
            progress(f"{len(rows)}/{len(all_kinds)} {row.kind}")
    progress("")
    print(table(rows))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RunError as error:
        print(f"sampling: {error}", file=sys.stderr)
        sys.exit(1)
