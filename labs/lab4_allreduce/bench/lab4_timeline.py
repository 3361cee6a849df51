"""What the ranks of one all-reduce did when, from the relay's timeline: transfers, waiting, the critical path.

The relay's times are those of the messages themselves, so the picture is right for blocking and for non-blocking calls."""
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hpml_autograder.lab import Run
from lab4_observation import Message

SEND, RECEIVE, WAIT = "send", "receive", "wait"  # kinds of intervals, in the order in which one hides another
REGION = 0
SAME_TIME = 1e-9  # seconds


@dataclass(frozen=True)
class Call:
    """A call that took virtual time; seconds from the start of the all-reduce."""
    name: str
    begin: float
    end: float


@dataclass(frozen=True)
class Step:
    """One transfer of the critical path, and the rank whose clock it moves on."""
    rank: int
    message: Message


@dataclass(frozen=True)
class Timeline:
    calls: list[list[Call]]   # by rank
    messages: list[Message]
    latency_s: float          # of the network, for a message alone
    bytes_per_s: float
    cut: bool = False         # the relay has left out later calls

    @property
    def ranks(self) -> range:
        return range(len(self.calls))

    @property
    def seconds(self) -> float:
        return max((call.end for row in self.calls for call in row), default=0.0)

    def matrix(self) -> list[list[int]]:
        """Bytes from row to column."""
        found = [[0] * len(self.calls) for _ in self.ranks]
        for message in self.messages:
            found[message.source][message.to] += message.bytes
        return found

    def waited(self, rank: int) -> float:
        """Seconds in calls while no message of the rank was under way."""
        return sum(end - begin for kind, begin, end in self.intervals(rank) if kind == WAIT)

    def intervals(self, rank: int) -> Iterator[tuple[str, float, float]]:
        """Kind, begin and end of what the rank did; a rank that sends and receives at once sends. Each transfer is an interval of
        its own, however many calls ask for its end."""
        changes: dict[float, dict[str, int]] = defaultdict(lambda: dict.fromkeys((SEND, RECEIVE, WAIT), 0))
        spans = [(SEND if message.source == rank else RECEIVE, message.begin_s, message.end_s)
                 for message in self.messages if rank in (message.source, message.to)]
        for kind, begin, end in (*spans, *((WAIT, call.begin, call.end) for call in self.calls[rank])):
            changes[begin][kind] += 1
            changes[end][kind] -= 1
        transfers = {time for _, *times in spans for time in times}
        open_now, last = dict.fromkeys((SEND, RECEIVE, WAIT), 0), (None, 0.0)
        for time in sorted(changes):
            for kind in open_now:
                open_now[kind] += changes[time][kind]
            first = next((kind for kind, count in open_now.items() if count), None)
            if first != last[0] or time in transfers:
                if last[0] and time - last[1] > SAME_TIME:
                    yield last[0], last[1], time
                last = (first, time)

    def stretch(self, message: Message) -> float:
        """How many times as long as alone the transfer took, because it shared a link."""
        return (message.end_s - message.begin_s) / (self.latency_s + message.bytes / self.bytes_per_s)

    def critical_path(self) -> list[Step]:
        """From the transfer that ends last back to the start: a transfer begins when the later side is ready, so before it comes
        the latest transfer of that side."""
        by_rank: dict[int, list[Message]] = defaultdict(list)
        for message in sorted(self.messages, key=lambda message: message.end_s):
            if message.end_s > message.begin_s:
                by_rank[message.source].append(message)
                by_rank[message.to].append(message)
        path: list[Step] = []
        rank = max(self.ranks, key=lambda each: (max((call.end for call in self.calls[each]), default=0.0), each), default=0)
        at = self.seconds
        while last := _last_before(by_rank[rank], at):
            path.append(Step(rank, last))
            ready, other, peer = ((last.sent_s, last.received_s, last.to) if rank == last.source
                                  else (last.received_s, last.sent_s, last.source))
            rank, at = (peer if other > ready + SAME_TIME else rank), last.begin_s
        return path[::-1]


def _last_before(messages: list[Message], at: float) -> Message | None:
    """The last of a rank's messages that was over by then; they are sorted by their ends."""
    while messages:
        last = messages.pop()
        if last.end_s <= at + SAME_TIME:
            return last
    return None


def timeline(run: Run) -> Timeline | None:
    """None where the run did not end well."""
    if run.dump is None or run.state != "exit" or run.code:
        return None
    return of_report(json.loads(run.dump.read_text(encoding="utf-8")))


def of_report(report: Mapping[str, Any]) -> Timeline | None:
    """The measured region of a report, schema hpml.relay/v1; None where it has none."""
    if not report["regions"]:
        return None
    region, found, platform = report["regions"][REGION], report["timeline"], report["platform"]
    start = min(region["begin_s"])
    messages = [replace(one, sent_s=one.sent_s - start, received_s=one.received_s - start, begin_s=one.begin_s - start,
                        end_s=one.end_s - start)
                for one in (Message(*row) for row in found["messages"]) if one.region == REGION]
    calls: list[list[Call]] = [[] for _ in range(report["ranks"])]
    for rank, name, begin, end in found["calls"]:
        if region["begin_s"][rank] <= begin and end <= region["end_s"][rank]:
            calls[rank].append(Call(name, begin - start, end - start))
    return Timeline(calls, messages, platform["latency_s"], platform["bytes_per_s"], found["cut"])
