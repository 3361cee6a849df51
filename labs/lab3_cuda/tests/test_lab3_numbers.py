"""Do the judges of parts A and C compute what the lab specification's independent programs computed?"""
import lab3_conv as conv
import lab3_kernels as kernels
import numpy
import pytest
from hpml_autograder.lab import Case


@pytest.mark.parametrize("size, total, weighted", [("1", 11270638, 45082169), ("4", 46100554, 184397282)])
def test_vector_sums(size, total, weighted):
    z = kernels.vector_sum(size, "vecadd01", (1, 0, 3, 0)).astype(numpy.int64)
    assert (z.sum(), (z * (1 + numpy.arange(z.size) % 7)).sum()) == (total, weighted)


def test_matrix_products():
    """In whole numbers, by another way."""
    a = [[3 * y + 7 * x - (1 << 23) for x in range(32)] for y in range(32)]
    b = [[7 * y + 3 * x - (1 << 23) for x in range(32)] for y in range(32)]
    product = kernels.matrix_product("1", "matmult01", (3, 5, 7, 2))
    for y, x in ((0, 0), (0, 31), (31, 0), (17, 5)):
        assert product[y, x] == sum(a[y][k] * b[k][x] for k in range(32)) / 2**40


def test_drawn_matrices_have_all_bits_of_a_float_and_any_order_of_additions_is_right():
    """Small whole numbers would fit several into a word."""
    case = Case("matmult01", "8", kernels.environment(kernels.numbers_from(7)))
    a, b = kernels.matrices(case.args, case.program, kernels.numbers_of(case))
    assert abs(a).max() <= 8 and (a % 1 != 0).mean() > 0.99 and len(numpy.unique(a)) > 0.99 * a.size
    expected = kernels.matrix_product(case.args, case.program, kernels.numbers_of(case))
    forwards = numpy.zeros_like(a)
    for k in range(len(a)):
        forwards += a[:, k:k + 1] * b[k:k + 1]
    bound = kernels.bound(case, expected)
    assert kernels.differing(forwards, expected, bound / 4) == kernels.differing(a @ b, expected, bound / 4) == ""
    half = (a.astype(numpy.float16).astype(float) @ b.astype(numpy.float16).astype(float))
    assert "elements are wrong" in kernels.differing(half, expected, bound)
    assert "transposed" in kernels.differing(expected.T, expected, bound)


ASYMMETRIC = [("3,16,16,4,3,3,1", -68962508, -414081427, -66836527, -68643763),
              ("3,24,40,5,3,3,1", -355576020, -2133551762, -351902572, -355670611),
              ("3,17,33,5,3,3,1", -187068663, -1122273062, -184752390, -187215074),
              ("2,19,50,7,3,3,1", -264733670, -1588297717, -258139406, -265033940)]


@pytest.mark.parametrize("text, total, weighted, not_flipped, transposed", ASYMMETRIC)
def test_convolutions_of_asymmetric_data(text, total, weighted, not_flipped, transposed):
    s = conv.Shape(*map(int, text.split(",")))
    image, filters = conv.inputs(s, conv.ASYMMETRIC)
    out = conv.convolve(image, filters, s)
    k, y, x = numpy.meshgrid(*map(numpy.arange, out.shape), indexing="ij")
    assert (out.sum(), (out * (1 + (3 * k + 5 * x + 7 * y) % 11)).sum()) == (total, weighted)
    assert conv.convolve(image, filters, s, flip=False).sum() == not_flipped
    assert conv.convolve(image, filters.transpose(0, 1, 3, 2), s).sum() == transposed


@pytest.mark.parametrize("size, filters, total", [(16, 4, 2359800), (32, 4, 20596152), (64, 4, 171937080),
                                                  (16, 64, 395452800), (64, 64, 28813034880)])
def test_convolutions_of_the_given_data(size, filters, total):
    s = conv.Shape(3, size, size, filters, 3, 3, 1)
    assert conv.convolve(*conv.inputs(s, ()), s).sum() == total


def test_the_usual_mistakes_are_named():
    s = conv.Shape(3, 17, 33, 5, 3, 3, 1)
    image, filters = conv.inputs(s, conv.ASYMMETRIC)
    assert "not flipped" in conv.diagnosis(conv.convolve(image, filters, s, flip=False), s, conv.ASYMMETRIC)
    assert conv.diagnosis(numpy.zeros((5, 17, 33)), s, conv.ASYMMETRIC) == "nothing but zeros"


def test_sectors_of_the_direct_kernel_are_those_of_the_specification():
    """Per row of 1026 doubles two thirds of the requests are misaligned: 8.667 sectors of the input each (section 8)."""
    s = conv.Shape(1, 512, 1024, 1, 3, 3, 1)
    requests = s.H * (s.W // 32) * s.FH * s.FW
    assert conv.direct_sectors(s) / requests - 1 == pytest.approx(8.667, abs=0.01)


def test_a_sum_that_is_no_number_says_what_was_not_written(tmp_path):
    from hpml_autograder.lab import Case, Run
    case = Case("convolution", "--only 1 --shape 3,16,16,4,3,3,1", dump=True)

    def said(result):
        result.tofile(tmp_path / "dump")
        return conv.wrong_output(Run(case, "exit", stdout="nan,0.000\n", dump=tmp_path / "dump"), conv.no_matter)

    nothing = numpy.full(1024, numpy.nan)
    assert said(nothing) == "no element of O was written: O starts as NaN, and the sum that it prints is NaN"
    assert said(numpy.where(numpy.arange(1024) < 1000, 1.0, nothing)).startswith("24 of 1024 elements of O were not written")


def test_chosen_data_follow_no_rule_and_numbers_below_256_are_the_formula_of_the_handout():
    index = numpy.arange(4096)
    assert not kernels.scattered(index, 255).any()
    _, b, _, d = kernels.numbers_from(0x0123456789ABCDEF)
    for chosen in (b, d):
        residues = kernels.scattered(index, chosen) % 17
        assert numpy.bincount(residues, minlength=17).min() > 4096 / 17 * 0.7
        for period in (13, 17, 221, 251):
            assert (residues[period:] == residues[:-period]).mean() < 0.15
    a, b = kernels.matrices("2", "matmult01", kernels.numbers_from(7))
    assert numpy.linalg.matrix_rank(a) == len(a) and numpy.linalg.matrix_rank(b) == len(b)
