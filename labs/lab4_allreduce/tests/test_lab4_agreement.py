"""The relay's times pay points, and SMPI has an independent implementation of the same network: they must be the same."""
import lab4_agreement as agreement
import pytest
from hpml_autograder.lab import Request, prepare

pytestmark = pytest.mark.xdist_group("lab4_agreement")


def compared(folder, exercises, programs, most_ranks):
    request = Request("lab4", solution=True, only=",".join(f"{exercise}.time" for exercise in exercises))
    return agreement.pairs(prepare(request, lambda text: None, folder).runner, most_ranks, programs)


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
    pairs = compared(tmp_path, ["E1", "E2", "E3", "E4", "E5", "E8"], list(agreement.ALGORITHMS), agreement.MOST_RANKS)
    assert {(one.program, one.relay.ranks) for one in pairs} >= {(name, 256) for name in agreement.ALGORITHMS}
    check(pairs)
