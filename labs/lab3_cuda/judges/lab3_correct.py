"""Are the sums right? Judged on the vector itself, on data the checker chose, and on what the GPU has executed."""
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong
from lab3_data import DataRule, checksums, make_case, parse_args, sums
from lab3_output import checksum, format_problem


def plan_sum(test: Test, context: Context) -> list[Case]:
    """The given data only where a student reads by it: the first shape of a public test."""
    program, cases = test.params["program"], []
    for iteration, shape in enumerate(test.shapes):
        if test.params.get("data") == "seeded":
            cases.append(make_case(program, shape, DataRule.seeded(context.seed(test, iteration))))
        else:
            cases.append(counted_case(context, program, shape) if iteration else make_case(program, shape))
    return cases


def counted_case(context: Context, program: str, args: str, gpu: str = "") -> Case:
    """Timed and counted runs as well use input drawn from the course key, not the data given to students."""
    return make_case(program, args, DataRule.seeded(context.run_seed(f"{program} {args}")), gpu)


def judge_sum(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"every element, {len(runs)} runs"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        detail = wrong_sum(run, context)
        if detail:
            return wrong(f"`{run.case}`: {detail}", checked)
    return accepted(checked)


def wrong_sum(run: Run, context: Context) -> str:
    """Empty when the run is right, else one sentence with expected and got."""
    simulated = context.spec.find_program(run.case.program).backend == "gpusim"
    size = parse_args(run.case.args, simulated)
    expected = sums(size.n, DataRule.of(run.case))
    if run.dump is None:
        return "it never gave its result vector to print_checksum(z, n)"
    result = numpy.fromfile(run.dump, dtype=numpy.float32)
    if len(result) != size.n:
        return f"print_checksum got {len(result)} elements, expected n = {size.n}"
    differing = numpy.flatnonzero(result != expected)
    if len(differing):
        first = int(differing[0])
        return (f"{len(differing)} of {size.n} elements are wrong; first z[{first}]: expected {expected[first]:g}, "
                f"got {result[first]:g}")
    printed = checksum(run.stdout)
    if printed != checksums(expected):
        return f"expected 'Checksum: {' '.join(map(str, checksums(expected)))}', got {printed}"
    unheld = run.unheld(expected.tobytes())
    if unheld:
        return unheld
    if run.metrics is not None:
        additions = run.metrics.executed("fadd", "ffma")
        if additions < size.n:
            return f"the GPU executed {additions:.0f} additions, {size.n} are needed: the sums were not made there"
    return ""


def plan_format(test: Test, context: Context) -> list[Case]:
    return [make_case(test.params["program"], shape) for shape in test.shapes]


def judge_format(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        detail = format_problem(run.case.program, run.stdout)
        if detail:
            return wrong(f"`{run.case}`: {detail}", "output lines")
    return accepted("output lines")
