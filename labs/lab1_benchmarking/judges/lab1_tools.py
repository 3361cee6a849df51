"""X3 and X4: fits and the profiler's statistics, on given and on seeded numbers."""
import math
import random
from collections.abc import Callable, Sequence

import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong

Z = 1.959963984540054  # of a normal distribution, 95 % lie between -Z and Z
WRONG = {"fits": ("amdahl 1:2", "amdahl 1:2 1:3", "amdahl 1:2 2:0", "amdahl 1:2 2:x", "nothing 1:2 2:3", "amdahl 1 2",
                  "power -1:2 2:3", "weak 2:1 4:2", "amdahl 1:2 2:inf"),
         "sampling": ("share 5 4", "share 1 0", "share -1 4", "need 0 0.1", "need 1.5 0.1", "need 0.5", "missed 0.1 x",
                      "periodic 0 0 1 1", "periodic 10 11 1 1", "nothing 1 2")}


def straight(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Slope and intercept by the normal equations."""
    dx = x - x.mean()
    slope = float((dx * (y - y.mean())).sum() / (dx * dx).sum())
    return slope, float(y.mean() - slope * x.mean())


def amdahl(x: np.ndarray, t: np.ndarray) -> list[str]:
    parallel, serial = straight(1 / x, t)
    limit = f"{(serial + parallel) / serial:.6f}" if serial > 0 else "none"
    return [f"F: {parallel / (serial + parallel):.6f}", f"limit: {limit}"]


def weak(x: np.ndarray, t: np.ndarray) -> list[str]:
    missing = x - x * t[list(x).index(1)] / t
    return [f"s: {float((missing * (x - 1)).sum() / ((x - 1) ** 2).sum()):.6f}"]


def power(x: np.ndarray, t: np.ndarray) -> list[str]:
    slope, intercept = straight(np.log(x), np.log(t))
    return [f"k: {slope:.6f}", f"c: {math.exp(intercept):.6e}"]


def wilson(hits: float, n: float) -> list[str]:
    """Where |p - hits / n| = Z sqrt(p (1 - p) / n): a quadratic equation in p."""
    share = hits / n
    a, b, c = 1 + Z * Z / n, -2 * share - Z * Z / n, share * share
    root = math.sqrt(max(b * b - 4 * a * c, 0))
    return [f"{share:.6f} {(-b - root) / (2 * a):.6f} {(-b + root) / (2 * a):.6f}"]


def periodic(period: float, busy: float, interval: float, n: float) -> list[str]:
    return [f"{sum((k * int(interval)) % int(period) < busy for k in range(int(n))) / n:.6f}"]


FITS: dict[str, Callable[[np.ndarray, np.ndarray], list[str]]] = {"amdahl": amdahl, "weak": weak, "power": power}
SAMPLING: dict[str, Callable[..., list[str]]] = {
    "share": wilson,
    "need": lambda p, half: [str(math.ceil(Z * Z * p * (1 - p) / half**2))],
    "missed": lambda p, n: [f"{(1 - p) ** n:.6f}"],
    "periodic": periodic,
}


def expected(program: str, line: str) -> list[str]:
    law, *words = line.split()
    if program == "fits":
        return FITS[law](*np.array([[float(part) for part in word.split(":")] for word in words]).T)
    return SAMPLING[law](*map(float, words))


def hidden_fits(seed: int) -> list[str]:
    draw = random.Random(seed)
    processors = sorted({1, *draw.sample(range(2, 65), 6)})
    serial, parallel, k = draw.uniform(0.2, 3), draw.uniform(5, 50), draw.uniform(0.8, 3.2)

    def line(law: str, xs: Sequence[int], time: Callable[[float], float]) -> str:
        return " ".join([law, *(f"{x}:{time(x) * draw.uniform(0.97, 1.03):.6g}" for x in xs)])
    return [line("amdahl", processors, lambda p: serial + parallel / p),
            line("weak", processors, lambda p: parallel + serial * p / 20),
            line("power", [2**j for j in range(4, 11)], lambda n: 1e-6 * n**k)]


def hidden_sampling(seed: int) -> list[str]:
    draw = random.Random(seed)
    samples, period = draw.randint(50, 5000), draw.randint(7, 400)
    return [f"share {draw.randint(1, samples)} {samples}", f"share 0 {samples}", f"share {samples} {samples}",
            f"need {draw.uniform(0.02, 0.9):.3f} {draw.uniform(0.005, 0.05):.4f}",
            f"missed {draw.uniform(0.001, 0.05):.4f} {draw.randint(10, 500)}",
            f"periodic {period} {draw.randint(1, period - 1)} {draw.randint(2, 900)} {draw.randint(100, 3000)}"]


def plan(test: Test, context: Context) -> list[Case]:
    program = test.params["program"]
    hidden = {"fits": hidden_fits, "sampling": hidden_sampling}[program]
    lines = hidden(context.seed(test, 0)) if test.params.get("data") == "hidden" else list(test.shapes)
    return [Case(program, line) for line in lines]


def plan_arguments(test: Test, context: Context) -> list[Case]:
    return [Case(test.params["program"], line) for line in WRONG[test.params["program"]]]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} command lines"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        wanted = expected(test.params["program"], run.case.args)
        if not alike(run.stdout.splitlines(), wanted):
            return wrong(f"`{str(run.case)[:80]}`: expected {' / '.join(wanted)}, got {run.stdout.strip()[:60]!r}", checked)
    return accepted(checked)


def alike(got: Sequence[str], wanted: Sequence[str]) -> bool:
    """The same words; numbers to the last decimal but one, where another order of operations rounds otherwise."""
    mine, theirs = " ".join(got).split(), " ".join(wanted).split()
    return len(mine) == len(theirs) and all(a == b or _near(a, b) for a, b in zip(mine, theirs))


def _near(got: str, wanted: str) -> bool:
    try:
        return abs(float(got) - float(wanted)) <= 2e-6 + 2e-6 * abs(float(wanted)) and "." in wanted
    except ValueError:
        return False
