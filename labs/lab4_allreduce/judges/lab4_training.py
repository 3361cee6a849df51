"""Exercises E9 and E10: data-parallel training in virtual time. Two runs give the same losses, times and counts."""
from collections.abc import Callable, Sequence
from typing import Any

import lab4_data as data
import lab4_observation as observations
import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, wrong
from lab4_observation import Observation
from lab4_waiting import observe

WEIGHTS = 640
STEP_S = 0.005
SERIAL_TOLERANCE = 1e-5
WORKERS = 8


def case(program: str, ranks: int, **settings: float | str) -> Case:
    return Case(program, " ".join(f"{name}={value}" for name, value in settings.items()), dump=True, ranks=ranks)


def results(run: Run, context: Context) -> tuple[dict[int, dict[str, Any]], Outcome | None]:
    """By rank."""
    observed, problem = observe(run, context)
    return ({}, problem) if problem or observed is None else (observed.all_json(0), None)


def records(run: Run) -> dict[int, dict[str, Any]] | None:
    """Of a run that ended well, or None."""
    return None if run.dump is None or run.state != "exit" or run.code else observations.load(run.dump).all_json(0)


# E9 ---------------------------------------------------------------------------------------------------------------------

DENSE_STEPS, STRAGGLER_STEPS, SLOW = 100, 50, 5
LOSS_STEPS, LOSS_RANKS = 300, 8
NEAR_DENSE, BETTER = 0.02, 0.05   # loss with error feedback: at most so far above dense; without it so much worse
CODECS = ((641, "top_k", 0.05), (100, "top_k", 0.01), (9, "top_k", 0.01), (641, "sign", 0), (8, "sign", 0), (641, "int8", 0))


def plan_dense(test: Test, context: Context) -> list[Case]:
    return [case("sync", ranks, steps=DENSE_STEPS) for ranks in (2, 5)]


def judge_dense(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"loss after {DENSE_STEPS} steps against the same training in one process"
    for run in runs:
        found, problem = results(run, context)
        if problem:
            return problem
        loss, serial = found[0]["loss"], found[0]["serial_loss"]
        if loss is None or not abs(loss - serial) <= SERIAL_TOLERANCE:
            return wrong(f"P = {run.case.ranks}: the loss is {loss}, training with all ranks' batches in one process gives "
                         f"{serial:.7f}: subtract learning_rate times the mean over the ranks of the mean gradients", checked)
        if len({one["weights"] for one in found.values()}) != 1:
            return wrong(f"P = {run.case.ranks}: the ranks end with different weights", checked)
    return accepted(checked)


def plan_codec(test: Test, context: Context) -> list[Case]:
    return [case("sync", 1, compressor=name, fraction=fraction, elements=n) for n, name, fraction in CODECS]


def judge_codec(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "size of each payload, and what it stands for"
    for (n, name, fraction), run in zip(CODECS, runs):
        observed, problem = observe(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        sentence = wrong_code(name, fraction, data.vector("mixed", 1, 0, n), observed)
        if sentence:
            return wrong(f"{name}, {n} elements: {sentence}", checked)
    return accepted(checked)


def wrong_code(name: str, fraction: float, gradient: np.ndarray, observed: Observation) -> str:
    n = len(gradient)
    kept = max(1, int(n * fraction))
    size = {"top_k": 8 * kept, "sign": (n + 7) // 8 + 4, "int8": n + 4}[name]
    payload, decoded = observed.bytes(0, 0), observed.floats(0, 0)
    record = observed.json(0, 0) or {}
    if payload is None or decoded is None or len(payload) != size or record.get("payload") != size:
        return f"the payload has {len(payload or b'')} bytes, expected {size}"
    stands_for = decoded.astype(np.float64) - 1  # it was added to ones
    return {"top_k": _wrong_top_k, "sign": _wrong_sign, "int8": _wrong_int8}[name](gradient, stands_for, kept)


def _rounding(expected: np.ndarray) -> np.ndarray:
    """Of adding a float to 1."""
    return 2.0**-23 * (1 + np.abs(expected))


def _element(expected: np.ndarray, got: np.ndarray, bad: np.ndarray) -> str:
    at = int(np.flatnonzero(bad)[0])
    return f"decode_add adds {got[at]:.6g} to element {at}, expected {expected[at]:.6g}"


def _wrong_top_k(gradient: np.ndarray, got: np.ndarray, kept: int) -> str:
    order = np.argsort(-np.abs(gradient), kind="stable")[:kept]
    expected = np.zeros(len(gradient))
    expected[order] = gradient[order]
    bad = np.abs(got - expected) > _rounding(expected)
    return _element(expected, got, bad) if bad.any() else ""


def _wrong_sign(gradient: np.ndarray, got: np.ndarray, kept: int) -> str:
    expected = np.where(gradient >= 0, 1.0, -1.0) * np.abs(gradient).mean(dtype=np.float64)
    bad = np.abs(got - expected) > 2 * _rounding(expected)
    return _element(expected, got, bad) if bad.any() else ""


def _wrong_int8(gradient: np.ndarray, got: np.ndarray, kept: int) -> str:
    """Either neighbour is right for an element; rounding to the nearest one, always, is not unbiased."""
    step = float(np.abs(gradient).max()) / 127
    bad = np.abs(got - gradient) > step * 1.001 + _rounding(gradient)
    if bad.any():
        return _element(gradient, got, bad)
    exact = gradient / step
    away = np.abs(np.round(got / step) - exact)
    if not (away[np.abs(exact - np.round(exact)) > 0.05] > 0.5).any():
        return "every element is rounded to the nearest step: then small gradients are lost for ever; round at random"
    return ""


def plan_feedback(test: Test, context: Context) -> list[Case]:
    top = {"steps": LOSS_STEPS, "compressor": "top_k", "fraction": 0.01}
    return [case("sync", LOSS_RANKS, steps=LOSS_STEPS), case("sync", LOSS_RANKS, **top, feedback=1),
            case("sync", LOSS_RANKS, **top, feedback=0), *plan_others()]


def plan_others() -> list[Case]:
    return [case("sync", LOSS_RANKS, steps=LOSS_STEPS, compressor=name, feedback=1) for name in ("sign", "int8")]


def judge_feedback(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"loss after {LOSS_STEPS} steps: dense, the largest 1 % with and without error feedback, signs, int8"
    found = []
    for run in runs:
        result, problem = results(run, context)
        if problem:
            return problem
        if len({one["weights"] for one in result.values()}) != 1:
            return wrong(f"`{run.case}`: the ranks end with different weights: add up the payloads in the order of the ranks",
                         checked)
        found.append(result)
    losses = [result[0]["loss"] for result in found]
    dense, feedback, without = losses[:3]
    if None in losses:
        return wrong("a loss is infinite or not a number", checked)
    for name, loss in zip(("the largest 1 %", "signs", "int8"), (feedback, *losses[3:])):
        if loss > dense + NEAR_DENSE:
            return wrong(f"{name} with error feedback: loss {loss:.4f}, dense {dense:.4f}; at most {NEAR_DENSE} more is allowed: "
                         "add to each gradient what the payloads before have left out of the earlier ones", checked)
    if without < feedback + BETTER:
        return wrong(f"without error feedback the loss is {without:.4f}, with it {feedback:.4f}: config.error_feedback must "
                     "make a difference", checked)
    sizes = [result[0]["payload"] for result in found]
    expected = [WEIGHTS * 4, 8 * 6, 8 * 6, WEIGHTS // 8 + 4, WEIGHTS + 4]
    if sizes != expected:
        return wrong(f"payload_bytes of the five runs are {sizes}, expected {expected}", checked)
    return accepted(checked, dense=round(dense, 6), feedback=round(feedback, 6), without=round(without, 6))


def plan_slow(test: Test, context: Context) -> list[Case]:
    return [case("sync", 9, steps=STRAGGLER_STEPS), case("sync", 9, steps=STRAGGLER_STEPS, slow=SLOW)]


def judge_slow(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"time of {STRAGGLER_STEPS} steps, with and without a rank that is {SLOW} times slower"
    times = []
    for run in runs:
        found, problem = results(run, context)
        if problem:
            return problem
        times.append(max(one["seconds"] for one in found.values()))
    least = [STRAGGLER_STEPS * STEP_S, STRAGGLER_STEPS * STEP_S * SLOW]
    for name, seconds, bound in zip(("equal ranks", "one slow rank"), times, least):
        if not bound <= seconds <= 1.1 * bound:
            return wrong(f"{name}: {seconds:.4f} s, expected {bound:.4f} to {1.1 * bound:.4f} s: call compute(config.compute_s) "
                         "once per step", checked)
    return accepted(checked, ratio=round(times[1] / times[0], 4))


# E10 --------------------------------------------------------------------------------------------------------------------

PUSHES, MANY_WORKERS, MANY_PUSHES = 1800, 64, 640
MEAN_TOLERANCE, THROUGHPUT = 0.02, 3.0


def plan_staleness(test: Test, context: Context) -> list[Case]:
    return [case("downpour", WORKERS + 1, steps=PUSHES), case("downpour", WORKERS + 1, steps=PUSHES, slow=SLOW),
            case("downpour", MANY_WORKERS + 1, steps=MANY_PUSHES)]


def staleness_of(answers: Sequence[int]) -> list[tuple[int, int]]:
    """(worker, staleness) of each push, from the order in which the server has answered the workers: each answer follows the
    push that it is for, and brings the worker to the newest version."""
    known: dict[int, int] = {}
    found = []
    for version, worker in enumerate(answers):
        found.append((worker, version - known.get(worker, 0)))
        known[worker] = version + 1
    return found


def wrong_log(record: dict[str, Any], pushes: int) -> str:
    logged = [tuple(push) for push in record["pushes"]]
    traced = staleness_of(record["answers"])
    if len(logged) != pushes or len(traced) != pushes:
        return f"the server logged {len(logged)} pushes and answered {len(traced)}, expected {pushes}"
    for at, (log, trace) in enumerate(zip(logged, traced)):
        if log != trace:
            return (f"push {at}: the log says worker {log[0]}, staleness {log[1]}; the messages say worker {trace[0]}, staleness "
                    f"{trace[1]} (versions made since that worker was last sent weights)")
    return ""


def judge_staleness(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "worker and staleness of every push against the messages; the mean against the formula"
    means = {}
    for run, (workers, pushes, slow) in zip(runs, ((WORKERS, PUSHES, False), (WORKERS, PUSHES, True),
                                                   (MANY_WORKERS, MANY_PUSHES, False))):
        found, problem = results(run, context)
        if problem:
            return problem
        sentence = wrong_log(found[0], pushes)
        if sentence:
            return wrong(f"`{run.case}`: {sentence}", checked)
        mean = sum(staleness for _, staleness in found[0]["pushes"]) / pushes
        expected = (workers - 1) * (1 - workers / (2 * pushes))
        if not slow and not abs(mean - expected) <= MEAN_TOLERANCE * expected:
            return wrong(f"`{run.case}`: mean staleness {mean:.3f}, expected (W-1)(1 - W/(2U)) = {expected:.3f}: every worker's "
                         "last push must count too", checked)
        means[f"mean_W{workers}{'_slow' if slow else ''}"] = round(mean, 4)
    return accepted(checked, **means)


def plan_throughput(test: Test, context: Context) -> list[Case]:
    return [case("downpour", WORKERS + 1, steps=PUSHES, slow=SLOW), case("sync", WORKERS + 1, steps=STRAGGLER_STEPS, slow=SLOW)]


def judge_throughput(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"gradients per second with a slow worker, against a synchronous run (at least {THROUGHPUT:g} times)"
    rates = []
    for run, gradients in zip(runs, (PUSHES, STRAGGLER_STEPS * WORKERS)):
        found, problem = results(run, context)
        if problem and run.case.program == "sync":  # E9 is another exercise: its step takes what the slowest rank computes
            rates.append(gradients / (STRAGGLER_STEPS * STEP_S * SLOW))
            continue
        if problem:
            return problem
        rates.append(gradients / max(one["seconds"] for one in found.values()))
    ratio = rates[0] / rates[1]
    if ratio >= THROUGHPUT:
        return accepted(checked, ratio=round(ratio, 4))
    return wrong(f"{ratio:.2f} times the synchronous run's gradients per second; a slow worker must not hold up the others: the "
                 "server takes what comes first", checked)


REMEDIES = ("none", "mean_staleness", "step_bound", "adagrad")
RATE, ADAGRAD_RATE, BOUND, REMEDY_PUSHES = 1.0, 0.1, 0.05, 400


def remedy_cases() -> list[Case]:
    return [case("downpour", WORKERS + 1, steps=REMEDY_PUSHES, rate=ADAGRAD_RATE if name == "adagrad" else RATE, remedy=number,
                 bound=BOUND) for number, name in enumerate(REMEDIES)]


def plan_remedies(test: Test, context: Context) -> list[Case]:
    return remedy_cases()


def judge_losses(expected: Callable[[], dict[str, float]]):
    """A judge of the losses: equal to those of the reference solution, which a command has written."""
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        checked = f"loss after {REMEDY_PUSHES} pushes with each remedy, and the order of the pushes"
        golden, figures = expected(), {}
        for name, run in zip(REMEDIES, runs):
            found, problem = results(run, context)
            if problem:
                return problem
            sentence = wrong_log(found[0], REMEDY_PUSHES)
            if sentence:
                return wrong(f"{name}: {sentence}", checked)
            loss = found[0]["loss"]
            figures[name] = round(loss, 6) if loss is not None else float("inf")
            if loss is None or not abs(loss - golden[name]) <= 1e-3 * golden[name]:
                return wrong(f"remedy {name}: the loss is {loss}, expected {golden[name]:.6f}: compare your rule with the comment "
                             "at `enum class Remedy`", checked)
        return accepted(checked, **figures)
    return judge
