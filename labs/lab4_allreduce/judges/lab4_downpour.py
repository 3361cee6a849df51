"""Exercise E10: asynchronous training behind the relay. Which worker's push came when is read off the relay's messages; the
weights are computed again from that order."""
from collections.abc import Sequence
from dataclasses import replace

import lab4_softmax as softmax
import lab4_training as training
import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, wrong
from lab4_cases import keys_of, seed_of, shared_seed
from lab4_observation import Observation
from lab4_softmax import WEIGHTS
from lab4_table import FLOAT
from lab4_waiting import named, observe

WORKERS, SLOW = 8, 5
PUSHES, MANY_WORKERS, MANY_PUSHES = 1800, 64, 640
MEAN_TOLERANCE = 0.02
THROUGHPUT = 2 / 3  # of the gradients per second that workers make that never wait
PUSH, WEIGHTS_SENT, STOP = 1, 2, 3  # kPush, kWeights, kStop of training.h
SERVER = 0
SAME_TIME = 1e-6  # relative
TIMELINE = (("HPML_TRACE", "1"),)


def case(ranks: int, **settings: float | str) -> Case:
    made = training.case("downpour", ranks, **settings)
    return replace(made, env=(*made.env, *TIMELINE))


def pushed(observed: Observation) -> list[int]:
    """Worker of each push, in the order in which the server has answered them."""
    answers = [message for message in observed.messages if message.source == SERVER]
    return [message.to for message in sorted(answers, key=lambda message: message.sent_s)]


def staleness_of(answers: Sequence[int]) -> list[tuple[int, int]]:
    """(worker, staleness) of each push, from the order of the answers: each follows the push that it is for, and brings the
    worker to the newest version."""
    known: dict[int, int] = {}
    found = []
    for version, worker in enumerate(answers):
        found.append((worker, version - known.get(worker, 0)))
        known[worker] = version + 1
    return found


def logged(observed: Observation) -> list[tuple[int, int]]:
    """(worker, staleness) of each push, by the server's own account."""
    return [tuple(push) for push in (observed.json(0, SERVER) or {}).get("pushes", ())]


def wrong_log(observed: Observation, pushes: int) -> str:
    log, traced = logged(observed), staleness_of(pushed(observed))
    if len(log) != pushes or len(traced) != pushes:
        return f"the server logged {len(log)} pushes and answered {len(traced)}, expected {pushes}"
    for at, (said, trace) in enumerate(zip(log, traced)):
        if said != trace:
            return (f"push {at}: the log says worker {said[0]}, staleness {said[1]}; the messages say worker {trace[0]}, staleness "
                    f"{trace[1]} (versions made since that worker was last sent weights)")
    return ""


def wrong_messages(observed: Observation, pushes: int) -> str:
    """Gradients and weights have 640 floats; only the last answer of each worker is empty."""
    whole, workers = WEIGHTS * FLOAT, observed.ranks - 1
    allowed = {PUSH: (whole, pushes), WEIGHTS_SENT: (whole, pushes - workers), STOP: (0, workers)}
    counts = dict.fromkeys(allowed, 0)
    for message in observed.messages:
        ways = (PUSH,) if message.to == SERVER else (WEIGHTS_SENT, STOP) if message.source == SERVER else ()
        if message.tag not in ways or message.bytes != allowed[message.tag][0]:
            return f"rank {message.source} has sent rank {message.to} a message of {message.bytes} bytes with tag {message.tag}"
        counts[message.tag] += 1
    if counts != {tag: count for tag, (_, count) in allowed.items()}:
        return (f"there were {counts[PUSH]} pushes, {counts[WEIGHTS_SENT]} answers with weights and {counts[STOP]} with kStop; "
                f"expected {pushes}, {pushes - workers} and {workers}")
    return ""


def idle_worker(observed: Observation, compute_s: float, slow: float) -> str:
    """Each gradient takes its time, by the relay's clock."""
    answers = pushed(observed)
    for rank, record in observed.all_json(0).items():
        least = answers.count(rank) * compute_s * (slow if rank == observed.ranks - 1 else 1)
        if record["computed"] < (1 - SAME_TIME) * least:
            return (f"rank {rank} has computed for {record['computed']:.4f} s, its {answers.count(rank)} gradients take "
                    f"{least:.4f} s: call compute(config.compute_s) once per gradient")
    return ""


def _served(run: Run, context: Context) -> tuple[Observation | None, Outcome | None]:
    """A run whose messages, log and computing time are right, or why it is none."""
    observed, problem = observe(run, context)
    if problem or observed is None:
        return None, problem or wrong("no results")
    pushes, compute_s, slow = pushes_of(run), compute_of(run), slow_of(run)
    sentence = wrong_messages(observed, pushes) or wrong_log(observed, pushes) or idle_worker(observed, compute_s, slow)
    return (None, wrong(f"`{named(run.case)}`: {sentence}")) if sentence else (observed, None)


def pushes_of(run: Run) -> int:
    return int(training.setting(run, "steps"))


def compute_of(run: Run) -> float:
    """Seconds of a gradient."""
    return float(training.setting(run, "compute", str(training.STEP_S)))


def slow_of(run: Run) -> float:
    """How many times longer the last worker computes."""
    return float(training.setting(run, "slow", "1"))


def losses(run: Run, observed: Observation, remedy: str = "none") -> tuple[float, float]:
    """Of the weights that follow from the samples and the order of the messages, and of those that the server is left with."""
    rule = softmax.rule_of(remedy, float(training.setting(run, "rate")), BOUND)
    wanted = softmax.downpour(keys_of(run.case), staleness_of(pushed(observed)), rule)
    return softmax.loss(wanted), softmax.loss(training.weights(observed))


def as_expected(got: float, expected: float) -> bool:
    return bool(np.isfinite(got)) and abs(got - expected) <= LOSS_TOLERANCE * expected


def plan_staleness(test: Test, context: Context) -> list[Case]:
    return [case_of(context, WORKERS, PUSHES), slow_case(context), case_of(context, MANY_WORKERS, MANY_PUSHES)]


def case_of(context: Context, workers: int, pushes: int, slow: bool = False) -> Case:
    """About so many workers and pushes: the numbers are drawn, as all that the program is asked for."""
    drawn = training.Drawn(shared_seed("downpour_relay", context))
    number = drawn.whole(4, workers - workers // 4, workers + workers // 4)
    return case(number + 1, steps=drawn.whole(5, pushes - pushes // 10, pushes), slow=drawn.slow if slow else 1, **drawn.settings())


def slow_case(context: Context) -> Case:
    return case_of(context, WORKERS, PUSHES, slow=True)


def mean_staleness(workers: int, pushes: int) -> float:
    """Of equal workers, if the last push of each comes among the last ones."""
    return (workers - 1) * (1 - workers / (2 * pushes))


def judge_staleness(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "worker and staleness of every push against the messages; the mean against the formula"
    means = {}
    for run in runs:
        observed, problem = _served(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        workers, pushes, slow = run.case.ranks - 1, pushes_of(run), slow_of(run) > 1
        mean = sum(staleness for _, staleness in logged(observed)) / pushes
        expected = mean_staleness(workers, pushes)
        if not slow and not abs(mean - expected) <= MEAN_TOLERANCE * expected:
            return wrong(f"`{named(run.case)}`: mean staleness {mean:.3f}, expected (W-1)(1 - W/(2U)) = {expected:.3f}: every worker's "
                         "last push must count too", checked)
        loss, got = losses(run, observed)
        if not as_expected(got, loss):
            return wrong(f"`{named(run.case)}`: the loss is {got:.6f}, expected {loss:.6f} for this order of pushes: apply each gradient "
                         "as it comes, learning_rate times", checked)
        means[f"mean_W{workers}{'_slow' if slow else ''}"] = round(mean, 4)
    return accepted(checked, **means)


def plan_throughput(test: Test, context: Context) -> list[Case]:
    return [slow_case(context)]


def synchronous_ratio(workers: int, slow: float) -> float:
    """Gradients per second of workers that never wait, one of them slow, against a synchronous run of as many, in which each step
    takes what the slow one computes."""
    return ((workers - 1) * slow + 1) / workers


def judge_throughput(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    [run] = runs
    workers, slow = run.case.ranks - 1, slow_of(run)
    needed = THROUGHPUT * synchronous_ratio(workers, slow)
    checked = f"gradients per second with a slow worker, against a synchronous run (at least {needed:.2f} times)"
    observed, problem = _served(run, context)
    if problem or observed is None:
        return problem or wrong("no results", checked)
    ratio = pushes_of(run) / training.seconds(observed) / (workers / (compute_of(run) * slow))
    if ratio >= needed:
        return accepted(checked, ratio=round(ratio, 4))
    return wrong(f"{ratio:.2f} times the synchronous run's gradients per second, needed {needed:.2f}; a slow worker must not hold up the "
                 "others: the server takes what comes first", checked)


REMEDIES = ("none", "mean_staleness", "step_bound", "adagrad")  # in the order of enum class Remedy
RATE, ADAGRAD_RATE, BOUND, REMEDY_PUSHES = 1.0, 0.1, 0.05, 400
LOSS_TOLERANCE = 1e-3  # relative


def rate_of(remedy: str) -> float:
    return ADAGRAD_RATE if remedy == "adagrad" else RATE


def plan_remedies(test: Test, context: Context) -> list[Case]:
    seed = seed_of(test, context)
    return [case(WORKERS + 1, steps=REMEDY_PUSHES, rate=rate_of(name), remedy=number, bound=BOUND, seed=seed)
            for number, name in enumerate(REMEDIES)]


def judge_remedies(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"weights after {REMEDY_PUSHES} pushes with each remedy, computed again in the order of the messages"
    figures = {}
    for name, run in zip(REMEDIES, runs):
        observed, problem = _served(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        expected, got = losses(run, observed, name)
        figures[name] = round(expected, 6)
        if not as_expected(got, expected):
            return wrong(f"remedy {name}: the loss is {got:.6f}, expected {expected:.6f} for this order of pushes: compare your "
                         "rule with the comment at `enum class Remedy`", checked)
    return accepted(checked, **figures)
