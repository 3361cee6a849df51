"""E3 and E4: laws and means, on given and on seeded numbers."""
import math
import random
from collections.abc import Callable, Sequence

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong

WRONG = ("amdahl 1.5 4", "amdahl -0.1 4", "amdahl 0.5 0.5", "amdahl 0.5", "amdahl x 4", "gustafson 2 4", "karpflatt 8 1",
         "strong 1 1 0", "nothing 1 2", "need 0.5 15")
WRONG_MEANS = ("mean h 1 0", "mean g 1 -1", "mean g 0", "mean x 1 2", "mean a", "mean h 1 x", "throughput 100",
               "throughput 100 0")


def need(f: float, t: float, target: float) -> float:
    left = target - (1 - f) * t
    return f * t / left if left > 0 else math.inf


def mean(kind: str, *numbers: float) -> float:
    if kind == "g":
        return math.exp(math.fsum(map(math.log, numbers)) / len(numbers))
    if kind == "h":
        return len(numbers) / math.fsum(1 / x for x in numbers)
    return math.fsum(numbers) / len(numbers)


LAWS: dict[str, Callable[..., float]] = {
    "amdahl": lambda f, p: 1 / ((1 - f) + f / p),
    "gustafson": lambda f, p: p - (1 - f) * (p - 1),
    "karpflatt": lambda s, p: (1 / s - 1 / p) / (1 - 1 / p),
    "strong": lambda ts, tp, p: ts / (tp * p),
    "weak": lambda t1, tp: t1 / tp,
    "need": need,
    "overhead": lambda f, k: math.sqrt(f / k),
    "throughput": lambda work, *times: work * len(times) / math.fsum(times),
}


def expected(line: str) -> float:
    law, *words = line.split()
    if law == "mean":
        return mean(words[0], *map(float, words[1:]))
    return LAWS[law](*map(float, words))


def drawn_laws(draw: random.Random) -> list[str]:
    f, p = round(draw.uniform(0.05, 0.98), 3), draw.randint(2, 500)
    t = round(draw.uniform(5, 50), 2)
    return [f"amdahl {f} {p}", f"amdahl 1 {p}", f"amdahl 0 {p}", f"gustafson {f} {p}",
            f"karpflatt {round(draw.uniform(1.1, p), 3)} {p}", f"strong {t} {round(t / draw.uniform(2, 9), 3)} {p}",
            f"weak {t} {round(t * draw.uniform(1, 2), 3)}", f"need {f} {t} {round(t * (1 - f / 2), 4)}",
            f"need {f} {t} {round(t * (1 - f) * 0.9, 4)}", f"overhead {f} {round(draw.uniform(1e-5, 1e-3), 7)}"]


def drawn_means(draw: random.Random) -> list[str]:
    numbers = " ".join(str(round(draw.uniform(0.5, 20), 3)) for _ in range(draw.randint(3, 12)))
    return [*(f"mean {kind} {numbers}" for kind in "ahg"), f"throughput {draw.randint(10, 10**6)} {numbers}"]


def hidden_means(draw: random.Random) -> list[str]:
    many = " ".join(["9.5"] * 400)  # its product is beyond every double
    return [*drawn_means(draw), f"mean g {many}", "mean a -1 2 3"]


HIDDEN = {"hidden": drawn_laws, "hidden_means": hidden_means}


def lines(test: Test, context: Context) -> list[str]:
    hidden = HIDDEN.get(test.params.get("data", "given"))
    if hidden is not None:
        return hidden(random.Random(context.seed(test, 0)))
    return context.also_drawn(test, test.shapes, lambda draw: like(test.shapes, [*drawn_laws(draw), *drawn_means(draw)]))


def like(given: Sequence[str], drawn: Sequence[str]) -> list[str]:
    """Those of the drawn lines whose law is one of the given lines'."""
    asked = {line.split()[0] for line in given}
    return [line for line in drawn if line.split()[0] in asked]


def plan(test: Test, context: Context) -> list[Case]:
    return [Case("laws", line) for line in lines(test, context)]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} values"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        value = expected(run.case.args)
        text = f"{value:.6f}" if math.isfinite(value) else "impossible"
        got = run.stdout.strip()
        if not agrees(got, value):
            return wrong(f"`{str(run.case)[:80]}`: expected {text}, got {got[:60]!r}", checked)
    return accepted(checked)


def agrees(got: str, value: float) -> bool:
    """To the last of six decimals, where another order of operations may round the other way."""
    if not math.isfinite(value):
        return got == "impossible"
    try:
        return len(got.split(".")[1]) == 6 and abs(float(got) - value) <= 1.01e-6 + 1e-12 * abs(value)
    except (IndexError, ValueError):
        return False


def drawn_wrong(draw: random.Random) -> list[str]:
    """Of the laws, with other words; the last line is right."""
    f, p, letters = round(draw.uniform(0.1, 0.9), 3), draw.randint(2, 99), "".join(draw.choice("ghjkm") for _ in range(4))
    return [f"amdahl {1 + f} {p}", f"amdahl {-f} {p}", f"amdahl {f} {f}", f"gustafson {1 + f} {p}", f"amdahl {letters} {p}",
            f"{letters} {f} {p}", f"strong {p} {p} 0", f"karpflatt {p} 1", f"amdahl {f} {p}"]


def drawn_wrong_means(draw: random.Random) -> list[str]:
    number, letters = round(draw.uniform(1, 9), 3), "".join(draw.choice("jkmpq") for _ in range(4))
    return [f"mean h {number} 0", f"mean g {number} {-number}", f"mean g {number} 0", f"mean {letters} {number}", f"mean a {number} {letters}",
            f"throughput {number}", f"throughput {number} 0", f"mean a {number} {number + 1}"]


def plan_arguments(test: Test, context: Context) -> list[Case]:
    wrong, drawn = (WRONG, drawn_wrong) if test.params["laws"] == "parallel" else (WRONG_MEANS, drawn_wrong_means)
    return [Case("laws", line) for line in context.also_drawn(test, wrong, drawn)]
