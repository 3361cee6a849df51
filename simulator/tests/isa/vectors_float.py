"""Floating-point arithmetic, comparison and conversion on exact fractions; approximations against the C library in
double with the manual's error bound."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction

import softfloat as sf
from softfloat import BF16, F16, F32, F64, Format, Number
from vector_rows import Row, bits_of, generator, int_values, is_signed, masked, tuples, value_of

ROUNDINGS = ["rn", "rz", "rm", "rp"]
FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}


def edge_values(fmt: Format) -> list[int]:
    """Zeros, ones, largest, smallest normal, subnormals, infinity, NaNs, values next to halfway cases."""
    one = fmt.bias << fmt.fraction_bits
    positive = [0, one, one + 1, one - 1, one + (1 << fmt.fraction_bits), fmt.infinity - 1, 1 << fmt.fraction_bits, 1,
                (1 << fmt.fraction_bits) - 1, fmt.infinity, fmt.infinity | (1 << (fmt.fraction_bits - 1)),
                fmt.infinity | 5,
                one + (1 << (fmt.fraction_bits - 1)), (fmt.bias - fmt.fraction_bits - 1) << fmt.fraction_bits]
    return positive + [v | fmt.sign_bit for v in positive]


def float_tuples(op: str, fmt: Format, arity: int, edges: int = 24, random_rows: int = 8) -> list[tuple[int, ...]]:
    one = fmt.bias << fmt.fraction_bits

    def near_one(rng) -> tuple[int, ...]:
        """Operands of like size, so that sums cancel and products round."""
        span = rng.choice([0, 1, 3, fmt.fraction_bits])
        return tuple((one + rng.getrandbits(fmt.fraction_bits) + (rng.randint(-span, span) << fmt.fraction_bits)) |
                     (fmt.sign_bit if rng.random() < 0.5 else 0) for _ in range(arity))

    return tuples(op, [edge_values(fmt)] * arity, edges, near_one, random_rows)


def finish(fmt: Format, bits: int, ftz: bool, sat: bool) -> int:
    if ftz:
        bits = sf.flush(fmt, bits)
    if sat:
        x = sf.decode(fmt, bits)
        one = fmt.bias << fmt.fraction_bits
        if x.kind == "nan" or x.negative or (x.kind == "num" and x.value == 0):
            return 0
        return one if x.kind == "inf" or x.value >= 1 else bits
    return bits


def compute(fmt: Format, raw: Sequence[int], f: Callable[..., Number], mode: str, ftz: bool, sat: bool,
            unbounded: bool = False) -> int:
    """unbounded: .ftz flushes what is too small when rounded with an unbounded exponent."""
    values = [sf.decode(fmt, sf.flush(fmt, v) if ftz else v) for v in raw]
    result = f(*values)
    if ftz and unbounded and result.kind == "num":
        wide = Format(fmt.precision, 11, 0)
        rounded = sf.decode(wide, sf.encode(wide, result, mode))
        if abs(rounded.value) < Fraction(2) ** (1 - fmt.bias):
            result = sf.number(0, result.negative)
    return finish(fmt, sf.encode(fmt, result, mode), ftz, sat)


def operation(root: str, mode: str) -> tuple[int, Callable[..., Number]]:
    one = sf.number(1)
    return {
        "add": (2, lambda a, b: sf.add(a, b, mode)),
        "sub": (2, lambda a, b: sf.add(a, sf.negated(b), mode)),
        "mul": (2, sf.mul),
        "fma": (3, lambda a, b, c: sf.fma(a, b, c, mode)),
        "mad": (3, lambda a, b, c: sf.fma(a, b, c, mode)),
        "div": (2, sf.div),
        "rcp": (1, lambda a: sf.div(one, a)),
        "sqrt": (1, sf.sqrt)}[root]


def nan_tuples(op: str, arity: int) -> list[tuple[int, ...]]:
    """Operands of binary64 of which two or all are NaNs, told apart by payload and sign; infinities and zeros."""
    nans = [0x7FF8000000000111, 0xFFF0000000000222, 0xFFFC000000000333]
    rows = {1: [(v,) for v in nans], 2: [(nans[0], nans[1]), (nans[1], nans[0]), (nans[2], nans[1])],
            3: [(nans[0], nans[1], nans[2]), (nans[1], 0x3FF0000000000000, nans[2]), (nans[2], nans[0], 0),
                (0, nans[1], nans[0])]}[arity]
    rng = generator(op)
    specials = [F64.infinity, F64.infinity | F64.sign_bit, 0, F64.sign_bit]
    return rows + [tuple(rng.choice(specials) for _ in range(arity)) for _ in range(4)]


def rounded_arithmetic() -> list[Row]:
    out = []
    for root in ["add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"]:
        for t in ["f32", "f64"]:
            for mode in ["", *ROUNDINGS] if root in ("add", "sub", "mul") else ROUNDINGS:
                for ftz in ["", ".ftz"] if t == "f32" or root == "rcp" else [""]:
                    for sat in ["", ".sat"] if t == "f32" and root in ("add", "sub", "mul", "fma", "mad") else [""]:
                        op = root + (f".{mode}" if mode else "") + ftz + sat + f".{t}"
                        arity, f = operation(root, mode or "rn")
                        few = 10 if ftz or sat else 28
                        sums_below_least = [(0x80800000, 0x00C00000, 1), (0x3FC00000, 0x80000001, 2)]  # rounded to 0
                        more = sums_below_least if t == "f32" and arity == 3 else []
                        if ftz and root in ("mul", "fma", "mad"):  # next to the least normal number
                            zero = (0x80000000,) if arity == 3 else ()
                            more = more + [(0x00800000, 0x3F7FFFFF, *zero), (0x80800001, 0x3F7FFFFE, *zero),
                                           (0x80800000, 0x3F800000, *zero), (0x20000000, 0x1FFFFFFF, *zero)]
                        if t == "f64":
                            more = nan_tuples(op, arity)
                        for raw in float_tuples(op, FORMATS[t], arity, few) + more:
                            flushes = bool(ftz) and t == "f32"  # of f64 .ftz says nothing
                            result = compute(FORMATS[t], raw, f, mode or "rn", flushes, bool(sat),
                                             root in ("mul", "fma", "mad"))
                            out.append(Row(op, raw, (result,)))
    return out


def packed_pairs(fmt: Format, inputs: list[tuple[int, ...]], results: list[int]) -> list[tuple[tuple[int, ...], int]]:
    """Neighbouring rows as the two halves of packed operands."""
    out = []
    for i in range(0, len(inputs) - 1, 2):
        low, high = inputs[i], inputs[i + 1]
        out.append((tuple(a | b << 16 for a, b in zip(low, high)), results[i] | results[i + 1] << 16))
    return out


def half_arithmetic() -> list[Row]:
    out = []
    for t in ["f16", "bf16"]:
        fmt = FORMATS[t]
        for root in ["add", "sub", "mul", "fma"]:
            for flags in ["", ".ftz", ".sat", ".ftz.sat"] if t == "f16" else [""]:
                arity, f = operation(root, "rn")
                for mode in [".rn"] if root == "fma" else ["", ".rn"]:
                    op = f"{root}{mode}{flags}.{t}"
                    inputs = float_tuples(op, fmt, arity)
                    results = [compute(fmt, raw, f, "rn", "ftz" in flags, "sat" in flags, True) for raw in inputs]
                    out += [Row(op, raw, (r,)) for raw, r in zip(inputs, results)]
                    out += [Row(op + "x2", raw, (r,)) for raw, r in packed_pairs(fmt, inputs, results)]
    # Directed modes that the manual does not name: ptxas makes an fma.rn.f16 of the plain form, and assembles the pair
    # as .rn (measured on an H200).
    for mode in ["rz", "rm", "rp"]:
        arity, f = operation("fma", "rn")
        inputs = float_tuples(f"fma.{mode}.bf16", FORMATS["bf16"], arity)
        out += [Row(f"fma.{mode}.bf16", raw, (compute(F16, raw, f, "rn", False, False),)) for raw in inputs]
        nearest = [compute(FORMATS["bf16"], raw, operation("fma", "rn")[1], "rn", False, False) for raw in inputs]
        out += [Row(f"fma.{mode}.bf16x2", raw, (r,)) for raw, r in packed_pairs(FORMATS["bf16"], inputs, nearest)]
    return out


def min_max(fmt: Format, a: int, b: int, largest: bool, flags: str) -> int:
    if "ftz" in flags:
        a, b = sf.flush(fmt, a), sf.flush(fmt, b)
    sign = (a ^ b) & fmt.sign_bit
    if "xorsign" in flags:
        a, b = a & ~fmt.sign_bit, b & ~fmt.sign_bit
    x, y = sf.decode(fmt, a), sf.decode(fmt, b)
    if x.kind == "nan" or y.kind == "nan":
        if "NaN" in flags or (x.kind == "nan" and y.kind == "nan"):
            return sf.encode(fmt, sf.nan_of(y, x) or sf.NAN)
        result = b if x.kind == "nan" else a
    else:
        def key(n: Number) -> tuple[float, Fraction, int]:  # -0 below +0
            return ((-1 if n.negative else 1) if n.kind == "inf" else 0, n.value, 0 if n.negative else 1)
        result = (a if key(x) >= key(y) else b) if largest else (a if key(x) <= key(y) else b)
    return result | sign if "xorsign" in flags else result


def number_or_nan(fmt: Format, v: int, result: int) -> int:
    """abs and neg add in hardware: a NaN is canonical, a binary64 one keeps its sign (measured on an H200)."""
    x = sf.decode(fmt, v)
    return sf.encode(fmt, x) if x.kind == "nan" else result


def signs() -> list[Row]:
    out = []
    for t, fmt in FORMATS.items():
        all_flags = ["", ".ftz", ".NaN", ".xorsign.abs", ".ftz.NaN.xorsign.abs"]
        if t == "f64":
            all_flags = [""]
        elif t == "bf16":
            all_flags = ["", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"]
        for root in ["min", "max"]:
            for flags in all_flags:
                op = f"{root}{flags}.{t}"
                inputs = float_tuples(op, fmt, 2, 40)
                results = [min_max(fmt, a, b, root == "max", flags) for a, b in inputs]
                out += [Row(op, raw, (r,)) for raw, r in zip(inputs, results)]
                if fmt.width == 16:
                    out += [Row(op + "x2", raw, (r,)) for raw, r in packed_pairs(fmt, inputs, results)]
        for root, f in (("abs", lambda v: v & ~fmt.sign_bit), ("neg", lambda v: v ^ fmt.sign_bit)):
            for ftz in ["", ".ftz"] if t in ("f32", "f16") else [""]:
                op = f"{root}{ftz}.{t}"
                inputs = float_tuples(op, fmt, 1)
                flushed = [sf.flush(fmt, a) if ftz else a for (a,) in inputs]
                results = [number_or_nan(fmt, v, f(v)) for v in flushed]
                out += [Row(op, raw, (r,)) for raw, r in zip(inputs, results)]
                if fmt.width == 16:
                    out += [Row(op + "x2", raw, (r,)) for raw, r in packed_pairs(fmt, inputs, results)]
    return out + classes()


def classes() -> list[Row]:
    out = []
    tests: dict[str, Callable[[Format, int, Number], bool]] = {
        "finite": lambda f, b, x: x.kind == "num", "infinite": lambda f, b, x: x.kind == "inf",
        "number": lambda f, b, x: x.kind != "nan", "notanumber": lambda f, b, x: x.kind == "nan",
        "normal": lambda f, b, x: x.kind == "num" and (x.value == 0 or not sf.is_subnormal(f, b)),  # zero is normal
        "subnormal": lambda f, b, x: x.value != 0 and sf.is_subnormal(f, b)}
    for t in ["f32", "f64"]:
        fmt = FORMATS[t]
        for name, test in tests.items():
            for (a,) in float_tuples(f"testp.{name}.{t}", fmt, 1, 28, 2):
                out.append(Row(f"testp.{name}.{t}", (a,), (int(test(fmt, a, sf.decode(fmt, a))),)))
        for a, b in float_tuples(f"copysign.{t}", fmt, 2):
            out.append(Row(f"copysign.{t}", (a, b), ((a & fmt.sign_bit) | (b & ~fmt.sign_bit),)))
    for t in ["b16", "b32", "b64", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"]:
        bits = bits_of(t)
        for ftz in ["", ".ftz"]:
            op = f"slct{ftz}.{t}.f32"
            rng = generator(op)
            for c in edge_values(F32)[::2]:
                a, b = rng.getrandbits(bits), rng.getrandbits(bits)
                x = sf.decode(F32, sf.flush(F32, c) if ftz else c)
                not_negative = x.kind != "nan" and (not x.negative or (x.kind == "num" and x.value == 0))
                out.append(Row(op, (a, b, c), (a if not_negative else b,)))
    return out


def ordering(x: Number, y: Number) -> int:
    def key(n: Number) -> tuple[int, Fraction]:
        return ((-1 if n.negative else 1) if n.kind == "inf" else 0, n.value)
    return (key(x) > key(y)) - (key(x) < key(y))


def compare(name: str, x: Number, y: Number) -> bool:
    unordered = x.kind == "nan" or y.kind == "nan"
    if name in ("num", "nan"):
        return unordered == (name == "nan")
    if unordered:
        return len(name) == 3  # equ neu ltu leu gtu geu
    order = ordering(x, y)
    return {"eq": order == 0, "ne": order != 0, "lt": order < 0, "le": order <= 0, "gt": order > 0,
            "ge": order >= 0, "neu": order != 0}[name if name == "neu" or len(name) == 2 else name[:2]]


def comparisons() -> list[Row]:
    out = []
    combine: dict[str, Callable[[bool, int], bool]] = {
        "and": lambda t, c: t and bool(c), "or": lambda t, c: t or bool(c), "xor": lambda t, c: t != bool(c)}
    names = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
    for t, fmt in FORMATS.items():
        for i, name in enumerate(names):
            for ftz in ["", ".ftz"] if t in ("f32", "f16") else [""]:
                boolop = list(combine)[i % 3]
                pairs = float_tuples(f"setp.{name}{ftz}.{t}", fmt, 2, 10 if ftz else 18, 2)
                pairs += [(v, v) for v in (1, fmt.infinity)] + [(0, fmt.sign_bit), (1, 0)]
                for j, (a, b) in enumerate(pairs):
                    x, y = (sf.decode(fmt, sf.flush(fmt, v) if ftz else v) for v in (a, b))
                    r, c = compare(name, x, y), j & 1
                    combined = combine[boolop](r, c)
                    both = fmt.width != 16  # f16 and bf16 have no complement
                    out.append(Row(f"setp.{name}{ftz}.{t}", (a, b), (int(r), int(not r)) if both else (int(r),)))
                    complement = (int(combine[boolop](not r, c)),) if both else ()
                    out.append(Row(f"setp.{name}.{boolop}{ftz}.{t}", (a, b, c), (int(combined), *complement)))
                    if fmt.width == 16:
                        high = compare(name, y, x)
                        packed = (a | b << 16, b | a << 16)
                        out.append(Row(f"setp.{name}{ftz}.{t}x2", packed, (int(r), int(high))))
                        out.append(Row(f"setp.{name}.{boolop}{ftz}.{t}x2", (*packed, c),
                                       (int(combined), int(combine[boolop](high, c)))))
                    else:
                        for d, true in (("u32", 0xFFFFFFFF), ("s32", 0xFFFFFFFF), ("f32", 0x3F800000)):
                            out.append(Row(f"set.{name}{ftz}.{d}.{t}", (a, b), (true if r else 0,)))
                            out.append(Row(f"set.{name}.{boolop}{ftz}.{d}.{t}", (a, b, c), (true if combined else 0,)))
    return out


INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]
INTEGRAL = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}


def to_integer(x: Number, mode: str, t: str, source: str) -> int:
    bits = bits_of(t)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed(t) else (0, (1 << bits) - 1)
    if x.kind == "nan":
        return 1 << (bits - 1) if source == "f64" or bits == 64 else 0
    if x.kind == "inf":
        return masked(low if x.negative else high, bits)
    return masked(min(max(sf.round_integral(mode, x.value), low), high), bits)


def integer_conversions() -> list[Row]:
    out = []
    for t in INTEGERS:
        bits = bits_of(t)
        for source in ["f16", "f32", "f64"]:
            fmt = FORMATS[source]
            limits = [sf.encode(fmt, sf.number(Fraction(v, 4)), "rn") for b in (bits - 1, bits)
                      for v in ((4 << b) - 4, (4 << b) - 2, 4 << b, -(4 << b), -(4 << b) - 2)]
            small = [sf.encode(fmt, sf.number(Fraction(v, 4)), "rn") for v in (2, 6, 10, 3, -2, -6, -3, -5, 401, -403)]
            for irnd, mode in INTEGRAL.items():
                for flags in ["", ".sat"] + ([".ftz"] if source == "f32" else []):
                    op = f"cvt.{irnd}{flags}.{t}.{source}"
                    pool = limits + small + edge_values(fmt)
                    for (a,) in tuples(op, [pool], 12 if flags else 28, lambda r, w=fmt.width: (r.getrandbits(w),), 2):
                        x = sf.decode(fmt, sf.flush(fmt, a) if "ftz" in flags else a)
                        out.append(Row(op, (a,), (to_integer(x, mode, t, source),)))
        for target in ["f16", "f32", "f64"]:
            fmt = FORMATS[target]
            for mode in ROUNDINGS:
                for sat in ["", ".sat"]:
                    op = f"cvt.{mode}{sat}.{target}.{t}"
                    ties = [masked((1 << (fmt.precision + 1)) + v, bits) for v in (1, 2, 3, 6)]
                    pool = int_values(bits) + ties
                    for (a,) in tuples(op, [pool], 6 if sat else 14, lambda r, b=bits: (r.getrandbits(b),), 3):
                        out.append(Row(op, (a,),
                                       (finish(fmt, sf.encode(fmt, sf.number(value_of(a, t)), mode), False, bool(sat)),
                                        )))
    return out


def converted(d: str, s: str, x: Number, raw: int, mode: str, computes: bool) -> int:
    """A NaN of binary64 keeps its sign and upper payload. Binary32 and 64 to themselves are moves unless they round or
    flush, and so is bf16 to binary32; .ftz adds in binary32, whose NaN is canonical (measured on an H200)."""
    if x.kind == "nan" and not computes:
        if d == s and d in ("f32", "f64"):
            return raw
        if (d, s) == ("f32", "bf16"):
            return raw << 16
    if x.kind == "nan" and s == "f64":
        return sf.quieted(FORMATS[d], x)
    if x.kind == "nan" and computes and (d, s) == ("f64", "f32"):
        return 0x7FFFFFFFE0000000
    return sf.encode(FORMATS[d], x, mode)


def float_conversions() -> list[Row]:
    out = []

    def convert(op: str, d: str, s: str, mode: str, ftz: bool, sat: bool, integral: bool = False) -> None:
        to, source = FORMATS[d], FORMATS[s]
        half_ulps = [sf.encode(source, sf.number(Fraction((1 << to.precision) * 2 + v, 1 << (to.precision + 1))), "rn")
                     for v in (1, 2, 3, 5, 6, 7)]
        tiny = [sf.encode(source, sf.number(Fraction(v, 8) * Fraction(2) ** (1 - to.bias - to.fraction_bits)), "rn")
                for v in (1, 4, 5, 12, 13)]
        pool = edge_values(source) + half_ulps + tiny + [v | source.sign_bit for v in half_ulps + tiny]
        for (a,) in tuples(op, [pool], 14 if sat or ftz else 40, lambda r: (r.getrandbits(source.width),), 4):
            x = sf.decode(source, sf.flush(source, a) if ftz and s == "f32" and d != "f16" else a)
            if integral and x.kind == "num":
                x = sf.number(sf.round_integral(mode, x.value), x.negative)
            bits = converted(d, s, x, a, "rn" if integral else mode, integral or ftz)
            out.append(Row(op, (a,), (finish(to, bits, ftz and d == "f32", sat),)))

    for sat in ["", ".sat"]:
        for t in ["f16", "f32", "f64"]:
            convert(f"cvt{sat}.{t}.{t}", t, t, "rn", False, bool(sat))
            for irnd, mode in INTEGRAL.items():
                convert(f"cvt.{irnd}{sat}.{t}.{t}", t, t, mode, False, bool(sat), True)
        for d, s in (("f64", "f32"), ("f32", "f16"), ("f64", "f16")):
            convert(f"cvt{sat}.{d}.{s}", d, s, "rn", False, bool(sat))
        for d, s in (("f32", "f64"), ("f16", "f32"), ("f16", "f64")):
            for mode in ROUNDINGS:
                convert(f"cvt.{mode}{sat}.{d}.{s}", d, s, mode, False, bool(sat))
    convert("cvt.ftz.f32.f32", "f32", "f32", "rn", True, False)
    convert("cvt.rni.ftz.f32.f32", "f32", "f32", "rn", True, False, True)
    convert("cvt.ftz.f64.f32", "f64", "f32", "rn", True, False)
    for mode in ROUNDINGS:
        convert(f"cvt.{mode}.ftz.f32.f64", "f32", "f64", mode, True, False)
        convert(f"cvt.{mode}.ftz.f16.f32", "f16", "f32", mode, True, False)
    convert("cvt.f32.bf16", "f32", "bf16", "rn", False, False)
    for mode in ["rn", "rz"]:
        convert(f"cvt.{mode}.bf16.f32", "bf16", "f32", mode, False, False)
        for t in ["f16", "bf16"]:
            op = f"cvt.{mode}.{t}x2.f32"
            for a, b in float_tuples(op, F32, 2):
                high, low = (sf.encode(FORMATS[t], sf.decode(F32, v), mode) for v in (a, b))
                out.append(Row(op, (a, b), (high << 16 | low,)))
    tf32 = Format(11, 8, 0)
    for (a,) in float_tuples("cvt.rna.tf32.f32", F32, 1, 28):
        x = sf.decode(F32, a)
        out.append(Row("cvt.rna.tf32.f32", (a,), (a & ~0x1FFF if x.kind == "nan" else sf.encode(tf32, x, "rna") << 13,)))
    return out


def to_python(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def from_python(x: float) -> int:
    if math.isnan(x):
        return F32.canonical_nan
    if math.isinf(x):
        return F32.infinity | (F32.sign_bit if x < 0 else 0)
    return sf.encode(F32, sf.number(Fraction(x), math.copysign(1, x) < 0))


def safely(f: Callable[[float], float], x: float) -> float:
    try:
        return f(x)
    except (ValueError, OverflowError):
        return math.nan


def ex2(x: float) -> float:
    return math.inf if x > 1000 else 0.0 if x < -1000 else 2.0**x


def lg2(x: float) -> float:
    return -math.inf if x == 0 else math.nan if x < 0 else math.log2(x) if not math.isinf(x) else x


def approximations() -> list[Row]:
    out = []
    rng = generator("approx")
    edges = edge_values(F32)
    angles = [from_python(x) for x in [0.5, -0.5, 1.5707964, 3.1415927, -3.1415927, 6.2831, -6.2831, 2.0, 4.0,
                                       0.7853982, 1e-20]]
    wide_angles = [from_python(rng.uniform(-314, 314)) for _ in range(24)]
    exponents = [from_python(x) for x in [0.5, -0.5, 1, -1, 127.5, 128, -126, -126.5, -148.5, -149.5, -151, 10.25,
                                          1e-10]]
    values = [from_python(2.0**rng.uniform(-30, 30)) for _ in range(24)] + [from_python(1 + rng.uniform(-0.5,
        1)) for _ in range(12)]
    near_zero = [from_python(rng.choice([-1, 1]) * 2.0**rng.uniform(-20, 4)) for _ in range(32)]

    def one(op: str, inputs: list[int], f: Callable[[float], float], check: str) -> None:
        flags = ["", ".ftz"] if op != "tanh.approx" else [""]
        for ftz in flags:
            for a in inputs:
                x = to_python(sf.flush(F32, a) if ftz else a)
                r = from_python(safely(f, x) if not math.isnan(x) else x)
                out.append(Row(f"{op}{ftz}.f32", (a,), (sf.flush(F32, r) if ftz else r,), check=check))

    one("sin.approx", edges[:1] + angles, math.sin, f"abs {2**-20.5}")
    one("cos.approx", edges[:1] + angles, math.cos, f"abs {2**-20.5}")
    one("sin.approx", wide_angles + [F32.infinity, F32.infinity | F32.sign_bit, F32.canonical_nan], math.sin,
        f"abs {2**-14.7}")
    one("cos.approx", wide_angles + [F32.infinity, F32.infinity | F32.sign_bit, F32.canonical_nan], math.cos,
        f"abs {2**-14.7}")
    one("ex2.approx", edges + exponents + near_zero, ex2, "ulp 2")
    outside = [v for v in edges + values if not 0.5 < to_python(v) < 2]
    one("lg2.approx", outside, lg2, f"rel {2**-22}")
    one("lg2.approx", [v for v in edges + values if 0.5 < to_python(v) < 2], lg2, f"abs {2**-22}")
    one("tanh.approx", edges + near_zero, math.tanh, f"rel {2**-11}")
    out += approximate_quotients(values)
    return out


def approximate_quotients(values: list[int]) -> list[Row]:
    """Against exact quotients and roots."""
    out = []
    roots = {"rcp": (sf.div, "ulp 1"), "sqrt": (None, f"rel {2**-23}"), "rsqrt": (None, f"rel {2**-22.9}")}
    for root, (_, check) in roots.items():
        for ftz in ["", ".ftz"]:
            for a in edge_values(F32) + values[:16]:
                x = sf.decode(F32, sf.flush(F32, a) if ftz else a)
                y = x if root == "rcp" else sf.sqrt(x)
                exact = y if root == "sqrt" else sf.div(sf.number(1), y)
                out.append(Row(f"{root}.approx{ftz}.f32", (a,), (finish(F32, sf.encode(F32, exact), bool(ftz), False),),
                               check=check))
    for form in ["approx", "full"]:
        for ftz in ["", ".ftz"]:
            op = f"div.{form}{ftz}.f32"
            for a, b in float_tuples(op, F32, 2, 60):
                x, y = (sf.decode(F32, sf.flush(F32, v) if ftz else v) for v in (a, b))
                r = sf.div(x, y)
                if form == "approx" and y.kind == "num" and abs(y.value) > Fraction(2) ** 126:
                    r = sf.NAN if x.kind in ("inf", "nan") else sf.number(0, x.negative != y.negative)
                out.append(Row(op, (a, b), (finish(F32, sf.encode(F32, r), bool(ftz), False),), check="ulp 2"))
    upper = 0xFFFFFFFF00000000
    for op, f in (("rcp.approx.ftz.f64", lambda x: sf.div(sf.number(1), x)),
                  ("rsqrt.approx.ftz.f64", lambda x: sf.div(sf.number(1), sf.sqrt(x)))):
        for (a,) in float_tuples(op, F64, 1, 28):
            r = f(sf.decode(F64, sf.flush(F64, a & upper)))
            bits = 0x7FFFFFFF00000000 if r.kind == "nan" else sf.flush(F64, sf.encode(F64, r)) & upper
            out.append(Row(op, (a,), (bits,), check=f"rel {2**-19}"))
    for (a,) in float_tuples("rsqrt.approx.f64", F64, 1, 28):
        r = sf.div(sf.number(1), sf.sqrt(sf.decode(F64, a)))
        out.append(Row("rsqrt.approx.f64", (a,), (sf.encode(F64, r),), check="rel 1e-15"))
    return out


def atomic_sum(fmt: Format, a: int, b: int, ftz: bool) -> int:
    """A NaN of binary64 stays as it is, not quieted (measured on an H200)."""
    nan = next((v for v in (b, a) if sf.decode(fmt, v).kind == "nan"), None)
    if fmt.keeps_nan and nan is not None:
        return nan
    return compute(fmt, (a, b), lambda x, y: sf.add(x, y, "rn"), "rn", ftz, False)


def atomic_additions() -> list[Row]:
    """The third operand of an f32 addition is 1 where the space flushes subnormals."""
    out = []
    for root in ["atom", "red"]:
        for t in ["f32", "f64"]:
            op = f"{root}.add.{t}"
            for i, (a, b) in enumerate(float_tuples(op, FORMATS[t], 2, 40)):
                ftz = t == "f32" and i % 2 == 1
                r = atomic_sum(FORMATS[t], a, b, ftz)
                out.append(Row(op, (a, b, 1 if ftz else 0), (r,)))
        for t in ["f16", "bf16"]:
            op = f"{root}.add.noftz.{t}"
            inputs = float_tuples(op, FORMATS[t], 2)
            results = [compute(FORMATS[t], raw, lambda x, y: sf.add(x, y, "rn"), "rn", False, False) for raw in inputs]
            out += [Row(op, (*raw, 0), (r,)) for raw, r in zip(inputs, results)]
            out += [Row(op + "x2", (*raw, 0), (r,)) for raw, r in packed_pairs(FORMATS[t], inputs, results)]
    multicast = [Row(f"multimem.{row.op.replace('.noftz', '')}", row.inputs, row.outputs) for row in out
                 if row.op.startswith("red.")]
    return out + multicast


def rows() -> list[Row]:
    return (rounded_arithmetic() + half_arithmetic() + signs() + comparisons() + integer_conversions() +
            float_conversions() + approximations() + atomic_additions())
