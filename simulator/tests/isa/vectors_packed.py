"""Packed and mixed-precision arithmetic, half-precision approximations and comparisons, 128-bit moves."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import softfloat as sf
from softfloat import F32, Format
from vector_rows import Row, bits_of, generator, int_tuples, int_values, masked, to_signed, tuples, value_of
from vectors_float import (FORMATS, ROUNDINGS, atomic_sum, compare, compute, edge_values, finish, float_tuples, min_max,
                           operation, packed_pairs)
from vectors_integer import COMBINE, COMPARE, comparisons_of


def packed_integers() -> list[Row]:
    out = []
    functions: dict[str, Callable[[int, int], int]] = {"add": lambda a, b: a + b, "min": min, "max": max}
    for t in ["u16x2", "s16x2"]:
        for root, f in functions.items():
            for relu in ["", ".relu"] if t == "s16x2" and root != "add" else [""]:
                op = f"{root}{relu}.{t}"
                halves = int_tuples(op, [16] * 4, 24)
                for a0, b0, a1, b1 in halves:
                    parts = []
                    for a, b in ((a0, b0), (a1, b1)):
                        r = f(value_of(a, t[:3]), value_of(b, t[:3]))
                        parts.append(masked(max(r, 0) if relu else r, 16))
                    out.append(Row(op, (a1 << 16 | a0, b1 << 16 | b0), (parts[1] << 16 | parts[0],)))
    for root in ["min", "max"]:
        op = f"{root}.relu.s32"
        for a, b in int_tuples(op, [32, 32], 24):
            out.append(Row(op, (a, b), (max(functions[root](to_signed(a, 32), to_signed(b, 32)), 0),)))
    return out


def pairs_of_floats() -> list[Row]:
    out = []
    for root in ["add", "sub", "mul", "fma"]:
        for mode in ROUNDINGS if root == "fma" else ["", *ROUNDINGS]:
            for ftz in ["", ".ftz"]:
                op = root + (f".{mode}" if mode else "") + ftz + ".f32x2"
                arity, f = operation(root, mode or "rn")
                inputs = float_tuples(op, F32, arity, 20)
                product = root in ("mul", "fma")
                results = [compute(F32, raw, f, mode or "rn", bool(ftz), False, product) for raw in inputs]
                for i in range(0, len(inputs) - 1, 2):
                    packed = tuple(a | b << 32 for a, b in zip(inputs[i], inputs[i + 1]))
                    out.append(Row(op, packed, (results[i] | results[i + 1] << 32,)))
    return out


def mixed_precision() -> list[Row]:
    out = []
    for t in ["f16", "bf16"]:
        half = FORMATS[t]
        for root in ["add", "sub", "fma"]:
            for mode in ROUNDINGS if root == "fma" else ["", *ROUNDINGS]:
                for sat in ["", ".sat"]:
                    op = root + (f".{mode}" if mode else "") + sat + f".f32.{t}"
                    arity, f = operation(root, mode or "rn")
                    halves = float_tuples(op + "a", half, arity - 1, 20)
                    floats = float_tuples(op + "c", F32, 1, 20)
                    for raw, (c,) in zip(halves, floats):
                        values = [sf.decode(half, v) for v in raw] + [sf.decode(F32, c)]
                        bits = sf.encode(F32, f(*values), mode or "rn")
                        out.append(Row(op, (*raw, c), (finish(F32, bits, False, bool(sat)),)))
    return out


def minimum_of_three() -> list[Row]:
    out = []
    for root in ["min", "max"]:
        for flags in ["", ".ftz", ".NaN", ".abs", ".ftz.NaN.abs"]:
            op = f"{root}{flags}.f32"
            for raw in float_tuples(op + "3", F32, 3, 60):
                a, b, c = ((v & ~F32.sign_bit) if "abs" in flags else v for v in raw)
                plain = flags.replace(".abs", "")
                first = min_max(F32, a, b, root == "max", plain)
                out.append(Row(op, raw, (min_max(F32, first, c, root == "max", plain),)))
    return out


def relu(fmt: Format, bits: int) -> int:
    return 0 if bits & fmt.sign_bit and sf.decode(fmt, bits).kind != "nan" else bits


def out_of_bounds(t: str, fmt: Format) -> list[Row]:
    """fma.oob: a factor that is the NaN of tensor copies, 0x7ff7, makes the result +0."""
    out = []
    for flag in ["", ".relu"]:
        op = f"fma.rn.oob{flag}.{t}"
        inputs = float_tuples(op, fmt, 3, 24)
        inputs += [(0x7FF7, b, c) for _, b, c in inputs[:6]] + [(a, 0x7FF7, c) for a, _, c in inputs[:6]]
        inputs += [(a, b, 0x7FF7) for a, b, _ in inputs[:4]]
        results = []
        for raw in inputs:
            bits = compute(fmt, raw, lambda a, b, c: sf.fma(a, b, c, "rn"), "rn", False, False)
            results.append(0 if 0x7FF7 in raw[:2] else relu(fmt, bits) if flag else bits)
        out += [Row(op, raw, (r,)) for raw, r in zip(inputs, results)]
        out += [Row(op + "x2", raw, (r,)) for raw, r in packed_pairs(fmt, inputs, results)]
    return out


def half_fma_and_approximations() -> list[Row]:
    out = []
    for t in ["f16", "bf16"]:
        fmt = FORMATS[t]
        for ftz in ["", ".ftz"] if t == "f16" else [""]:
            op = f"fma.rn{ftz}.relu.{t}"
            inputs = float_tuples(op, fmt, 3, 40)
            results = [relu(fmt, compute(fmt, raw, lambda a, b, c: sf.fma(a, b, c, "rn"), "rn", bool(ftz), False, True))
                       for raw in inputs]
            out += [Row(op, raw, (r,)) for raw, r in zip(inputs, results)]
            out += [Row(op + "x2", raw, (r,)) for raw, r in packed_pairs(fmt, inputs, results)]
        out += out_of_bounds(t, fmt)
        functions: dict[str, tuple[Callable[[float], float], str]] = {
            "tanh.approx": (math.tanh, f"abs {2**-10.987 if t == 'f16' else 2**-8}"),
            "ex2.approx" + (".ftz" if t == "bf16" else ""): (
                lambda x: math.inf if x > 500 else 0.0 if x < -500 else 2.0**x,
                f"rel {2**-9.9 if t == 'f16' else 2**-7}")}
        for name, (f, check) in functions.items():
            op = f"{name}.{t}"
            inputs = [(v,) for v in edge_values(fmt)] + float_tuples(op, fmt, 1, 0, 24)
            results = []
            for (a,) in inputs:
                x = sf.decode(fmt, sf.flush(fmt, a) if "ftz" in op else a)
                if x.kind == "nan":
                    results.append(fmt.canonical_nan)
                    continue
                r = f((-math.inf if x.negative else math.inf) if x.kind == "inf" else float(x.value))
                y = sf.Number("inf", r < 0) if math.isinf(r) else sf.number(Fraction(r), math.copysign(1, r) < 0)
                if y.kind == "num" and y.value == 0 and "tanh" in name:
                    y = sf.number(0, x.negative)
                bits = sf.encode(fmt, y)
                results.append(sf.flush(fmt, bits) if "ftz" in op else bits)
            kind = f"{t} {check}"
            out += [Row(op, raw, (r,), check=kind) for raw, r in zip(inputs, results)]
            out += [Row(op + "x2", raw, (r,), check=kind) for raw, r in packed_pairs(fmt, inputs, results)]
    return out


ONES = {"f16": 0x3C00, "bf16": 0x3F80, "u16": 0xFFFF, "s16": 0xFFFF, "u32": 0xFFFFFFFF, "s32": 0xFFFFFFFF}


def sets_into_half() -> list[Row]:
    """Of integers, f32 and f64."""
    out = []
    for d in ["f16", "bf16"]:
        for t in ["b16", "b32", "b64", "u16", "s16", "u32", "s32", "u64", "s64"]:
            for i, cmp in enumerate(comparisons_of(t)):
                boolop = list(COMBINE)[i % 3]
                pairs = int_tuples(f"set.{cmp}.{d}.{t}", [bits_of(t)] * 2, 4) + [(5, 5)]
                for j, (a, b) in enumerate(pairs):
                    r = COMPARE[cmp](value_of(a, t), value_of(b, t))
                    combined = COMBINE[boolop](r, j & 1)
                    out.append(Row(f"set.{cmp}.{d}.{t}", (a, b), (ONES[d] if r else 0,)))
                    out.append(Row(f"set.{cmp}.{boolop}.{d}.{t}", (a, b, j & 1), (ONES[d] if combined else 0,)))
    return out


FLOAT_COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]


def sets_of_floats() -> list[Row]:
    out = []
    targets = {"f32": ["f16", "bf16"], "f64": ["f16", "bf16"], "f16": ["f16", "bf16", "u16", "s16", "u32", "s32"],
               "bf16": ["bf16", "u16", "s16", "u32", "s32"]}
    for s, ds in targets.items():
        fmt = FORMATS[s]
        for i, cmp in enumerate(FLOAT_COMPARISONS):
            boolop = list(COMBINE)[i % 3]
            for d in ds:
                for ftz in ["", ".ftz"] if s in ("f32", "f16") and d != "bf16" else [""]:
                    pairs = float_tuples(f"set.{cmp}{ftz}.{d}.{s}", fmt, 2, 8, 2) + [(1, 1), (0, fmt.sign_bit), (1, 0)]
                    for j, (a, b) in enumerate(pairs):
                        x, y = (sf.decode(fmt, sf.flush(fmt, v) if ftz else v) for v in (a, b))
                        r = compare(cmp, x, y)
                        combined = COMBINE[boolop](r, j & 1)
                        out.append(Row(f"set.{cmp}{ftz}.{d}.{s}", (a, b), (ONES[d] if r else 0,)))
                        out.append(Row(f"set.{cmp}.{boolop}{ftz}.{d}.{s}", (a, b, j & 1),
                                       (ONES[d] if combined else 0,)))
                        if fmt.width == 16 and d in (s, "u32", "s32"):
                            out += packed_set(cmp, boolop, ftz, d, s, a, b, r, compare(cmp, y, x), j & 1)
    return out


def packed_set(cmp: str, boolop: str, ftz: str, d: str, s: str, a: int, b: int, low: bool, high: bool,
               c: int) -> list[Row]:
    """The second pair is the first with its operands exchanged."""
    to = d + "x2" if d == s else d
    one = ONES[d] & 0xFFFF
    packed = (a | b << 16, b | a << 16)
    combined = [COMBINE[boolop](r, c) for r in (low, high)]
    return [
        Row(f"set.{cmp}{ftz}.{to}.{s}x2", packed, ((one if low else 0) | (one if high else 0) << 16,)),
        Row(f"set.{cmp}.{boolop}{ftz}.{to}.{s}x2", (*packed, c),
            ((one if combined[0] else 0) | (one if combined[1] else 0) << 16,))]


def wide_moves() -> list[Row]:
    out = []
    for (a,) in int_tuples("mov.b128", [128]):
        out.append(Row("mov.b128", (a,), (a,)))
    for whole, parts in ((16, 2), (128, 2), (32, 4), (128, 4)):
        bits = whole // parts
        for values in tuples(f"mov.pack{parts}.b{whole}", [int_values(bits)] * parts, 10,
                             lambda r, n=parts, b=bits: tuple(r.getrandbits(b) for _ in range(n))):
            packed = sum(v << (bits * i) for i, v in enumerate(values))
            out.append(Row(f"mov.pack{parts}.b{whole}", values, (packed,)))
            out.append(Row(f"mov.unpack{parts}.b{whole}", (packed,), values))
    for t in ["u32", "u64"]:
        for a, b in int_tuples(f"mapa.{t}", [bits_of(t), 32], 4):
            in_cluster = (min(b, 254) + 1) << 24 | a % (1 << 24)  # the form of such addresses is the simulator's own
            out.append(Row(f"mapa.{t}", (a, b), ((1 << 48) + in_cluster if t == "u64" else in_cluster,)))
    return out


def lop3_with_predicate() -> list[Row]:
    out = []
    for name, f in (("or", lambda d, q: d != 0 or q), ("and", lambda d, q: d != 0 and q)):
        op = f"lop3.{name}.b32"
        rng = generator(op)
        for i, table in enumerate([0, 0x96, 0xE8, 0xFF, 0x80, 0x01] * 4):
            a, b, c = (rng.getrandbits(32) for _ in range(3))
            d = sum(((table >> (((a >> k) & 1) * 4 + ((b >> k) & 1) * 2 + ((c >> k) & 1))) & 1) << k for k in range(32))
            out.append(Row(op, (a, b, c, table, i & 1), (d, int(f(d, bool(i & 1))))))
    return out


def atomic_vectors() -> list[Row]:
    """Element by element, so the rows are those of one element."""
    out = []
    for root in ["atom", "red"]:
        for i, (a, b) in enumerate(float_tuples(f"{root}.add.v4.f32", F32, 2, 24)):
            r = compute(F32, (a, b), lambda x, y: sf.add(x, y, "rn"), "rn", i % 2 == 1, False)
            out.append(Row(f"{root}.add.v{2 + i % 2 * 2}.f32", (a, b, i % 2), (r,)))
        for t in ["f16", "bf16"]:
            fmt = FORMATS[t]
            for name in ["add", "min", "max"]:
                inputs = float_tuples(f"{root}.{name}.{t}", fmt, 2)
                results = [compute(fmt, raw, lambda x, y: sf.add(x, y, "rn"), "rn", False, False) if name == "add" else
                           min_max(fmt, *raw, name == "max", "") for raw in inputs]
                out += [Row(f"{root}.{name}.noftz.v8.{t}", (*raw, 0), (r,)) for raw, r in zip(inputs, results)]
                out += [Row(f"{root}.{name}.noftz.v4.{t}x2", (*raw, 0), (r,))
                        for raw, r in packed_pairs(fmt, inputs, results)]
    multicast = [Row(f"multimem.{row.op.replace('.noftz', '').replace('.v8', '').replace('.v4', '')}", row.inputs, row.outputs)
                 for row in out if row.op.startswith(("red.min.", "red.max."))]
    return out + multicast


def reduced_floats() -> list[Row]:
    """What cp.reduce.async.bulk makes of one element of global memory: sums of f32 flush subnormals there."""
    out = []
    root = "cp.reduce.async.bulk.global.shared::cta.bulk_group"

    def add(op: str, fmt: Format, ftz: bool) -> None:
        for raw in float_tuples(op, fmt, 2, 24):
            out.append(Row(op, (*raw, 1), (atomic_sum(fmt, *raw, ftz),)))

    for t in ["f32", "f64"]:
        add(f"{root}.add.{t}", FORMATS[t], t == "f32")
    for t in ["f16", "bf16"]:
        add(f"{root}.add.noftz.{t}", FORMATS[t], False)
        for name in ["min", "max"]:
            for raw in float_tuples(f"{root}.{name}.{t}", FORMATS[t], 2):
                out.append(Row(f"{root}.{name}.{t}", (*raw, 1), (min_max(FORMATS[t], *raw, name == "max", ""),)))
    return out


def rows() -> list[Row]:
    return (packed_integers() + pairs_of_floats() + mixed_precision() + minimum_of_three() +
            half_fma_and_approximations() + sets_into_half() + sets_of_floats() + wide_moves() +
            lop3_with_predicate() + atomic_vectors() + reduced_floats())
