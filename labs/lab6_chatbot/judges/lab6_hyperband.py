"""S3: which runs hyperband stops, from the definitions (handout, S3)."""
import json
import math
import random
from collections.abc import Sequence
from typing import Any

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong
from lab6_search import read_lines

Table = dict[str, Any]
MOST_BANDS = 100  # of the min_iter form
DRAWN = 40        # tables of a hidden test, and of every test of a score of record
# Bands 1 and 2, thresholds 8 and 7: b and c are stopped, d is kept because equal values are.
EXAMPLE: Table = {"rule": {"max_iter": 5, "eta": 2, "s": 2}, "goal": "minimize", "runs": [
    {"history": [10, 9], "running": False}, {"history": [10, 10], "running": True}, {"history": [10, 8, 8], "running": True},
    {"history": [10, 7, 7], "running": True}, {"history": [10, 6, 6], "running": False}]}


def bands(rule: dict[str, Any]) -> list[int]:
    eta = rule.get("eta", 3)
    if "min_iter" in rule:
        return [int(rule["min_iter"] * eta ** j) for j in range(MOST_BANDS)]
    found, band = [], rule["max_iter"]
    for _ in range(rule["s"]):
        band /= eta
        if band < 1:
            break
        found.append(int(band))
    return found[::-1]


def threshold(table: Table, band: int) -> float:
    sign = -1 if table["goal"] == "maximize" else 1
    values = sorted(sign * run["history"][band] for run in table["runs"]
                    if len(run["history"]) > band and run["history"][band] is not None)
    return values[int(len(values) / table["rule"].get("eta", 3))] if values else math.inf


def stopped(table: Table, run: dict[str, Any]) -> bool:
    sign = -1 if table["goal"] == "maximize" else 1
    passed = [band for band in bands(table["rule"]) if band < len(run["history"])]
    if not run["running"] or not passed:
        return False
    seen = [math.inf if value is None else sign * value for value in run["history"]]
    own = seen[passed[-1]] if table["rule"].get("strict", True) else min(seen)
    return own > threshold(table, passed[-1])


def hidden_table(random_: random.Random) -> Table:
    rule: dict[str, Any] = {"eta": random_.choice((2, 3, 1.5)), "strict": random_.random() < 0.6}
    if random_.random() < 0.5:
        rule["min_iter"] = random_.randint(1, 3)
    else:
        rule |= {"max_iter": random_.randint(4, 30), "s": random_.randint(1, 4)}
    runs = []
    for _ in range(random_.randint(4, 12)):
        level = random_.uniform(0.5, 5)  # multiples of 1/8: sums and negations are exact, and values are equal now and then
        history: list[float | None] = [round(8 * (level + random_.uniform(0, 3) / (i + 1))) / 8 for i in range(random_.randint(0, 14))]
        if history and random_.random() < 0.2:
            history[random_.randrange(len(history))] = None
        runs.append({"history": history, "running": random_.random() < 0.6})
    return {"rule": rule, "goal": random_.choice(("minimize", "maximize")), "runs": runs}


def plan(test: Test, context: Context) -> list[Case]:
    random_ = random.Random(context.seed(test, 0))
    goal = test.params.get("goal")
    tables = [EXAMPLE]
    while (test.params.get("hidden") or context.for_record) and len(tables) < 1 + DRAWN:
        table = hidden_table(random_)
        if goal in (None, table["goal"]):
            tables.append(table)
    return [Case(test.params["program"], "", env=(("LAB6_TABLES", json.dumps(tables)),))]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    run = runs[0]
    problem = trouble(run, context.spec.limits.wall_s)
    if problem:
        return problem
    tables, lines = json.loads(dict(run.case.env)["LAB6_TABLES"]), read_lines(run)
    checked = f"{len(tables)} tables of histories"
    for number, table in enumerate(tables):
        own = lines[number] if number < len(lines) and isinstance(lines[number], dict) else {}
        said = difference(table, own)
        if said:
            return wrong(f"table {number}, rule {json.dumps(table['rule'])}, {table['goal']}: {said}", checked)
    return accepted(checked)


def near_bands(table: Table) -> list[int]:
    """As far as src/harness/hyperband_check.cpp prints them: to the first that is beyond all histories."""
    longest = max((len(run["history"]) for run in table["runs"]), default=0)
    found = bands(table["rule"])
    return found[:next((i + 1 for i, band in enumerate(found) if band > longest), len(found))]


def difference(table: Table, own: dict[str, Any]) -> str:
    got, limits = own.get("bands", []), own.get("thresholds", [])
    expected = near_bands(table)
    if got != expected:
        return f"bands: expected {expected[:6]}, got {got[:6]}"
    for band, limit in zip(got, limits):
        exact = threshold(table, band)
        if (math.inf if limit is None else limit) != exact:
            return f"threshold at band {band}: expected {exact:g}, got {'infinity' if limit is None else format(limit, 'g')}"
    expected_stop = [stopped(table, run) for run in table["runs"]]
    if own.get("stop") != expected_stop:
        pairs = zip(expected_stop, own.get("stop", []) + [None] * len(expected_stop))
        number = next(i for i, (wanted, said) in enumerate(pairs) if wanted != said)
        word = "stopped" if expected_stop[number] else "kept"
        return f"run {number} with history {table['runs'][number]['history']} is to be {word}"
    return ""
