"""E2: replies of the exported files; E3: latency."""
import math
import random
import statistics
from collections.abc import Sequence

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, numbers, trouble, wrong
from lab6_network import END, MOST_TOKENS, Network, greedy, question, uniforms, weights
from lab6_search import split_mix, uniform_of

SCRIPTED_WORDS = 24
CLEAR = 1e-3  # a word that wins by less may lose in float32


def plan(test: Test, context: Context) -> list[Case]:
    draw = random.Random(context.seed(test, 0))
    return [Case(test.params["program"], shape.format(seed=draw.randrange(1, 1 << 31))) for shape in test.shapes]


def replies_of(run: Run) -> list[list[int]]:
    return [[int(word) for word in line.split() if word.isascii() and word.isdigit() and len(word) < 10] for line in run.stdout.splitlines()]


def scripted_reply(seed: int, words: list[int]) -> list[int]:
    """What the graphs of src/harness/scripted.hpp say to a question."""
    identity = 0
    for word in [*words, END]:
        identity = split_mix(identity ^ word)
    length = int(13 * uniform_of(seed, identity, 0))
    return [3 + int((SCRIPTED_WORDS - 3) * uniform_of(seed, identity, 1 + step)) for step in range(min(length, MOST_TOKENS))]


def judge_scripted(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "replies of scripted graphs: words, ends, ties, mask"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        _, seed, count = run.case.args.split()
        got = replies_of(run)
        for index in range(int(count)):
            words = question(int(seed), index, SCRIPTED_WORDS)
            expected = scripted_reply(int(seed), words)
            own = got[index] if index < len(got) else None
            if own != expected:
                return wrong(f"`{run.case}`: question {index}: expected reply {expected}, got {own}", checked)
    return accepted(checked)


def judge_files(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "every reply, from the two files alone"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        _, seed, words, hidden, count, _ = run.case.args.split()
        questions = [question(int(seed), index, int(words)) for index in range(int(count))]
        expected, margins = greedy(Network(weights(int(seed), int(words), int(hidden))), questions)
        got = replies_of(run)
        for index, reply in enumerate(expected):
            own = got[index] if index < len(got) else None
            if own != reply and not (margins[index] < CLEAR and own is not None):
                return wrong(f"`{run.case}`: question {index}: expected reply {reply}, got {own}", checked)
    return accepted(checked)


# ---- E3
def judge_latency(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "median, 95th percentile and number of samples on a scripted clock"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        _, seed, samples, warm_up = run.case.args.split()
        times = sorted(0.001 * (1 + u) for u in uniforms(int(seed), 7, int(samples) + int(warm_up))[int(warm_up):])
        expected = [int(samples), statistics.median(times), times[math.ceil(0.95 * len(times)) - 1], 1, int(samples) + int(warm_up)]
        got = [number for line in numbers(run) for number in line]
        names = ("samples", "median", "p95", "calls of load()", "calls of answer()")
        for name, wanted, own in zip(names, expected, [*got, *[math.nan] * 5]):
            if not math.isclose(own, wanted, rel_tol=1e-6):
                return wrong(f"`{run.case}`: {name}: expected {wanted:.6g}, got {own:.6g}", checked)
    return accepted(checked)
