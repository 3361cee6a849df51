"""C6: paths of the five optimizers: double to 12 digits, float to the bit."""
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted
from lab2_data import Reader, problem_of, wrong_at

KINDS = ("sgd", "nesterov", "adagrad", "adadelta", "adam")
MOMENTS = {"sgd": 1, "nesterov": 1, "adagrad": 1, "adadelta": 2, "adam": 2}
STEPS = 20
GIVEN = "1 10 0.5 -0.25 0.1 0.9 0.0005"


def plan(test: Test, context: Context) -> list[Case]:
    """The given numbers, for a score of record also drawn ones. The hidden test: drawn ones for every kind."""
    draw = random.Random(context.seed(test, 0))
    numbers = [draw.uniform(0.2, 2), draw.uniform(2, 8), draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(0.01, 0.1),
               draw.uniform(0.5, 0.95), draw.uniform(0, 0.01)]
    drawn = " ".join(f"{number:.4f}" for number in numbers)
    if test.params.get("data") == "hidden":
        asked = [(kind, drawn) for kind in KINDS]
    else:
        asked = [(test.params["kind"], words) for words in (GIVEN, *[drawn] * context.for_record)]
    return [Case("optimizers", f"{KINDS.index(kind)} {STEPS} {words}", dump=True) for kind, words in asked]


def plan_every_kind(test: Test, context: Context) -> list[Case]:
    """The runs of C6.sgd to C6.adam, for a test of its own."""
    return [case for kind in KINDS for case in plan(replace(test, params={"kind": kind}), context)]


def wrong_kinds(test: Test, context: Context, runs: Sequence[Run]) -> list[str]:
    """The optimizers whose steps are not those of their names, of the runs of plan_every_kind()."""
    def is_right(run: Run) -> bool:
        return judge(test, context, [run]).verdict in (Verdict.AC, Verdict.PA)
    wrong = {KINDS[int(run.case.args.split()[0])] for run in runs if not is_right(run)}
    return [kind for kind in KINDS if kind in wrong]


def path(kind: str, dtype: type, words: Sequence[str]) -> numpy.ndarray:
    """theta after each step, every element operation in `dtype` and in the order of the handout."""
    h, m = (numpy.array([float(a), float(b)], dtype) for a, b in (words[0:2], words[2:4]))
    lr, mu, decay = map(float, words[4:7])
    t, one, b1, b2 = dtype, 1.0, 0.9, 0.999
    theta, a, b, found = numpy.array([1, -1], dtype), numpy.zeros(2, dtype), numpy.zeros(2, dtype), []
    p1 = p2 = one
    for step in range(1, STEPS + 1):
        g = h * (theta - m) + t(decay) * theta
        if kind in ("sgd", "nesterov"):
            a = g if step == 1 else t(mu) * a + g
            theta = theta - t(lr) * (g + t(mu) * a if kind == "nesterov" else a)
        elif kind == "adagrad":
            a = a + g * g
            theta = theta - (t(lr) * g) / (numpy.sqrt(a) + t(1e-10))
        elif kind == "adadelta":
            a = t(0.9) * a + (t(one - 0.9) * g) * g
            delta = (numpy.sqrt(b + t(1e-6)) / numpy.sqrt(a + t(1e-6))) * g
            b = t(0.9) * b + (t(one - 0.9) * delta) * delta
            theta = theta - t(lr) * delta
        else:
            p1, p2 = p1 * b1, p2 * b2
            a = t(b1) * a + t(one - b1) * g
            b = t(b2) * b + (t(one - b2) * g) * g
            theta = theta - t(lr / (one - p1)) * (a / (numpy.sqrt(b) / t(numpy.sqrt(one - p2)) + t(1e-8)))
        found.append(theta)
    return numpy.array(found)


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Full points: double within 1e-12 and the bits of float. Half: float within 1e-6, in another order of operations."""
    checked = f"{STEPS} steps in double and in float"
    partly = ""
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        words = run.case.args.split()
        kind, reader = KINDS[int(words[0])], Reader(run)
        own_float, own_double = reader.take(numpy.float32, STEPS, 2), reader.take(numpy.float64, STEPS, 2)
        exact, rounded = path(kind, numpy.float64, words[2:]), path(kind, numpy.float32, words[2:])
        for step in range(STEPS):
            scale = numpy.maximum(abs(exact[step]), 0.1)
            close = (abs(own_double[step] - exact[step]) <= 1e-12 * numpy.maximum(1, scale)).all()
            if not close or not (abs(own_float[step] - rounded[step].astype(numpy.float64)) <= 2e-5 * scale).all():
                return wrong_at(run, f"{kind}, step {step + 1}: expected theta = {exact[step][0]:.12f} {exact[step][1]:.12f}, got "
                                f"{own_double[step][0]:.12f} {own_double[step][1]:.12f}", checked)
        if own_float.astype(numpy.float32).tobytes() != rounded.tobytes():
            partly = f"{kind}: right to six digits, but not the bits of the given order of operations"
    return Outcome(Verdict.PA, partly, checked, fraction=0.5) if partly else accepted(checked)


def plan_state(test: Test, context: Context) -> list[Case]:
    return [Case("optimizers", f"{kind} 1 {GIVEN}", dump=True) for kind in range(len(KINDS))]


def judge_state(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "values kept beside each parameter"
    for kind, run in zip(KINDS, runs):
        problem = problem_of(run, context)
        if problem:
            return problem
        reader = Reader(run)
        reader.take(numpy.float32, 2), reader.take(numpy.float64, 2)
        got = float(reader.take(numpy.float64, 1)[0])
        if got != MOMENTS[kind]:
            return wrong_at(run, f"moments({kind}): expected {MOMENTS[kind]}, got {got:g}", checked)
    return accepted(checked)
