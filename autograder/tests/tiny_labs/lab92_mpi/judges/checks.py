from hpml_autograder.lab import Case, Check, accepted, trouble, wrong


def plan(test, context):
    return [Case(test.params["program"], "", ranks=int(ranks)) for ranks in test.shapes]


def judge(test, context, runs):
    for run in runs:
        expected = run.case.ranks * (run.case.ranks - 1) // 2
        problem = trouble(run, context.spec.limits.wall_s)
        if problem or run.stdout.strip() != str(expected):
            return problem or wrong(f"`{run.case}`: expected {expected}, got {run.stdout.strip()[:40]}")
    return accepted(f"{len(runs)} sums")


CHECKS = {"sums": Check(plan, judge)}
