"""The exact traffic table against a simulation that moves data, and against figures of the specification."""
from collections import Counter, defaultdict

import lab4_table as table
import pytest
from lab4_brute_force import simulate

RANKS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16)
SIZES = (0, 1, 2, 3, 5, 7, 8, 9, 13, 100, 257)
OPERATIONS = ("ps", "ps_last", "tree", "ring", "rd", "rabenseifner", "hier2", "hier3", "hier4", "sharded", "dtree1", "dtree3")


def out(operation, ranks, n):
    """(messages, elements) out of each rank."""
    sends = [table.sends(operation, ranks, n, rank) for rank in range(ranks)]
    return [len(one) for one in sends], [sum(elements for _, elements in one) for one in sends]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_flow_is_that_of_a_simulation_that_moves_data(operation):
    for ranks in RANKS:
        for n in SIZES:
            net = simulate(operation, ranks, n)
            assert ranks == 1 or net.complete(), (operation, ranks, n)
            flows = defaultdict(list)
            for sender, receiver, elements in net.messages:
                flows[sender, receiver].append(elements)
            expected = {pair: table.Flow(len(sizes), sizes.count(0), sum(sizes), max(sizes))
                        for pair, sizes in flows.items()}
            found = {(rank, receiver): flow for rank in range(ranks)
                     for receiver, flow in table.flows(operation, ranks, n, rank).items()}
            assert found == expected, (operation, ranks, n)
            assert sum(flow.elements for flow in found.values()) == table.total_elements(operation, ranks, n)


def test_figures_of_the_specification():
    """Section 5, "Spot values": counted with PMPI on SMPI and Open MPI."""
    assert out("ring", 5, 3)[1] == [5, 5, 4, 5, 5]
    assert out("ring", 5, 13)[1] == [21, 21, 20, 21, 21]
    assert out("tree", 7, 1)[0] == [3, 1, 2, 1, 3, 1, 1]
    assert out("tree", 12, 1)[0] == [4, 1, 2, 1, 3, 1, 2, 1, 3, 1, 2, 1]
    assert out("rd", 5, 1)[0] == [1, 3, 2, 2, 2]
    assert out("rd", 7, 1)[0] == [1, 3, 1, 3, 1, 3, 2]
    assert out("rabenseifner", 8, 13)[1] == [22, 23, 22, 24, 22, 23, 22, 24]
    assert list(zip(*out("rabenseifner", 6, 13))) == [(1, 13), (5, 32), (1, 13), (5, 33), (4, 19), (4, 20)]
    assert out("hier3", 6, 13)[1] == [21, 22, 22, 21, 22, 22]


def test_in_the_double_tree_a_rank_has_children_in_one_tree_only():
    """Sanders, Speck, Traeff 2009: the inner ranks of one tree are the leaves of the other, so that all links share the work.
    With odd P, rank 0 is the exception."""
    for ranks in (8, 11, 64, 100):
        inner = [{table.double_tree_rank(table.double_tree_parent(place, ranks), tree, ranks) for place in range(1, ranks)}
                 for tree in (0, 1)]
        assert inner[0] & inner[1] <= {0} and (ranks % 2 or not inner[0] & inner[1])
        assert max(out("dtree1", ranks, 1000)[1]) <= 2 * 1000 + 500 * (ranks % 2)


def received(operation, ranks, n):
    into = Counter()
    for rank in range(ranks):
        for receiver, elements in table.sends(operation, ranks, n, rank):
            into[receiver] += elements
    return [into[rank] for rank in range(ranks)]


def test_elements_received():
    assert received("ring", 5, 3) == [5, 5, 5, 4, 5]
    assert received("hier3", 6, 13) == [22, 22, 21, 22, 22, 21]


@pytest.mark.parametrize("ranks", [2, 5, 8, 13])
def test_ring_has_the_closed_forms_of_the_handout(ranks):
    for n in SIZES:
        c = [table.chunk(n, ranks, i) for i in range(ranks)]
        for rank in range(ranks):
            halves = [sum(size for _, size in table.sends(operation, ranks, n, rank))
                      for operation in ("reduce_scatter", "allgather")]
            assert halves == [n - c[(rank + 1) % ranks], n - c[(rank + 2) % ranks]]
            assert sum(size for _, size in table.sends("ring", ranks, n, rank)) == sum(halves)


@pytest.mark.parametrize("operation", ["ps", "tree", "ring", "rd", "rabenseifner", "hier2", "hier3", "sharded", "dtree4"])
def test_no_algorithm_is_below_the_lower_bounds(operation):
    """A sum that needs every rank's data: each rank receives n elements at least, all together 2 n (P - 1)."""
    for ranks in (2, 3, 6, 8):
        for n in (1, 12, 100):
            assert min(received(operation, ranks, n)) >= n
            assert sum(received(operation, ranks, n)) >= 2 * n * (ranks - 1)
            assert max(out(operation, ranks, n)[1]) * ranks >= 2 * n * (ranks - 1)
