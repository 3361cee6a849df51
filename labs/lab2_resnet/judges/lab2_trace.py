"""P1: tracer, self times and the Chrome trace."""
import json
import random
from collections.abc import Sequence

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab2_data import problem_of, wrong_at

Event = tuple[int, int, int]  # thread, start, duration


def nested(draw: random.Random) -> list[Event]:
    """Spans inside spans on two threads, in the tracer's order."""
    found: list[Event] = []

    def fill(thread: int, start: int, end: int, depth: int) -> None:
        at = start
        while depth < 4 and end - at > 40 and draw.random() < 0.8:
            length = draw.randint(10, (end - at) // 2)
            found.append((thread, at, length))
            fill(thread, at, at + length, depth + 1)
            at += length + draw.choice((0, 5))  # neighbours may touch
    for thread in range(2):
        found.append((thread, 1000, 100000))
        fill(thread, 1000, 101000, 0)
    return found


def plan(what: str):
    def made(test: Test, context: Context) -> list[Case]:
        events = nested(random.Random(context.seed(test, 0)))[:60]
        return [Case("trace", f"{what} " + " ".join(f"{thread}:{start}:{length}" for thread, start, length in events))]
    return made


def events_of(run: Run) -> list[Event]:
    return [tuple(map(int, word.split(":"))) for word in run.case.args.split()[1:]]  # type: ignore[misc]


def judge_self(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "self times of nested spans"
    problem = problem_of(runs[0], context)
    if problem:
        return problem
    events = events_of(runs[0])
    expected = []
    for i, (thread, start, length) in enumerate(events):
        inside = [e for e in events[i + 1:] if e[0] == thread and e[1] >= start and e[1] + e[2] <= start + length]
        direct = [e for e in inside if not any(o is not e and o[1] <= e[1] and e[1] + e[2] <= o[1] + o[2] for o in inside)]
        expected.append(length - sum(e[2] for e in direct))
    got = runs[0].stdout.split()
    for i, (wanted, own) in enumerate(zip(expected, [*got, *["nothing"] * len(expected)])):
        if str(wanted) != own:
            return wrong_at(runs[0], f"event {i} {events[i]}: expected {wanted} ns of its own, got {own}", checked)
    return accepted(checked)


def judge_write(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "Chrome trace of given events"
    run = runs[0]
    problem = problem_of(run, context)
    if problem:
        return problem
    said = trace_problem(run.stdout, events_of(run))
    return wrong_at(run, said, checked) if said else accepted(checked)


def trace_problem(text: str, events: Sequence[Event]) -> str:
    try:
        table = json.loads(text)
        entries = table["traceEvents"]
        spans = [entry for entry in entries if entry["ph"] == "X"]
        names = {entry["tid"] for entry in entries if entry["ph"] == "M" and entry["name"] == "thread_name" and entry["args"]["name"]}
        if table["displayTimeUnit"] != "ms":
            return "displayTimeUnit: expected \"ms\""
        got = sorted((e["tid"], round(1000 * e["ts"]), round(1000 * e["dur"]), e["name"], e["args"]["pass"], e["args"]["flops"],
                      e["args"]["bytes"]) for e in spans)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return f"no trace of the schema: {type(error).__name__} {str(error)[:80]}"
    if names != {thread for thread, _, _ in events}:
        return f"thread_name events: expected one for each thread, got them for {sorted(map(str, names))}"
    expected = sorted((thread, start, length, 'stem "a\\b"', "forward" if i % 2 == 0 else "backward", 1000 * i, 10 * i)
                      for i, (thread, start, length) in enumerate(events, start=2))
    for wanted, own in zip(expected, got):
        if wanted != own:
            return f"(thread, start in ns, duration, name, pass, flops, bytes): expected {wanted}, got {own}"
    return "" if len(expected) == len(got) else f"{len(got)} spans, expected {len(expected)}"


def plan_record(test: Test, context: Context) -> list[Case]:
    shapes = context.also_drawn(test, test.shapes, lambda draw: [f"{draw.randint(2, 6)} {draw.randint(10, 900)}"])
    return [Case("trace", f"record {shape}") for shape in shapes]


def judge_record(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "events of several threads, in order"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        threads, events = map(int, run.case.args.split()[1:])
        lines = [line.split() for line in run.stdout.splitlines()]
        own = {line[0]: line[1] for line in lines if len(line) == 5}
        if len(own) != threads or len(set(own.values())) != threads:
            return wrong_at(run, f"events of {threads} threads expected under {threads} numbers, got {len(own)}", checked)
        expected = [[str(thread), own.get(str(thread), ""), name, str(1000 * i), str(length)] for thread in range(threads)
                    for i in range(events) for name, length in (("outer", 900), ("inner", 400))]
        for wanted, got in zip(expected, lines):
            if wanted != got:
                return wrong_at(run, f"expected {' '.join(wanted)}, got {' '.join(got)}", checked)
        if len(lines) != len(expected):
            return wrong_at(run, f"{len(lines)} events, expected {len(expected)}", checked)
    return accepted(checked)
