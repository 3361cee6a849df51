"""The relay's report of a run (schema hpml.relay/v1) as an observation: traffic and times are the relay's, of a process
without student code; a rank only says what its result's hash is."""
import json
from collections import defaultdict
from typing import Any

from lab4_observation import JSON, Observation, Slot, Unreadable

SCHEMA = "hpml.relay/v1"
NOBODY = -1


def observation(report: dict[str, Any], slot_s: float) -> Observation:
    """Cell k is the k-th region of counted traffic, and begins at the second (k + 1) slot_s."""
    if report.get("schema") != SCHEMA:
        raise Unreadable(f"the report's schema is {report.get('schema')!r}, expected {SCHEMA!r}")
    records = {}
    for rank, one in enumerate(report["per_rank"]):
        for line in one["stdout"].splitlines():
            cell, _, text = line.partition(" ")
            if cell.isdigit() and int(cell) < len(report["regions"]):
                said = _parsed(text)
                region = _region(report["regions"][int(cell)], rank, (int(cell) + 1) * slot_s)
                records[int(cell), rank, JSON] = json.dumps({**said, **region}).encode()
    return Observation(report["ranks"], tuple(_slots(report)), records)


def _parsed(text: str) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except ValueError:
        return {"hash": None}
    return said if isinstance(said, dict) else {"hash": None}


def _region(region: dict[str, Any], rank: int, start: float) -> dict[str, Any]:
    """What the relay knows of a rank in a region, over what the rank says of itself."""
    sent = [[to, *counts] for source, to, *counts in region["sent"] if source == rank]
    left = next((one["rank"] for one in region["left"] if one["kind"] == "send" and one["peer"] == rank), None)
    return {"begin": region["begin_s"][rank] - start, "end": region["end_s"][rank] - start, "sent": sent, "leftover": left}


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
