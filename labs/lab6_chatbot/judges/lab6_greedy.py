"""E2: replies of the exported files; E3: latency."""
import math
import random
import statistics
from collections.abc import Sequence

from hpml_autograder.lab import (
    Case, Context, Outcome, Run, Test, Verdict, accepted, busy, inconclusive, interpolate, numbers, trouble, whole, wrong)
from hpml_autograder.splitmix import mix_one
from lab6_network import END, MOST_TOKENS, Network, greedy, question, uniforms, weights
from lab6_search import uniform_of

SCRIPTED_WORDS = 24
CLEAR = 1e-3  # a word that wins by less may lose in float32
KNOTS = ((1.0, 1.0), (1.3, 0.0))  # time of an answer from the files over the time that it may take -> share of the points
SLACK = 1.5  # what an answer may take: as long as from the network, but at most this times a plain loop over the same files


def plan(test: Test, context: Context) -> list[Case]:
    draw = random.Random(context.seed(test, 0))
    return [Case(test.params["program"], shape.format(seed=draw.randrange(1, 1 << 31))) for shape in test.shapes]


def replies_of(run: Run) -> list[list[int]]:
    return [list(map(whole, line.split())) for line in run.stdout.splitlines()]


def scripted_reply(seed: int, words: list[int]) -> list[int]:
    """What the graphs of src/harness/scripted.hpp say to a question."""
    identity = 0
    for word in [*words, END]:
        identity = mix_one(identity ^ word)
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
        problem = first_wrong(run, expected, margins, got, checked)
        if problem:
            return problem
    return accepted(checked)


def first_wrong(run: Run, expected: list[list[int]], margins: Sequence[float], got: list[list[int]], checked: str) -> Outcome | None:
    for index, reply in enumerate(expected):
        own = got[index] if index < len(got) else None
        if own != reply and not (margins[index] < CLEAR and own is not None):
            return wrong(f"`{run.case}`: question {index}: expected reply {reply}, got {own}", checked)
    return None


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


def plan_ratio(test: Test, context: Context) -> list[Case]:
    return [Case(case.program, case.args, alone=True) for case in plan(test, context)]


def judge_ratio(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Least processor times, side by side in one run; the replies that were timed must be right."""
    checked = "time of an answer from the files beside the network's and a plain loop's, and the answers"
    run = runs[0]
    problem = trouble(run, context.spec.limits.wall_s)
    if problem:
        return problem
    lines = [line.split() for line in run.stdout.splitlines()]
    times = {way: [{"wall_ns": whole(wall), "cpu_ns": whole(cpu)} for name, wall, cpu in (line for line in lines if len(line) == 3)
                   if name == way and whole(wall) > 0 and whole(cpu) > 0] for way in ("eager", "plain", "exported")}
    if not all(times.values()):
        return wrong(f"`{run.case}`: expected times of the network and of the files, got {run.stdout[:80]!r}", checked)
    seed, words, hidden, count, rounds = map(int, run.case.args.split())
    asked = range((rounds - 1) * count, rounds * count)
    expected, margins = greedy(Network(weights(seed, words, hidden)), [question(seed, index, words) for index in asked])
    got = [list(map(whole, line[1:])) for line in lines if line[:1] == ["reply"]]
    problem = first_wrong(run, expected, margins, got, checked)
    if problem:
        return problem
    least = {way: min(sample["cpu_ns"] for sample in samples) for way, samples in times.items()}
    network, plain = least["exported"] / least["eager"], least["exported"] / least["plain"]
    ratio = max(network, plain / SLACK)
    share = interpolate(KNOTS, ratio)
    if share >= 1:
        return accepted(checked)
    if reason := busy(times["eager"]) or busy(times["plain"]):
        return inconclusive(reason, checked)
    said, unit = (f"{network:.2f} times as long as from the network", 1) if ratio == network else (
        f"{plain:.2f} times as long as with one encoder run per question and one decoder run per word", SLACK)
    detail = f"an answer from the files takes {said}; all points up to {KNOTS[0][0] * unit:.3g}, none from {KNOTS[1][0] * unit:.3g}"
    return Outcome(Verdict.PA, detail, checked, fraction=share) if share > 0 else wrong(detail, checked)
