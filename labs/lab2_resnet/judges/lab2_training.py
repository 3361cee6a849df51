"""Networks trained in this run: logs that add up, learning that happens, and what other settings do to it.

A log of record comes from lab2_worker: it has the network, the loss and the images' labels, and the student's functions work in
processes that can reach neither. What the student's own program says of a training is compared with such a log."""
import json
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import lab2_optimizers as optimizers
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted, worker_trouble
from lab2_data import crowded, problem_of, wrong_at
from lab2_trace_file import trace_problem
from lab2_watched import Watched, sleeps_problem, untold, watched

TRAIN, TEST, BATCH, EPOCHS = 1000, 250, 64, 5
COMMON = f"--model resnet8 --width 8 --data synthetic:{TRAIN}:{TEST} --batch {BATCH}"
# Epochs of each: of adagrad and adadelta it is only asked that their steps are no other optimizer's.
OPTIMIZERS = {"sgd": EPOCHS, "nesterov": EPOCHS, "adam": EPOCHS, "adagrad": 1, "adadelta": 1}
STEP_KEYS, EPOCH_KEYS = {"epoch", "step", "samples", "loss", "top1"}, {"epoch", "load_s", "train_s", "total_s", "loss", "top1", "val_top1"}
LOWER, LEARNT, NOT_LEARNT, BEHIND = 0.7, 0.4, 0.3, 0.1


def words(optimizer: str = "sgd", more: str = "", epochs: int = EPOCHS) -> str:
    return f"{COMMON} --epochs {epochs} --optimizer {optimizer} {more}".strip()


def of_record(line: str) -> Case:
    return Case("lab2_worker", f"train {{training}} {line}")


def plan(*more: str):
    def made(test: Test, context: Context) -> list[Case]:
        return [of_record(line) for line in more]
    return made


Log = tuple[list[dict[str, Any]], list[dict[str, Any]]]


def is_number(value: Any) -> bool:
    """JSON's reader also takes NaN, which is neither larger nor smaller than a bound."""
    return isinstance(value, (int, float)) and math.isfinite(value)


def log_of(run: Run) -> Log:
    """Steps and epochs of a log; what is no line of it is neither."""
    steps, epochs = [], []
    for line in run.stdout.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and all(map(is_number, entry.values())):
            (steps if set(entry) == STEP_KEYS else epochs if set(entry) == EPOCH_KEYS else []).append(entry)
    return steps, epochs


def log_problem(log: Log, epochs: int) -> str:
    steps, ends = log
    per_epoch = -(-TRAIN // BATCH)
    if len(ends) != epochs or len(steps) != epochs * per_epoch:
        return f"expected {epochs} epochs of {per_epoch} steps in the log, got {len(ends)} and {len(steps)} steps"
    for number, end in enumerate(ends):
        own = steps[number * per_epoch:(number + 1) * per_epoch]
        samples = sum(step["samples"] for step in own)
        if samples != TRAIN:
            return f"epoch {number}: the steps have {samples} samples, expected {TRAIN}"
        for key in ("loss", "top1"):
            mean = sum(step[key] * step["samples"] for step in own) / samples
            if abs(mean - end[key]) > 1e-4 * max(1, abs(mean)):
                return f"epoch {number}: {key} of the steps is {mean:.6f}, of the epoch {end[key]:.6f}"
        if end["load_s"] + end["train_s"] > end["total_s"] * (1 + 1e-6):
            return f"epoch {number}: load and train are more than total"
    return ""


def best(log: Log) -> float:
    return max((end["val_top1"] for end in log[1]), default=0.0)


def logs_of(context: Context, runs: Sequence[Run], checked: str) -> "list[Log] | Outcome":
    logs = []
    for run in runs:
        given = run.case.args.split()
        epochs = int(given[given.index("--epochs") + 1])
        problem = worker_trouble(run, context)
        if problem:
            return problem
        logs.append(log_of(run))
        said = log_problem(logs[-1], epochs)
        if said:
            return wrong_at(run, said, checked)
    return logs


plan_train = plan(words())


def judge_train(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"a log of {EPOCHS} epochs; it learns"
    logs = logs_of(context, runs, checked)
    if isinstance(logs, Outcome):
        return logs
    first, last = logs[0][1][0]["loss"], logs[0][1][-1]["loss"]
    if not last < LOWER * first or best(logs[0]) < LEARNT:
        return wrong_at(runs[0], f"loss {first:.3f} in the first epoch, {last:.3f} in the last, best validation top-1 "
                        f"{best(logs[0]):.3f}; expected a loss below {100 * LOWER:.0f} % of the first and a top-1 of {LEARNT} or "
                        "more", checked)
    return accepted(checked)


def plan_optimizers(test: Test, context: Context) -> list[Case]:
    """The trainings, then single steps of each optimizer: the loss of a training does not show which optimizer made its steps."""
    return [*(of_record(words(kind, epochs=epochs)) for kind, epochs in OPTIMIZERS.items()),
            *optimizers.plan_every_kind(test, context)]


def judge_optimizers(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """SGD and Nesterov learn at this rate, Adam does not. Best top-1 of the reference solution with seeds 1 to 6: SGD 0.46 to
    0.64, Nesterov 0.54 to 0.82, Adam 0.10 to 0.16. Each optimizer whose steps are right gets its share."""
    checked = "five optimizers at learning rate 0.1"
    runs, steps = runs[:len(OPTIMIZERS)], runs[len(OPTIMIZERS):]
    logs = logs_of(context, runs, checked)
    if isinstance(logs, Outcome):
        return logs
    found = {kind: best(log) for kind, log in zip(OPTIMIZERS, logs) if OPTIMIZERS[kind] == EPOCHS}
    said = ", ".join(f"{kind} {value:.3f}" for kind, value in found.items())
    if min(found["sgd"], found["nesterov"]) < LEARNT or found["adam"] > found["sgd"] - BEHIND:
        return wrong_at(runs[0], f"best validation top-1: {said}; expected sgd and nesterov at {LEARNT} or more, and adam {BEHIND} "
                        "below sgd", checked)
    first = {json.dumps([step["loss"] for step in log[0] if step["epoch"] == 0]) for log in logs}
    if len(first) != len(logs):
        return wrong_at(runs[0], "two optimizers have the same losses in every step of the first epoch", checked)
    wrong = optimizers.wrong_kinds(test, context, steps)
    if wrong:
        said = f"the trainings with {', '.join(wrong)} do not count, because single steps are wrong: see C6.{wrong[0]}"
        right = 1 - len(wrong) / len(optimizers.KINDS)
        return Outcome(Verdict.PA if right > 0 else Verdict.WA, said, checked, fraction=right)
    return accepted(checked)


plan_without = plan(words(), words(more="--no-batch-norm"))


def judge_without(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "the same training with and without batch normalisation"
    logs = logs_of(context, runs, checked)
    if isinstance(logs, Outcome):
        return logs
    with_it, without = map(best, logs)
    if with_it < LEARNT or without > NOT_LEARNT:
        return wrong_at(runs[1], f"best validation top-1 {with_it:.3f} with and {without:.3f} without; expected {LEARNT} or more, and "
                        f"{NOT_LEARNT} or less", checked)
    return accepted(checked)


LATENCY_US = 3000
MOST_ONE = 1.1   # time of loading with 1 worker that counts, in sleeps of the whole epoch
TOGETHER = 0.4   # of the sleeps with 8 workers: while one trains, the ring may be full
SAME_STEPS, NEAR = 4, 1e-3  # the first steps of the same training, compiled twice; rounding errors grow from step to step


def plan_workers(test: Test, context: Context) -> list[Case]:
    """The grader chooses the seed, so a program can print the right losses only if it has trained. The log of record is of
    the same images as the program's: those that the student's loader delivers."""
    line = f"{COMMON} --epochs 1 --seed {context.seed(test, 0) % 10 ** 9 + 1}"
    more = (f"--workers 1 --io-latency-us {LATENCY_US}", f"--workers 8 --io-latency-us {LATENCY_US}", "--threads 2")
    return [of_record(f"{line} --loader-images"), *(watched(f"{{resnet}} train {line} {words}") for words in more)]


def judge_workers(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Workers change when batches come, not which, and threads change nothing: losses are equal to the last bit, and those of
    the log of record. With more workers the slow loader is faster, by the grader's clock and the kernel's word, too."""
    checked = "1 worker and 8 against a slow storage, 1 thread and 2"
    for run in runs:
        problem = worker_trouble(run, context)
        if problem:
            return problem
    own = [Watched.of(run) for run in runs[1:]]
    logs = logs_of(context, [runs[0], *(replace(run, stdout=one.output) for run, one in zip(runs[1:], own))], checked)
    if isinstance(logs, Outcome):
        return logs
    losses = [[step["loss"] for step in log[0]] for log in logs]
    for run, found, what in ((runs[2], losses[2], "worker"), (runs[3], losses[3], "thread")):
        if found != losses[1]:
            return wrong_at(run, f"its losses differ from those with 1 {what}", checked)
    for step, (found, record) in enumerate(zip(losses[1][:SAME_STEPS], losses[0])):
        if abs(found - record) > NEAR * max(1, abs(record)):
            return wrong_at(runs[1], f"the loss of step {step} is {found:.6f}; your functions have {record:.6f} there", checked)
    return times_problem(runs[1:3], own[:2], [log[1][0] for log in logs[1:3]], checked) or accepted(checked)


def times_problem(runs: Sequence[Run], watched: Sequence[Watched], ends: Sequence[dict[str, float]], checked: str) -> Outcome | None:
    """The yardstick is the time of the sleeps one after the other: a program may take more with 1 worker, but that earns
    nothing."""
    floor = TRAIN * LATENCY_US * 1e-6
    one, eight = ends
    for run, own, end in zip(runs, watched, ends):
        if end["total_s"] > own.wall_s:
            return wrong_at(run, f"total_s is {end['total_s']:.2f} s, but the program ran for {own.wall_s:.2f} s", checked)
    said = sleeps_problem(watched[1], floor)
    if not said and watched[1].together_s < TOGETHER * floor:
        said = (f"three threads or more slept at once for {watched[1].together_s:.2f} s of {watched[1].asleep_s:.2f} s in all: 8 workers "
                "sleep at the same time")
    if said:
        return untold(checked, watched[1]) or crowded(said, checked) or wrong_at(runs[1], said, checked)
    # What the log says was saved in loading has to be missing in the time that the program ran.
    loading = min(one["load_s"], MOST_ONE * floor)
    saved = loading - eight["load_s"]
    slept = watched[0].wall_s >= 0.95 * floor and one["load_s"] + one["train_s"] >= 0.9 * floor
    if slept and eight["load_s"] <= 0.6 * loading and watched[0].wall_s - watched[1].wall_s >= 0.5 * saved:
        return None
    said = (f"load_s is {one['load_s']:.2f} s with 1 worker and {eight['load_s']:.2f} s with 8, and the program ran for "
            f"{watched[0].wall_s:.2f} s and {watched[1].wall_s:.2f} s; {TRAIN} samples sleep {floor:.1f} s together, and 8 workers sleep "
            "at the same time")
    return crowded(said, checked) or wrong_at(runs[0], said, checked)


TRACED = (2, BATCH)  # steps, images of each


def drawn_steps(draw: random.Random) -> list[tuple[int, int]]:
    return [(draw.randint(2, 4), 4 * draw.randint(6, 12))]


def plan_traced(test: Test, context: Context) -> list[Case]:
    steps, batch = context.also_drawn(test, [TRACED], drawn_steps)[-1]  # one training is enough
    return [Case("resnet", f"train --model resnet8 --width 8 --data synthetic:{steps * batch}:64 --epochs 1 --batch {batch} --workers 0 "
                 "--log /dev/null --trace -")]


def judge_traced(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "trace of a training run: layers inside steps, their work, their self times"
    problem = problem_of(runs[0], context)
    if problem:
        return problem
    steps, batch = context.also_drawn(test, [TRACED], drawn_steps)[-1]
    said = trace_problem(runs[0].stdout, steps=steps, batch=batch)
    return wrong_at(runs[0], said, checked) if said else accepted(checked)
