"""The relay's report of a run (schema hpml.relay/v1) as an observation: traffic and times are the relay's, of a process
without student code; a rank only says what its result is."""
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from hpml_autograder.lab import whole
from lab4_observation import BYTES, FLOATS, JSON, Message, Observation, Slot, Unreadable

SCHEMA = "hpml.relay/v1"
NOBODY = -1
KINDS = {"json": JSON, "floats": FLOATS, "bytes": BYTES}  # second word of a line of harness/observe_stdout.cpp
SAME_TIME = 1e-6  # seconds: a clock of 10,000 s has no finer steps that add up to a slot's beginning


def observation(report: dict[str, Any], slot_s: float) -> Observation:
    """Cell k is the k-th region of counted traffic, and begins at the second (k + 1) slot_s."""
    if report.get("schema") != SCHEMA:
        raise Unreadable(f"the report's schema is {report.get('schema')!r}, expected {SCHEMA!r}")
    records: dict[tuple[int, int, int], bytes] = {}
    regions = report["regions"]
    sent = [_by_sender(region) for region in regions]
    for rank, one in enumerate(report["per_rank"]):
        for cell, kind, payload in _lines(one["stdout"], len(regions)):
            if (cell, rank, kind) in records:
                raise Unreadable(f"rank {rank} has printed a line that begins as the harness's results do, `{cell} {_word(kind)}`")
            records[cell, rank, kind] = payload
        for cell, region in enumerate(regions):
            said = _parsed(records.get((cell, rank, JSON), b""))
            if said is not None:
                known = {**said, **_region(region, rank, (cell + 1) * slot_s), "sent": sent[cell][rank]}
                records[cell, rank, JSON] = json.dumps(known).encode()
    messages = tuple(Message(*row) for row in report.get("timeline", {}).get("messages", ()))
    return Observation(report["ranks"], tuple(_slots(report)), records, messages, len(regions), stray(report, slot_s),
                       unmatched(report))


def _word(kind: int) -> str:
    return next(word for word, number in KINDS.items() if number == kind)


def _lines(text: str, cells: int) -> Iterator[tuple[int, int, bytes]]:
    """Cell, kind and payload of the lines that are records; others a student may have printed."""
    for line in text.splitlines():
        cell, kind, payload = (*line.split(" ", 2), "", "")[:3]
        if kind in KINDS and 0 <= whole(cell) < cells:
            yield int(cell), KINDS[kind], payload.encode() if kind == "json" else _bytes(payload)


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _parsed(payload: bytes) -> dict[str, Any] | None:
    """None where a rank has left nothing."""
    if not payload:
        return None
    try:
        said = json.loads(payload)
    except ValueError:
        return {"hash": None}
    return said if isinstance(said, dict) else {"hash": None}


def _by_sender(region: dict[str, Any]) -> dict[int, list[list[int]]]:
    """[receiver, messages, empty, bytes, largest] of each sender; empty lists of the others."""
    found = defaultdict(list)
    for source, *flow in region["sent"]:
        found[source].append(flow)
    return found


def _region(region: dict[str, Any], rank: int, start: float) -> dict[str, Any]:
    """What the relay knows of a rank in a region, over what the rank says of itself."""
    begin, end = (None if region[name][rank] is None else region[name][rank] - start for name in ("begin_s", "end_s"))
    return {"begin": begin, "end": end, "computed": region["compute_s"][rank]}


def stray(report: dict[str, Any], slot_s: float) -> str:
    """What ranks have done that no measured region counts, or that is not the student's to do; empty if there is nothing. The
    harness sends no message of its own, and meets in no barrier."""
    outside = report["outside"]
    for source, to, messages, _, size, _ in outside["sent"]:
        return (f"rank {source} has sent {size} bytes in {messages} messages to rank {to} outside of the measured call: all of "
                "an all-reduce must happen between its beginning and its return")
    for region in (outside, *report["regions"]):
        for rank, call, _ in region["collectives"]:
            return f"rank {rank} has called {call}, which these exercises do without"
    for cell, region in enumerate(report["regions"]):
        late = [rank for rank, begin in enumerate(region["begin_s"])
                if begin is None or abs(begin - (cell + 1) * slot_s) > SAME_TIME]
        if late:
            return f"rank {late[0]} did not begin cell {cell} at the time at which all ranks begin it"
    return ""


def unmatched(report: dict[str, Any]) -> str:
    """Of a run that came to its end: a send or receive that is not over when the call returns."""
    for region in (*report["regions"], report["outside"]):
        for one in region["left"]:
            if one["met"]:
                return (f"rank {one['rank']} has returned before its {one['call']} of {one['bytes']} bytes was over: MPI_Wait says "
                        "when it is, and every request needs one")
            if one["kind"] == "send":
                return (f"rank {one['peer']} has not received a message of {one['bytes']} bytes, tag {one['tag']}, from rank "
                        f"{one['rank']}: the next call on this communicator would take it for one of its own. Does rank "
                        f"{one['peer']} wait for all its messages before it returns?")
            return f"rank {one['rank']} has begun a receive from {_named(one['peer'])}, tag {one['tag']}, that gets no message"
    return ""


def _named(peer: int | str) -> str:
    return f"rank {peer}" if isinstance(peer, int) else f"{peer} rank"


def _slots(report: dict[str, Any]) -> list[Slot]:
    blocked = {one["rank"]: one for one in report["blocked"]}
    current = defaultdict(int, {rank: len(one["stdout"].splitlines()) for rank, one in enumerate(report["per_rank"])})
    slots = []
    for rank, one in enumerate(report["per_rank"]):
        waits = {request["kind"]: request for request in blocked.get(rank, {}).get("waits_for", [])}
        to, source = (_peer(waits.get(kind)) for kind in ("send", "receive"))
        first = next(iter(waits.values()), {"tag": NOBODY, "bytes": 0})
        tag = first["tag"] if isinstance(first["tag"], int) else NOBODY
        call = blocked[rank]["call"] if rank in blocked else ""
        slots.append(Slot(rank, call, to, source, tag, current[rank], first["bytes"], one["finalized"]))
    return slots


def _peer(request: dict[str, Any] | None) -> int:
    return request["peer"] if request and isinstance(request["peer"], int) else NOBODY
