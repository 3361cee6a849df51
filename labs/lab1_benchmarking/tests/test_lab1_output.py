"""The two lines and their arithmetic."""
import lab1_output as output
import pytest

GOOD = "N: 1000000 <T>: 0.000939000 sec B: 8.519702 GB/sec F: 2.129925 GFLOP/sec\nR: 1000000.0\n"


def test_a_good_output_is_read_and_agrees():
    printed = output.parse(GOOD)
    assert isinstance(printed, output.Printed) and (printed.n, printed.r) == (1000000, 1000000.0)
    assert output.rate_problem(printed) == ""


@pytest.mark.parametrize("old, new, words", [
    ("N: 1", "N:1", "expected the form"), ("0.000939000", "0.000939", "expected the form"),
    ("GB/sec", "GiB/sec", "expected the form"), ("R: ", "R = ", "expected the form 'R: 1000.0'"),
    ("\nR: 1000000.0\n", "\n", "expected exactly two lines, got 1"), ("R: ", "extra\nR: ", "got 3"),
])
def test_another_form_is_named(old, new, words):
    assert words in output.parse(GOOD.replace(old, new))


@pytest.mark.parametrize("old, new, words", [
    ("8.519702", "7.934594", "2^30"), ("8.519702", "4.259851", "two vectors are read"),
    ("8.519702", "12.779553", "nothing is written"), ("2.129925", "8.519702", "two operations per element"),
    ("0.000939000", "0.939000000", "disagree by 1000"), ("0.000939000", "0.000000000", "T is 0.0"),
])
def test_rates_that_do_not_follow_from_n_and_t_are_named(old, new, words):
    printed = output.parse(GOOD.replace(old, new))
    assert words in output.rate_problem(printed)


def test_a_trailing_blank_and_other_decimals_of_r_are_fine():
    assert not isinstance(output.parse(GOOD.replace("R: 1000000.0", "R: 1000000.000000  ")), str)
