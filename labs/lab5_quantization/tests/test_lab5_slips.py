"""Is a typical mistake named when a result is exactly what it gives, and nothing else?"""
from itertools import product

import lab5_slips as slips
import numpy as np
import pytest
from lab5_data import U8, differs
from lab5_lowering import convolution_data

X = np.array([-1.25, -0.75, 0.25, 0.75], np.float32)  # the handout's table: scale 0.5, zero 3
SHAPE = (6, 5, 3, 2, 3)                               # h, w, ci, co, k
STRIDE, PAD, ZERO = 2, 1, 9


@pytest.mark.parametrize("got, words", [
    ([0, 2, 4, 4], "the zero point is added before rounding"), ([0, 1, 4, 5], "halves are rounded away from zero"),
    ([1, 2, 3, 4], "cut off"), ([1, 1, 3, 6], ""), ([0, 0, 0, 0], "")])
def test_the_columns_of_the_handout_are_named(got, words):
    usual = ((what, q) for what, q in slips.rounding(X, np.float32(0.5), 3, 0, 255))
    said = slips.named(np.array(got), usual)
    assert words in said and bool(said) == bool(words)


def test_a_zero_point_by_the_unrounded_scale_is_named():
    assert "after it was rounded to float" in slips.named(np.array(2), slips.zero_point(-1, 1, (0, 3, False)))
    assert slips.named(np.array(84), slips.zero_point(-1, 2, U8)) == ""


def by_hand(at, outside=0, zero=ZERO):
    """The sums in plain loops; at(y, x, c): the byte of a place inside of the image."""
    h, w, ci, co, k = SHAPE
    _, weights, bias = convolution_data(7, *SHAPE)
    result = np.zeros(((h + 2 * PAD - k) // STRIDE + 1, (w + 2 * PAD - k) // STRIDE + 1, co), np.int64)
    for oy, ox, o in np.ndindex(*result.shape):
        total = bias[o]
        for ky, kx, c in product(range(k), range(k), range(ci)):
            y, x = oy * STRIDE + ky - PAD, ox * STRIDE + kx - PAD
            inside = 0 <= y < h and 0 <= x < w
            total += (at(y, x, c) - zero if inside else outside) * weights[ky * k + kx, c, o]
        result[oy, ox, o] = total
    return result


IMAGE = convolution_data(7, *SHAPE)[0]
FLAT = IMAGE.reshape(-1)


@pytest.mark.parametrize("got, words", [
    (by_hand(lambda y, x, c: IMAGE[y, x, c]), ""),
    (by_hand(lambda y, x, c: IMAGE[y, x, c], outside=-ZERO), "padding has the byte 0"),
    (by_hand(lambda y, x, c: IMAGE[y, x, c], zero=0), "the zero point is not subtracted"),
    (by_hand(lambda y, x, c: FLAT[(c * SHAPE[0] + y) * SHAPE[1] + x]), "channels x rows x columns")])
def test_a_wrong_convolution_names_its_mistake(got, words):
    said = slips.named(got, slips.convolution(*convolution_data(7, *SHAPE), ZERO, 3, STRIDE, PAD))
    assert words in said and bool(said) == bool(words)


def test_a_result_that_was_never_written_is_told():
    expected = np.array([1.0, 2.0])
    assert differs("y", np.array([1.0, 7.0]), expected, before=7).endswith("got 7, which means that it was never written (1 of 2 wrong)")
    assert differs("y", np.array([1.0, 7.0]), expected).endswith("got 7 (1 of 2 wrong)")
