#!/usr/bin/python3
"""Runs our microbenchmarks and compares them with published measurements (targets.toml).

    validate.py [--gpu KEY]... [--family NAME]... [--cuda clang|nvcc] [--jobs N] [--full] [--write]

Prints every row (measured, published, error, source) and the mean error per family; --write renews docs/validation.*
from a complete run with clang. Exit codes: 0 done, 1 a program
failed, 2 usage.
"""
from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from hpml_validation import page
from hpml_validation.programs import Programs, Run, RunError, Runner, progress
from hpml_validation.report import rows_of, summary, text_table
from hpml_validation.targets import TargetsError, load

ROOT = Path(__file__).resolve().parent.parent.parent


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", action="append", help="only this simulated GPU")
    parser.add_argument("--family", action="append", help="only this family of rows")
    parser.add_argument("--cuda", choices=["clang", "nvcc"], default="clang", help="compiler of the programs")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="programs at a time")
    parser.add_argument("--full", action="store_true", help="the slow rows as well")
    parser.add_argument("--write", action="store_true", help="renew the page docs/validation.md")
    options = parser.parse_args()
    if options.write and (options.gpu or options.family or options.cuda != "clang"):
        parser.error("--write needs all rows and clang: the page is of a complete run")
    return options


def main() -> int:
    options = parse_arguments()
    build = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
    targets = load()
    chosen = [row for row in targets.rows() if (not options.gpu or row.on in options.gpu) and
              (not options.family or row.family in options.family) and
              (not row.slow or options.full or options.write)]
    if not chosen:
        known = ", ".join(family.name for family in targets.families)
        print(f"validate: no row for this choice; families: {known}", file=sys.stderr)
        return 2
    runner = Runner(build, Programs(build, options.cuda), options.jobs, progress)
    results = runner.run_all(Run(row.on, row.run) for row in chosen)
    rows = rows_of(chosen, results)
    progress("")
    print(text_table(targets, rows))
    print()
    print(summary(targets, rows))
    if options.write:
        page.RESULTS.write_text(page.results_json("clang", results), "utf-8")
        page.PAGE.write_text(page.page(targets, rows, "clang"), "utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RunError, TargetsError) as error:
        print(f"validate: {error}", file=sys.stderr)
        sys.exit(1)
