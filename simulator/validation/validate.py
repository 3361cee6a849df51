#!/usr/bin/python3
"""Runs our microbenchmarks and compares them with published measurements (targets.toml).

    validate.py [--gpu KEY]... [--family NAME]... [--cuda clang|nvcc] [--jobs N] [--full] [--write]
    validate.py --target gpu

Prints every row (measured, published, error, source) and the mean error per family; --write renews docs/validation.*
from a complete run with clang. --target gpu runs the
same programs on the real GPU of this machine and writes recorded/KEY.json, which later runs compare with the simulated
card of that name. Exit codes: 0 done, 1 a program failed, 2 usage, 3 no GPU or compiler for --target gpu.
"""
from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from hpml_validation import page, recorded
from hpml_validation.programs import Programs, RunError, Runner, progress
from hpml_validation.report import rows_of, summary, text_table
from hpml_validation.targets import Target, Targets, TargetsError, load

ROOT = Path(__file__).resolve().parent.parent.parent


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", action="append", help="only this simulated GPU")
    parser.add_argument("--family", action="append", help="only this family of rows")
    parser.add_argument("--cuda", choices=["clang", "nvcc"], default="clang", help="compiler of the programs")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="programs at a time")
    parser.add_argument("--target", choices=["simulator", "gpu"], default="simulator", help="where the programs run")
    parser.add_argument("--full", action="store_true", help="the slow rows as well")
    parser.add_argument("--write", action="store_true", help="renew the page docs/validation.md")
    options = parser.parse_args()
    if options.write and (options.gpu or options.family or options.cuda != "clang"):
        parser.error("--write needs all rows and clang: the page is of a complete run")
    return options


def choose(targets: Targets, options: argparse.Namespace) -> list[Target]:
    return [row for row in targets.rows() if (not options.gpu or row.on in options.gpu) and
            (not options.family or row.family in options.family) and (not row.slow or options.full or options.write)]


def record_card(options: argparse.Namespace, build: Path, targets: Targets) -> int:
    card, results = recorded.record(build, options.jobs, targets.rows(), progress)
    progress("")
    print(f"{card.name}: {len(results)} runs recorded in simulator/validation/recorded/{card.key}.json")
    rows = rows_of([replace(row, on="") for row in targets.rows() if row.on == card.key and not row.proxy], results)
    if rows:
        print(text_table(targets, rows))
        print()
        print(summary(targets, rows))
    return 0


def main() -> int:
    options = parse_arguments()
    build = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
    targets = load()
    if options.target == "gpu":
        return record_card(options, build, targets)
    targets.families += recorded.families(targets)
    chosen = choose(targets, options)
    if not chosen:
        known = ", ".join(family.name for family in targets.families)
        print(f"validate: no row for this choice; families: {known}", file=sys.stderr)
        return 2
    runner = Runner(build, Programs(build, options.cuda), options.jobs, progress)
    results = runner.run_all(row.as_run for row in chosen)
    rows = rows_of(chosen, results)
    progress("")
    print(text_table(targets, rows))
    print()
    print(summary(targets, rows))
    if options.write:
        from hpml_validation import charts  # matplotlib is slow to load
        text = page.results_json("clang", results)
        page.RESULTS.write_text(text, "utf-8")
        rows = rows_of(chosen, page.read_results(text)[1])  # of the digits that are kept, so that it can be made again
        page.PAGE.write_text(page.page(targets, rows, "clang"), "utf-8")
        charts.draw(targets, rows, page.DOCS)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RunError, TargetsError) as error:
        print(f"validate: {error}", file=sys.stderr)
        sys.exit(1)
    except recorded.NoGpu as error:
        print(f"validate: {error}", file=sys.stderr)
        sys.exit(3)
