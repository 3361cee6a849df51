"""The class report of a batch again, and where it is: one HTML file, no script, nothing from elsewhere.

For staff: the distribution of points for each exercise and test, hand-ins to look at and why, similar hand-ins, slow gradings.
"""
import argparse
from pathlib import Path

from ..batch import plan as plans
from ..batch.finish import Finish
from ..errors import UsageError

NAME = "report"
HELP = "the class report alone, one HTML file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", type=Path, metavar="OUT", help="folder of results of hpml batch or hpml grade")


def run(options: argparse.Namespace) -> int:
    out = options.results.resolve()
    finish = Finish(out, plans.load(out))
    if not all((out / "students" / handin.id / "record.json").is_file() for handin in finish.plan.handins):
        raise UsageError(f"{out} has no final records yet; run hpml aggregate {out}")
    finish.report()
    print(out / "report.html")
    return 0
