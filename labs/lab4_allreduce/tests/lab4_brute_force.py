"""Simulates each algorithm by moving data, as the handout describes it, and counts what goes over the network.

Independent of judges/lab4_table.py: nothing here knows a formula. A vector holds, for each element, the set of ranks (as
bits) whose terms it contains; adding two vectors that share a rank's term is an error, and so is a result without all."""
from collections.abc import Callable

Vector = list[int]


class Network:
    """Ranks with a vector each. Messages of one round are taken before any is delivered."""

    def __init__(self, ranks: int, n: int) -> None:
        self.ranks, self.n = ranks, n
        self.data: list[Vector] = [[1 << rank] * n for rank in range(ranks)]
        self.messages: list[tuple[int, int, int]] = []  # sender, receiver, elements

    def round(self, transfers: list[tuple[int, int, int, int]], add: bool) -> None:
        """transfers: sender, receiver, first element, last element + 1."""
        taken = [(sender, receiver, first, self.data[sender][first:last]) for sender, receiver, first, last in transfers]
        for sender, receiver, first, values in taken:
            self.messages.append((sender, receiver, len(values)))
            for at, value in enumerate(values, first):
                if add:
                    assert not self.data[receiver][at] & value, "a term would be added twice"
                    value |= self.data[receiver][at]
                self.data[receiver][at] = value

    def complete(self) -> bool:
        return all(value == (1 << self.ranks) - 1 for vector in self.data for value in vector)


def borders(n: int, parts: int) -> list[int]:
    return [int(n * i // parts) for i in range(parts + 1)]


def ps(net: Network, server: int = 0) -> None:
    for worker in set(range(net.ranks)) - {server}:
        net.round([(worker, server, 0, net.n)], add=True)
    for worker in set(range(net.ranks)) - {server}:
        net.round([(server, worker, 0, net.n)], add=False)


def tree(net: Network) -> None:
    """Pairs at distance 1, 2, 4, ...: the upper one of a pair gives its sum to the lower one, and is out."""
    alive, distance, back = list(range(net.ranks)), 1, []
    while len(alive) > 1:
        pairs = [(upper, upper - distance) for upper in alive if upper // distance % 2]
        net.round([(upper, lower, 0, net.n) for upper, lower in pairs], add=True)
        back.append(pairs)
        alive = [rank for rank in alive if rank not in [upper for upper, _ in pairs]]
        distance *= 2
    for pairs in reversed(back):
        net.round([(lower, upper, 0, net.n) for upper, lower in pairs], add=False)


def ring(net: Network, members: list[int] | None = None, first: int = 0, last: int | None = None) -> None:
    """Of the elements first to last among `members`."""
    scatter(net, members, first, last)
    gather(net, members, first, last)


def _ring_rounds(net: Network, members: list[int] | None, first: int, last: int | None, start: int, add: bool) -> None:
    members = members or list(range(net.ranks))
    count = len(members)
    edges = [first + border for border in borders((net.n if last is None else last) - first, count)]
    for step in range(count - 1):
        parts = [(place + start - step) % count for place in range(count)]
        net.round([(members[place], members[(place + 1) % count], edges[part], edges[part + 1])
                   for place, part in enumerate(parts)], add)


def scatter(net: Network, members: list[int] | None = None, first: int = 0, last: int | None = None) -> None:
    _ring_rounds(net, members, first, last, 0, add=True)


def gather(net: Network, members: list[int] | None = None, first: int = 0, last: int | None = None) -> None:
    _ring_rounds(net, members, first, last, 1, add=False)


def hier(net: Network, per_node: int) -> None:
    if net.ranks % per_node:
        ring(net)
        return
    nodes = [list(range(first, first + per_node)) for first in range(0, net.ranks, per_node)]
    edges = borders(net.n, per_node)
    for node in nodes:
        scatter(net, node)
    for local in range(per_node):
        owned = (local + 1) % per_node
        ring(net, [node[local] for node in nodes], edges[owned], edges[owned + 1])
    for node in nodes:
        gather(net, node)


def sharded(net: Network) -> None:
    edges = borders(net.n, net.ranks)
    pairs = [(one, other) for one in range(net.ranks) for other in range(net.ranks) if one != other]
    net.round([(one, other, edges[other], edges[other + 1]) for one, other in pairs], add=True)
    net.round([(one, other, edges[one], edges[one + 1]) for one, other in pairs], add=False)


def double_tree(net: Network, segments: int) -> None:
    halves = borders(net.n, 2)
    for tree in (0, 1):
        ranks = list(range(net.ranks))  # by place
        if tree:
            ranks = ranks[::-1] if net.ranks % 2 == 0 else ranks[1:] + ranks[:1]
        edges = [halves[tree] + border for border in borders(halves[tree + 1] - halves[tree], segments)]
        for first, last in zip(edges, edges[1:]):
            down: list[tuple[int, int]] = []
            _up(net, ranks, 0, 1, net.ranks, first, last, down)
            for parent, child in reversed(down):
                net.round([(parent, child, first, last)], add=False)


def _up(net: Network, ranks: list[int], parent: int, low: int, high: int, first: int, last: int, down: list) -> None:
    """The places low to high - 1 are below `parent`; their root is the one that most powers of two divide."""
    if low >= high:
        return
    root = max(range(low, high), key=lambda place: [place % 2**k for k in range(net.ranks.bit_length())].count(0))
    _up(net, ranks, root, low, root, first, last, down)
    _up(net, ranks, root, root + 1, high, first, last, down)
    net.round([(ranks[root], ranks[parent], first, last)], add=True)
    down.append((ranks[parent], ranks[root]))


def folded(net: Network, run: Callable[[Network, list[int]], None]) -> None:
    """Runs an algorithm for powers of two on some of the ranks, after the others have given them what they have."""
    power = 1
    while 2 * power <= net.ranks:
        power *= 2
    extra = net.ranks - power
    pairs = [(2 * i, 2 * i + 1) for i in range(extra)]
    net.round([(even, odd, 0, net.n) for even, odd in pairs], add=True)
    run(net, [odd for _, odd in pairs] + list(range(2 * extra, net.ranks)))
    net.round([(odd, even, 0, net.n) for even, odd in pairs], add=False)


def doubling(net: Network, members: list[int]) -> None:
    distance = 1
    while distance < len(members):
        net.round([(members[i], members[i ^ distance], 0, net.n) for i in range(len(members))], add=True)
        distance *= 2


def halving_doubling(net: Network, members: list[int]) -> None:
    edges = borders(net.n, len(members))
    window = [(0, len(members))] * len(members)
    history, distance = [], 1
    while distance < len(members):
        history.append(list(window))
        middle = [(low + high) // 2 for low, high in window]
        upper = [bool(i & distance) for i in range(len(members))]
        give = [(window[i][0], middle[i]) if upper[i] else (middle[i], window[i][1]) for i in range(len(members))]
        net.round([(members[i], members[i ^ distance], edges[give[i][0]], edges[give[i][1]])
                   for i in range(len(members))], add=True)
        window = [(middle[i], window[i][1]) if upper[i] else (window[i][0], middle[i]) for i in range(len(members))]
        distance *= 2
    while distance > 1:
        distance //= 2
        net.round([(members[i], members[i ^ distance], edges[window[i][0]], edges[window[i][1]])
                   for i in range(len(members))], add=False)
        window = history.pop()


def simulate(operation: str, ranks: int, n: int) -> Network:
    net = Network(ranks, n)
    if ranks == 1:
        return net
    if operation.startswith("hier"):
        hier(net, int(operation[4:]))
        return net
    if operation.startswith("dtree"):
        double_tree(net, int(operation[5:]))
        return net
    {"ps": ps, "ps_last": lambda one: ps(one, ranks - 1), "sharded": sharded, "tree": tree, "ring": ring,
     "rd": lambda one: folded(one, doubling), "rabenseifner": lambda one: folded(one, halving_doubling)}[operation](net)
    return net
