"""Grades a folder of hand-ins, on this machine or as a Slurm job array; the records are the same.

    hpml batch submissions --jobs 16 --out results
    hpml batch submissions --out /shared/results --slurm --chunk 15 --sbatch=--partition=grading --wait

The same command again grades only what is missing or has changed. With --slurm, OUT and the hand-ins must be on a file
system that all nodes see; without --wait the command ends when the jobs are submitted.
"""
import argparse
from pathlib import Path

from hpml_autograder.paths import ROOT

from ..batch import local, slurm
from ..batch import plan as plans
from ..errors import UsageError
from . import common

NAME = "batch"
HELP = "grade a folder of hand-ins, here or by Slurm"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder that holds the hand-ins")
    parser.add_argument("--slurm", action="store_true", help="as a Slurm job array")
    parser.add_argument("--chunk", type=int, default=slurm.CHUNK, help="hand-ins for each Slurm task")
    parser.add_argument("--sbatch", action="append", default=[], metavar="OPTION", help="one more option of sbatch")
    parser.add_argument("--wait", action="store_true", help="with --slurm: until all is done")
    common.add_grading(parser)


def run(options: argparse.Namespace) -> int:
    if options.chunk < 1:
        raise UsageError("--chunk is at least 1")
    if options.folder.is_dir() and not any(options.folder.iterdir()):
        raise UsageError(f"{options.folder} is empty: it holds no hand-ins")
    out = (options.out or ROOT / "build" / "grades" / options.folder.name).resolve()
    found = common.expand([str(options.folder)], out, options.lab)
    plan = common.make_plan(options, found, options.folder)
    plans.save(plan, out)
    common.build_needs(plan.lab)
    if not options.slurm:
        return common.say(out, common.grade_all(out, plan, options.jobs))
    common.check_course(out, plan)
    todo = local.unsettled(out, plan, range(len(plan.handins)))
    jobs = slurm.submit(out, plan, todo, options.chunk, options.sbatch)
    print(f"{len(todo)} hand-ins to grade: jobs {jobs.both}; results will be in {out}")
    if not options.wait:
        return 0
    slurm.wait(jobs, out, plan, todo)
    return common.say(out, common.finish(out, plan))
