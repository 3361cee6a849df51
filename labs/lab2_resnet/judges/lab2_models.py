"""P3, T1, U1: pure functions on given and on hidden numbers; expected values come from NumPy and exact fractions."""
import math
import random
import statistics
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab2_data import floats, near, problem_of, wrong_at

RESAMPLES = 10000
ENOUGH = 5  # runs, for a coefficient of variation


def numbers_judge(expected, relative: float = 1e-9):
    """A judge of programs that print numbers: `expected` of the words gives the lines."""
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        checked = f"{len(runs)} runs"
        for run in runs:
            problem = problem_of(run, context)
            if problem:
                return problem
            got, wanted = floats(run.stdout), expected(run.case.args.split())
            for row, line in enumerate(wanted):
                own = got[row] if row < len(got) else []
                if not near(own, line, relative):
                    return wrong_at(run, f"line {row + 1}: expected {shown(line)}, got {shown(own)}", checked)
        return accepted(checked)
    return judge


def shown(line: Sequence[float]) -> str:
    return " ".join(f"{number:.9g}" for number in line) or "nothing"


def lines_of(drawn, sort=lambda words: None):
    """The given lines. For a score of record also drawn ones of the same sort, so that no table of the given results passes.
    A hidden test has no given lines, and drawn ones of every sort."""
    def plan(test: Test, context: Context) -> list[Case]:
        sorts, lines = {sort(line.split()) for line in test.shapes}, list(test.shapes)
        if context.for_record or not lines:
            lines += [line for line in drawn(random.Random(context.seed(test, 0))) if not sorts or sort(line.split()) in sorts]
        return [Case(test.params["program"], line) for line in lines]
    return plan


# ---- P3
def paleo(words: Sequence[str]) -> list[list[float]]:
    if words[0] == "time":
        macs, size, peak, bandwidth, clock, ppp = map(float, words[1:])
        return [[max(1 / clock, 2 * macs / (peak * ppp)), size / bandwidth]]
    if words[0] == "exchange":
        kind, n, size, bandwidth = int(words[1]), int(words[2]), float(words[3]), float(words[4])
        rounds = (n - 1).bit_length()
        return [[(2 * (n - 1), 2 * rounds, rounds, 2 * (n - 1) / n)[kind] * size / bandwidth]]
    peak, bandwidth = map(float, words[1:3])
    layers = numpy.array([[float(number) for number in word.split(":")] for word in words[3:]])
    a, m, t = 2 * layers[:, 0] / peak, layers[:, 1] / bandwidth, layers[:, 2]
    x = float(numpy.linalg.lstsq(a[:, None], t - m, rcond=None)[0][0])
    error = t - m - a * x
    return [[1 / x, 1 - float(error @ error) / float(((t - t.mean()) ** 2).sum()), int(numpy.argmax(abs(error)))]]


def drawn_paleo(draw: random.Random) -> list[str]:
    lines = [f"time {draw.randint(1, 10 ** 9)} {draw.randint(1, 10 ** 8)} {draw.uniform(1e10, 1e13):.6g} {draw.uniform(1e9, 1e12):.6g} "
             f"1.5e9 {draw.uniform(0.1, 1):.4f}" for _ in range(3)]
    lines += [f"exchange {kind} {draw.randint(2, 33)} {draw.randint(1, 10 ** 9)} 1e10" for kind in range(4)]
    for _ in range(2):
        layers = [(draw.randint(10 ** 6, 10 ** 9), draw.randint(10 ** 4, 10 ** 7)) for _ in range(7)]
        ppp = draw.uniform(0.3, 0.95)
        words = [f"{macs}:{size}:{(2 * macs / (2e11 * ppp) + size / 2e10) * draw.uniform(0.9, 1.1):.9g}" for macs, size in layers]
        lines.append("fit 2e11 2e10 " + " ".join(words))
    return lines


def asks_for(words: Sequence[str]) -> str:
    """The sort of a line: time, exchange or fit."""
    return words[0]


# ---- T1
def are_enough(words: Sequence[str]) -> bool:
    """The sort of a line: whether it has enough curves."""
    return len(words) - 1 >= ENOUGH


def tta(words: Sequence[str]) -> list[list[float]]:
    """Everything but the interval, which depends on the resamples: judged by itself."""
    threshold, reached = float(words[0]), []
    for word in words[1:]:
        curve, every = word.split("@")
        hits = [i for i, value in enumerate(curve.split(",")) if float(value) >= threshold]
        reached += [int(every) * (hits[0] + 1)] if hits else []
    mean = statistics.fmean(reached) if reached else 0.0
    deviation = statistics.stdev(reached) if len(reached) > 1 else 0.0
    enough = len(reached) >= ENOUGH
    return [[len(words) - 1, len(reached), mean, deviation, float(enough), deviation / mean if enough else 0.0, *reached]]


def judge_tta(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} sets of curves"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        own = (floats(run.stdout) or [[]])[0]
        expected = tta(run.case.args.split())[0]
        without = [*own[:6], *own[8:]]
        if not near(without, expected):
            return wrong_at(run, f"runs, reached, mean, deviation, has_cov, cov, samples: expected {shown(expected)}, got "
                            f"{shown(without)}", checked)
        said = interval_problem(own[6:8], expected[6:])
        if said:
            return wrong_at(run, said, checked)
    return accepted(checked)


def interval_problem(own: Sequence[float], reached: Sequence[float]) -> str:
    """Another generator gives another interval, but not by more than the sampling error of a percentile."""
    if len(reached) < 2:
        return ""
    draw = numpy.random.default_rng(1)
    means = numpy.sort(draw.choice(numpy.array(reached), (RESAMPLES, len(reached))).mean(axis=1))
    for name, got, share in (("low", own[0], 0.025), ("high", own[1], 0.975)):
        error = 5 * math.sqrt(share * (1 - share) / RESAMPLES)
        between = numpy.quantile(means, [max(0.0, share - error), min(1.0, share + error)], method="nearest")
        if not between[0] * (1 - 1e-9) <= got <= between[1] * (1 + 1e-9):
            return (f"{name} end of the 95 % bootstrap interval of the mean: expected {between[0]:.6g} to {between[1]:.6g}, got "
                    f"{got:.6g}")
    return ""


def drawn_tta(draw: random.Random) -> list[str]:
    lines = []
    for runs in (3, 6, 9):
        curves = []
        for _ in range(runs):
            climb = sorted(draw.uniform(0.2, 0.95) for _ in range(8))
            dip = draw.randrange(1, 8)
            climb[dip], climb[dip - 1] = climb[dip - 1], climb[dip]  # accuracy falls now and then
            curves.append(",".join(f"{value:.3f}" for value in climb) + f"@{draw.choice((250, 500))}")
        lines.append(" ".join([f"{draw.uniform(0.5, 0.85):.3f}", *curves]))
    return lines


# ---- U1
def utilisation(words: Sequence[str]) -> list[list[float]]:
    """On a grid of moments at which a kernel starts or ends, or a window does: between them nothing changes."""
    window, end, rate = map(float, words[:3])
    spans = [[float(number) for number in word.split(":")] for word in words[3:]]
    found = []
    for i in range(math.ceil(end / window)):
        low, high = i * window, (i + 1) * window
        moments = sorted({low, high, *(m for s, d, *_ in spans for m in (s, s + d) if low < m < high)})
        busy = memory = time = weighted = 0.0
        for start, stop in zip(moments, moments[1:]):
            running = [span for span in spans if span[0] <= start and stop <= span[0] + span[1]]
            busy += (stop - start) * bool(running)
            for _, duration, size, occupancy in running:
                memory += (stop - start) * min(1.0, size / rate / duration)
                time += stop - start
                weighted += (stop - start) * occupancy
        found.append([busy / window, min(1.0, memory / window), weighted / time if time else 0.0])
    return found


def drawn_utilisation(draw: random.Random) -> list[str]:
    lines = []
    for _ in range(3):
        spans = " ".join(f"{draw.uniform(0, 900):.3f}:{draw.uniform(1, 150):.3f}:{draw.uniform(1e3, 1e6):.0f}:{draw.uniform(0.1, 1):.3f}"
                         for _ in range(12))
        lines.append(f"100 1000 {draw.uniform(1e3, 1e4):.1f} {spans}")
    return lines
