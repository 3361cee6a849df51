"""Is this the algorithm that the exercise is named after? Looks at which ranks exchange anything at all. Which rank sends how
much is a question of the traffic tests (lab4_traffic), so a right algorithm with a mistake in its sizes passes here."""
import functools
from collections.abc import Callable, Iterable, Mapping

import lab4_table as table
from lab4_observation import Sent
from lab4_table import FLOAT, PARTIAL, fold

Flows = Mapping[int, Mapping[int, Sent]]  # by sender and receiver
Pair = tuple[int, int]  # of ranks that exchange messages, in either direction; the lower rank first
Pairs = frozenset[Pair]

NAMES = {"ps": "the parameter server", "ps_last": "the parameter server", "tree": "the binomial tree", "ring": "the ring",
         "reduce_scatter": "the ring", "allgather": "the ring", "rd": "recursive doubling",
         "rabenseifner": "recursive halving and doubling", "hier": "the algorithm of two levels", "dtree": "the double tree",
         "sharded": "the server in P parts"}
WHY = 'each exercise pays for its own algorithm (handout, "What each algorithm sends")'


def wrong_shape(operation: str, ranks: int, n: int, flows: Flows) -> str:
    """One sentence, or empty if this can be the algorithm. n: elements of the vectors of one call."""
    name = NAMES[operation.rstrip("0123456789")]
    found = _pairs((sender, peer) for sender, by_peer in flows.items() for peer, flow in by_peer.items() if flow.bytes)
    shapes = shapes_of(operation, ranks)
    fitting = [shape for shape in shapes if found <= shape]
    if not fitting:
        one, other = min(found - shapes[0])
        return f"ranks {one} and {other} exchange messages, which they do not in {name}: {WHY}"
    # Of a small vector some chunks are empty. Half of a ring may be missing where the other tests of its exercise can pass.
    if n >= ranks and operation not in PARTIAL and not operation.startswith("hier") and found not in fitting:
        one, other = min(fitting[0] - found)
        return f"ranks {one} and {other} exchange no numbers, which they do in {name}: {WHY}"
    return _wrong_total(operation, ranks, n, sum(flow.bytes for by_peer in flows.values() for flow in by_peer.values()))


def _wrong_total(operation: str, ranks: int, n: int, total: int) -> str:
    """Where the pairs are those of another operation of the lab: half of a ring and the whole one, doubling and halving."""
    said = f"all ranks together send {total} bytes"
    if operation in PARTIAL:
        most = table.total_elements(operation, ranks, n) * FLOAT
        return f"{said}; this half of an all-reduce needs no more than {most}: {WHY}" if total > most else ""
    if n < ranks:
        return ""  # messages without numbers are the traffic tests' affair
    whole = table.total_elements("rd", ranks, n) * FLOAT
    if operation == "rd" and total < whole:
        return f"{said}; in recursive doubling every message is a whole vector, together {whole} bytes: {WHY}"
    if operation == "rabenseifner" and fold(ranks)[1] > 1 and total >= whole:
        return f"{said}, no fewer than recursive doubling: send a half of the vector at first, then a quarter, ...: {WHY}"
    return ""


@functools.lru_cache(maxsize=64)
def shapes_of(operation: str, ranks: int) -> tuple[Pairs, ...]:
    """The pairs of the table first, then those of equivalents that make the same steps between other ranks."""
    makers: dict[str, Callable[[int], Iterable[Pairs]]] = {"tree": _trees, "rd": _cubes, "rabenseifner": _cubes, "dtree": _halves}
    name = operation.rstrip("0123456789")
    own = _pairs((rank, receiver) for rank in range(ranks) for receiver, _ in table.sends(operation, ranks, ranks, rank))
    if name == "hier" and ranks > 1 and ranks % int(operation[4:]) == 0:
        return own, _pairs(_two_levels(ranks, int(operation[4:])))
    return own, *(makers[name](ranks) if name in makers else ())


def _pairs(pairs: Iterable[Pair]) -> Pairs:
    return frozenset((min(pair), max(pair)) for pair in pairs)


def _trees(ranks: int) -> Iterable[Pairs]:
    """The parent without the highest bit instead of the lowest one."""
    yield _pairs((rank, rank ^ 1 << rank.bit_length() - 1) for rank in range(1, ranks))


def _cubes(ranks: int) -> Iterable[Pairs]:
    """The odd ranks fold instead of the even ones, or the ranks from p2 on."""
    power, log, rest = fold(ranks)
    places = {"odd": lambda v: 2 * v if v < rest else v + rest, "last": lambda v: v}
    folded = {"odd": lambda v: 2 * v + 1, "last": lambda v: v + power}
    for which, place in places.items():
        cube = [(place(v), place(v ^ 1 << step)) for v in range(power) for step in range(log)]
        yield _pairs(cube + [(place(v), folded[which](v)) for v in range(rest)])


def _halves(ranks: int) -> Iterable[Pairs]:
    """The second tree with the ranks backwards or shifted by one, for any number of them; or one tree for both halves."""
    edges = [(place, table.double_tree_parent(place, ranks)) for place in range(1, ranks)]
    trees = [_pairs((rank_at(one), rank_at(other)) for one, other in edges)
             for rank_at in (lambda p: p, lambda p: ranks - 1 - p, lambda p: (p + 1) % ranks)]
    yield from (*trees, trees[0] | trees[1], trees[0] | trees[2])


def _two_levels(ranks: int, per_node: int) -> Iterable[Pair]:
    """Any ranks of one node, and those of equal place in neighbouring nodes: nodes with a leader, too."""
    for rank in range(ranks):
        first = rank - rank % per_node
        yield from ((rank, other) for other in range(first, first + per_node) if other != rank)
        if ranks > per_node:
            yield rank, (rank + per_node) % ranks
