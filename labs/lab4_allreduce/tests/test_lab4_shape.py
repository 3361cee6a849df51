"""Which algorithm was written: does each exercise pay for its own, and for honest other shapes of it?"""
from pathlib import Path

import lab4_table as table
import lab4_time
import lab4_traffic
import pytest
from hpml_autograder import labspec
from hpml_autograder.lab import Case, Network, Run, Verdict
from lab4_observation import Observation, Sent
from lab4_shape import wrong_shape

LAB = Path(__file__).resolve().parent.parent
WHOLE = ("ps", "tree", "ring", "rd", "rabenseifner", "hier2", "dtree3", "sharded")
RANKS = (1, 2, 3, 4, 5, 7, 8, 12, 16, 64)


def flows(messages):
    """Of (sender, receiver, elements)."""
    found: dict[int, dict[int, Sent]] = {}
    for sender, receiver, elements in messages:
        before = found.setdefault(sender, {}).get(receiver, Sent(0, 0, 0, 0))
        size = elements * table.FLOAT
        found[sender][receiver] = Sent(before.messages + 1, before.empty + (not size), before.bytes + size, max(before.largest, size))
    return found


def of_table(operation, ranks, n):
    return flows((rank, receiver, elements) for rank in range(ranks) for receiver, elements in table.sends(operation, ranks, n, rank))


@pytest.mark.parametrize("operation", [*WHOLE, "ps_last", "hier3", "hier4", "reduce_scatter", "allgather"])
def test_every_algorithm_of_the_table_is_itself(operation):
    for ranks in RANKS:
        for n in (0, 1, 2, ranks - 1, ranks, 1001):
            assert wrong_shape(operation, ranks, n, of_table(operation, ranks, n)) == "", (ranks, n)


@pytest.mark.parametrize("asked", WHOLE)
@pytest.mark.parametrize("written", WHOLE)
def test_no_algorithm_is_another_on_eight_ranks(asked, written):
    said = wrong_shape(asked, 8, 1000, of_table(written, 8, 1000))
    assert bool(said) == (asked != written) and (not said or "each exercise pays for its own algorithm" in said)


def test_the_message_names_two_ranks_and_the_algorithm():
    assert wrong_shape("ps", 8, 8, of_table("ring", 8, 8)).startswith("ranks 1 and 2 exchange messages, which they do not in the parameter server")
    assert wrong_shape("sharded", 8, 8, of_table("ring", 8, 8)).startswith("ranks 0 and 2 exchange no numbers, which they do in the server in")
    assert wrong_shape("ring", 8, 8, {}).startswith("ranks 0 and 1 exchange no numbers")
    assert "together 96000 bytes" in wrong_shape("rd", 8, 1000, of_table("rabenseifner", 8, 1000))
    assert "no fewer than recursive doubling" in wrong_shape("rabenseifner", 8, 1000, of_table("rd", 8, 1000))


@pytest.mark.parametrize("half", table.PARTIAL)
def test_half_a_ring_sends_half_as_much(half):
    assert wrong_shape(half, 8, 1000, {}) == ""  # its own test says that nothing was gathered
    assert "needs no more than 28000" in wrong_shape(half, 8, 1000, of_table("ring", 8, 1000))
    assert "which they do not in the ring" in wrong_shape(half, 8, 1000, of_table("tree", 8, 1000))


def backwards(ranks, n):
    return [((-rank) % ranks, (-receiver) % ranks, elements) for rank in range(ranks) for receiver, elements in table.sends("ring", ranks, n, rank)]


def both_ways(pairs, n):
    return [(one, other, n) for pair in pairs for one, other in (pair, pair[::-1])]


def doubling(ranks, n, place, folded):
    power, log, rest = table.fold(ranks)
    return both_ways([(place(v, rest), place(v ^ 1 << k, rest)) for v in range(power) for k in range(log) if v < v ^ 1 << k]
                     + [(place(v, rest), folded(v, power)) for v in range(rest)], n)


def far_first(ranks, n):
    """Powers of two: the largest half goes to the farthest rank."""
    log = ranks.bit_length() - 1
    return [(rank, rank ^ ranks >> k + 1, n >> k + 1) for rank in range(ranks) for k in range(log) for _ in "ab"]


def with_leaders(ranks, n, per_node):
    """All of a node send to its first rank, the first ranks make a ring, and send to all of their nodes."""
    inside = both_ways([(rank, rank - rank % per_node) for rank in range(ranks) if rank % per_node], n)
    nodes = ranks // per_node
    return inside + [(place * per_node, (place + 1) % nodes * per_node, 2 * n) for place in range(nodes)]


OTHER_SHAPES = {
    "a ring in the other direction": ("ring", backwards),
    "whole vectors round the ring": ("ring", lambda ranks, n: [(rank, (rank + 1) % ranks, n * (ranks - 1)) for rank in range(ranks)]),
    "whole vectors in segments": ("tree", lambda ranks, n: both_ways([(r, r & (r - 1)) for r in range(1, ranks)], n // 2) * 2),
    "a tree whose parent lacks the highest bit": ("tree", lambda ranks, n: both_ways([(r, r ^ 1 << r.bit_length() - 1) for r in range(1, ranks)], n)),
    "odd ranks that fold": ("rd", lambda ranks, n: doubling(ranks, n, lambda v, rest: 2 * v if v < rest else v + rest, lambda v, power: 2 * v + 1)),
    "the last ranks that fold": ("rd", lambda ranks, n: doubling(ranks, n, lambda v, rest: v, lambda v, power: v + power)),
    "two trees, the second shifted": ("dtree1", lambda ranks, n: both_ways([((p + by) % ranks, (table.double_tree_parent(p, ranks) + by) % ranks)
                                                                         for by in (0, 1) for p in range(1, ranks)], n // 2)),
    "one of the two trees twice": ("dtree1", lambda ranks, n: both_ways([(p, table.double_tree_parent(p, ranks)) for p in range(1, ranks)], n)),
    "chunks of other servers": ("sharded", lambda ranks, n: [(a, b, 2 * n // ranks + 1) for a in range(ranks) for b in range(ranks) if a != b]),
}


@pytest.mark.parametrize("name", OTHER_SHAPES)
def test_honest_other_shapes_are_the_algorithm(name):
    operation, made = OTHER_SHAPES[name]
    for ranks in (2, 3, 5, 7, 8, 12, 16):
        assert wrong_shape(operation, ranks, 1000, flows(made(ranks, 1000))) == "", ranks


def test_honest_other_shapes_for_some_numbers_of_ranks():
    for ranks in (4, 8, 64):
        assert wrong_shape("rabenseifner", ranks, 1024, flows(far_first(ranks, 1024))) == ""
    for ranks, per_node in ((4, 2), (8, 2), (12, 3), (64, 8)):
        assert wrong_shape(f"hier{per_node}", ranks, 1000, flows(with_leaders(ranks, 1000, per_node))) == ""


def observation_of(case, written):
    """What a run leaves whose sums are right and whose messages are those of another algorithm."""
    records = {}
    for index, word in enumerate(case.args.split()):
        n = int(word.split(":")[1])
        found = of_table(written, case.ranks, n)
        for rank in range(case.ranks):
            sent = [[peer, one.messages, one.empty, one.bytes, one.largest] for peer, one in found.get(rank, {}).items()]
            records[index, rank, 1] = f'{{"sent": {sent}, "leftover": null, "begin": 0, "end": 1e-6}}'.encode()
    return Observation(case.ranks, (), records)


@pytest.mark.parametrize("module, judge, name", [(lab4_time, "judge", "E4.time"), (lab4_traffic, "judge_safe", "E4.unbuffered")])
def test_neither_a_time_nor_a_safe_exchange_is_paid_to_another_algorithm(module, judge, name, monkeypatch):
    run = Run(Case("rd_relay", "rd:1000:1", ranks=8, network=Network()), "exit")
    test = next(test for test in labspec.load(LAB / "lab.toml").test if test.id == name)
    monkeypatch.setattr(module, "wrong_sample", lambda *any: "")
    for written, refused in (("rabenseifner", True), ("rd", False)):
        monkeypatch.setattr(module, "observe", lambda run, context, written=written: (observation_of(run.case, written), None))
        outcome = getattr(module, judge)(test, None, [run])
        assert ("in recursive doubling every message" in outcome.detail) == refused and (outcome.verdict is Verdict.WA or not refused)
