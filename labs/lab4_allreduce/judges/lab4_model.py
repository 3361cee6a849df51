"""Exercise E6: a fitted line, predictions and choices, compared with the grader's own model."""
from collections.abc import Sequence

import lab4_cost as cost
import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted, wrong
from lab4_cost import MODEL_NAMES, Machine
from lab4_waiting import failure

FIT_TOLERANCE, PREDICT_TOLERANCE = 0.01, 0.02
RIGHT_CHOICES, MEAN_REGRET, EQUAL = 0.95, 0.05, 1.01
FITS = 3
LEAST = {"alpha": 1e-6, "beta": 0.0}  # the noise of large messages can move the line's alpha to 0
RANKS = (1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 64, 100, 1000, 1024)
SIZES = (4, 4096, 65536, 4 << 20)
CHOICES = 60


def numbers(text: str) -> list[float]:
    """Of a program's output; a word that is none is not a number."""
    found = []
    for word in text.split():
        try:
            found.append(float(word))
        except ValueError:
            found.append(float("nan"))
    return found


def lines_of(machine: Machine) -> str:
    return f"{machine.alpha!r}:{machine.beta!r}:{machine.gamma!r}"


def samples(seed: int) -> list[tuple[int, float]]:
    """Times of a ping-pong on the simulated network, with up to 0.3 % of noise."""
    noise = np.random.default_rng(seed)
    return [(size, (10e-6 + size * 0.8e-9) * (1 + noise.uniform(-0.003, 0.003)))
            for size in (0, 1000, 8000, 64000, 500000, 1 << 20, 4 << 20)]


def sample_sets(test: Test, context: Context) -> list[list[tuple[int, float]]]:
    return [samples(context.seed(test, number)) for number in range(FITS)]


def plan_fit(test: Test, context: Context) -> list[Case]:
    sets = [",".join(f"{size}={seconds!r}" for size, seconds in one) for one in sample_sets(test, context)]
    return [Case("model", " ".join(f"fit:{one}" for one in sets))]


def judge_fit(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "alpha and beta of three sets of samples"
    problem = failure(runs[0], context)
    if problem:
        return problem
    for one, line in zip(sample_sets(test, context), runs[0].stdout.splitlines()):
        sizes, seconds = zip(*one)
        beta, alpha = np.polyfit(sizes, seconds, 1)
        got = numbers(line)
        if len(got) != 3:
            return wrong("expected three numbers", checked)
        for name, value, expected in (("alpha", got[0], alpha), ("beta", got[1], beta)):
            if not abs(value - expected) <= FIT_TOLERANCE * max(abs(expected), LEAST[name]):
                return wrong(f"{name} of the least squares line is {expected:.6g}, got {value:.6g}", checked)
    return accepted(checked) if runs[0].stdout.count("\n") == FITS else wrong("expected three lines", checked)


def machines(seed: int) -> tuple[Machine, ...]:
    """The graded network and two hidden ones, the last with a cost of additions."""
    random = np.random.default_rng(seed)
    drawn = [(float(10 ** random.uniform(-6, -4)), float(10 ** random.uniform(-10, -8))) for _ in range(2)]
    return Machine(), Machine(*drawn[0], 0), Machine(*drawn[1], drawn[1][1] / 2)


def predictions(test: Test, context: Context) -> list[tuple[int, int, int, Machine]]:
    return [(algo, ranks, size, machine) for machine in machines(context.seed(test, 0)) for algo in range(len(MODEL_NAMES))
            for ranks in RANKS for size in SIZES]


def plan_predict(test: Test, context: Context) -> list[Case]:
    return [Case("model", " ".join(f"predict:{algo}:{ranks}:{size}:{lines_of(machine)}"
                                   for algo, ranks, size, machine in predictions(test, context)))]


def predict_hint(name: str, ranks: int) -> str:
    """What is often wrong in the formula of this algorithm."""
    if name in ("ring", "hier"):
        return ": is (P - 1) / P computed in double? In C++ the quotient of two integers is cut off"
    if ranks & (ranks - 1) and name != "ps":
        return ": P is no power of two: count whole steps (ceil or floor of log2 P), and the fold of rd and rabenseifner"
    return ""


def judge_predict(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    asked = predictions(test, context)
    checked = f"{len(asked)} predictions, odd P among them"
    problem = failure(runs[0], context)
    if problem:
        return problem
    got = numbers(runs[0].stdout)
    if len(got) != len(asked):
        return wrong(f"expected {len(asked)} numbers, got {len(got)}", checked)
    for (algo, ranks, size, machine), value in zip(asked, got):
        name = MODEL_NAMES[algo]
        expected = cost.predict(name, ranks, size, machine)
        if not abs(value - expected) <= PREDICT_TOLERANCE * expected:
            hint = predict_hint(name, ranks)
            return wrong(f"predict({name}, P = {ranks}, {size} bytes; alpha {machine.alpha:g}, beta {machine.beta:g}, gamma "
                         f"{machine.gamma:g}): expected {expected:.6g} s, got {value:.6g} s{hint}", checked)
    return accepted(checked)


def choices(seed: int) -> list[tuple[int, int, Machine]]:
    random = np.random.default_rng(seed)
    grid = []
    for _ in range(CHOICES):
        ranks = int(random.choice([2, 3, 5, 6, 8, 12, 13, 16, 24, 40, 64, 65, 100, 200, 256, 1000, 1024]))
        size = int(4 * 2 ** random.uniform(0, 22))
        grid.append((ranks, size, Machine(float(10 ** random.uniform(-6, -4)), float(10 ** random.uniform(-10.5, -8)))))
    return grid


def plan_choose(test: Test, context: Context) -> list[Case]:
    return [Case("model", " ".join(f"choose:{ranks}:{size}:{lines_of(machine)}"
                                   for ranks, size, machine in choices(context.seed(test, 0))))]


def judge_choose(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    asked = choices(context.seed(test, 0))
    checked = f"{len(asked)} choices on networks that nobody has been told"
    problem = failure(runs[0], context)
    if problem:
        return problem
    got = runs[0].stdout.split()
    if len(got) != len(asked) or not all(word in map(str, range(len(MODEL_NAMES))) for word in got):
        return wrong(f"expected {len(asked)} algorithms", checked)
    regrets, example = [], ""
    for (ranks, size, machine), word in zip(asked, got):
        times = [cost.predict(name, ranks, size, machine) for name in MODEL_NAMES]
        regrets.append(times[int(word)] / min(times))
        if regrets[-1] == max(regrets):
            best = MODEL_NAMES[times.index(min(times))]
            example = (f"P = {ranks}, {size} bytes, alpha {machine.alpha:.3g}, beta {machine.beta:.3g}: {best} takes "
                       f"{min(times):.4g} s, your choice {MODEL_NAMES[int(word)]} {times[int(word)]:.4g} s")
    right, regret = sum(one <= EQUAL for one in regrets) / len(regrets), sum(regrets) / len(regrets) - 1
    if right >= RIGHT_CHOICES and regret <= MEAN_REGRET:
        return accepted(checked, right=round(right, 4), mean_regret=round(regret, 4))
    return Outcome(Verdict.WA, f"{right:.0%} of the choices are the fastest algorithm (needed: {RIGHT_CHOICES:.0%}), on the mean "
                               f"they cost {regret:.1%} more (at most {MEAN_REGRET:.0%}). {example}", checked)
