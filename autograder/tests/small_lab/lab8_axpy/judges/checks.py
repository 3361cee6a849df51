"""Generator names of lab.toml -> how to plan and judge them."""
import tomllib

import numpy
from hpml_autograder.lab import Case, Check, Data, Outcome, Verdict, accepted, trouble, wrong

SECTORS = [f"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{op}.ratio" for op in ("ld", "st")]
EVERYBODYS = (2, 3, 5)
BYTES = 12


def numbers(case):
    text = dict(case.env).get("HPML_DATA")
    return tuple(map(int, text.split(","))) if text else EVERYBODYS


def vectors(case):
    _, b, c = numbers(case)
    i = numpy.arange(int(case.args), dtype=numpy.int64)
    return (b * i % 1009).astype(numpy.float32), (c * i % 2003).astype(numpy.float32)


def plan(test, context):
    cases = []
    for iteration, shape in enumerate(test.shapes):
        seed = context.seed(test, iteration)
        chosen = f"{2 + seed % 90},{3 + seed // 90 % 900},{5 + seed // 81000 % 900}"
        env = (("HPML_DATA", chosen),) if test.params.get("data") == "seeded" else ()
        cases.append(Case(test.params["program"], shape, env, dump=True))
    return cases


def judge_result(test, context, runs):
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        x, y = vectors(run.case)
        expected = numpy.float32(numbers(run.case)[0]) * x + y
        got = numpy.fromfile(run.dump, dtype=numpy.float32) if run.dump else numpy.zeros(0, numpy.float32)
        if len(got) != len(expected):
            return wrong(f"`{run.case}`: no result")
        differing = numpy.flatnonzero(got != expected)
        if len(differing):
            first = int(differing[0])
            return wrong(f"`{run.case}`: {len(differing)} elements are wrong; first y[{first}]: expected "
                         f"{expected[first]:g}, got {got[first]:g}")
        unheld = run.unheld(expected.tobytes())
        if unheld:
            return wrong(f"`{run.case}`: {unheld}")
    return accepted(f"every element, {len(runs)} runs")


def judge_sectors(test, context, runs):
    run, = runs
    problem = trouble(run, context.spec.limits.wall_s)
    if problem:
        return problem
    most = max((kernel.metric(name) for kernel in run.metrics.kernels for name in SECTORS), default=0.0)
    if not 0 < most <= test.params["limit"]:
        return Outcome(Verdict.PA, f"{most:.2f} sectors per request", "sectors per request", 0.5 if most < 9 else 0.0)
    return accepted("sectors per request")


def judge_bytes(test, context, runs):
    try:
        answer = tomllib.loads((context.src / "answers.toml").read_text(encoding="utf-8"))["axpy"]["bytes_per_element"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        return wrong(f"answers.toml: {error!r}")
    return accepted("bytes") if answer == BYTES and isinstance(answer, int) else wrong(f"expected {BYTES}, got {answer!r}")


def inputs(case):
    return [vector.tobytes() for vector in vectors(case)]


DATA = Data(inputs)
CHECKS = {"result": Check(plan, judge_result), "sectors": Check(plan, judge_sectors),
          "bytes": Check(lambda test, context: [], judge_bytes)}
