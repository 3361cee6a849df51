"""Sums, intensities, fits and samples of X1 to X4 against published and independent values."""
import itertools
import math
import statistics

import lab1_data as data
import lab1_gemm as gemm
import lab1_sums as sums
import lab1_tools as tools
import numpy as np
import pytest


def test_fingerprints_of_pairwise_and_compensated_sums():
    assert sums.FINGERPRINT["pairwise"](1024) == 2**24 + 1016  # the first leaf of 8 loses its seven ones
    assert sums.FINGERPRINT["kahan"](1024) == 2**24 + 1024     # 2^24 + 1023 is no float: rounded to even


@pytest.mark.parametrize("word, n, naive, exact", [
    ("tenths", 10**6, 100958.344, 100000), ("tenths", 10**7, 1087937, 1000000), ("harmonic", 10**7, 15.4036827, 16.6953113659)])
def test_series_have_their_known_sums(word, n, naive, exact):
    vectors = data.Data(word)
    assert data.sequential(vectors, n) == np.float32(naive)
    assert sums.value_problem("kahan", vectors, n, float(np.float32(exact))) == ""
    assert sums.value_problem("pairwise", vectors, n, float(np.float32(exact))) == ""
    assert sums.value_problem("pairwise", vectors, n, float(np.float32(naive))) != ""


def test_pairwise_follows_the_recursion_of_the_handout():
    def plain(products):
        if len(products) <= 8:
            total = np.float32(0)
            for product in products:
                total = np.float32(total + product)
            return total
        return np.float32(plain(products[:len(products) // 2]) + plain(products[len(products) // 2:]))
    for n in (1, 8, 9, 17, 100, 1003):
        vectors = data.Data("positive:99")
        assert data.pairwise(vectors, n) == plain(vectors.products(n))


@pytest.mark.parametrize("n, block", [(4, 1), (12, 4), (16, 16)])
def test_intensity_counts_the_tiles_that_a_walk_loads(n, block):
    loaded = 0
    for _ in itertools.product(range(n // block), repeat=3):  # (i, k, j) tiles: one of A and one of B each
        loaded += 2 * block * block
    loaded += 2 * n * n                                       # C is read once and written once
    assert gemm.intensity("blocked", n, block) == pytest.approx(2 * n**3 / (4 * loaded))


def test_exact_laws_are_found_again():
    assert tools.expected("fits", "amdahl 1:10 2:5.5 4:3.25") == ["F: 0.900000", "limit: 10.000000"]
    assert tools.expected("fits", "power 10:1 100:1000") == ["k: 3.000000", "c: 1.000000e-03"]
    assert tools.expected("fits", "weak 1:10 2:10 4:10") == ["s: 0.000000"]
    assert tools.expected("fits", "amdahl 1:10 2:4 4:1")[1] == "limit: none"  # better than any Amdahl


def test_wilsons_interval_holds_where_the_normal_one_fails():
    share, low, high = map(float, tools.expected("sampling", "share 0 50")[0].split())
    z2 = statistics.NormalDist().inv_cdf(0.975)**2
    assert (share, low) == (0, 0) and high == pytest.approx(z2 / (50 + z2), abs=1e-6)


def test_as_many_samples_as_needed_hold_the_width_and_one_fewer_does_not():
    n, z = int(tools.expected("sampling", "need 0.1 0.01")[0]), statistics.NormalDist().inv_cdf(0.975)
    assert z * math.sqrt(0.09 / n) <= 0.01 < z * math.sqrt(0.09 / (n - 1))


def test_words_and_decimals_are_compared():
    assert tools.alike(["F: 0.900001"], ["F: 0.900000"]) and not tools.alike(["F: 0.91"], ["F: 0.900000"])
    assert not tools.alike(["3457"], ["3458"]) and not tools.alike(["limit: 3.1"], ["limit: none"])
