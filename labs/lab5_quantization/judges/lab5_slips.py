"""Typical mistakes, computed: where a wrong result is exactly what one of them gives, the reason of the lost point names it."""
from collections.abc import Iterable, Iterator

import numpy as np


def named(got: np.ndarray, slips: Iterable[tuple[str, np.ndarray]]) -> str:
    """"; that is what ... gives", or nothing. The arrays have the shape of the result."""
    words = next((words for words, array in slips if array.shape == got.shape and np.array_equal(array, got)), "")
    return f"; that is what comes out {words}" if words else ""


def rounding(x: np.ndarray, scale: np.float32, zero: int, qmin: int, qmax: int) -> Iterator[tuple[str, np.ndarray]]:
    """Integers of finite numbers."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        steps = np.divide(x, scale, dtype=np.float32).astype(np.float64)
        away = np.sign(steps) * np.floor(np.abs(steps) + 0.5)
        results = (("when the zero point is added before rounding", np.rint(steps + zero)),
                   ("when halves are rounded away from zero (std::round)", away + zero),
                   ("when the fraction is cut off instead of rounded", np.trunc(steps) + zero),
                   ("when x is multiplied by the scale instead of divided", np.rint(x.astype(np.float64) * scale) + zero),
                   ("without the zero point", np.rint(steps)))
    for words, result in results:
        yield words, np.clip(result, qmin, qmax)
    yield "without the limits qmin and qmax", np.rint(steps) + zero


def zero_point(lo: float, hi: float, kind: tuple[int, int, bool]) -> Iterator[tuple[str, np.ndarray]]:
    qmin, qmax, symmetric = kind
    lo, hi = min(float(lo), 0.0), max(float(hi), 0.0)
    if symmetric or lo == hi:
        return
    scale = (hi - lo) / (qmax - qmin)
    yield ("when lo is divided by the scale in double: divide by the scale after it was rounded to float",
           np.array(np.clip(np.rint(qmin - lo / scale), qmin, qmax)))
    yield "when lo / scale is added to qmin instead of subtracted", np.array(np.clip(np.rint(qmin + lo / scale), qmin, qmax))
    yield "when lo is not divided by the scale", np.array(np.clip(np.rint(qmin - lo), qmin, qmax))


def convolution(x: np.ndarray, w: np.ndarray, bias: np.ndarray, zero: int, k: int, stride: int,
                pad: int) -> Iterator[tuple[str, np.ndarray]]:
    """x: h x w x ci bytes as integers; w: k*k x ci x co."""
    h, width, ci = x.shape
    co = w.shape[2]

    def sums(image: np.ndarray, weights: np.ndarray, outside: int, before: int) -> np.ndarray:
        oh, ow = ((size + 2 * pad - k) // stride + 1 for size in (h, width))
        after = max(oh, ow) * stride + k
        padded = np.pad(image, ((before, after), (before, after), (0, 0)), constant_values=outside)
        return sum(padded[i // k:i // k + stride * oh:stride, i % k:i % k + stride * ow:stride] @ weights[i] for i in range(k * k))

    around = x - zero
    yield "when padding has the byte 0 instead of the zero point", sums(around, w, -zero, pad) + bias
    yield "when the zero point is not subtracted from x", sums(x, w, 0, pad) + bias
    yield "without the bias", sums(around, w, 0, pad)
    yield "when the window begins at oy * stride, not `pad` pixels before it", sums(around, w, 0, 0) + bias
    yield "when x is read as channels x rows x columns: pixel (y, x) has its channels together", \
        sums(around.reshape(ci, h, width).transpose(1, 2, 0), w, 0, pad) + bias
    yield "when the weights are read as CO x CI x K x K: they lie as K x K x CI x CO", \
        sums(around, w.reshape(co, ci, k * k).transpose(2, 1, 0), 0, pad) + bias
    yield "when the filter is flipped", sums(around, w[::-1], 0, pad) + bias
