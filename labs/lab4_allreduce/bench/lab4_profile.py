"""One all-reduce of each algorithm as a page for the browser and a trace for Perfetto: communication matrix, timeline of the
ranks, critical path."""
import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from hpml_autograder.drawing import BLUE, GRAY, GREEN, INK, PALE, RED, arrow, box, svg, text
from hpml_autograder.lab import Case
from lab4_cases import measured_case
from lab4_observation import Message
from lab4_timeline import RECEIVE, SAME_TIME, SEND, WAIT, Call, Timeline

RANKS, ELEMENTS = 8, 1 << 16
OPERATIONS = {"ps": "ps", "tree": "tree", "ring": "ring", "rd": "rd", "rabenseifner": "rabenseifner", "hier": "hier4"}
NAMES = {"ps": "Parameter server (ps)", "tree": "Binomial tree (tree)", "ring": "Ring (ring)", "rd": "Recursive doubling (rd)",
         "rabenseifner": "Halving and doubling (rabenseifner)", "hier": "Two levels, 4 ranks per node (hier)"}
COLOURS = {SEND: BLUE, RECEIVE: GREEN, WAIT: GRAY}
LEFT, WIDTH, ROW, BAR = 70, 760, 26, 20
SHARED = 1.02  # times the time alone, from which on a transfer shares a link
INTRODUCTION = (
    "Time runs to the right; each row is a rank. Grey: the rank waits for its partner. Blue: it sends (and may receive). Green: "
    "it receives only. Pale: it has finished. Red: the critical path, the chain of transfers that decides the time; black lines "
    "show where it goes to another rank. The matrix shows which rank sends to which: the darker, the more bytes.")


def cases() -> dict[str, Case]:
    """By algorithm: one all-reduce behind the relay, which notes when each message and call began and ended."""
    return {name: replace(measured_case(f"{name}_relay", RANKS, [f"{operation}:{ELEMENTS}"]), env=(("HPML_TRACE", "1"),))
            for name, operation in OPERATIONS.items()}


def draw_timeline(found: Timeline) -> str:
    scale = WIDTH / (found.seconds or 1)
    shapes = []

    def bar(rank: int, begin: float, end: float, colour: str) -> str:
        return box(LEFT + begin * scale, _top(rank), max((end - begin) * scale, 0.5), BAR, colour)

    for rank in found.ranks:
        shapes += [text(LEFT - 8, _top(rank) + 14, f"rank {rank}", "end"), box(LEFT, _top(rank), WIDTH, BAR, PALE)]
        shapes += [bar(rank, begin, end, COLOURS[kind]) for kind, begin, end in found.intervals(rank)]
    path = found.critical_path()
    shapes += [bar(step.rank, step.message.begin_s, step.message.end_s, RED) for step in path]
    for before, after in zip(path, path[1:]):
        if before.rank != after.rank:
            x = round(LEFT + after.message.begin_s * scale, 1)
            shapes.append(arrow(x, _top(before.rank) + BAR / 2, x, _top(after.rank) + BAR / 2, INK))
    bottom = _top(len(found.ranks))
    shapes += [text(LEFT, bottom + 16, "0"), text(LEFT + WIDTH, bottom + 16, f"{found.seconds * 1e6:.1f} us", "end")]
    return svg(LEFT + WIDTH + 20, bottom + 24, "Timeline of the ranks", shapes)


def _top(rank: int) -> int:
    return 4 + ROW * rank


def draw_matrix(found: Timeline) -> str:
    matrix, side = found.matrix(), 26
    most = max((cell for row in matrix for cell in row), default=0) or 1
    shapes = [text(60, 16, "to rank"), text(50, 34, "from", "end")]
    for rank, row in enumerate(matrix):
        shapes += [text(60 + side * rank + 13, 34, str(rank), "middle"), text(50, 58 + side * rank, str(rank), "end")]
        for peer, cell in enumerate(row):
            shade = 235 - round(190 * cell / most)
            fill = f"#{shade:02x}{shade:02x}ff" if cell else "#f4f5f6"
            shapes.append(box(60 + side * peer, 40 + side * rank, side, side, fill))
    size = len(matrix) * side
    shapes.append(text(60, 60 + size, f"darkest: {most} bytes"))
    return svg(80 + size, 70 + size, "Bytes from row to column", shapes)


def page(found: Mapping[str, Timeline | None]) -> str:
    parts = ["<!doctype html><html lang=en><meta charset=utf-8><title>Lab 4: profile</title>",
             "<style>body{font:15px/1.5 sans-serif;max-width:1000px;margin:2em auto;padding:0 1em}svg{max-width:100%}.matrix{max-width:20em}</style>",
             f"<h1>One all-reduce of {ELEMENTS * 4} bytes on {RANKS} ranks</h1>", f"<p>{html.escape(INTRODUCTION)}</p>"]
    for name, one in found.items():
        parts.append(f"<h2>{html.escape(NAMES[name])}</h2>")
        if one is None:
            parts.append("<p>It does not end as it should yet: see <code>make lab4 test</code>.</p>")
            continue
        parts += [f"<p>{html.escape(sentence(one))}</p>", draw_timeline(one),
                  f"<div class=matrix>{draw_matrix(one)}</div>"]
    return "\n".join(parts) + "\n</html>\n"


def sentence(found: Timeline) -> str:
    path, waiting = found.critical_path(), [found.waited(rank) for rank in found.ranks]
    ranks = list(dict.fromkeys(step.rank for step in path))
    longest = max(found.ranks, key=waiting.__getitem__)
    shared = [stretch for stretch in map(found.stretch, found.messages) if stretch > SHARED]
    parts = [f"{found.seconds * 1e6:.1f} us.",
             f"Critical path: {len(path)} transfers, over {'rank' if len(ranks) == 1 else 'ranks'} {', '.join(map(str, ranks))}.",
             f"Rank {longest} waits longest for its partners: {waiting[longest] * 1e6:.1f} us." if waiting[longest] > SAME_TIME
             else "No rank waits for a partner."]
    if shared:
        parts.append(f"{len(shared)} of {len(found.messages)} messages share a link with others and take up to {max(shared):.1f} "
                     "times as long as alone.")
    if found.cut:
        parts.append("There are more calls than the relay notes: later ones are left out.")
    return " ".join(parts)


def summary(found: Mapping[str, Timeline | None]) -> list[str]:
    return [f"{name:<14}{sentence(one) if one else 'does not end as it should yet'}" for name, one in found.items()]


def perfetto(found: Mapping[str, Timeline | None]) -> str:
    """Chrome's trace event format: a process for each algorithm, a thread for each rank; times in microseconds."""
    events: list[dict[str, Any]] = []
    for process, (name, one) in enumerate(found.items(), 1):
        events.append({"ph": "M", "pid": process, "name": "process_name", "args": {"name": name}})
        events += [{**event, "pid": process} for event in _events(one)] if one else []
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}, indent=0) + "\n"


def _events(one: Timeline) -> Iterator[dict[str, Any]]:
    """A slice for each call, and an arrow for each message from the call of its sender to that of its receiver."""
    on_path = [(step.rank, step.message) for step in one.critical_path()]
    for rank, row in enumerate(one.calls):
        yield {"ph": "M", "tid": rank, "name": "thread_name", "args": {"name": f"rank {rank}"}}
        mine = [message for message in one.messages if rank in (message.source, message.to)]
        for call in row:
            moved = [message for message in mine if message.begin_s < call.end and message.end_s > call.begin]
            yield {"ph": "X", "tid": rank, "name": call.name, "ts": _us(call.begin), "dur": _us(call.end - call.begin),
                   "args": {"transfers": [_words(message, rank) for message in moved],
                            "waited_us": _us(_idle(call, moved)),
                            "critical_path": any((rank, message) in on_path for message in moved)}}
    for number, message in enumerate(one.messages):
        quarter = (message.end_s - message.begin_s) / 4  # an end of an arrow belongs to the call that it lies in
        named = {"cat": "message", "name": f"{message.bytes} bytes", "id": number}
        yield {**named, "ph": "s", "tid": message.source, "ts": _us(message.begin_s + quarter)}
        yield {**named, "ph": "f", "bp": "e", "tid": message.to, "ts": _us(message.end_s - quarter)}


def _idle(call: Call, moved: list[Message]) -> float:
    """Seconds of the call before its first transfer; all of it where it sees none."""
    return max(0.0, min((message.begin_s for message in moved), default=call.end) - call.begin)


def _words(message: Message, rank: int) -> str:
    return f"{message.bytes} bytes " + (f"to rank {message.to}" if message.source == rank else f"from rank {message.source}")


def _us(seconds: float) -> float:
    return round(seconds * 1e6, 4)
