#!/usr/bin/python3
"""Runs our microbenchmarks and compares them with published measurements (targets.toml).

    validate.py [--gpu KEY]... [--family NAME]... [--cuda clang|nvcc] [--jobs N] [--full] [--write]
    validate.py --target gpu [--pose KEY] [--out DIR] [--budget SECONDS]

Prints every row (measured, published, error, source) and the mean error per family; --write renews docs/validation.*
from a complete run with clang. --target gpu runs the same programs, compiled by nvcc, on the real GPU of this machine
and writes hardware/KEY.json, which later runs compare with the simulated card of that name; --pose lets a simulated GPU
stand in for the card, to try it out. Exit codes: 0 done, 1 a program failed, 2 usage, 3 no GPU or compiler for
--target gpu.
"""
from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from hpml_validation import hardware, page
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
    parser.add_argument("--pose", metavar="KEY", help="with --target gpu: the simulated GPU in the card's place")
    parser.add_argument("--out", type=Path, metavar="DIR", help="with --target gpu: where the file goes")
    parser.add_argument("--budget", type=float, default=hardware.BUDGET_S, metavar="SECONDS",
                        help="with --target gpu: for repetitions")
    parser.add_argument("--full", action="store_true", help="the slow rows as well")
    parser.add_argument("--write", action="store_true", help="renew the page docs/validation.md")
    options = parser.parse_args()
    if (options.pose or options.out) and options.target != "gpu":
        parser.error("--pose and --out are for --target gpu")
    if options.pose and not options.out:
        parser.error("--pose needs --out: hardware/ is for real cards")
    if options.write and (options.gpu or options.family or options.cuda != "clang"):
        parser.error("--write needs all rows and clang: the page is of a complete run")
    return options


def choose(targets: Targets, options: argparse.Namespace) -> list[Target]:
    return [row for row in targets.rows() if (not options.gpu or row.on in options.gpu) and
            (not options.family or row.family in options.family) and (not row.slow or options.full or options.write)]


def record_card(options: argparse.Namespace, build: Path, targets: Targets) -> int:
    device = hardware.PosedCard(build, options.pose) if options.pose else hardware.RealCard()
    card = device.card()
    frontend = options.cuda if options.pose else "nvcc"
    programs = Programs(build, frontend, "" if options.pose else card.capability.replace(".", ""))
    rows = [row for row in targets.rows() if not options.family or row.family in options.family]
    path = hardware.record(device, programs, rows, options.jobs, options.out or hardware.FOLDER, progress, options.budget)
    progress("")
    data = hardware.load(path)
    print(f"{card.name}: {len(data['runs'])} programs, {sum(map(len, data['hashes'].values()))} hashes in {path}")
    for command, why in data["failed"].items():
        print(f"  failed: {command}: {why}")
    compared = rows_of(hardware.native([row for row in rows if row.on == card.key and not row.proxy]),
                       hardware.results_of(path))
    if compared:
        print(text_table(targets, compared))
        print()
        print(summary(targets, compared))
    return 0


def main() -> int:
    options = parse_arguments()
    build = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
    targets = load()
    if options.target == "gpu":
        return record_card(options, build, targets)
    targets.families += hardware.families(targets)
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
    except hardware.NoGpu as error:
        print(f"validate: {error}", file=sys.stderr)
        sys.exit(3)
