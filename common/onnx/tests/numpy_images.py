#!/usr/bin/python3
"""Recomputes an operator on images in NumPy, in double, and compares.

FOLDER/case.json: op, attributes, extents of the inputs and of the result; FOLDER/in0, in1, ... and FOLDER/out: float32.
Exit codes: 0 it agrees, 1 it differs.
"""

import json
import sys
from pathlib import Path

import numpy as np

Array = np.ndarray
TOLERANCE = 2e-6  # of the largest value: float32 sums against double


def windows(x: Array, kernel: list[int], attributes: dict, padding: float) -> Array:
    """[n][c][oh][ow][kh][kw]: what every window reads, as a view of the padded images."""
    top, left, bottom, right = attributes.get("pads", [0, 0, 0, 0])
    (sh, sw), (dh, dw) = attributes.get("strides", [1, 1]), attributes.get("dilations", [1, 1])
    padded = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=padding)
    reach = ((kernel[0] - 1) * dh + 1, (kernel[1] - 1) * dw + 1)
    views = np.lib.stride_tricks.sliding_window_view(padded, reach, axis=(2, 3))
    return views[:, :, ::sh, ::sw, ::dh, ::dw]


def conv(attributes: dict, x: Array, w: Array, b: Array) -> Array:
    groups = int(attributes.get("group", 1))
    parts = zip(np.split(windows(x, list(w.shape[2:]), attributes, 0), groups, axis=1), np.split(w, groups))
    return np.concatenate([np.einsum("nchwij,mcij->nmhw", *part) for part in parts], axis=1) + b[:, None, None]


def max_pool(attributes: dict, x: Array) -> Array:
    return windows(x, attributes["kernel_shape"], attributes, -np.inf).max((4, 5))


def global_average_pool(attributes: dict, x: Array) -> Array:
    return x.mean((2, 3), keepdims=True)


def batch_normalization(attributes: dict, x: Array, scale: Array, bias: Array, mean: Array, var: Array) -> Array:
    centred = np.moveaxis(x, 1, -1) - mean
    return np.moveaxis(centred / np.sqrt(var + attributes.get("epsilon", 1e-5)) * scale + bias, -1, 1)


OPERATORS = {"Conv": conv, "MaxPool": max_pool, "GlobalAveragePool": global_average_pool, "BatchNormalization": batch_normalization}


def main() -> int:
    folder = Path(sys.argv[1])
    for case in json.loads((folder / "cases.json").read_text(encoding="utf-8")):
        read = lambda name, dims: np.fromfile(folder / f"{case['name']}.{name}", np.float32).reshape(dims).astype(float)  # noqa: E731,B023
        inputs = [read(f"in{i}", dims) for i, dims in enumerate(case["inputs"])]
        expected, got = OPERATORS[case["op"]](case["attributes"], *inputs), read("out", case["output"])
        if expected.shape != got.shape or not np.allclose(got, expected, rtol=0, atol=TOLERANCE * np.abs(expected).max()):
            print(f"{case['name']}: {case['op']} {case['attributes']} of {case['inputs']} gives {got.shape}, NumPy {expected.shape}; "
                  f"values differ" if expected.shape == got.shape else "")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
