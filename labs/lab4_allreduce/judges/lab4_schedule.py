"""Bonus B3: the student's checker of schedules, asked about right ones and about broken ones."""
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random

import lab4_model as model
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted, wrong
from lab4_cases import seed_of
from lab4_cost import Machine
from lab4_waiting import failure

TOLERANCE = 1e-9  # relative, of seconds
BROKEN = 6        # of each right schedule


@dataclass(frozen=True)
class Transfer:
    step: int
    source: int
    to: int
    chunk: int
    add: bool

    def __str__(self) -> str:
        return f"{self.step}.{self.source}.{self.to}.{self.chunk}.{int(self.add)}"


@dataclass(frozen=True)
class Question:
    words: str  # what was done to which schedule
    ranks: int
    chunk_bytes: tuple[int, ...]
    schedule: tuple[Transfer, ...]
    machine: Machine

    def __str__(self) -> str:
        return (f"{self.ranks}:{self.machine.alpha!r}:{self.machine.beta!r}:{','.join(map(str, self.chunk_bytes))}:"
                f"{','.join(map(str, self.schedule))}")


@dataclass(frozen=True)
class Answer:
    valid: bool
    rank: int
    chunk: int
    seconds: float


def ring(ranks: int) -> Iterator[Transfer]:
    for step in range(2 * (ranks - 1)):
        scatter = step < ranks - 1
        for rank in range(ranks):
            yield Transfer(step, rank, (rank + 1) % ranks, (rank - step if scatter else rank + 1 - (step - ranks + 1)) % ranks, scatter)


def server(ranks: int) -> Iterator[Transfer]:
    """All workers at the same time, one chunk."""
    for rank in range(1, ranks):
        yield Transfer(0, rank, 0, 0, True)
    for rank in range(1, ranks):
        yield Transfer(1, 0, rank, 0, False)


def doubling(ranks: int) -> Iterator[Transfer]:
    """Of a power of two, with two chunks."""
    for step in range(ranks.bit_length() - 1):
        for rank in range(ranks):
            for chunk in (0, 1):
                yield Transfer(step, rank, rank ^ (1 << step), chunk, True)


def sharded(ranks: int) -> Iterator[Transfer]:
    for step in range(1, ranks):
        for rank in range(ranks):
            yield Transfer(step - 1, rank, (rank + step) % ranks, (rank + step) % ranks, True)
    for step in range(1, ranks):
        for rank in range(ranks):
            yield Transfer(ranks + step - 2, rank, (rank + step) % ranks, rank, False)


RIGHT = (("ring", ring, 2, 2), ("ring", ring, 5, 5), ("server", server, 6, 1), ("recursive doubling", doubling, 8, 2),
         ("server in parts", sharded, 4, 4), ("ring", ring, 8, 8))


def broken(schedule: Sequence[Transfer], random: Random) -> tuple[str, tuple[Transfer, ...]]:
    """One change. Two chunks that reach a rank in one step, one of them as a copy, would have no defined result."""
    while True:
        place = random.randrange(len(schedule))
        one, rest = schedule[place], [*schedule[:place], *schedule[place + 1:]]
        kind = random.choice(["left out", "moved to the end", "a copy instead of a sum", "a sum instead of a copy", "sent again at the end"])
        last = replace(one, step=schedule[-1].step + 1)
        changed = {"left out": rest, "moved to the end": [*rest, last], "sent again at the end": [*schedule, last],
                   "a copy instead of a sum": [*schedule[:place], replace(one, add=False), *schedule[place + 1:]],
                   "a sum instead of a copy": [*schedule[:place], replace(one, add=True), *schedule[place + 1:]]}[kind]
        if changed and tuple(changed) != tuple(schedule) and _defined(changed):
            return f"transfer {one} {kind}", tuple(changed)


def _defined(schedule: Sequence[Transfer]) -> bool:
    into = Counter((one.step, one.to, one.chunk) for one in schedule)
    return all(one.add or into[one.step, one.to, one.chunk] == 1 for one in schedule)


def questions(seed: int) -> list[Question]:
    random, asked = Random(seed), []
    for name, make, ranks, chunks in RIGHT:
        machine = Machine(10e-6, random.choice([0.8e-9, 8e-9]))
        sizes = tuple(random.randrange(0, 1 << 20) for _ in range(chunks))
        right = Question(f"{name}, P = {ranks}", ranks, sizes, tuple(make(ranks)), machine)
        asked.append(right)
        for _ in range(BROKEN):
            what, schedule = broken(right.schedule, random)
            asked.append(replace(right, words=f"{right.words}, {what}", schedule=schedule))
    return asked


def answer(question: Question) -> Answer:
    """Moves multisets of ranks."""
    ranks, chunks = range(question.ranks), range(len(question.chunk_bytes))
    held = {(rank, chunk): Counter([rank]) for rank in ranks for chunk in chunks}
    seconds = 0.0
    for _, group in groupby(question.schedule, key=lambda one: one.step):
        together, before, ports = list(group), dict(held), Counter[tuple[str, int]]()
        for one in together:
            arriving = before[one.source, one.chunk]
            held[one.to, one.chunk] = held[one.to, one.chunk] + arriving if one.add else arriving
            ports["out", one.source] += question.chunk_bytes[one.chunk]
            ports["in", one.to] += question.chunk_bytes[one.chunk]
        seconds += question.machine.alpha + question.machine.beta * max(ports.values())
    wrong_ones = [place for place in sorted(held) if held[place] != Counter(ranks)]
    return Answer(not wrong_ones, *(wrong_ones[0] if wrong_ones else (-1, -1)), seconds)


def plan(test: Test, context: Context) -> list[Case]:
    return [Case(test.params["program"], " ".join(map(str, questions(seed_of(test, context)))))]


def judge_verdicts(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    return _judge(test, context, runs[0], _wrong_verdict, "schedules, right and broken: valid, and the first wrong chunk if not")


def judge_times(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    return _judge(test, context, runs[0], _wrong_time, "times of schedules")


def _judge(test: Test, context: Context, run: Run, wrong_answer, what: str) -> Outcome:
    asked = questions(seed_of(test, context))
    checked = f"{len(asked)} {what}"
    if problem := failure(run, context):
        return problem
    lines = [model.numbers(line) for line in run.stdout.splitlines()]
    if len(lines) != len(asked) or any(len(line) != 4 for line in lines):
        return wrong(f"expected {len(asked)} lines of four numbers, got {len(lines)} lines", checked)
    if all(line == [0, 0, 0, 0] for line in lines):
        return Outcome(Verdict.SK, "every answer is empty: the file is as it was given")
    for question, line in zip(asked, lines):
        if sentence := wrong_answer(answer(question), line):
            return wrong(f"{question.words} (step.from.to.chunk.add): {sentence}", checked)
    return accepted(checked)


def _wrong_verdict(expected: Answer, got: Sequence[float]) -> str:
    if bool(got[0]) != expected.valid:
        place = "" if expected.valid else f": rank {expected.rank}'s chunk {expected.chunk} does not contain each rank's term once"
        return f"expected {_valid(expected.valid)}, got {_valid(bool(got[0]))}{place}"
    if list(got[1:3]) != [expected.rank, expected.chunk]:
        return (f"the first wrong chunk: expected rank {expected.rank}, chunk {expected.chunk}; got rank {got[1]:.0f}, chunk "
                f"{got[2]:.0f}")
    return ""


def _wrong_time(expected: Answer, got: Sequence[float]) -> str:
    if abs(got[3] - expected.seconds) <= TOLERANCE * expected.seconds:
        return ""
    return (f"expected {expected.seconds:.9g} s, got {got[3]:.9g} s. A step takes alpha + beta times the bytes of the port, out or "
            "in, that carries the most")


def _valid(valid: bool) -> str:
    return "valid" if valid else "not valid"
