"""Who sends how many elements to whom: the exact traffic of each algorithm, for any number of ranks and elements.

An algorithm is described by the list of messages that one rank sends, in closed form; the table of the handout follows from
it. tests/test_lab4_table.py compares both with a simulation that moves data."""
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

FLOAT = 4
PARTIAL = ("reduce_scatter", "allgather")  # halves of a ring, which leave no sum by themselves
ALGORITHMS = ("ps", "tree", "ring", "rd", "rabenseifner", "hier")


@dataclass(frozen=True)
class Flow:
    """From one rank to one other, in elements."""
    messages: int
    empty: int
    elements: int
    largest: int


def chunk(n: int, parts: int, i: int) -> int:
    """Size of chunk i modulo parts."""
    i %= parts
    return n * (i + 1) // parts - n * i // parts


def fold(ranks: int) -> tuple[int, int, int]:
    """Largest power of two that is not above `ranks`, its logarithm, and how many ranks are above it."""
    log = ranks.bit_length() - 1
    return 1 << log, log, ranks - (1 << log)


def children(ranks: int, rank: int) -> list[int]:
    """Of a rank in the binomial tree."""
    lowest = rank & -rank if rank else ranks
    return [rank + (1 << k) for k in range(ranks.bit_length()) if 1 << k < lowest and rank + (1 << k) < ranks]


def sends(operation: str, ranks: int, n: int, rank: int) -> list[tuple[int, int]]:
    """(receiver, elements) of each message of `rank`; "hier8" has 8 ranks per node, "dtree8" 8 segments of each half, "ps_last"
    its server on the last rank."""
    if ranks == 1:
        return []
    if operation.startswith("hier"):
        return list(_hier(ranks, n, rank, int(operation[4:])))
    if operation.startswith("dtree"):
        return list(_double_tree(ranks, n, rank, int(operation[5:])))
    server = ranks - 1 if operation == "ps_last" else 0
    makers = {"ps": lambda: _ps(ranks, n, rank, server), "ps_last": lambda: _ps(ranks, n, rank, server),
              "tree": lambda: _tree(ranks, n, rank), "ring": lambda: _ring(ranks, n, rank, 0, 1),
              "reduce_scatter": lambda: _half_ring(ranks, n, rank, rank, (rank + 1) % ranks),
              "allgather": lambda: _half_ring(ranks, n, rank, rank + 1, (rank + 1) % ranks),
              "sharded": lambda: _sharded(ranks, n, rank), "rd": lambda: _rd(ranks, n, rank), "rabenseifner": lambda: _rabenseifner(ranks, n, rank)}
    return list(makers[operation]())


def _ps(ranks: int, n: int, rank: int, server: int) -> Iterator[tuple[int, int]]:
    yield from ([(worker, n) for worker in range(ranks) if worker != server] if rank == server else [(server, n)])


def _tree(ranks: int, n: int, rank: int) -> Iterator[tuple[int, int]]:
    if rank:
        yield rank & (rank - 1), n
    yield from ((child, n) for child in children(ranks, rank))


def _half_ring(ranks: int, n: int, place: int, first_chunk: int, receiver: int) -> Iterator[tuple[int, int]]:
    yield from ((receiver, chunk(n, ranks, first_chunk - step)) for step in range(ranks - 1))


def _ring(ranks: int, n: int, place: int, base: int, stride: int) -> Iterator[tuple[int, int]]:
    receiver = base + stride * ((place + 1) % ranks)
    yield from _half_ring(ranks, n, place, place, receiver)
    yield from _half_ring(ranks, n, place, place + 1, receiver)


def _hier(ranks: int, n: int, rank: int, per_node: int) -> Iterator[tuple[int, int]]:
    if ranks % per_node:
        yield from _ring(ranks, n, rank, 0, 1)
        return
    node, local = divmod(rank, per_node)
    neighbour = node * per_node + (local + 1) % per_node
    yield from _half_ring(per_node, n, local, local, neighbour)
    yield from _ring(ranks // per_node, chunk(n, per_node, local + 1), node, local, per_node)
    yield from _half_ring(per_node, n, local, local + 1, neighbour)


def _sharded(ranks: int, n: int, rank: int) -> Iterator[tuple[int, int]]:
    for other in range(ranks):
        if other != rank:
            yield from ((other, chunk(n, ranks, other)), (other, chunk(n, ranks, rank)))


def double_tree_parent(place: int, ranks: int) -> int:
    """Of a place > 0 in one of the two binary trees: its lowest set bit is its height."""
    bit = place & -place
    above = (place ^ bit) | (bit << 1)
    return above if above < ranks else place ^ bit


def double_tree_rank(place: int, tree: int, ranks: int) -> int:
    if tree == 0:
        return place
    return (place + 1) % ranks if ranks % 2 else ranks - 1 - place


def _double_tree(ranks: int, n: int, rank: int, segments: int) -> Iterator[tuple[int, int]]:
    """Over each edge of a tree as many messages go up as come down."""
    for tree in (0, 1):
        half = chunk(n, 2, tree)
        for place in range(1, ranks):
            edge = [double_tree_rank(one, tree, ranks) for one in (place, double_tree_parent(place, ranks))]
            if rank in edge:
                yield from ((edge[1 - edge.index(rank)], chunk(half, segments, k)) for k in range(segments))


def _virtual(rank: int, rest: int) -> int:
    return rank // 2 if rank < 2 * rest else rank - rest


def _real(virtual: int, rest: int) -> int:
    return 2 * virtual + 1 if virtual < rest else virtual + rest


def _rd(ranks: int, n: int, rank: int) -> Iterator[tuple[int, int]]:
    _, log, rest = fold(ranks)
    if rank < 2 * rest and rank % 2 == 0:
        yield rank + 1, n
        return
    yield from ((_real(_virtual(rank, rest) ^ (1 << step), rest), n) for step in range(log))
    if rank < 2 * rest:
        yield rank - 1, n


def kept_ranges(virtual: int, power: int, log: int) -> list[tuple[int, int]]:
    """The range of chunks that a virtual rank keeps after 0, 1, ... halving steps: bit k of its number chooses the half."""
    ranges = [(0, power)]
    for step in range(log):
        first, last = ranges[-1]
        middle = (first + last) // 2
        ranges.append((middle, last) if virtual >> step & 1 else (first, middle))
    return ranges


def _rabenseifner(ranks: int, n: int, rank: int) -> Iterator[tuple[int, int]]:
    power, log, rest = fold(ranks)
    if rank < 2 * rest and rank % 2 == 0:
        yield rank + 1, n
        return
    virtual = _virtual(rank, rest)

    def size(bounds: tuple[int, int]) -> int:
        return n * bounds[1] // power - n * bounds[0] // power
    kept = kept_ranges(virtual, power, log)
    partners = [_real(virtual ^ (1 << step), rest) for step in range(log)]
    yield from ((partners[step], size(kept[step]) - size(kept[step + 1])) for step in range(log))
    yield from ((partners[step], size(kept[step + 1])) for step in reversed(range(log)))
    if rank < 2 * rest:
        yield rank - 1, n


def flows(operation: str, ranks: int, n: int, rank: int) -> dict[int, Flow]:
    """What `rank` sends, by receiver."""
    sizes: dict[int, list[int]] = defaultdict(list)
    for receiver, elements in sends(operation, ranks, n, rank):
        sizes[receiver].append(elements)
    return {receiver: Flow(len(one), one.count(0), sum(one), max(one)) for receiver, one in sorted(sizes.items())}


def total_elements(operation: str, ranks: int, n: int) -> int:
    """Over all ranks: 2 n (P - 1), but for recursive doubling n (p2 L + 2 rem)."""
    if operation == "rd":
        power, log, rest = fold(ranks)
        return n * (power * log + 2 * rest) if ranks > 1 else 0
    return (1 if operation in PARTIAL else 2) * n * (ranks - 1)
