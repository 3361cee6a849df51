"""The relay's times and counts pay points. SMPI has an independent implementation of the same network, and PMPI counts in the
ranks themselves: they must be the same."""
import lab4_agreement as agreement
import pytest
from hpml_autograder.lab import Request, prepare

pytestmark = pytest.mark.xdist_group("lab4_agreement")


ALL = ("E1", "E2", "E3", "E4", "E5", "E8")  # the exercises of agreement.ALGORITHMS


def runner_of(folder, exercises, tests=("time",)):
    only = ",".join(f"{exercise}.{test}" for exercise in exercises for test in tests)
    return prepare(Request("lab4", solution=True, only=only), lambda text: None, folder).runner


def compared(folder, exercises, programs, most_ranks):
    return agreement.pairs(runner_of(folder, exercises), most_ranks, programs)


def check(pairs):
    for one in pairs:
        assert one.relay and one.smpi, one
        assert one.relay.flows == one.smpi.flows, f"{one.program} {one.cell}: other messages"
        assert one.apart <= agreement.ALLOWED, f"{one.program} {one.cell} on {one.network}: {one.apart:.2e}"


def test_the_relay_counts_and_times_as_smpi_does(tmp_path):
    pairs = compared(tmp_path, ["E5"], ["rabenseifner"], agreement.QUICK_RANKS)
    assert len(pairs) == 6  # two on 12 ranks, three on 64, one on the fat tree
    check(pairs)


def test_every_algorithm_on_up_to_256_ranks(tmp_path):
    pairs = compared(tmp_path, ALL, list(agreement.ALGORITHMS), agreement.MOST_RANKS)
    assert {(one.program, one.relay.ranks) for one in pairs} >= {(name, 256) for name in agreement.ALGORITHMS}
    check(pairs)


def test_the_relay_counts_as_pmpi_does_on_the_whole_matrix(tmp_path):
    found = list(agreement.counts(runner_of(tmp_path, ALL, ("time", "traffic"))))
    assert [one for one in found if not one.same] == []
    sizes = {n: len({*agreement.COUNTED_SIZES, n - 1, n, n + 1}) for n in agreement.COUNTED_RANKS}
    for name in agreement.ALGORITHMS:  # each cell of the matrix, once for each rank
        operations = {ranks: len({cell.split(":")[0] for cell in agreement.counted_cells(name, ranks)}) for ranks in sizes}
        assert sum(one.program == name for one in found) == sum(n * sizes[n] * operations[n] for n in sizes)
