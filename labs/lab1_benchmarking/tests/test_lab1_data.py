"""The exact values of the lab, each from an independent derivation."""
from fractions import Fraction

import lab1_data as data
import numpy as np
import pytest
from hpml_autograder.bounded import bounded

ONES, PROBE, INTS = data.Data("ones"), data.Data("probe"), data.Data(data.PUBLIC_INTS)


def round_to_float(value: Fraction) -> Fraction:
    """To 24 bits, ties to even (IEEE 754-2008, 4.3.1), by integer arithmetic alone."""
    if value == 0:
        return value
    exponent, magnitude = 0, abs(value)
    while magnitude * 2**exponent >= 2**24:
        exponent -= 1
    while magnitude * 2**exponent < 2**23:
        exponent += 1
    scaled = magnitude * Fraction(2)**exponent
    whole, rest = divmod(scaled, 1)
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2):
        whole += 1
    return (whole if value > 0 else -whole) / Fraction(2)**exponent


def float_sum(terms: list[int], start: int = 0) -> int:
    total = Fraction(start)
    for term in terms:
        total = round_to_float(total + term)
    return int(total)


def test_one_accumulator_stops_at_two_to_the_24():
    assert float_sum([1, 1, 1], 2**24 - 1) == 2**24
    assert data.sequential(ONES, 2**24 + 5) == 2**24 == 16777216


def test_four_per_expression_stop_at_two_to_the_26():
    assert float_sum([4, 4], 2**26 - 4) == 2**26
    assert data.unrolled(ONES, 2**26 + 400) == 2**26 == 67108864


def test_the_probe_tells_the_order_of_the_additions():
    n = 1024
    assert data.sequential(PROBE, n) == float_sum([2**24] + [1] * (n - 1)) == 16777216
    groups = [int(round_to_float(round_to_float(round_to_float(Fraction(2**24) + 1) + 1) + 1))] + [4] * (n // 4 - 1)
    assert data.unrolled(PROBE, n) == float_sum(groups) == 2**24 + 4 * 255 == 16778236
    assert data.unrolled(PROBE, n, paired=True) == float_sum([2**24 + 2] + [4] * 255) == 16778238
    assert [data.accumulators(PROBE, n, k) for k in (2, 4, 8, 16)] == [2**24 + n - n // k for k in (2, 4, 8, 16)]
    assert data.doubles(PROBE, n) == 2**24 + 1023


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 1000, 1000001, 1000002, 1000003])
def test_integer_data_is_exact_in_any_order(n):
    plain = sum((((7 * i + 3) % 5) - 1) * (((11 * i + 1) % 7) - 2) for i in range(n))
    assert data.sequential(INTS, n) == data.unrolled(INTS, n) == data.doubles(INTS, n) == plain


def test_hidden_integers_stay_exact_and_differ_from_the_public_ones():
    words = {data.hidden_ints(seed * 0x9E3779B97F4A7C15 % 2**64) for seed in range(50)}
    assert len(words) > 20
    for word in words:
        vectors = data.Data(word)
        assert np.abs(np.cumsum(vectors.products(1000003).astype(np.float64))).max() < 2**24


def test_the_bound_holds_for_sequential_and_is_not_empty():
    vectors, n = data.Data("uniform:12345"), 100000
    reference = data.exact(vectors, n)
    bound = data.error_bound(reference, n)
    assert 0 < abs(data.sequential(vectors, n) - reference.value) < bound
    assert bound / reference.magnitude == pytest.approx(0.0060, abs=0.0001)


def test_both_workers_make_the_same_numbers_as_the_checker(tmp_path):
    import subprocess

    from hpml_autograder.paths import build_dir
    source = tmp_path / "first.c"
    source.write_text("float last(long n, const float *a, const float *b) { return 2 * a[n - 1] + b[n - 1]; }\n")
    library = tmp_path / "first.so"
    subprocess.run(["/usr/bin/cc", "-shared", "-fPIC", "-o", library, source], check=True)
    for word in ("ones", "probe", data.PUBLIC_INTS, "uniform:77"):
        sizes = (1, 2, 1000, 4097)
        command = [build_dir() / "bin/lab1_worker", "calls", library, "last", word, ",".join(map(str, sizes))]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        expected = [2 * a[-1] + b[-1] for a, b in (data.Data(word).vectors(n) for n in sizes)]
        assert np.array(done.stdout.split(), np.float32).tolist() == np.array(expected, np.float32).tolist()


@pytest.mark.parametrize("word", ["ones", "uniform:5"])
def test_the_sum_of_the_longest_vectors_is_judged_in_little_memory(word):
    """A judge may take 384 MB: hpml_autograder/judging.py."""
    data.exact.cache_clear()
    with bounded(256, 60):
        assert data.exact(data.Data(word), 70_000_000).magnitude > 15_000_000
