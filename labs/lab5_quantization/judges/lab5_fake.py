"""E7: fake quantisation on fixed tensors."""
from collections.abc import Sequence

import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab5_data import Reader, dequantize, differs, narrow, problem_of, seeds, values, wrong_at

BEFORE = 7.0  # of the results: fake_quant_check.cpp
TENSORS = ("0.01 85 0 255", "0.25 3 0 3", "0.3 0 -1 1", "0.125 0 -7 7")


def plan_forward(test: Test, context: Context) -> list[Case]:
    return [Case("fake_quant", f"forward {seed} {300 + seed % 60} {words}", dump=True)
            for seed, words in zip(seeds(test, context, len(TENSORS)), TENSORS)]


def judge_forward(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """part: "values", "mask" or "gradient"."""
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        seed, n, scale, *integers = run.case.args.split()[1:]
        scale, count = np.float32(float(scale)), int(n)
        zero, qmin, qmax = map(int, integers)
        x, dy = values(int(seed), 0, count).copy(), values(int(seed), 1, count)
        for i in range(0, 64, 8):
            step = np.float32(i // 8) * np.float32(0.25)
            x[i] = scale * (np.float32(qmin - zero) - step)
            x[i + 1] = scale * (np.float32(qmax - zero) + step)
        q = np.rint(x / scale).astype(np.int64) + zero
        inside = (q >= qmin) & (q <= qmax)
        reader = Reader(run)
        found = {"values": differs("y", reader.take(np.float32, count), dequantize(np.clip(q, qmin, qmax), scale, zero),
                                   before=BEFORE),
                 "mask": differs("mask", reader.take(np.uint8, count), inside.astype(np.uint8), before=BEFORE),
                 "gradient": differs("dx", reader.take(np.float32, count), np.where(inside, dy, 0))}
        said = found[test.params["part"]]
        if said:
            return wrong_at(run, said, "tensors with values on and beside the limits")
    return accepted("tensors with values on and beside the limits")


def plan_weights(test: Test, context: Context) -> list[Case]:
    return [Case("fake_quant", f"weights {seed} {20 + seed % 30} {3 + seed % 9} {bits}", dump=True)
            for seed, bits in zip(seeds(test, context, 3), (2, 4, 8))]


def judge_weights(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        seed, rows, co, bits = map(int, run.case.args.split()[1:])
        w, factor = values(seed, 0, rows, co), values(seed, 1, co).copy()
        factor[-1] = 0
        scales = np.float32(0.01) + np.float32(0.2) * values(seed, 2, co) * values(seed, 2, co)
        qmin, qmax, _ = narrow(bits)
        q = np.rint(w * factor / scales)
        inside = (q >= qmin) & (q <= qmax) & (factor != 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            y = np.where(factor == 0, np.float32(0), scales * np.clip(q, qmin, qmax) / factor)
        reader = Reader(run)
        got = reader.take(np.float32, rows, co)
        said = (differs("weights", got, y, 2e-6 * np.abs(y), BEFORE) or
                differs("mask", reader.take(np.uint8, rows, co), inside.astype(np.uint8), before=BEFORE))
        if said:
            return wrong_at(run, said, "folded weights per channel")
    return accepted("folded weights per channel")
