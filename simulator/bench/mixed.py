#!/usr/bin/python3
"""Measure functional mode on the mixed set: warp instructions per second of processor time, program by program.

    mixed.py GPUSIM PROGRAMS [--against OTHER_GPUSIM] [--case NAME]... [--runs N] [--gpu NAME] [--json FILE]

PROGRAMS is the folder with the built programs of simulator/bench/programs. Processor time is user plus system time of the
whole `gpusim run`, so starting the program counts. With --against, both simulators run each case in turn, the ratio of
their times is the median over the pairs, and what they print and measure (metrics.json but for its `simulator` block)
must be the same. Exit status: 0 measured, 1 a case failed or the two simulators differ, 2 usage.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

# Cases with many barriers, atomics, small launches or divergence.
SLOW_PROGRAMS = {"barriers", "atomics", "divergence", "launches"}


class CaseFailed(Exception):
    """A program that did not end with status 0, or two simulators that disagree."""


@dataclass(frozen=True)
class Run:
    """One run of a case: what it printed and measured, and what it cost."""

    printed: str
    metrics: dict
    cpu_s: float

    @property
    def warp_instructions(self) -> int:
        """Of all its launches."""
        return sum(kernel["warp_instructions"] for kernel in self.metrics["kernels"])


@dataclass(frozen=True)
class Row:
    """The measurement of one case."""

    program: str
    case: str
    warp_instructions: int
    cpu_s: float
    ratio: float | None  # time of the other simulator / time of this one

    @property
    def rate(self) -> float:
        """Millions of warp instructions per second of processor time."""
        return self.warp_instructions / self.cpu_s / 1e6


def run_case(gpusim: str, program: Path, case: str, gpu: str, threads: int) -> Run:
    """Run the case in functional mode and account for all its processes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "metrics.json"
        words = [gpusim, "run", "--gpu", gpu, "--mode", "functional", "--threads", str(threads), "--metrics", str(out),
                 "--", str(program), case]
        with (Path(folder) / "stdout").open("w+") as stdout, (Path(folder) / "stderr").open("w+") as stderr:
            process = subprocess.Popen(words, stdout=stdout, stderr=stderr)  # pylint: disable=consider-using-with
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            stdout.seek(0)
            stderr.seek(0)
            printed, said = stdout.read(), stderr.read()
        if process.returncode != 0:
            raise CaseFailed(f"{program.name} {case}: exit status {process.returncode}\n{said}")
        metrics = json.loads(out.read_text(encoding="utf-8"))
    metrics.pop("simulator")
    return Run(printed, metrics, usage.ru_utime + usage.ru_stime)


def measure(args: argparse.Namespace, program: Path, case: str) -> Row:
    """Median over the runs; with --against the median of the pairs' ratios."""
    times, ratios = [], []
    instructions = 0
    for _ in range(args.runs):
        run = run_case(args.gpusim, program, case, args.gpu, args.threads)
        times.append(run.cpu_s)
        instructions = run.warp_instructions
        if args.against:
            other = run_case(args.against, program, case, args.gpu, args.threads)
            if (run.printed, run.metrics) != (other.printed, other.metrics):
                raise CaseFailed(f"{program.name} {case}: the two simulators differ in what they print or measure")
            ratios.append(other.cpu_s / run.cpu_s)
    return Row(program.name, case, instructions, statistics.median(times), statistics.median(ratios) if ratios else None)


def geometric_mean(values: list[float]) -> float:
    """Of positive numbers."""
    return math.exp(sum(math.log(v) for v in values) / len(values))


def print_row(row: Row) -> None:
    """One line of the table."""
    ratio = "" if row.ratio is None else f"  x{row.ratio:.2f}"
    print(f"{row.program:<12}{row.case:<22}{row.warp_instructions:>12,}{row.cpu_s:>9.3f} s{row.rate:>9.2f} M/s{ratio}",
          flush=True)


def summarise(rows: list[Row]) -> dict:
    """Geometric means over all cases and over the slow ones."""
    summary = {}
    for name, chosen in (("all", rows), ("slow", [r for r in rows if r.program in SLOW_PROGRAMS])):
        if not chosen:
            continue
        summary[name] = {"cases": len(chosen), "rate": geometric_mean([max(r.rate, 1e-9) for r in chosen])}
        if all(r.ratio is not None for r in chosen):
            summary[name]["ratio"] = geometric_mean([r.ratio for r in chosen])
    return summary


def list_cases(args: argparse.Namespace, program: Path) -> list[str]:
    """The names that the program prints when it is run without arguments."""
    done = subprocess.run([args.gpusim, "run", "--", str(program)], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise CaseFailed(f"{program.name}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout.split()


def main() -> int:
    """Measure every case, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gpusim")
    parser.add_argument("programs", type=Path)
    parser.add_argument("--against", metavar="GPUSIM", help="another simulator, run in turn with the first")
    parser.add_argument("--case", action="append", default=[], help="this case alone (or: all of this program)")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--gpu", default="t4")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rows = []
    try:
        for program in sorted(p for p in args.programs.iterdir() if os.access(p, os.X_OK) and p.is_file()):
            for case in list_cases(args, program):
                if not args.case or case in args.case or program.name in args.case:
                    rows.append(measure(args, program, case))
                    print_row(rows[-1])
    except CaseFailed as failure:
        print(f"mixed.py: {failure}", file=sys.stderr)
        return 1
    if not rows:
        parser.error(f"no case of that name in {args.programs}")
    summary = summarise(rows)
    for name, figures in summary.items():
        ratio = f"  x{figures['ratio']:.2f}" if "ratio" in figures else ""
        print(f"geometric mean, {name} ({figures['cases']} cases): {figures['rate']:.2f} M/s{ratio}")
    if args.json:
        cases = [{"program": r.program, "case": r.case, "warp_instructions": r.warp_instructions, "cpu_s": r.cpu_s,
                  "ratio": r.ratio} for r in rows]
        args.json.write_text(json.dumps({"cases": cases, "summary": summary}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
