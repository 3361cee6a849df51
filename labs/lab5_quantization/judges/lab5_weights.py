"""E1 and E2: scales, zero points, integers; weights per tensor and per channel."""
import random
import re
import struct
from collections.abc import Sequence

import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab5_data import (
    Reader, S8, S8_NARROW, U8, dequantize, differs, narrow, problem_of, qparams, quantize, seeds, sqnr, unsigned, values, wrong_at)
from lab5_slips import named, rounding, zero_point

CHOICES = [(-1, 2, U8), (0.5, 2, U8), (-3, -1, U8), (-0.7, 3.1, S8), (-2.54, 1, S8_NARROW), (-1, 2, unsigned(4)), (0, 0, U8),
           (0, 6, U8), (-1e-3, 1e3, S8), (-5, 0, narrow(4)), (0, 0, S8_NARROW), (1e-30, 1e-30, U8), (-1, 1, unsigned(2))]
REFUSED = ["nan 1", "0 inf", "2 1", "-inf 0"]
Choice = tuple[float, float, tuple[int, int, bool]]
RANDOM_TYPES = [U8, S8, S8_NARROW, unsigned(4), narrow(3)]
PER_TENSOR = 64   # values of a random tensor
BARS = 40


def drawn_choices(draw: random.Random) -> list[Choice]:
    """Ranges on either side of 0 and around it, twice for every type."""
    found = []
    for kind in 2 * (*RANDOM_TYPES, narrow(4), unsigned(2)):
        lo, hi = sorted(round(draw.uniform(-9, 9), 3) for _ in range(2))
        found.append((lo, hi, kind))
    return found


def choices(test: Test, context: Context) -> list[Choice]:
    return context.also_drawn(test, CHOICES, drawn_choices)


def plan_choose(test: Test, context: Context) -> list[Case]:
    words = [f"{lo} {hi} {qmin} {qmax} {int(symmetric)}" for lo, hi, (qmin, qmax, symmetric) in choices(test, context)]
    return [Case("qparams", "choose " + " ".join(words))]


def judge_choose(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """part: "scale" or "zero"."""
    asked = choices(test, context)
    checked = f"{len(asked)} ranges"
    problem = problem_of(runs[0], context)
    if problem:
        return problem
    lines = runs[0].stdout.splitlines() + [""] * len(asked)
    for (lo, hi, kind), line in zip(asked, lines):
        scale, zero = qparams(lo, hi, kind)
        bits, got = (line.split() + ["", ""])[:2]
        expected = struct.pack(">f", scale).hex()
        what = f"[{lo}, {hi}] on {kind[0]} ... {kind[1]}"
        if test.params["part"] == "scale" and bits != expected:
            return wrong_at(runs[0], f"{what}: expected scale {expected} ({scale:.7g}), got {bits[:20]!r}", checked)
        if test.params["part"] == "zero" and got != str(zero):
            slip = named(np.array(int(got)), zero_point(lo, hi, kind)) if re.fullmatch(r"-?[0-9]{1,6}", got) else ""
            return wrong_at(runs[0], f"{what}: expected zero point {zero}, got {got[:20]!r}{slip}", checked)
    return accepted(checked)


def drawn_limits(draw: random.Random) -> list[str]:
    """Limits to refuse, and last some that are none of these: a function that refuses all has looked at nothing."""
    low, high = sorted(round(draw.uniform(0.5, 9), 2) for _ in range(2))
    return [f"{high + 1} {low}", f"{-low} {-high - 1}", f"{low} nan", f"{low} inf", f"-inf {-high}", f"{-low} {high}"]


def plan_refused(test: Test, context: Context) -> list[Case]:
    return [Case("qparams", f"choose {limits} 0 255 0") for limits in context.also_drawn(test, REFUSED, drawn_limits)]


def is_refused(run: Run) -> bool:
    """Whether the limits of a run are to be refused."""
    lo, hi = map(float, run.case.args.split()[1:3])
    return not (np.isfinite(lo) and np.isfinite(hi) and lo <= hi)


def judge_refused(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        if not is_refused(run):
            if run.stdout.startswith("refused "):
                return wrong_at(run, f"expected a scale and a zero point, got {run.stdout.strip()[:60]!r}", "errors")
        elif not run.stdout.startswith("refused ") or "tensor7" not in run.stdout:
            return wrong_at(run, f"expected a std::invalid_argument that names tensor7, got {run.stdout.strip()[:60]!r}", "errors")
    return accepted(f"{len(runs)} ranges")


# scale, zero, qmin, qmax, values: the two orders of rounding and adding, ties, what is no number
ROUNDED = [("0.5", 3, 0, 255, "-1.25 -0.75 -0.25 0.25 0.75 1.25"), ("0.5", 2, 0, 255, "-1.25 -0.75 -0.25 0.25 0.75 1.25"),
           ("0.0117647061124444", 85, 0, 255, "-1.3 -1 -0.5 0 0.0058 0.1 0.3 0.5 1.9999 2.5"),
           ("0.25", 0, -127, 127, "nan inf -inf 1e30 -1e30 0.125 0.375 -0.125 -0.375"), ("0.25", 7, 0, 15, "nan inf -inf -3.5 9")]


def drawn_rounded(draw: random.Random) -> list[tuple[str, int, int, int, str]]:
    """Ties on both sides of 0 with an odd and an even zero point; numbers at a scale that is no power of two; what is no number."""
    found, zero = [], draw.randint(40, 200)
    for at in (zero, zero + 1):
        step = draw.choice((0.125, 0.25, 0.5))
        found.append((f"{step}", at, 0, 255, " ".join(f"{(draw.randint(-30, 30) + 0.5) * step}" for _ in range(8))))
    scale = round(draw.uniform(0.01, 0.1), 5)
    found.append((f"{scale}", zero, 0, 255, " ".join(f"{draw.uniform(-200, 200) * scale:.7f}" for _ in range(12))))
    beyond = f"nan inf -inf {draw.randint(10 ** 6, 10 ** 9)} {-draw.randint(10 ** 6, 10 ** 9)}"
    return [*found, (f"{scale}", 0, -127, 127, beyond), ("0.25", draw.randint(1, 14), 0, 15, beyond)]


def rounded(test: Test, context: Context) -> list[tuple[str, int, int, int, str]]:
    return context.also_drawn(test, ROUNDED, drawn_rounded)


def plan_quantize(test: Test, context: Context) -> list[Case]:
    return [Case("qparams", f"quantize {scale} {zero} {qmin} {qmax} {x}") for scale, zero, qmin, qmax, x in rounded(test, context)]


def judge_quantize(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "ties, limits, what is no number"
    for run, (scale, zero, qmin, qmax, x) in zip(runs, rounded(test, context)):
        problem = problem_of(run, context)
        if problem:
            return problem
        with np.errstate(over="ignore"):
            numbers = np.array(x.split(), np.float64).astype(np.float32)
        expected = [str(q) for q in quantize(numbers, np.float32(float(scale)), zero, qmin, qmax)]
        if run.stdout.split() != expected:
            got = run.stdout.split()
            usual = len(got) == len(expected) and np.isfinite(numbers).all() and all(re.fullmatch(r"-?[0-9]{1,9}", q) for q in got)
            slip = named(np.array(got, np.int64), rounding(numbers, np.float32(float(scale)), zero, qmin, qmax)) if usual else ""
            return wrong_at(run, f"expected {' '.join(expected)}, got {' '.join(got)[:60]}{slip}", checked)
    return accepted(checked)


def plan_random(test: Test, context: Context) -> list[Case]:
    return [Case("qparams", f"random {seed} 100", dump=True) for seed in seeds(test, context, 2)]


def judge_random(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Beside the definition: monotone, exact on what it has made, at most half a step away inside the range."""
    checked = "random tensors of five types"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        seed, count = map(int, run.case.args.split()[1:])
        reader = Reader(run)
        for t in range(count):
            lo, hi = sorted(values(seed, 2 * t, 2))
            x, kind = values(seed, 2 * t + 1, PER_TENSOR), RANDOM_TYPES[t % 5]
            scale, zero = qparams(lo, hi, kind)
            got_scale, got_zero = reader.take(np.float32, 1), reader.take(np.int32, 1)
            rows = reader.take(np.dtype([("q", np.int32), ("x", np.float32), ("again", np.int32)]), PER_TENSOR)
            rows = rows if rows.dtype.names else np.zeros(PER_TENSOR, [("q", int), ("x", float), ("again", int)])
            q = quantize(x, scale, zero, *kind[:2])
            said = (differs(f"tensor {t}, scale", got_scale, np.array([scale])) or differs(f"tensor {t}, zero point", got_zero, np.array([zero]))
                    or differs(f"tensor {t}, integers", rows["q"], q) or differs(f"tensor {t}, values", rows["x"], dequantize(q, scale, zero))
                    or differs(f"tensor {t}, quantised again", rows["again"], q))
            if said:
                return wrong_at(run, said, checked)
    return accepted(checked)


# ---- E2 --------------------------------------------------------------------------------------------------------------
def plan_weights(test: Test, context: Context) -> list[Case]:
    if test.params.get("data") != "hidden":
        return [Case("qparams", f"weights {shape}", dump=True) for shape in context.shapes(test, 0)]
    return [Case("qparams", f"weights {seed} {7 + seed % 50} {1 + seed % 37} {2 + seed % 7} {seed % 2}", dump=True)
            for seed in seeds(test, context, 4)]


def counts(x: np.ndarray, lo: float, hi: float) -> np.ndarray:
    inside = x[(x >= np.float32(lo)) & (x <= np.float32(hi))].astype(np.float64)
    width = (float(np.float32(hi)) - float(np.float32(lo))) / BARS
    return np.bincount(np.minimum(((inside - float(np.float32(lo))) / width).astype(np.int64), BARS - 1), minlength=BARS)


def quantized(w: np.ndarray, bits: int, per_channel: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    largest = np.abs(w).max(axis=0) if per_channel else np.array([np.abs(w).max()])
    scales = np.array([qparams(-most, most, narrow(bits))[0] for most in largest], np.float32)
    q = quantize(w, scales, 0, *narrow(bits)[:2])
    return q, scales, dequantize(q, scales, 0)


def judge_weights(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """part: "statistics", "tensor", "channel" or "sqnr"; none: all."""
    checked = f"{len(runs)} tensors of weights"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        seed, rows, co, bits, skewed = map(int, run.case.args.split()[1:])
        w = values(seed, 0, rows, co)
        w = w * np.float32(2) ** (np.arange(co) % 8).astype(np.float32) if skewed else w
        reader, found = Reader(run), {}
        wide = w.astype(np.float64)
        spread = np.array([wide.min(), wide.max(), wide.mean(), wide.std()])
        got = [reader.take(np.float64, 4), reader.take(np.int64, BARS), reader.take(np.int64, BARS)]
        found["statistics"] = (differs("min, max, mean, sigma", got[0], spread, 1e-9 * np.abs(wide).max())
                               or differs("histogram", got[1], counts(w, w.min(), w.max()))
                               or differs("histogram of [-0.5, 0.25]", got[2], counts(w, -0.5, 0.25)))
        ratios = []
        for part, per_channel in (("tensor", False), ("channel", True)):
            q, scales, back = quantized(w, bits, per_channel)
            got = [reader.take(np.int8, rows, co), reader.take(np.float32, scales.size), reader.take(np.float32, rows, co)]
            found[part] = differs("integers", got[0], q) or differs("scales", got[1], scales) or differs("values", got[2], back)
            ratios.append(differs(f"SQNR per {part}", reader.take(np.float64, 1), np.array([sqnr(w, got[2])]), 1e-6))
        found["sqnr"] = ratios[0] or ratios[1] or differs("SQNR of equal arrays", reader.take(np.float64, 1), np.array([np.inf]))
        for part, said in found.items():
            if said and test.params.get("part", part) == part:
                return wrong_at(run, said, checked)
    return accepted(checked)
