from hpml_autograder.lab import Case, Check, accepted, trouble, wrong


def plan(test, context):
    return [Case(test.params["program"], shape) for shape in test.shapes]


def judge(test, context, runs):
    for run in runs:
        expected = " ".join(f"{2 * i}" for i in range(int(run.case.args)))
        problem = trouble(run, context.spec.limits.wall_s)
        if problem or run.stdout.strip() != str(expected):
            return problem or wrong(f"`{run.case}`: expected {expected[:40]}, got {run.stdout.strip()[:40]}")
    return accepted(f"{len(runs)} vectors")


CHECKS = {"sums": Check(plan, judge)}
