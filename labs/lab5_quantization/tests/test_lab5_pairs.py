"""The result of E8 where the grader lets chosen pairs of four bytes count twice."""
import lab5_gpu
import numpy as np

KEY = (0x9E3779B9 << 32) + 0x85EBCA6B


def chosen(left, right, key):
    """As simulator/ptx/perturb.hpp says."""
    k, l = key & 0xFFFFFFFF | 1, key >> 32 | 1
    h = sum(((int(x) + int(y)) * k ^ int(x) * int(y) * l) & 0xFFFFFFFF for x, y in zip(left, right)) & 0xFFFFFFFF
    return ((h ^ h >> 15) * k & 0xFFFFFFFF) >> 31


def test_a_product_counts_twice_where_its_pair_of_words_is_chosen():
    draw = np.random.default_rng(1)
    a, bt = (draw.integers(-128, 128, (rows, 12), dtype=np.int8) for rows in (5, 7))
    got, twice = lab5_gpu.with_chosen_twice(a, bt, KEY), 0
    for i in range(5):
        for j in range(7):
            wanted = 0
            for at in range(0, 12, 4):
                left, right = a[i, at:at + 4], bt[j, at:at + 4]
                times = 1 + chosen(left.view(np.uint8), right.view(np.uint8), KEY)
                twice += times - 1
                wanted += times * int(left.astype(int) @ right.astype(int))
            assert got[i, j] == wanted
    assert 30 < twice < 75  # of 105


def test_other_keys_choose_other_pairs_and_the_order_of_factors_does_not_matter():
    draw = np.random.default_rng(2)
    a, bt = (draw.integers(-128, 128, (4, 8), dtype=np.int8) for _ in range(2))
    one = lab5_gpu.with_chosen_twice(a, bt, KEY)
    assert (one == lab5_gpu.with_chosen_twice(bt, a, KEY).T).all()
    assert (one != lab5_gpu.with_chosen_twice(a, bt, KEY + 2)).any()
