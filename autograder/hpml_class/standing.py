"""Which of a student's hand-ins counts: pure functions. A failure of ours never lowers a score."""
import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from .errors import UsageError
from .marks import Record, net

SETTLED = 2  # rank of a record without pending tests
RANKS = {"ok": SETTLED, "inconclusive": 1, "infra_error": 0}
LONG_AGO = datetime.datetime.min.replace(tzinfo=datetime.timezone.utc)


@dataclass(frozen=True)
class Entry:
    record: Record
    received_at: datetime.datetime | None = None


def better(new: Record, old: Record | None) -> bool:
    """May `new` take the place of `old`, both of the same hand-in? Not a failure over a score."""
    return old is None or RANKS[new["status"]] >= RANKS[old["status"]]


def counts(entries: Sequence[Entry], keep: str) -> Entry:
    """best: the most points; last: the latest received. Either way one that was graded before one that was not, and
    the earlier of equals."""
    if keep not in ("best", "last"):
        raise UsageError(f"keep = '{keep}': use best or last")
    usable = [entry for entry in entries if entry.record["status"] != "infra_error"] or list(entries)
    if keep == "best":
        # The earliest of the best: max() keeps the first of equals.
        return max(sorted(usable, key=_received), key=lambda entry: net(entry.record))
    return max(usable, key=_received)


def _received(entry: Entry) -> datetime.datetime:
    return entry.received_at or LONG_AGO
