"""Puts the records of a batch together: final records, feedback, gradebook, summary, class report.

Made from the store of graded records each time, so it can be repeated at any time and adds nothing of its own: two
records of one hand-in count once, and one that is missing is infra_error, not 0.
"""
import argparse
from pathlib import Path

from ..batch import plan as plans
from . import common

NAME = "aggregate"
HELP = "put the records of a batch together: gradebook, summary, class report"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", type=Path, metavar="OUT", help="folder of results of hpml batch or hpml grade")


def run(options: argparse.Namespace) -> int:
    out = options.results.resolve()
    return common.say(out, common.finish(out, plans.load(out)))
