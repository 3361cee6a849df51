"""Contention: which link carries the most bytes, and how many it carries in the algorithm of the table."""
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import lab4_table as table
from lab4_observation import Sent
from lab4_table import FLOAT

Flows = Mapping[int, Mapping[int, Sent]]
Bytes = Iterator[tuple[int, int, int]]  # sender, receiver, bytes


class Load(NamedTuple):
    bytes: int
    place: int        # host, or switch
    direction: str    # "out" or "in"


def busiest_host(operation: str, ranks: int, n: int, flows: Flows, scale: int = 1) -> str:
    """Each rank has one link to the crossbar, which carries both directions at full speed. scale: what the numbers of
    elements and bytes have been divided by."""
    found, wanted = (_busiest(rows, lambda rank: rank, scale) for rows in (_counted(flows), _expected(operation, ranks, n)))
    if found and wanted and found.bytes > wanted.bytes:
        return (f"The busiest link, rank {found.place}'s, carries {found.bytes} bytes {found.direction}; in the algorithm of the "
                f"table no link carries more than {wanted.bytes} in one direction")
    return ("No link carries more bytes than in the table, so the transfers of a link wait for others: does a rank send and "
            "receive one after the other instead of at the same time?")


def busiest_uplink(operation: str, ranks: int, n: int, flows: Flows, hosts: int, scale: int = 1) -> str:
    """Switches of `hosts` hosts share one link to the switch above."""
    def switch(rank: int) -> int:
        return rank // hosts
    found, wanted = (_busiest(rows, switch, scale) for rows in (_counted(flows), _expected(operation, ranks, n)))
    if not found or not wanted:
        return "No bytes cross the links above the switches"
    most = f"Contention: the uplink that ranks {found.place * hosts} to {found.place * hosts + hosts - 1} share carries {found.bytes} bytes"
    if found.bytes > wanted.bytes:
        return f"{most} {found.direction}; in the order of the table {wanted.bytes}"
    return f"{most}, as in the table, but not all the time: transfers over it wait for others"


def _counted(flows: Flows) -> Bytes:
    return ((sender, receiver, flow.bytes) for sender, by_receiver in flows.items() for receiver, flow in by_receiver.items())


def _expected(operation: str, ranks: int, n: int) -> Bytes:
    return ((sender, receiver, elements * FLOAT) for sender in range(ranks)
            for receiver, elements in table.sends(operation, ranks, n, sender))


def _busiest(rows: Bytes, place_of: Callable[[int], int], scale: int) -> Load | None:
    """Of the links between places; None where nothing crosses one."""
    load: dict[tuple[int, str], int] = {}
    for sender, receiver, size in rows:
        if (source := place_of(sender)) != (target := place_of(receiver)):
            for link in ((source, "out"), (target, "in")):
                load[link] = load.get(link, 0) + size
    if not load:
        return None
    (place, direction), size = max(load.items(), key=lambda one: (one[1], -one[0][0]))
    return Load(size * scale, place, direction)
