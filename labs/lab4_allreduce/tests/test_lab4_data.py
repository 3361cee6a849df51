"""The judges' numbers are the harness's, and sums that are wrong are explained."""
import lab4_correct
import lab4_data as data
import numpy as np
import pytest
from lab4_cases import correct_case, keys_of, measured_case, measured_cells
from hpml_autograder.lab import Run
from lab4_observation import Observation
from lab4_sums import explain, wrong_sample


def cell(operation="ring", n=50, kind="int", ranks=4, keys=()):
    return lab4_correct.Cell(0, operation, n, kind, 7, Observation(ranks, (), {}), ranks, keys)


def test_fnv1a_of_one_word():
    assert data.hash_of(np.array([0.0], dtype=np.float32)) == 0xCBF29CE484222325 * 0x100000001B3 & data.MASK


@pytest.mark.parametrize("ranks, n", [(1, 5), (4, 0), (7, 100), (2, 100000)])
def test_hash_of_a_sample_of_the_sum(ranks, n):
    total = sum(data.vector("int", 9, rank, n) for rank in range(ranks))
    places = range(n) if n <= data.SAMPLE else [data.mix_one(9 + i) % n for i in range(data.SAMPLE)]
    assert data.sample_hash(ranks, n, 9) == data.hash_of(np.array([total[place] for place in places], dtype=np.float32))


def test_integers_stay_exact_and_mixed_numbers_span_magnitudes():
    integers = data.vector("int", 1, 0, 10000)
    assert np.abs(integers).max() <= 1000 and np.array_equal(integers, np.round(integers))
    mixed = np.abs(data.vector("mixed", 1, 0, 10000))
    assert mixed.max() > 2**9 and np.median(mixed) < 1


def test_a_right_sum_is_accepted_in_any_order_of_addition():
    one = cell(kind="mixed")
    for order in ((0, 1, 2, 3), (3, 1, 0, 2)):
        total = np.zeros(one.n, dtype=np.float32)
        for rank in order:
            total += data.vector("mixed", one.seed, rank, one.n)
        assert lab4_correct.wrong_vector(one, total, range(4), 0) == ""
    total[17] *= 1.001
    assert lab4_correct.wrong_vector(one, total, range(4), 0).startswith("element 17: expected ")


def test_a_lost_subtree_is_named_and_chance_is_not_taken_for_a_reason():
    terms = np.array([data.vector("int", 5, rank, 200) for rank in range(64)], dtype=np.float64)
    assert explain(terms[:32].sum(axis=0), terms) == "the terms of ranks 32 to 63 are missing"
    assert explain(terms.sum(axis=0) - terms[[3, 9]].sum(axis=0), terms) == "the terms of ranks 3, 9 are missing"
    few = terms[:12]
    assert explain(few.sum(axis=0) - few[[1, 4, 7, 9]].sum(axis=0), few) == "the terms of ranks 1, 4, 7, 9 are missing"
    assert explain(few.sum(axis=0) + 0.5, few) == ""
    assert explain((few.sum(axis=0) / 12).astype(np.float32).astype(np.float64), few) == "it is the sum divided by P = 12"


def record(n, ranks, seed, lost):
    """As a rank leaves it that has not added rank 1's terms to the elements `lost`."""
    total = sum(data.vector("int", seed, rank, n) for rank in range(ranks))
    total[lost] -= data.vector("int", seed, 1, n)[lost]
    return {"hash": data.hash_of(total), "wrong": [[at, int(total[[at]].view("<u4")[0])] for at in lost[:3]]}


def test_a_sampled_sum_names_element_and_ranks_and_the_hash_alone_decides():
    assert wrong_sample(record(20, 5, 3, []), 2, 5, 20, 3) == ""
    assert wrong_sample({**record(20, 5, 3, []), "wrong": [[1, 0]]}, 2, 5, 20, 3) == ""
    words = wrong_sample(record(20, 5, 3, [7, 8, 11]), 2, 5, 20, 3)
    assert words.startswith("rank 2, element 7: expected ") and words.endswith("the terms of rank 1 are missing")


def test_behind_the_relay_no_rank_can_compute_anothers_numbers_from_its_own_key_and_the_seeds():
    case = measured_case("ring_relay", 5, ["ring:20"], seed=3)
    keys = keys_of(case)
    assert keys == data.own_keys(3, 5) and len(set(keys)) == 5 and data.own_keys(4, 5)[0] not in keys
    ((_, _, told),) = measured_cells(case)  # what the ranks read on their command line
    assert told != 3 and not set(keys) & set(data.own_keys(told, 5))
    assert keys_of(measured_case("ring_smpi", 5, ["ring:20"], seed=3)) == ()
    places = np.arange(20, dtype=np.uint64)
    assert not np.array_equal(data.values_at("int", 3, 1, places, keys), data.values_at("int", 3, 1, places))
    total = sum(data.values_at("int", 3, rank, places, keys) for rank in range(5))
    shown = [[at, int(total[[at]].view("<u4")[0])] for at in range(20)]  # right ones, too: a rank does not know which are wrong
    assert wrong_sample({"hash": data.hash_of(total), "wrong": shown}, 2, 5, 20, 3, keys) == ""
    total[7] -= data.values_at("int", 3, 1, places, keys)[7]
    shown[7][1] = int(total[[7]].view("<u4")[0])
    words = wrong_sample({"hash": data.hash_of(total), "wrong": shown}, 2, 5, 20, 3, keys)
    assert words.startswith("rank 2, element 7: expected ") and words.endswith("the terms of rank 1 are missing")


def test_on_open_mpi_no_rank_can_compute_anothers_numbers():
    case = correct_case("ring", 5, ["ring:20:int"], seed=3)
    assert keys_of(case) == data.own_keys(3, 5) and dict(case.env)["HPML_DATA"] == str(data.told(3))
    (one,) = lab4_correct.cells_of(Run(case, "exit"), Observation(5, (), {}))
    from_seed = sum(data.vector("int", one.seed, rank, 20) for rank in range(5))
    with_keys = sum(data.vector("int", one.seed, rank, 20, one.keys) for rank in range(5))
    assert lab4_correct.wrong_vector(one, with_keys, range(5), 0) == ""
    assert lab4_correct.wrong_vector(one, from_seed, range(5), 0).startswith("element 0: expected ")


def test_ranks_keep_their_keys_in_other_communicators():
    one = cell(kind="split", ranks=5, keys=data.own_keys(3, 5))
    for group in one.groups():
        total = sum(data.vector("int", one.seed, rank, one.n, tuple(one.keys[world] for world in group)) for rank in range(len(group)))
        assert lab4_correct.wrong_vector(one, total, group, 0) == ""
    assert one.keys_of([4, 0]) == (one.keys[4], one.keys[0])


def test_each_chunk_of_an_all_gather_is_its_owners():
    one = cell("allgather", n=10, keys=data.own_keys(3, 4))
    owners = [3] * 2 + [0] * 3 + [1] * 2 + [2] * 3  # rank r has chunk r + 1 of 2, 3, 2 and 3 elements
    got = np.array([data.vector("int", one.seed, owner, 10, one.keys)[at] for at, owner in enumerate(owners)])
    assert lab4_correct.wrong_vector(one, got, range(4), 0) == ""
    got[9] += 1
    assert lab4_correct.wrong_vector(one, got, range(4), 0).startswith("element 9: expected ")


@pytest.mark.parametrize("said", [None, "x", [[7]], [[-1, 0]], [[20, 0]], [[True, 0]], [[3, 1 << 32]]])
def test_nonsense_about_a_wrong_sum_is_passed_over(said):
    assert wrong_sample({"hash": 1, "wrong": said}, 2, 5, 20, 3) == "the sum on rank 2 is wrong"


@pytest.mark.parametrize("change, words", [
    (lambda terms: sum(terms) - terms[2], "the terms of rank 2 are missing"),
    (lambda terms: sum(terms) - terms[0] - terms[3], "the terms of ranks 0, 3 are missing"),
    (lambda terms: sum(terms) + terms[1], "the terms of rank 1 are there twice"),
    (lambda terms: terms[3], "only the terms of rank 3 are there"),
    (lambda terms: sum(terms) / 4, "the sum divided by P = 4")])
def test_a_wrong_sum_names_the_ranks(change, words):
    one = cell()
    terms = [data.vector("int", one.seed, rank, one.n).astype(np.float64) for rank in range(4)]
    assert words in lab4_correct.wrong_vector(one, change(terms).astype(np.float32), range(4), 0)


def test_only_the_owned_chunk_counts_after_a_reduce_scatter():
    one = cell("reduce_scatter", n=8)
    got = np.full(8, 1e6, dtype=np.float32)
    got[4:6] = data.exact_sum("int", one.seed, 4, 8)[0][4:6]  # chunk 2, of the rank at place 1
    assert lab4_correct.wrong_vector(one, got, range(4), 1) == ""
    assert "element 6" in lab4_correct.wrong_vector(one, got, range(4), 2)


def test_infinities_and_nans_are_compared_by_class():
    one = cell(kind="special", n=400)
    total = data.exact_sum("special", one.seed, 4, one.n)[0]
    assert np.isnan(total).any() and np.isinf(total).any()
    assert lab4_correct.wrong_vector(one, total.astype(np.float32), range(4), 0) == ""
    at = int(np.flatnonzero(np.isinf(total))[0])
    broken = total.astype(np.float32)
    broken[at] = 0
    assert f"element {at}" in lab4_correct.wrong_vector(one, broken, range(4), 0)


def test_quick_numbers_and_the_checksum_of_their_sum_are_as_written_out():
    numbers = data.quick_vector(7, 99, 6)
    bits = [data.mix_one(data.mix_one(7 ^ 99) + word) for word in range(2)]
    assert numbers.tolist() == [(bits[at // 4] >> 16 * (at % 4)) % 2048 - 1024 for at in range(6)]
    words = [int(word) for word in numbers.view("<u4")]
    assert data.checksum_of(numbers) == sum(word * (2 * at + 1) for at, word in enumerate(words)) % 2**64
