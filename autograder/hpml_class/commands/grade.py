"""Grades hand-ins into records: directories, archives (tar, zip), git URLs, or folders full of them.

    hpml grade alice/ bob.zip https://example.org/carol/hpml.git --lab lab3 --out results
    hpml grade --submission alice --lab lab3 --out results --key-file /root/course.key

Results: OUT/students/NAME/record.json and feedback.md for each, OUT/grades.csv; of a single hand-in OUT/record.json as
well. The same command again grades only what is missing or has changed. Exit code 0 when all have a score, whatever it
is; 3 when some could not be graded, which is never a zero.
"""
import argparse
import os
from pathlib import Path

from hpml_autograder.paths import ROOT

from ..batch import plan as plans
from ..course import COMPILERS
from ..errors import UsageError
from . import common

NAME = "grade"
HELP = "grade directories, archives or git repositories into records"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("handins", nargs="*", metavar="HAND-IN", help="directory, archive, git URL, or a folder of these")
    parser.add_argument("--submission", action="append", default=[], metavar="HAND-IN", help="the same, by name")
    parser.add_argument("--from-environment", action="store_true", help=argparse.SUPPRESS)  # make grade SUB=.. OUT=..
    common.add_grading(parser)


def from_environment(options: argparse.Namespace) -> None:
    """The variables of `make grade`; a name may hold anything, so it never passes through a shell's words."""
    given = {name: os.environ.get(name, "") for name in ("SUB", "OUT", "LAB", "KEY", "JOBS", "GPU", "CUDA")}
    if not given["SUB"] or not given["OUT"]:
        raise UsageError("make grade SUB=folder-of-hand-ins OUT=folder-for-results")
    options.handins, options.out = [given["SUB"]], Path(given["OUT"])
    options.lab = given["LAB"] or None
    options.key_file = Path(given["KEY"]) if given["KEY"] else None
    options.gpu = given["GPU"]
    if given["JOBS"]:
        if not given["JOBS"].isdecimal():
            raise UsageError(f"JOBS={given['JOBS']}: give a number")
        options.jobs = int(given["JOBS"])
    if given["CUDA"] and given["CUDA"] not in COMPILERS:
        raise UsageError(f"CUDA={given['CUDA']}: give one of {', '.join(COMPILERS)}")
    options.cuda = given["CUDA"]


def run(options: argparse.Namespace) -> int:
    if options.from_environment:
        from_environment(options)
    paths = [*options.handins, *options.submission]
    if not paths:
        raise UsageError("name what is to be graded: a directory, an archive, a git URL, or a folder of these")
    name = Path(paths[0].rstrip("/")).name if len(paths) == 1 else "grade"
    out = (options.out or ROOT / "build" / "grades" / name).resolve()
    found = common.expand(options.handins, out, options.lab, options.submission)
    plan = common.make_plan(options, found, Path(paths[0]) if len(paths) == 1 else None)
    plans.save(plan, out)
    common.build_needs(plan.lab)
    finished = common.grade_all(out, plan, options.jobs)
    common.copy_single(out, plan)
    return common.say(out, finished)
