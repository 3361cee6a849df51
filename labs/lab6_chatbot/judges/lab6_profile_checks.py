"""P1: self times recomputed from the events, the trace read back, and the answer about the hot spots."""
import json
import random
from collections.abc import Sequence
from typing import Any

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab6_data import problem_of, wrong_at

Event = list[Any]  # name, pass, thread, start_ns, duration_ns, flops, bytes
SMALL: list[Event] = [
    ["step", "step", 0, 0, 1000, 900, 0], ["gru", "forward", 0, 100, 300, 500, 64], ["inner", "forward", 0, 150, 100, 200, 0],
    ["out", "forward", 0, 400, 250, 300, 8], ["gru", "backward", 0, 650, 50, 0, 0], ["adam", "update", 0, 700, 250, 0, 4096],
    ["gru", "forward", 1, 120, 30, 10, 0], ["step", "step", 0, 1000, 500, 0, 0],
]
NAMES, PASSES = ("gru", "out", "attention", "loss", "adam"), ("forward", "backward", "update")


def nested(draw: random.Random, thread: int, start: int, length: int, depth: int, events: list[Event]) -> int:
    """Adds a span with spans inside; returns its FLOP."""
    own: Event = [draw.choice(NAMES), draw.choice(PASSES), thread, start, length, draw.randint(0, 1000), draw.randint(0, 100)]
    events.append(own)
    at = start
    while depth > 0 and at < start + length - 20 and draw.random() < 0.8:
        at += draw.randint(0, 9)
        inner = draw.randint(5, max(6, (start + length - at) // 2))
        own[5] += nested(draw, thread, at, min(inner, start + length - at), depth - 1, events)
        at += min(inner, start + length - at)
    return own[5]


def hidden(seed: int) -> list[Event]:
    draw, events = random.Random(seed), []
    for thread in range(2):
        at = 0
        for _ in range(6):
            length = draw.randint(50, 4000)
            nested(draw, thread, at, length, 3, events)
            at += length + draw.randint(0, 50)
    draw.shuffle(events)
    # Two spans of the same start and length on one thread cannot be told apart: which is inside is not defined.
    return list({(event[2], event[3], event[4]): event for event in events}.values())


def case(what: str, events: list[Event]) -> Case:
    return Case("profile", what, env=(("HPML_TEXT", json.dumps(events)),))


def plan(test: Test, context: Context) -> list[Case]:
    is_hidden = test.params.get("data") == "hidden"
    given, drawn = [] if is_hidden else [SMALL], [hidden(context.seed(test, 0))] if is_hidden or context.for_record else []
    return [case("top", events) for events in (*given, *drawn)]


def plan_trace(test: Test, context: Context) -> list[Case]:
    return [case("trace", events) for events in (SMALL, hidden(context.seed(test, 0)))]


def rows_of(events: list[Event]) -> list[list[Any]]:
    """Each span's own time: its length minus the time of the spans whose smallest enclosing span it is."""
    rows: dict[tuple[str, str], list[int]] = {}
    own = [[event[4], event[5]] for event in events]
    for i, (_, _, thread, start, length, flops, _) in enumerate(events):
        around = [j for j, other in enumerate(events) if j != i and other[2] == thread and other[3] <= start
                  and start + length <= other[3] + other[4] and length < other[4]]
        if around:
            parent = min(around, key=lambda j: events[j][4])
            own[parent][0] -= length
            own[parent][1] -= flops
    for event, (time, flops) in zip(events, own):
        row = rows.setdefault((event[0], event[1]), [0, 0, 0])
        row[0] += 1
        row[1] += time
        row[2] += flops
    total = sum(row[1] for row in rows.values())
    found = [[name, which, *row, row[1] / total if total else 0] for (name, which), row in rows.items()]
    return sorted(found, key=lambda row: (-row[3], row[0], row[1]))


def judge_operators(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "self times of " + " and of ".join(f"{len(events_in(run))} spans" for run in runs)
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        said = row_problem(run.stdout, rows_of(events_in(run)))
        if said:
            return wrong_at(run, said, checked)
    return accepted(checked)


def events_in(run: Run) -> list[Event]:
    return json.loads(dict(run.case.env)["HPML_TEXT"])


def row_problem(text: str, expected: list[list[Any]]) -> str:
    try:
        got = [[str(row[0]), str(row[1]), int(row[2]), int(row[3]), int(row[4]), float(row[5])] for row in json.loads(text)]
    except (ValueError, TypeError, IndexError, KeyError, RecursionError):
        got = []
    if [row[:5] for row in got] != [row[:5] for row in expected]:
        pair = next((pair for pair in zip(got, expected) if pair[0][:5] != pair[1][:5]), (f"{len(got)} rows", f"{len(expected)} rows"))
        return f"expected {str(pair[1])[:90]}, got {str(pair[0])[:90]} (name, pass, calls, self ns, self FLOP, share)"
    return next((f"{row[0]} {row[1]}: share {row[5]:.6f}, expected {right[5]:.6f}" for row, right in zip(got, expected)
                 if not abs(row[5] - right[5]) <= 1e-9), "")


def judge_trace(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "a trace that chrome://tracing and Perfetto read"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        said = trace_problem(run.stdout, events_in(run))
        if said:
            return wrong_at(run, said, checked)
    return accepted(checked)


def trace_problem(text: str, events: list[Event]) -> str:
    try:
        trace = json.loads(text)
        spans = [[str(e["name"]), str(e["args"]["pass"]), int(e["tid"]), float(e["ts"]), float(e["dur"]), int(e["args"]["flops"]),
                  int(e["args"]["bytes"])] for e in trace["traceEvents"] if e["ph"] == "X"]
        threads = {int(e["tid"]): str(e["args"]["name"]) for e in trace["traceEvents"] if e["ph"] == "M" and e["name"] == "thread_name"}
        complete = all(e["pid"] == 1 and e["cat"] == e["args"]["pass"] for e in trace["traceEvents"] if e["ph"] == "X")
        unit = trace["displayTimeUnit"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return f"no trace of the format: {'there is no key ' if isinstance(error, KeyError) else ''}{str(error)[:80]}"
    expected = sorted([*event[:3], event[3] / 1e3, event[4] / 1e3, *event[5:]] for event in events)
    for got, right in zip(sorted(spans), expected):
        if got[:3] != right[:3] or got[5:] != right[5:] or not all(abs(a - b) <= 1e-6 for a, b in zip(got[3:5], right[3:5])):
            return f"expected the span {right} (name, pass, tid, ts and dur in us, flops, bytes), got {got}"
    if len(spans) != len(expected):
        return f"{len(spans)} spans, expected {len(expected)}"
    if threads != {event[2]: f"thread {event[2]}" for event in events}:
        return f"thread names {threads}, expected an event of ph \"M\" for each thread"
    return "" if complete and unit == "ms" else "pid, cat or displayTimeUnit is missing or not as described"
