"""Runs under the simulator's check tools, which watch every access: mistakes that give the right result by luck."""
from collections.abc import Sequence
from dataclasses import replace

import lab3_conv as conv
from hpml_autograder.lab import (
    CHECKERS, Case, Context, Outcome, Run, Test, Verdict, accepted, unclean, wrong)
from lab3_kernels import FOOTPRINT, counted_case, wrong_result


def plan(test: Test, context: Context) -> list[Case]:
    if context.target != "sim":
        return []
    return [replace(counted_case(context, test.params["program"], shape), check=CHECKERS) for shape in test.shapes]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    if not runs:
        return Outcome(Verdict.INC, "the check tools belong to the simulator", CHECKERS)
    for run in runs:
        problem = unclean(run, context.spec.limits.wall_s)
        if problem:
            return problem
        mistake = wrong_result(run) if run.case.program in FOOTPRINT else conv.wrong_output(run, conv.no_matter)
        if mistake:
            return wrong(f"`{run.case}`: {mistake}", CHECKERS)
    return accepted(CHECKERS)
