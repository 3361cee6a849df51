"""One all-reduce of each algorithm: communication matrix, timeline of the ranks, critical path."""
import html
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

import lab4_observation as observations
from hpml_autograder.drawing import BLUE, GRAY, GREEN, INK, PALE, RED, arrow, box, svg, text
from hpml_autograder.lab import Case, Run
from lab4_cases import measured_case

RANKS, ELEMENTS = 8, 1 << 16
OPERATIONS = {"ps": "ps", "tree": "tree", "ring": "ring", "rd": "rd", "rabenseifner": "rabenseifner", "hier": "hier4"}
NAMES = {"ps": "Parameter server (ps)", "tree": "Binomial tree (tree)", "ring": "Ring (ring)", "rd": "Recursive doubling (rd)",
         "rabenseifner": "Halving and doubling (rabenseifner)", "hier": "Two levels, 4 ranks per node (hier)"}
LEFT, WIDTH, ROW = 70, 760, 26
SAME_TIME = 1e-9  # seconds


@dataclass(frozen=True)
class Event:
    """A call of one rank that could block; times in seconds from the start of the all-reduce."""
    rank: int
    call: str
    to: int
    source: int
    bytes: int
    begin: float
    end: float
    waited: float = 0.0    # for the partner, before the transfer began
    partner: "tuple[int, int] | None" = None  # (rank, number of its call) that came last


@dataclass(frozen=True)
class Timeline:
    events: list[list[Event]]        # by rank, in order
    matrix: list[list[int]]          # bytes from row to column
    path: list[tuple[int, int]]      # (rank, number of the call), from the first to the last

    @property
    def seconds(self) -> float:
        return max((event.end for row in self.events for event in row), default=0.0)


def cases() -> dict[str, Case]:
    """Operation by program."""
    return {name: replace(measured_case(f"{name}_smpi", RANKS, [f"{operation}:{ELEMENTS}"]), env=(("HPML_TRACE", "1"),))
            for name, operation in OPERATIONS.items()}


def timeline(run: Run) -> Timeline | None:
    """None where the run did not end well."""
    if run.dump is None or run.state != "exit" or run.code:
        return None
    records = observations.load(run.dump).all_json(0)
    rows = [[Event(rank, *event) for event in records[rank]["events"]] for rank in sorted(records)]
    matrix = [[0] * len(rows) for _ in rows]
    for rank, record in records.items():
        for peer, flow in observations.sent(record).items():
            matrix[rank][peer] = flow.bytes
    rows = waits(rows)
    return Timeline(rows, matrix, critical_path(rows))


def waits(rows: list[list[Event]]) -> list[list[Event]]:
    """Pairs the k-th send from one rank to another with the k-th receive, and says who waited for whom: a transfer begins when
    both calls have."""
    sends, receives = defaultdict(list), defaultdict(list)
    for rank, row in enumerate(rows):
        for number, event in enumerate(row):
            if event.to >= 0:
                sends[rank, event.to].append((rank, number))
            if event.source >= 0:
                receives[event.source, rank].append((rank, number))
    partners = defaultdict(list)
    for pair, calls in sends.items():
        for one, other in zip(calls, receives[pair]):
            partners[one].append(other)
            partners[other].append(one)
    found = []
    for rank, row in enumerate(rows):
        found.append([])
        for number, event in enumerate(row):
            last = max(partners[rank, number], key=lambda place: rows[place[0]][place[1]].begin, default=None)
            late = rows[last[0]][last[1]].begin - event.begin if last else 0.0
            found[-1].append(replace(event, waited=max(0.0, late), partner=last if late > SAME_TIME else None))
    return found


def critical_path(rows: list[list[Event]]) -> list[tuple[int, int]]:
    """Backwards from the call that ends last: where it waited for a partner, that rank's calls before explain the time."""
    ends = [(row[-1].end, rank) for rank, row in enumerate(rows) if row]
    if not ends:
        return []
    rank = max(ends)[1]
    number, path = len(rows[rank]) - 1, []
    while number >= 0:
        path.append((rank, number))
        partner = rows[rank][number].partner
        rank, number = (partner[0], partner[1] - 1) if partner else (rank, number - 1)
    return path[::-1]


def draw_timeline(found: Timeline) -> str:
    scale = WIDTH / (found.seconds or 1)
    on_path = set(found.path)
    shapes = []
    for rank, row in enumerate(found.events):
        y = 24 + ROW * rank
        shapes += [text(LEFT - 8, y + 14, f"rank {rank}", "end"), box(LEFT, y, WIDTH, ROW - 6, PALE)]
        for number, event in enumerate(row):
            x, wait = LEFT + event.begin * scale, event.waited * scale
            shapes.append(box(x, y, max(wait, 0.1), ROW - 6, GRAY))
            colour = RED if (rank, number) in on_path else BLUE if event.to >= 0 else GREEN
            shapes.append(box(x + wait, y, max((event.end - event.begin) * scale - wait, 0.5), ROW - 6, colour))
    for before, after in zip(found.path, found.path[1:]):
        if before[0] != after[0]:
            x = LEFT + found.events[before[0]][before[1]].end * scale
            shapes.append(arrow(round(x, 1), 24 + ROW * before[0] + 10, round(x, 1), 24 + ROW * after[0] + 10, INK))
    bottom = 24 + ROW * len(found.events)
    shapes += [text(LEFT, bottom + 16, "0"), text(LEFT + WIDTH, bottom + 16, f"{found.seconds * 1e6:.1f} us", "end")]
    return svg(LEFT + WIDTH + 20, bottom + 24, "Timeline of the ranks", shapes)


def draw_matrix(found: Timeline) -> str:
    side, most = 26, max((cell for row in found.matrix for cell in row), default=0) or 1
    shapes = [text(60, 16, "to rank"), text(50, 34, "from", "end")]
    for rank, row in enumerate(found.matrix):
        shapes += [text(60 + side * rank + 13, 34, str(rank), "middle"), text(50, 58 + side * rank, str(rank), "end")]
        for peer, cell in enumerate(row):
            shade = 235 - round(190 * cell / most)
            fill = f"#{shade:02x}{shade:02x}ff" if cell else "#f4f5f6"
            shapes.append(box(60 + side * peer, 40 + side * rank, side, side, fill))
    size = len(found.matrix) * side
    shapes.append(text(60, 60 + size, f"darkest: {most} bytes"))
    return svg(80 + size, 70 + size, "Bytes from row to column", shapes)


def page(found: Mapping[str, Timeline | None]) -> str:
    parts = ["<!doctype html><html lang=en><meta charset=utf-8><title>Lab 4: profile</title>",
             "<style>body{font:15px/1.5 sans-serif;max-width:1000px;margin:2em auto;padding:0 1em}svg{max-width:100%}.matrix{max-width:20em}</style>",
             f"<h1>One all-reduce of {ELEMENTS * 4} bytes on {RANKS} ranks</h1>",
             "<p>Time runs to the right; each row is a rank. Grey: the rank waits for its partner. Blue: it sends (and may "
             "receive). Green: it receives only. Red: the critical path, the chain of transfers that decides the time; black "
             "lines show where it goes to another rank. The matrix shows who sends to whom: the darker, the more bytes.</p>"]
    for name, one in found.items():
        parts.append(f"<h2>{html.escape(NAMES[name])}</h2>")
        if one is None:
            parts.append("<p>It does not end as it should yet: see <code>make lab4 test</code>.</p>")
            continue
        parts += [f"<p>{html.escape(sentence(one))}</p>", draw_timeline(one),
                  f"<div class=matrix>{draw_matrix(one)}</div>"]
    return "\n".join(parts) + "\n</html>\n"


def sentence(found: Timeline) -> str:
    waiting = [sum(event.waited for event in row) for row in found.events]
    longest = max(range(len(waiting)), key=waiting.__getitem__)
    ranks = list(dict.fromkeys(rank for rank, _ in found.path))
    waits = (f"Rank {longest} waits longest for its partners: {waiting[longest] * 1e6:.1f} us." if waiting[longest] > SAME_TIME
             else "No rank waits for a partner.")
    return (f"{found.seconds * 1e6:.1f} us. Critical path: {len(found.path)} transfers, over "
            f"{'rank' if len(ranks) == 1 else 'ranks'} {', '.join(map(str, ranks))}. {waits}")


def summary(found: Mapping[str, Timeline | None]) -> list[str]:
    return [f"{name:<14}{sentence(one) if one else 'does not end as it should yet'}" for name, one in found.items()]


def perfetto(found: Mapping[str, Timeline | None]) -> str:
    """Chrome's trace event format: a process for each algorithm, a thread for each rank; times in microseconds."""
    events = []
    for process, (name, one) in enumerate(found.items(), 1):
        events.append({"ph": "M", "pid": process, "name": "process_name", "args": {"name": name}})
        path = set(one.path) if one else set()
        for rank, row in enumerate(one.events if one else []):
            events.append({"ph": "M", "pid": process, "tid": rank, "name": "thread_name", "args": {"name": f"rank {rank}"}})
            events += [{"ph": "X", "pid": process, "tid": rank, "name": event.call, "ts": round(event.begin * 1e6, 4),
                        "dur": round((event.end - event.begin) * 1e6, 4),
                        "args": {"to": event.to, "from": event.source, "bytes": event.bytes,
                                 "waited_us": round(event.waited * 1e6, 4), "critical_path": (rank, number) in path}}
                       for number, event in enumerate(row)]
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}, indent=0) + "\n"
