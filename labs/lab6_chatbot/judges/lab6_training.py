"""T1: updates followed by hand, resume, and the share of held-out questions that a trained network answers."""
import math
import random
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab6_corpus import prepare, split, synthetic_pairs
from lab6_data import Reader, first_wrong, problem_of, wrong_at
from lab6_trained import Network, read_checkpoint
from lab6_random import permutation, stream_id, uniforms

THRESHOLD = 0.90
LR, RATIO = 0.1, 2.0
MOVED = 0.25  # added to every weight of a checkpoint before the training goes on
SIZES = {"encoder": (5, 3), "decoder": (4, 2)}
EPOCHS = 15


def plan_steps(test: Test, context: Context) -> list[Case]:
    """Settings that tell apart: clips that bind on one side, draws of the teacher, both optimizers, a resumed run."""
    draw = random.Random(context.seed(test, 0))
    settings = ("3 null 1 sgd 0", "3 1.5 1 sgd 0", "3 null 0.5 sgd 0", "2 null 1 adam 0", "4 2 0.5 adam 2", "3 0 1 sgd 0")
    cases = []
    for setting in settings:
        epochs, rest = setting.split(maxsplit=1)
        batch = draw.randint(3, 6)
        cases.append(Case("steps", f"{draw.randint(1, 1 << 30)} {draw.randint(3, 5) * batch + draw.randint(1, batch - 1)} {batch} "
                          f"{epochs} {rest}", dump=True))
    return cases


class Followed:
    """The training run of steps_check.cpp."""

    def __init__(self, words: str) -> None:
        seed, pairs, batch, epochs, clip, ratio, self.optimizer, resume_at = words.split()
        self.clip = None if clip == "null" else float(clip)
        self.parameters = {side: [numpy.ones(size) for size in sizes] for side, sizes in SIZES.items()}
        self.moments = {side: [(numpy.zeros(size), numpy.zeros(size)) for size in sizes] for side, sizes in SIZES.items()}
        self.losses: list[float] = []
        per_epoch = int(pairs) // int(batch)
        teacher = uniforms(int(seed), stream_id("teacher"), per_epoch * int(epochs) + 1) < float(ratio)
        step = 0
        for epoch in range(1, int(epochs) + 1):
            order = permutation(int(pairs), int(seed), stream_id("epoch", epoch))
            sums = [sum(3 + i for i in order[k * int(batch):(k + 1) * int(batch)]) for k in range(per_epoch)]
            for total in sums:
                self.update(0.1 * ((total + step) % 10), 1.0 if teacher[step] else 0.5, step + 1)
                step += 1
            self.losses.append(sum(sums) / (per_epoch * int(batch)))
            for value in (value for values in self.parameters.values() for value in values if epoch == int(resume_at)):
                value += MOVED

    def update(self, c: float, factor: float, step: int) -> None:
        for side, values in self.parameters.items():
            gradients = [factor * (1 + numpy.arange(len(value))) * (value - c) for value in values]
            norm = math.sqrt(sum(float((gradient ** 2).sum()) for gradient in gradients))
            scale = 1.0 if self.clip is None else min(1.0, self.clip / (norm + 1e-6))
            lr = LR * (RATIO if side == "decoder" else 1)
            for value, gradient, (mean, square) in zip(values, gradients, self.moments[side]):
                g = gradient * scale
                if self.optimizer == "sgd":
                    value -= lr * g
                    continue
                mean += 0.1 * (g - mean)
                square += 0.001 * (g * g - square)
                value -= lr * (mean / (1 - 0.9 ** step)) / (numpy.sqrt(square / (1 - 0.999 ** step)) + 1e-8)


def judge_steps(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} runs followed by hand"
    for run in runs:
        problem = wrong_steps(run, context, checked)
        if problem:
            return problem
    return accepted(checked)


def wrong_steps(run: Run, context: Context, checked: str) -> Outcome | None:
    problem = problem_of(run, context)
    if problem:
        return problem
    followed, reader = Followed(run.case.args), Reader(run)
    expected = [f"{i} {loss:.9g} 0.5" for i, loss in enumerate(followed.losses, 1)]
    got = run.stdout.split("\n")
    if [" ".join(line.split()) for line in got if line.strip()] != expected:
        return wrong_at(run, f"epochs, losses and exact match are {[line[:60] for line in got[:3]]}, expected {expected[:3]}", checked)
    for side, values in followed.parameters.items():
        for i, value in enumerate(values):
            said = first_wrong(reader.take(numpy.float32, len(value)), value, 2e-4 * max(1, float(abs(value).max())))
            if said:
                return wrong_at(run, f"{side}, parameter {i}, {said}", checked)
    return None


def corpus_seed(test: Test, context: Context) -> int:
    return context.seed(test, 0) % 1_000_000 + 2


def plan_resume(test: Test, context: Context) -> list[Case]:
    """The same three epochs: at once with one thread, at once with two, and in two processes. Before them, a checkpoint that a
    training from the start does not lead to."""
    seed = corpus_seed(test, context)
    return [Case("steps", f"{seed} 14 4 3 null 1 sgd 1", dump=True), *(Case("trainer", f"{seed} 1 3 {words}", dump=True) for words in ("0 1", "0 2", "1 2"))]


def judge_resume(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "the same bits with 1 and 2 threads and after a resume"
    steps, *runs = runs
    problem = wrong_steps(steps, context, checked)
    if problem:
        return problem
    found = []
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        found.append(run.dump.read_bytes() if run.dump is not None else b"")
    try:
        history = read_checkpoint(found[0]).header["history"]
    except (ValueError, KeyError, TypeError) as error:
        return wrong_at(runs[0], f"the checkpoint cannot be read: {error}", checked)
    if len(history) != 3 or not history[2]["loss"] < 0.9 * history[0]["loss"]:
        return wrong_at(runs[0], f"three epochs that learn are expected, the history is {str(history)[:200]}", checked)
    for run, data, what in zip(runs[1:], found[1:], ("with two threads", "after a resume")):
        if data != found[0]:
            return wrong_at(run, f"the checkpoint {what} is not that of the plain run: {difference(found[0], data)}", checked)
    return accepted(checked)


def difference(first: bytes, second: bytes) -> str:
    """The first tensor, or entry of the header, that differs."""
    try:
        one, other = read_checkpoint(first), read_checkpoint(second)
    except (ValueError, KeyError, TypeError):
        return "it cannot be read"
    for key, value in one.header.items():
        if other.header.get(key) != value:
            return f"{key}: {str(value)[:60]} and {str(other.header.get(key))[:60]}"
    names = [name for name in one.tensors if not numpy.array_equal(one.tensors[name], other.tensors[name])]
    return f"{len(names)} of {len(one.tensors)} tensors differ, the first is {names[0]}" if names else "its bytes differ"


def plan_exact(test: Test, context: Context) -> list[Case]:
    return [Case("trainer", f"{corpus_seed(test, context)} 1 {EPOCHS} 0 2", dump=True)]


def judge_exact(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"at least {THRESHOLD:.2f} of the held-out questions"
    run = runs[0]
    problem = problem_of(run, context)
    if problem:
        return problem
    prepared = prepare(synthetic_pairs(int(run.case.args.split()[0])))
    held_out = split(prepared)[1]
    try:
        checkpoint = read_checkpoint(run.dump.read_bytes() if run.dump is not None else b"")
        if checkpoint.words != prepared.words:
            return wrong_at(run, "the words of the checkpoint are not those of the corpus", checked)
        answers = Network(checkpoint.tensors).answer([question for question, _ in held_out])
    except (ValueError, KeyError, TypeError, IndexError) as error:
        return wrong_at(run, f"the checkpoint cannot be used: {type(error).__name__} {str(error)[:80]}", checked)
    right = sum(answer == expected for answer, (_, expected) in zip(answers, held_out))
    share = right / len(held_out)
    if share < THRESHOLD:
        return wrong_at(run, f"{right} of {len(held_out)} held-out questions are answered word for word ({share:.3f}), expected "
                        f"{THRESHOLD:.2f}", checked)
    return accepted(f"{checked}: {share:.3f}")
