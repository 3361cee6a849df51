"""S2: which configurations a sweep tries, recomputed from the definitions (handout, S2)."""
import itertools
import json
import math
import random
import statistics
from collections.abc import Sequence
from typing import Any

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong
from hpml_autograder.splitmix import mix_one

NORMAL = statistics.NormalDist()
RELATIVE = 1e-8  # of a value: inverse functions are good to 1e-9

Parameter = dict[str, Any]


def uniform_of(seed: int, run: int, parameter: int) -> float:
    """As src/sweep.hpp has it."""
    return (mix_one(mix_one(mix_one(seed) + run) + parameter) >> 11) * 2.0 ** -53


# ---- distributions
def beta_cdf(x: float, a: float, b: float) -> float:
    """The power series of the incomplete beta function (Abramowitz, Stegun 26.5.4), on the side where it converges fast."""
    if x > 0.5:
        return 1 - beta_cdf(1 - x, b, a)
    if x <= 0:
        return 0.0
    term, total = 1 / a, 0.0
    for n in range(1, 4000):
        total += term
        term *= x * (n - b) / n * (a + n - 1) / (a + n)
        if abs(term) < 1e-18 * abs(total):
            break
    return total * math.exp(a * math.log(x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b))


def inverse_beta(u: float, a: float, b: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if beta_cdf(middle, a, b) >= u else (middle, high)
    return (low + high) / 2


def inverse_normal(u: float) -> float:
    return NORMAL.inv_cdf(u) if u > 0 else -math.inf


def categorical(p: Parameter, u: float) -> Any:
    return p["values"][int(u * len(p["values"]))]


def weighted(p: Parameter, u: float) -> Any:
    reached = itertools.accumulate(p["probabilities"])
    return p["values"][next((i for i, sum_ in enumerate(reached) if u < sum_), len(p["values"]) - 1)]


CONTINUOUS = {
    "uniform": lambda p, u: p["min"] + u * (p["max"] - p["min"]),
    "log_uniform": lambda p, u: math.exp(p["min"] + u * (p["max"] - p["min"])),
    "log_uniform_values": lambda p, u: p["min"] * (p["max"] / p["min"]) ** u,
    "inv_log_uniform": lambda p, u: math.exp(u * (p["max"] - p["min"]) - p["max"]),
    "inv_log_uniform_values": lambda p, u: 1 / (1 / p["min"] * (p["min"] / p["max"]) ** u),
    "normal": lambda p, u: p["mu"] + p["sigma"] * inverse_normal(u),
    "log_normal": lambda p, u: math.exp(p["mu"] + p["sigma"] * inverse_normal(u)),
    "beta": lambda p, u: inverse_beta(u, p["a"], p["b"]),
}


def value_at(p: Parameter, u: float) -> Any:
    kind = p["distribution"]
    if kind == "constant":
        return p["values"][0]
    if kind == "categorical":
        return categorical(p, u)
    if kind == "categorical_w_probabilities":
        return weighted(p, u)
    if kind == "int_uniform":
        return p["min"] + math.floor(u * (p["max"] - p["min"] + 1))
    if kind.startswith("q_"):
        exact = CONTINUOUS[kind[2:]](p, u) / p["q"]
        return round(exact) * p["q"]  # round() takes halves to even
    return CONTINUOUS[kind](p, u)


def near_half(p: Parameter, u: float) -> bool:
    """A rounded value that another order of operations may round the other way."""
    if not p["distribution"].startswith("q_"):
        return False
    exact = CONTINUOUS[p["distribution"][2:]](p, u) / p["q"]
    return abs(exact - math.floor(exact) - 0.5) < 1e-6


def steps(p: Parameter) -> list[Any]:
    if p["distribution"] == "int_uniform":
        return list(range(p["min"], p["max"] + 1))
    if p["distribution"] == "q_uniform":
        found = []
        while p["min"] + len(found) * p["q"] < p["max"]:
            found.append(p["min"] + len(found) * p["q"])
        return found
    return p["values"]


def grid(sweep: dict[str, Any]) -> list[dict[str, Any]]:
    names = sorted((p["name"] for p in sweep["parameters"]), key=str.encode)
    by_name = {p["name"]: p for p in sweep["parameters"]}
    return [dict(zip(names, row)) for row in itertools.product(*(steps(by_name[name]) for name in names))]


def draw(sweep: dict[str, Any], seed: int, run: int) -> dict[str, Any]:
    ordered = sorted(sweep["parameters"], key=lambda p: p["name"].encode())
    return {p["name"]: value_at(p, uniform_of(seed, run, i)) for i, p in enumerate(ordered)}


# ---- comparison
def same(got: Any, expected: Any) -> bool:
    """Equal, of the same kind (1 is not 1.0 and not true); reals to rounding."""
    if isinstance(expected, float) and isinstance(got, float):
        return math.isclose(got, expected, rel_tol=RELATIVE, abs_tol=1e-12) or got == expected
    return type(got) is type(expected) and got == expected


def first_difference(got: dict[str, Any], expected: dict[str, Any]) -> str:
    if not isinstance(got, dict) or set(got) != set(expected):
        return f"expected the parameters {', '.join(expected)}, got {', '.join(got) if isinstance(got, dict) else got}"
    return next((f"{name}: expected {expected[name]!r}, got {got[name]!r}" for name in expected
                 if not same(got[name], expected[name])), "")


def read_lines(run: Run) -> list[Any]:
    found = []
    for line in run.stdout.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            found.append(None)
    return found


def case_of(test: Test, sweep: dict[str, Any], args: str) -> Case:
    """JSON in the environment; sorted, as the parser leaves the parameters."""
    ordered = sorted(sweep["parameters"], key=lambda p: p["name"].encode())
    return Case(test.params["program"], args, env=(("LAB6_SWEEP", json.dumps({**sweep, "parameters": ordered})),))


def sweep_in(case: Case) -> dict[str, Any]:
    return json.loads(dict(case.env)["LAB6_SWEEP"])


# ---- sweeps
def choice(name: str, *values: Any) -> Parameter:
    return {"name": name, "distribution": "categorical", "values": list(values)}


def between(name: str, kind: str, low: float, high: float, **more: Any) -> Parameter:
    return {"name": name, "distribution": kind, "min": low, "max": high, **more}


COURSE = {"method": "grid", "parameters": [
    choice("teacher_forcing_ratio", 0, 0.5, 1), choice("optimizer", "adam", "sgd"), choice("lr", 1e-4, 2.5e-4, 5e-4, 1e-3),
    choice("decoder_learning_ratio", 1, 3, 5, 10), choice("clip", 0, 25, 50, 100)]}
MIXED = {"method": "grid", "parameters": [
    between("width", "int_uniform", -1, 2), between("dropout", "q_uniform", 0.0, 0.3, q=0.1),
    {"name": "seed", "distribution": "constant", "values": [7]}, choice("Zoom", None, True, "x"),
    between("layers", "q_uniform", 2, 8, q=3)]}


def hidden_grid(random_: random.Random) -> dict[str, Any]:
    names = random_.sample(["alpha", "Beta", "b.inner", "b", "b_2", "zeta", "b-1"], 4)
    low, q = random_.randint(-3, 3), random_.choice((1, 2, 0.25))
    return {"method": "grid", "parameters": [
        choice(names[0], *random_.sample(["tanh", 3, 0.5, None, False, 2.0], 3)),
        between(names[1], "int_uniform", low, low + random_.randint(0, 3)),
        between(names[2], "q_uniform", low, low + q * random_.randint(1, 3), q=q),
        choice(names[3], *random_.sample(range(100), 2))]}


def random_sweep(random_: random.Random) -> dict[str, Any]:
    low, high = random_.uniform(-6, -3), random_.uniform(-2, 2)
    small, large = 10 ** random_.uniform(-5, -3), 10 ** random_.uniform(-2, 1)
    mu, sigma = random_.uniform(-1, 1), random_.uniform(0.2, 1.5)
    a, b, q = random_.uniform(0.5, 4), random_.uniform(0.5, 4), random_.choice((2, 0.25, 0.1))
    share = random_.uniform(0.1, 0.5)
    pairs = [("uniform", low, high), ("log_uniform", low, high), ("log_uniform_values", small, large),
             ("inv_log_uniform", low, high), ("inv_log_uniform_values", small, large)]
    parameters = [between(f"p_{kind}", kind, x, y) for kind, x, y in pairs]
    parameters += [between(f"q_{kind}", f"q_{kind}", x, y, q=q) for kind, x, y in pairs[:3]]
    for kind in ("normal", "log_normal"):
        parameters += [{"name": f"n_{kind}", "distribution": kind, "mu": mu, "sigma": sigma},
                       {"name": f"q_{kind}", "distribution": f"q_{kind}", "mu": mu, "sigma": sigma, "q": q}]
    parameters += [{"name": "beta", "distribution": "beta", "a": a, "b": b},
                   {"name": "q_beta", "distribution": "q_beta", "a": a, "b": b, "q": 0.05},
                   between("int", "int_uniform", -4, random_.randint(0, 9)), choice("choice", "a", 2, 0.5, None),
                   {"name": "weighted", "distribution": "categorical_w_probabilities", "values": ["x", "y", "z"],
                    "probabilities": [share, 0.5 - share, 0.5]}]
    return {"method": "random", "run_cap": 100, "parameters": parameters}


# ---- checks
GRID_RUNS = 400


def plan_grid(test: Test, context: Context) -> list[Case]:
    random_ = random.Random(context.seed(test, 0))
    hidden = bool(test.params.get("hidden"))
    sweeps = [] if hidden else [COURSE, MIXED]
    sweeps += [hidden_grid(random_) for _ in range(4 if hidden else 2 * context.for_record)]
    return [case_of(test, sweep, f"grid 0 {min(GRID_RUNS, len(grid(sweep)))}") for sweep in sweeps]


def judge_grid(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} grids"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        expected = grid(sweep_in(run.case))
        lines = read_lines(run) or [{}]
        size = lines[0].get("size") if isinstance(lines[0], dict) else None
        for number, config in enumerate(expected):
            own = lines[number + 1] if number + 1 < len(lines) else None
            said = first_difference(own, config)
            if said:
                return wrong(f"{describe(run.case)}: run {number}: {said}", checked)
        if size != len(expected):
            return wrong(f"{describe(run.case)}: expected {len(expected)} combinations, got {size}", checked)
    return accepted(checked)


def plan_random(test: Test, context: Context) -> list[Case]:
    random_ = random.Random(context.seed(test, 0))
    return [case_of(test, random_sweep(random_), f"random {random_.randrange(1 << 32)} {first} 40") for first in (0, 60)]


def judge_random(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} sweeps of 18 distributions, 40 runs each"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        sweep, words, lines = sweep_in(run.case), run.case.args.split(), read_lines(run)
        for i in range(int(words[3])):
            number = int(words[2]) + i
            expected = draw(sweep, int(words[1]), number)
            own = lines[i] if i < len(lines) else None
            if isinstance(own, dict):
                unclear = [p["name"] for k, p in enumerate(sweep["parameters"])
                           if near_half(p, uniform_of(int(words[1]), number, k))]
                expected.update({name: own.get(name) for name in unclear if name in own})
            said = first_difference(own, expected)
            if said:
                return wrong(f"seed {words[1]}, run {number}: {said}", checked)
    return accepted(checked)


def describe(case: Case) -> str:
    return "grid of " + ", ".join(p["name"] for p in sweep_in(case)["parameters"])
