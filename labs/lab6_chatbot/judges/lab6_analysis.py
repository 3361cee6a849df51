"""S4: the log of a sweep, scores, best run and importance, recomputed with NumPy (handout, S4)."""
import json
import math
import random
from collections.abc import Sequence
from typing import Any

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong
from lab6_hyperband import bands, stopped
from lab6_search import grid, read_lines, uniform_of

Record = dict[str, Any]


def score(metric: dict[str, Any], record: Record) -> float | None:
    values = [value for value in record["history"] if value is not None]
    if record["state"] == "failed" or not values:
        return None
    return max(values) if metric.get("goal") == "maximize" else min(values)


def best(metric: dict[str, Any], records: Sequence[Record]) -> int | None:
    sign = -1 if metric.get("goal") == "maximize" else 1
    found = [(sign * value, record["run"], i) for i, record in enumerate(records)
             if (value := score(metric, record)) is not None]
    return min(found)[2] if found else None


def ranks(values: numpy.ndarray) -> numpy.ndarray:
    return numpy.array([numpy.sum(values < value) + (numpy.sum(values == value) + 1) / 2 for value in values])


def spearman(x: numpy.ndarray, y: numpy.ndarray) -> float:
    a, b = ranks(x), ranks(y)
    return float(numpy.corrcoef(a, b)[0, 1]) if numpy.ptp(b) > 0 else 0.0


def eta_squared(groups: Sequence[Any], scores: numpy.ndarray) -> float:
    total = float(numpy.sum((scores - scores.mean()) ** 2))
    if total == 0:
        return 0.0
    within = 0.0
    for group in {(type(one), one) for one in groups}:
        own = scores[[(type(one), one) == group for one in groups]]
        within += float(numpy.sum((own - own.mean()) ** 2))
    return 1 - within / total


def importance(metric: dict[str, Any], records: Sequence[Record]) -> list[list[Any]]:
    used = [(record, value) for record in records if (value := score(metric, record)) is not None]
    rows = []
    for name in sorted({name for record, _ in used for name in record["config"]}, key=str.encode):
        pairs = [(record["config"][name], value) for record, value in used if name in record["config"]]
        values, scores = [pair[0] for pair in pairs], numpy.array([pair[1] for pair in pairs])
        if len({(type(value), value) for value in values}) < 2:
            continue
        if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
            rows.append([name, "spearman", spearman(numpy.array(values, float), scores), len(pairs)])
        else:
            rows.append([name, "eta_squared", eta_squared(values, scores), len(pairs)])
    return sorted(rows, key=lambda row: -abs(row[2]))


# ---- tables
def hidden_table(random_: random.Random) -> dict[str, Any]:
    records = []
    for number in random_.sample(range(60), random_.randint(8, 24)):
        config = {"optimizer": random_.choice(("adam", "sgd", "rmsprop")), "lr": random_.choice((1e-4, 1e-3, 0.01)),
                  "clip": random_.choice((None, 25, 50)), "teacher_forcing_ratio": random_.choice((0, 0.5, 1)), "hidden": 64,
                  "width": random_.uniform(0, 1)}
        level = {"adam": 1.0, "rmsprop": 1.8, "sgd": 3.5}[config["optimizer"]] + random_.uniform(0, 0.8) - 80 * config["lr"]
        history: list[float | None] = [round(level + 2 / (i + 1) + random_.uniform(-0.3, 0.3), 3) for i in range(random_.randint(1, 8))]
        if random_.random() < 0.15:
            history[-1] = None
        state = random_.choice(("finished", "finished", "finished", "stopped", "failed"))
        records.append({"run": number, "state": state, "config": config, "history": history})
    for record in random_.sample(records, 2):  # two runs share the best value, before their last epoch
        record["history"] = [0.05, *record["history"]]
        record["state"] = "finished"
    return {"metric": {"name": "loss", "goal": random_.choice(("minimize", "maximize"))}, "runs": records}


EXAMPLE = {"metric": {"name": "loss", "goal": "minimize"}, "runs": [
    {"run": 3, "state": "finished", "config": {"lr": 0.1, "optimizer": "adam"}, "history": [3, 1, 2]},
    {"run": 1, "state": "finished", "config": {"lr": 0.01, "optimizer": "adam"}, "history": [2, 1]},
    {"run": 0, "state": "stopped", "config": {"lr": 0.1, "optimizer": "sgd"}, "history": [4]},
    {"run": 2, "state": "failed", "config": {"lr": 0.01, "optimizer": "sgd"}, "history": [0.5]},
    {"run": 4, "state": "finished", "config": {"lr": 1, "optimizer": "sgd"}, "history": [3, None]}]}


def plan_tables(test: Test, context: Context) -> list[Case]:
    random_ = random.Random(context.seed(test, 0))
    tables = [EXAMPLE, *(hidden_table(random_) for _ in range(8 if test.params.get("hidden") else 0))]
    return [Case(test.params["program"], "tables", env=(("LAB6_TABLES", json.dumps(tables)),))]


def judge_with(difference):
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        run = runs[0]
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        tables, lines = json.loads(dict(run.case.env)["LAB6_TABLES"]), read_lines(run)
        checked = f"{len(tables)} logs of runs"
        for number, table in enumerate(tables):
            own = lines[number] if number < len(lines) and isinstance(lines[number], dict) else {}
            said = difference(table["metric"], table["runs"], own)
            if said:
                return wrong(f"log {number}, {table['metric']['goal']}: {said}", checked)
        return accepted(checked)
    return judge


def best_difference(metric: dict[str, Any], records: Sequence[Record], own: dict[str, Any]) -> str:
    got = own.get("scores", [])
    for i, record in enumerate(records):
        expected = score(metric, record)
        if i >= len(got) or got[i] != expected:
            return f"score of run {record['run']} ({record['state']}, {record['history']}): expected {expected}, got {got[i:i + 1]}"
    expected_best = best(metric, records)
    if own.get("best") != expected_best:
        place = own.get("best")
        named = records[place]["run"] if isinstance(place, int) and 0 <= place < len(records) else None
        return f"best run: expected {records[expected_best]['run'] if expected_best is not None else None}, got {named}"
    return ""


def importance_difference(metric: dict[str, Any], records: Sequence[Record], own: dict[str, Any]) -> str:
    expected = {row[0]: row for row in importance(metric, records)}
    rows = own.get("rows", [])
    got = {row[0]: row for row in rows}
    if set(got) != set(expected):
        return f"rows: expected {', '.join(expected)}, got {', '.join(got) or 'none'}"
    for name, row in expected.items():
        if got[name][1] != row[1] or not math.isclose(got[name][2], row[2], abs_tol=1e-9) or got[name][3] != row[3]:
            return f"{name}: expected {row[1]} {row[2]:.6f} of {row[3]} runs, got {got[name][1]} {got[name][2]:.6f} of {got[name][3]}"
    sizes = [abs(row[2]) for row in rows]
    if any(later > before + 1e-9 for before, later in zip(sizes, sizes[1:])):
        return "rows: expected the largest |value| first"
    return ""


judge_best = judge_with(best_difference)
judge_importance = judge_with(importance_difference)


# ---- the log
def plan_log(test: Test, context: Context) -> list[Case]:
    return [Case(test.params["program"], shape) for shape in context.shapes(test, 1)]


def log_lines(seed: int, count: int) -> list[str]:
    """As src/harness/analysis_check.cpp writes them."""
    return [json.dumps({"run": i, "seconds": int(1e6 * uniform_of(seed, i, 0))}, separators=(",", ":")) for i in range(count)]


def judge_log(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "a process that is killed, a torn line, a missing file"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        lines = read_lines(run)
        what, seed, *count = run.case.args.split()
        if what == "torn":
            whole = log_lines(int(seed), 3)
            expected = [{"lines": whole[:2]}, {"file": "".join(line + "\n" for line in whole), "lines": whole}, {"lines": []}]
            names = ("read_lines() of a file with a torn last line", "append_line() after a torn line", "read_lines() of no file")
        else:
            whole = log_lines(int(seed), int(count[0]))
            expected = [{"file": "".join(line + "\n" for line in whole), "lines": whole}]
            names = (f"a process was killed after {len(whole)} calls of append_line()",)
        for name, wanted, got in zip(names, expected, [*lines, None, None, None]):
            if got != wanted:
                held = "nothing" if not isinstance(got, dict) else f"{len(got.get('lines', []))} lines, {got.get('file', '')!r:.80}"
                return wrong(f"{name}: expected {len(wanted['lines'])} lines, got {held}", checked)
    return accepted(checked)


# ---- a whole sweep
EPOCHS = 9
SWEEP = {"method": "grid", "metric": {"name": "loss", "goal": "minimize"}, "parameters": [
    {"name": "shape", "distribution": "categorical", "values": ["a", "b"]},
    {"name": "x", "distribution": "int_uniform", "min": 0, "max": 6}]}


def plan_sweep(test: Test, context: Context) -> list[Case]:
    draw = random.Random(context.seed(test, 0))
    rule = draw.choice(({"min_iter": 2, "eta": 2}, {"min_iter": 1, "eta": 2}, {"max_iter": 8, "s": 3, "eta": 2}))
    sweep = json.dumps({**SWEEP, "early_terminate": rule})
    return [Case(test.params["program"], shape, env=(("LAB6_SWEEP", sweep),)) for shape in test.shapes]


def training(config: dict[str, Any]) -> list[float]:
    """The scripted metric of src/harness/sweep_check.cpp."""
    slope = 1 if config["shape"] == "a" else 0.25
    return [abs(config["x"] - 2.25) + slope * 8 / epoch for epoch in range(1, EPOCHS + 1)]


def expected_runs(sweep: dict[str, Any]) -> list[Record]:
    """Run i is judged at each band against the runs before it."""
    found: list[Record] = []
    for number, config in enumerate(grid(sweep)):
        crashes = config == {"shape": "b", "x": 3}
        history, state = [], "failed" if crashes else "finished"
        for value in training(config)[:2 if crashes else EPOCHS]:
            history.append(value)
            band = len(history) - 1
            if band in bands(sweep["early_terminate"]):
                runs = [{"history": record["history"][:band + 1], "running": False} for record in found]
                table = {"rule": sweep["early_terminate"], "goal": "minimize", "runs": [*runs, {"history": history, "running": True}]}
                if stopped(table, table["runs"][-1]):
                    state = "stopped"
                    break
        found.append({"run": number, "state": state, "config": config, "history": history})
    return found


def judge_sweep(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"a sweep of 14 runs, {len(runs)} times: other numbers of jobs, killed and resumed"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        expected, lines = expected_runs(json.loads(dict(run.case.env)["LAB6_SWEEP"])), read_lines(run)
        if [line.get("run") for line in lines if isinstance(line, dict)] != list(range(len(expected))):
            return wrong(f"`{run.case}`: the log holds the runs {[line.get('run') for line in lines if isinstance(line, dict)]}, "
                         f"expected each of 0 .. {len(expected) - 1} once", checked)
        for wanted, got in zip(expected, lines):
            same = (len(got["history"]) == len(wanted["history"]) and got["config"] == wanted["config"]
                    and all(math.isclose(x, y, rel_tol=1e-12) for x, y in zip(got["history"], wanted["history"])))
            if got["state"] != wanted["state"] or not same:
                return wrong(f"`{run.case}`: run {wanted['run']} {wanted['config']}: expected {wanted['state']} after "
                             f"{len(wanted['history'])} epochs, got {got['state']} after {len(got['history'])}", checked)
    return accepted(checked)
