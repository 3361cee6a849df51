"""Runs that did not end well: who waits for whom, in which call, and for which sizes the same program ends by luck."""
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import lab4_observation as observations
import lab4_relay
import lab4_table as table
from hpml_autograder.lab import Case, Context, Outcome, Run, Verdict, trouble
from lab4_observation import Observation, Slot

FLOAT = 4
SLOT_S = 100             # kSlot_s of harness/clock.h
OPEN_MPI_EAGER = 4096    # bytes up to which MPI_Send returns before its receive, between processes of one machine
SMPI_EAGER = 65535       # and in SMPI, unless it is told otherwise, as the grader does
PROBE = 1 << 20          # elements of a vector whose messages show what part of it each is
NOBODY = -1              # no rank, or any tag
SHOWN = 4                # ranks that a message names
SHOWN_WORDS = 8          # arguments
SHOWN_CELLS = 3          # of a run that makes several calls
MOST_OF_AN_ERROR = 200   # characters: the text of a UnicodeDecodeError quotes the whole file


def load(path: Path) -> Observation:
    """What a run has left: the harness's file, or the relay's report. Raises Unreadable."""
    with path.open("rb") as file:
        is_report = file.read(1) == b"{"
    if not is_report:
        return observations.load(path)
    try:
        return lab4_relay.observation(json.loads(path.read_text(encoding="utf-8")), SLOT_S)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise observations.Unreadable(f"{path.name}: {repr(error)[:MOST_OF_AN_ERROR]}") from error


def failure(run: Run, context: Context) -> Outcome | None:
    """The outcome of a run that did not end well, or None."""
    problem = trouble(run, context.spec.limits.wall_s)
    if problem is None or run.dump is None:
        return problem
    try:
        observed = load(run.dump)
    except observations.Unreadable:
        return problem
    hangs = problem.verdict is Verdict.TO or observed.deadlock
    words = waiting(observed, run.case.args.split(), hangs)
    problem = replace(problem, detail=problem.detail.replace(str(run.case), named(run.case)))
    if words and hangs:
        return Outcome(Verdict.TO, f"`{named(run.case)}` does not end: {words}")
    if words:
        return Outcome(problem.verdict, f"{problem.detail}. At that time {words}")
    return problem


def observe(run: Run, context: Context) -> tuple[Observation | None, Outcome | None]:
    """What the run has left, or why it cannot be judged."""
    problem = failure(run, context)
    if problem:
        return None, problem
    if run.dump is None:
        return None, Outcome(Verdict.RE, f"`{named(run.case)}`: it left no results")
    try:
        observed = load(run.dump)
    except observations.Unreadable as error:
        return None, Outcome(Verdict.RE, f"`{named(run.case)}`: what it left is not what the harness writes ({error})")
    if not observed.finished:
        return None, Outcome(Verdict.RE, f"`{named(run.case)}`: not all ranks came to the end of the given main()")
    if observed.regions is not None and (observed.stray or observed.regions != cells_of(run.case)):
        beside = observed.stray or f"{observed.regions} calls were measured instead of {cells_of(run.case)}"
        return None, Outcome(Verdict.PV, f"`{named(run.case)}`: {beside}")
    if observed.unmatched:
        return None, Outcome(Verdict.WA, f"`{named(run.case)}`: {observed.unmatched}")
    return observed, None


def named(case: Case) -> str:
    """A case in a message: cells without their seeds, and not more of them than can be read."""
    words = [":".join(word.split(":")[:2]) if ":" in word else word for word in case.args.split()]
    most = SHOWN_CELLS if all(":" in word for word in words) else SHOWN_WORDS
    more = " ..." if len(words) > most else ""
    return f"{case.program} {' '.join(words[:most])}{more} on {case.ranks} rank{'s' if case.ranks > 1 else ''}"


def cells_of(case: Case) -> int:
    """How many calls the harness measures: one for each argument OPERATION:N, or one at all."""
    return max(1, sum(":" in word for word in case.args.split()))


def waiting(observed: Observation, cells: Sequence[str], hangs: bool = True) -> str:
    """Of the ranks that were in a call that can block; empty if none was. A run that hangs gets an explanation; in one that
    failed for another reason, ranks only happened to wait."""
    blocked = [slot for slot in observed.slots if slot.call and not slot.finished]
    if not blocked:
        return ""
    cell = min(slot.cell for slot in blocked)  # ranks in a later one have returned from this
    stuck = [slot for slot in blocked if slot.cell == cell]
    circle = cycle(stuck)
    stuck.sort(key=lambda slot: slot.rank not in circle)  # those in the circle are shown first
    shown = "; ".join(_place(slot) for slot in stuck[:SHOWN])
    left = len(stuck) - SHOWN
    more = f" and {left} more rank{'s' if left > 1 else ''}" if left > 0 else ""
    where = ""
    if 0 <= cell < len(cells) and ":" in cells[cell]:
        operation, n = cells[cell].split(":")[:2]
        where = f" in {operation} with n = {n}"
    why = _other_tag(stuck) if hangs else _computing(observed, cell, hangs)
    if hangs and not why:
        why = _cycle(stuck) + _returned(observed, cell) + _computing(observed, cell, hangs)
        why += _luck(stuck[0], cells, observed.ranks) if len(circle) > 1 else ""
    return f"{shown}{more}{where}.{why}"


def _returned(observed: Observation, cell: int) -> str:
    """Ranks for which others wait in vain. Of a rank in no call, only a deadlock tells that it does not compute."""
    ranks = [slot.rank for slot in observed.slots
             if slot.finished or slot.cell > cell or (observed.deadlock and not slot.call)]
    return f" {_listed(ranks)} already returned." if ranks else ""


def _computing(observed: Observation, cell: int, hangs: bool) -> str:
    """Ranks that have not returned and are in no call that can block. With SMPI one that computes for ever keeps others from
    their first call."""
    ranks = [slot.rank for slot in observed.slots if not (slot.finished or slot.call or slot.cell > cell or observed.deadlock)]
    if not ranks:
        return ""
    return f" {_listed(ranks)} not entered the next MPI call{': does a loop never end?' if hangs else '.'}"


def _listed(ranks: Sequence[int]) -> str:
    if len(ranks) == 1:
        return f"Rank {ranks[0]} has"
    return f"Ranks {', '.join(map(str, ranks[:SHOWN]))}{', ...' if len(ranks) > SHOWN else ''} have"


def _other_tag(stuck: Sequence[Slot]) -> str:
    """Of two ranks where one sends to the other, which receives from it, and yet both wait."""
    by_rank = {slot.rank: slot for slot in stuck}
    for slot in stuck:
        partner = by_rank.get(slot.to)
        if partner and slot.source < 0 and (partner.to, partner.source) == (NOBODY, slot.rank) and partner.tag not in (slot.tag, NOBODY):
            return (f" Rank {slot.rank} sends with tag {slot.tag} what rank {partner.rank} receives with tag {partner.tag}: a receive "
                    "takes only a message with its own tag.")
    return ""


def _place(slot: Slot) -> str:
    to = f" to rank {slot.to}" if slot.to >= 0 else ""
    source = f" from rank {slot.source}" if slot.source >= 0 else ""
    size = f" ({slot.bytes} bytes, tag {slot.tag})" if to or source else ""
    return f"rank {slot.rank} waits in {slot.call}{to}{' and' if to and source else ''}{source}{size}"


def cycle(stuck: Sequence[Slot]) -> list[int]:
    """Ranks that wait for each other in a circle: each for the next one, the last for the first."""
    waits_for = {slot.rank: slot.to if slot.to >= 0 else slot.source for slot in stuck}
    for start in waits_for:
        path = [start]
        while (following := waits_for.get(path[-1], -1)) in waits_for and following not in path:
            path.append(following)
        if following in path:
            return path[path.index(following):]
    return []


def _cycle(stuck: Sequence[Slot]) -> str:
    ranks = cycle(stuck)
    if len(ranks) == 1:
        return f" Rank {ranks[0]} waits for itself: in a loop over all ranks, leave out one's own."
    if not ranks:
        return ""
    shown = [*ranks, ranks[0]] if len(ranks) <= 2 * SHOWN else [*ranks[:SHOWN], "...", ranks[0]]
    those = [slot for slot in stuck if slot.rank in ranks]
    why = ""
    if all(slot.to < 0 for slot in those):
        why = (" All of them receive, and none of them has sent what the next one waits for: let one rank of each pair send first, or "
               "use MPI_Sendrecv. A receive takes only a message with its own tag.")
    elif all(slot.to >= 0 and slot.source >= 0 for slot in those):
        why = (" All of them send and receive at the same time, yet no message fits: a receive takes only a message with its own "
               "tag, from the rank that it names.")
    return f" They wait in a circle: {' -> '.join(map(str, shown))}.{why}"


def _luck(slot: Slot, cells: Sequence[str], ranks: int) -> str:
    """MPI_Send may return before the receive has started, and does so for small messages: then a circle is not seen."""
    if slot.call != "MPI_Send" or not 0 <= slot.cell < len(cells):
        return ""
    operation, n = cells[slot.cell].split(":")[:2] if ":" in cells[slot.cell] else ("", slot.bytes // FLOAT)
    share = slot.bytes / (int(n) * FLOAT) if slot.bytes and int(n) else _largest_share(operation, ranks, slot.rank)
    open_mpi, smpi = (f"{int(limit / (share * FLOAT))}" if share else "any" for limit in (OPEN_MPI_EAGER, SMPI_EAGER))
    return (f" MPI_Send may wait until its receive has started (MPI standard, \"Communication Modes\"). Small messages are "
            f"buffered, so the same program ends by luck up to about n = {open_mpi} with Open MPI ({OPEN_MPI_EAGER} bytes a "
            f"message) and n = {smpi} with SMPI's defaults ({SMPI_EAGER} bytes). Let every exchange post its receive first, "
            "or use MPI_Sendrecv.")


def _largest_share(operation: str, ranks: int, rank: int) -> float:
    """Of the vector, in one message of the table's algorithm: for a rank that waits with an empty message."""
    try:
        return max((elements for _, elements in table.sends(operation, ranks, PROBE, rank)), default=0) / PROBE
    except (KeyError, ValueError):
        return 0
