"""The file that the ranks of a run leave (src/harness/observe.h), as Python values."""
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy

MAGIC = 0x31534F344C504D48
HEADER = struct.Struct("<QIIQQ")          # magic, ranks, slot bytes, offset of the records, end of the records
SLOT = struct.Struct("<16siiiiQIIII")     # call, to, from, tag, cell, bytes, finished, deadlock, waits, ticks
RECORD = struct.Struct("<IIIIQ")          # kind, rank, cell, reserved, bytes
JSON, FLOATS, BYTES = 1, 2, 3
MOST_RANKS = 1 << 16


class Unreadable(Exception):
    """The file is not what the harness writes."""


@dataclass(frozen=True)
class Slot:
    """Where a rank was at the end of the run."""
    rank: int
    call: str       # MPI function that it was in; empty: in none
    to: int         # ranks, or -1
    source: int
    tag: int
    cell: int
    bytes: int
    finished: bool
    deadlock: bool = False  # it has seen that no rank can go on, and has ended the run


@dataclass(frozen=True)
class Sent:
    """What one rank has sent to one other."""
    messages: int
    empty: int
    bytes: int
    largest: int


@dataclass(frozen=True)
class Message:
    """Of the relay's timeline; ranks in the world, virtual seconds. A transfer begins when both sides are ready."""
    source: int
    to: int
    tag: int
    region: int
    bytes: int
    sent_s: float
    received_s: float
    begin_s: float
    end_s: float


@dataclass(frozen=True)
class Observation:
    ranks: int
    slots: tuple[Slot, ...]
    records: dict[tuple[int, int, int], bytes]  # (cell, rank, kind)
    messages: tuple[Message, ...] = ()  # behind the relay, where the case asks for a timeline
    regions: int | None = None          # measured ones; None where nobody but the harness knows
    stray: str = ""                     # what ranks have done beside them, in words
    unmatched: str = ""                 # a message that nobody receives, or a receive that gets none

    def json(self, cell: int, rank: int) -> dict[str, Any] | None:
        return self._parsed.get((cell, rank))

    def parse(self) -> None:
        """Raises ValueError for text that is no JSON."""
        assert self._parsed is not None

    @cached_property
    def _parsed(self) -> dict[tuple[int, int], dict[str, Any]]:
        return {(cell, rank): json.loads(payload) for (cell, rank, kind), payload in self.records.items() if kind == JSON}

    def all_json(self, cell: int) -> dict[int, dict[str, Any]]:
        """By rank."""
        return {rank: value for (of, rank), value in sorted(self._parsed.items()) if of == cell}

    def floats(self, cell: int, rank: int) -> numpy.ndarray | None:
        payload = self.records.get((cell, rank, FLOATS))
        return None if payload is None else numpy.frombuffer(payload, dtype="<f4")

    def bytes(self, cell: int, rank: int) -> bytes | None:
        return self.records.get((cell, rank, BYTES))

    @property
    def deadlock(self) -> bool:
        return any(slot.deadlock for slot in self.slots)

    @property
    def finished(self) -> bool:
        return bool(self.slots) and all(slot.finished for slot in self.slots)


def sent(record: dict[str, Any]) -> dict[int, Sent]:
    """By receiver."""
    return {peer: Sent(*numbers) for peer, *numbers in record["sent"]}


def load(path: Path) -> Observation:
    data = path.read_bytes()
    try:
        magic, ranks, slot_bytes, records, end = HEADER.unpack_from(data)
        if magic != MAGIC or slot_bytes != SLOT.size or ranks > MOST_RANKS or end > len(data):
            raise Unreadable(f"{path.name}: not what the harness writes")
        found = Observation(ranks, tuple(_slots(data, ranks)), dict(_records(data, records, end)))
        found.parse()
        return found
    except (struct.error, ValueError) as error:
        raise Unreadable(f"{path.name}: {error}") from error


def _slots(data: bytes, ranks: int) -> Iterator[Slot]:
    for rank in range(ranks):
        call, to, source, tag, cell, size, finished, deadlock, _, _ = SLOT.unpack_from(data, HEADER.size + rank * SLOT.size)
        yield Slot(rank, call.split(b"\0")[0].decode("ascii", "replace"), to, source, tag, cell, size, bool(finished),
                   bool(deadlock))


def _records(data: bytes, at: int, end: int) -> Iterator[tuple[tuple[int, int, int], bytes]]:
    while at < end:
        kind, rank, cell, _, size = RECORD.unpack_from(data, at)
        at += RECORD.size
        if at + size > end:
            raise ValueError("a record is cut off")
        yield (cell, rank, kind), data[at:at + size]
        at += size
