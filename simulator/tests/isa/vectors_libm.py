"""The functions of libdevice: elementary functions to fifty digits, helpers on exact integers and fractions."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import high_precision as hp
import softfloat as sf
from softfloat import F16, F32, F64
from vector_rows import Row, generator, int_tuples, masked, to_signed
from vectors_float import (compute, converted, edge_values, float_tuples, from_python, min_max, number_or_nan, operation,
                           to_integer)
from vectors_integer import prmt

D = Decimal
FORMATS = {"f": F32, "": F64}
TINY = [0.125, -0.125, 0.5, -0.5, 1.0, -1.0, 0.7071067811865476, 1e-5, -3e-8]
MORE = [1.5, -1.5, 2.0, 3.7, -3.7, 5.25, 10.0, -10.0]
POSITIVE = [1e-30, 1e-5, 0.25, 0.99, 1.0, 1.0009765625, 2.0, 2.718281828, 10.0, 1000.0, 1e30]
UNIT = [0.001, -0.001, 0.25, -0.25, 0.5, 0.75, -0.9, 0.999]


def bits_of_double(x: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def encode_number(suffix: str, x: float) -> int:
    return from_python(x) if suffix == "f" else bits_of_double(x)


def rounded(fmt: sf.Format, x: Decimal | float) -> int:
    if isinstance(x, float) and math.isnan(x):
        return fmt.canonical_nan
    if isinstance(x, float) and math.isinf(x):
        return fmt.infinity | (fmt.sign_bit if x < 0 else 0)
    negative_zero = isinstance(x, float) and x == 0 and math.copysign(1, x) < 0
    return sf.encode(fmt, sf.number(Fraction(x), negative_zero))


def exact_value(fmt: sf.Format, bits: int) -> Decimal:
    value = sf.decode(fmt, bits).value
    return D(value.numerator) / D(value.denominator)


def elementary() -> list[tuple[str, list[float], Callable[[Decimal], Decimal]]]:
    def log(x: Decimal) -> Decimal:
        return x.ln()

    def exp(x: Decimal) -> Decimal:
        return x.exp()

    def sinh(x: Decimal) -> Decimal:
        return (x.exp() - (-x).exp()) / 2

    def cosh(x: Decimal) -> Decimal:
        return (x.exp() + (-x).exp()) / 2

    def cbrt(x: Decimal) -> Decimal:
        root = (abs(x).ln() / 3).exp()
        return root if x > 0 else -root

    return [
        ("exp", TINY + MORE + [50.0, -50.0], exp), ("exp2", TINY + MORE, lambda x: (x * D(2).ln()).exp()),
        ("exp10", TINY + MORE, lambda x: (x * D(10).ln()).exp()), ("expm1", TINY + MORE, lambda x: x.exp() - 1),
        ("log", POSITIVE, log), ("log2", POSITIVE, lambda x: x.ln() / D(2).ln()),
        ("log10", POSITIVE, lambda x: x.log10()),
        ("log1p", [v for v in TINY + MORE if v > -1], lambda x: (1 + x).ln()),
        ("sin", TINY + MORE + [100.0, 1e6], hp.sine), ("cos", TINY + MORE + [100.0, 1e6], hp.cosine),
        ("tan", TINY + MORE, lambda x: hp.sine(x) / hp.cosine(x)), ("sinpi", TINY + MORE[:4], hp.sine_of_half_turns),
        ("cospi", [0.125, 0.25, 0.7, 1.0, 3.3, -2.2], lambda x: hp.sine_of_half_turns(x + hp.HALF)),
        ("asin", UNIT, hp.arcsine), ("acos", UNIT, lambda x: hp.PI / 2 - hp.arcsine(x)),
        ("atan", TINY + MORE, hp.arctangent),
        ("sinh", TINY + MORE, sinh), ("cosh", TINY + MORE, cosh), ("tanh", TINY + MORE, lambda x: sinh(x) / cosh(x)),
        ("asinh", [0.125, -0.5, 3.0, 1e5], lambda x: (x + (x * x + 1).sqrt()).ln()),
        ("acosh", [1.125, 2.0, 3.0, 1e5], lambda x: (x + (x * x - 1).sqrt()).ln()),
        ("atanh", UNIT, lambda x: ((1 + x) / (1 - x)).ln() / 2),
        ("sqrt", POSITIVE, lambda x: x.sqrt()), ("rsqrt", POSITIVE, lambda x: 1 / x.sqrt()),
        ("cbrt", POSITIVE + MORE, cbrt), ("rcbrt", POSITIVE + MORE, lambda x: 1 / cbrt(x)),
        ("logb", [0.3, 1.0, 5.0, 1e10], lambda x: D(math.frexp(float(x))[1] - 1)),
        ("erf", TINY + MORE[:4], hp.error_function),
        ("erfc", TINY + [1.5, -1.5, 3.7, 5.25, 10.0], hp.complementary_error),
        ("erfcx", [0.1, 1.0, 3.0, 7.5, 9.0, -1.0], lambda x: (x * x).exp() * hp.complementary_error(x)),
        ("erfinv", UNIT, lambda x: hp.invert(hp.error_function, x, D(-4), D(4))),
        ("erfcinv", [0.01, 0.3, 0.9, 1.0009765625, 1.7], lambda x: hp.invert(hp.error_function, 1 - x, D(-4), D(4))),
        ("normcdf", [-3.0, -0.5, 0.25, 2.0], lambda x: hp.complementary_error(-x / D(2).sqrt()) / 2),
        ("normcdfinv", [0.01, 0.3, 0.625, 0.99],
         lambda p: hp.invert(hp.error_function, 2 * p - 1, D(-4), D(4)) * D(2).sqrt()),
        ("tgamma", [0.5, 1.5, 3.0, 5.25, 10.0], hp.gamma_function),
        ("lgamma", [0.5, 1.5, 3.5, 20.0], lambda x: hp.gamma_function(x).ln()),
        ("j0", [0.5, 2.0, 7.5], lambda x: hp.bessel_j(0, x)), ("j1", [0.5, 2.0, 7.5], lambda x: hp.bessel_j(1, x)),
        ("y0", [0.5, 2.0, 7.5], lambda x: hp.bessel_y(0, x)), ("y1", [0.5, 2.0, 7.5], lambda x: hp.bessel_y(1, x)),
        ("cyl_bessel_i0", [0.5, 2.0, 7.5, 31.0], lambda x: hp.bessel_i(0, x)),
        ("cyl_bessel_i1", [0.5, 2.0, 7.5, 31.0], lambda x: hp.bessel_i(1, x))]


# How far the double versions may be off where the CUDA tables allow more than 2 ulp, or give an absolute bound.
# An H200 needs these, and nowhere less.
FLOAT_CHECKS = {"cyl_bessel_i0": "ulp 2", "cyl_bessel_i1": "ulp 2", "j0": "ulp 2", "j1": "ulp 2", "exp2": "ulp 2"}
DOUBLE_CHECKS = {"erfcinv": "rel 2e-14", "erfinv": "rel 2e-14", "normcdfinv": "rel 5e-14", "erfcx": "ulp 8",
                 "tgamma": "ulp 10",
                 "normcdf": "ulp 5", "lgamma": "rel 2e-15", "cyl_bessel_i0": "ulp 12", "cyl_bessel_i1": "ulp 12",
                 "j0": "abs 5e-15", "j1": "abs 5e-15", "y0": "abs 5e-15", "y1": "abs 5e-15"}
LIMITS: dict[str, list[tuple[float, float]]] = {
    "exp": [(-math.inf, 0.0), (math.inf, math.inf), (1000.0, math.inf)], "log": [(0.0, -math.inf), (-1.0, math.nan)],
    "sin": [(math.inf, math.nan), (-0.0, -0.0)], "sinpi": [(2.0, 0.0), (-0.0, -0.0), (math.inf, math.nan)],
    "cospi": [(0.5, 0.0), (math.inf, math.nan)], "sqrt": [(-1.0, math.nan), (-0.0, -0.0)],
    "erfinv": [(1.0, math.inf), (2.0, math.nan)],
    "erfcinv": [(0.0, math.inf), (2.0, -math.inf)], "tanh": [(math.inf, 1.0)], "rsqrt": [(0.0, math.inf)]}


def one_argument() -> list[Row]:
    out = []
    for base, inputs, f in elementary():
        for suffix, fmt in FORMATS.items():
            check = FLOAT_CHECKS.get(base, "ulp 1") if suffix == "f" else DOUBLE_CHECKS.get(base, "ulp 2")
            for x in inputs:
                bits = encode_number(suffix, x)
                out.append(Row(f"__nv_{base}{suffix}", (bits,), (rounded(fmt, f(exact_value(fmt, bits))),),
                               check=check))
            for x, y in LIMITS.get(base, []):
                out.append(Row(f"__nv_{base}{suffix}", (encode_number(suffix, x),), (rounded(fmt, y),), check="ulp 0"))
    return out


def several_arguments() -> list[Row]:
    out = []

    def power(x: Decimal, y: Decimal) -> Decimal:
        return (abs(x).ln() * y).exp() * (-1 if x < 0 and int(y) % 2 else 1)

    def remainder(x: Decimal, y: Decimal) -> Decimal:
        return x - y * (x / y).to_integral_value(rounding="ROUND_HALF_EVEN")

    def next_after(x: Decimal, y: Decimal, fmt: sf.Format) -> Decimal:
        bits = rounded(fmt, x)
        return exact_value(fmt, bits + (1 if (y > x) == (x > 0) else -1))

    pairs = [(5.5, 2.0), (-5.5, 2.0), (7.0, -3.0), (1.25, 4.0), (-3.0, 0.75), (100.0, 7.0)]
    functions: dict[str, tuple[list[tuple[float, float]], Callable[[Decimal, Decimal, sf.Format], Decimal]]] = {
        "pow": ([(2.0, 0.5), (1.5, 10.0), (-2.0, 3.0), (10.0, -3.0), (0.3, 7.25)], lambda x, y, _: power(x, y)),
        "fmod": (pairs, lambda x, y, _: x % y), "remainder": (pairs, lambda x, y, _: remainder(x, y)),
        "fdim": (pairs, lambda x, y, _: max(x - y, D(0))), "hypot": (pairs, lambda x, y, _: (x * x + y * y).sqrt()),
        "rhypot": (pairs, lambda x, y, _: 1 / (x * x + y * y).sqrt()),
        "atan2": ([(1.0, 2.0), (-3.0, 0.5), (2.0, 2.0)], lambda y, x, _: hp.arctangent(y / x)),
        "nextafter": ([(1.0, 2.0), (1.0, 0.0), (-3.0, 5.0)], next_after)}
    for base, (inputs, f) in functions.items():
        for suffix, fmt in FORMATS.items():
            for values in inputs:
                raw = tuple(encode_number(suffix, v) for v in values)
                result = rounded(fmt, f(*(exact_value(fmt, v) for v in raw), fmt))
                out.append(Row(f"__nv_{base}{suffix}", raw, (result,),
                               check="ulp 0" if base in ("fmod", "nextafter") else "ulp 2"))
    return out + mixed_arguments() + two_results()


def mixed_arguments() -> list[Row]:
    out = []
    for suffix, fmt in FORMATS.items():
        def add(base: str, inputs: tuple[int, ...], result: Decimal | float, check: str) -> None:
            out.append(Row(f"__nv_{base}{suffix}", inputs, (rounded(fmt, result),), check=check))

        for x in [1.5, -2.25, 10.0]:
            bits = encode_number(suffix, x)
            for n in [3, -2, 0, 10]:
                add("powi", (bits, masked(n, 32)), D(x) ** n, "ulp 2")
                add("ldexp", (bits, masked(n, 32)), D(x) * D(2) ** n, "exact")
                add("scalbn", (bits, masked(n, 32)), D(x) * D(2) ** n, "exact")
            out.append(Row(f"__nv_ilogb{suffix}", (bits,), (math.frexp(x)[1] - 1,)))
        out.append(Row(f"__nv_ilogb{suffix}", (0,), (0x80000000,)))
        out.append(Row(f"__nv_ilogb{suffix}", (fmt.infinity,), (0x7FFFFFFF,)))
        out.append(Row(f"__nv_nan{suffix}", (0,), (sf.quieted(fmt, sf.NAN),)))
        for n in [0, 1, 2]:
            for x in [0.5, 3.0]:
                bits = encode_number(suffix, x)
                add("jn", (n, bits), hp.bessel_j(n, D(x)), "ulp 2" if suffix else "abs 5e-15")
                add("yn", (n, bits), hp.bessel_y(n, D(x)), "ulp 8" if suffix else "abs 2e-14")
        three = tuple(encode_number(suffix, v) for v in (1.0, -2.0, 3.5))
        add("norm3d", three, (D(1) + 4 + D("12.25")).sqrt(), "ulp 2")
        add("rnorm3d", three, 1 / (D(1) + 4 + D("12.25")).sqrt(), "ulp 2")
    return out


def two_results() -> list[Row]:
    out = []
    for suffix, fmt in FORMATS.items():
        for x in [0.3, -2.75, 10.0, 1e-3]:
            bits = encode_number(suffix, x)
            value = exact_value(fmt, bits)
            check = "ulp 1" if suffix else "ulp 2"
            out.append(Row(f"__nv_sincos{suffix}", (bits,),
                           (rounded(fmt, hp.sine(value)), rounded(fmt, hp.cosine(value))), check=check))
            half_turns = (hp.sine_of_half_turns(value), hp.sine_of_half_turns(value + hp.HALF))
            out.append(Row(f"__nv_sincospi{suffix}", (bits,), tuple(rounded(fmt, v) for v in half_turns), check=check))
            fraction, exponent = math.frexp(float(value))
            out.append(Row(f"__nv_frexp{suffix}", (bits,), (encode_number(suffix, fraction), masked(exponent, 32))))
            part, whole = math.modf(float(value))
            out.append(Row(f"__nv_modf{suffix}", (bits,), (encode_number(suffix, part), encode_number(suffix, whole))))
        for x, y, quotient in [(7.0, 2.0, 4), (-7.0, 2.0, -4), (5.0, 3.0, 2)]:
            rest = x - quotient * y
            out.append(Row(f"__nv_remquo{suffix}", tuple(encode_number(suffix, v) for v in (x, y)),
                           (encode_number(suffix, rest), masked(quotient, 32))))
    return out


def fast_forms() -> list[Row]:
    out = []
    functions: dict[str, tuple[list[float], Callable[[Decimal], Decimal], str]] = {
        "sinf": ([0.5, 3.0, -2.0], hp.sine, "abs 1e-6"), "cosf": ([0.5, 3.0, -2.0], hp.cosine, "abs 1e-6"),
        "tanf": ([0.5, -1.0], lambda x: hp.sine(x) / hp.cosine(x), "rel 1e-5"),
        "expf": ([0.5, 3.0, -10.0], lambda x: x.exp(), "rel 2e-6"),
        "exp10f": ([0.5, 3.0, -7.0], lambda x: (x * D(10).ln()).exp(), "rel 2e-6"),
        "log2f": ([0.3, 10.0], lambda x: x.ln() / D(2).ln(), "rel 1e-6"),
        "logf": ([0.3, 10.0], lambda x: x.ln(), "rel 1e-6"),
        "log10f": ([0.3, 10.0], lambda x: x.log10(), "rel 1e-6")}
    for base, (inputs, f, check) in functions.items():
        for x in inputs:
            bits = from_python(x)
            out.append(Row(f"__nv_fast_{base}", (bits,), (rounded(F32, f(exact_value(F32, bits))),), check=check))
    x, y = from_python(1.5), from_python(4.25)
    out.append(Row("__nv_fast_powf", (x, y), (rounded(F32, (D("1.5").ln() * D("4.25")).exp()),), check="rel 1e-5"))
    out.append(Row("__nv_fast_fdividef", (x, y), (rounded(F32, D("1.5") / D("4.25")),), check="ulp 2"))
    out.append(Row("__nv_fast_sincosf", (x,), (rounded(F32, hp.sine(D("1.5"))), rounded(F32, hp.cosine(D("1.5")))),
                   check="abs 1e-6"))
    return out


def integers() -> list[Row]:
    out = []

    def add(name: str, widths: list[int], signed: bool, out_bits: int, f: Callable[..., int]) -> None:
        for raw in int_tuples(f"__nv_{name}", widths):
            values = [to_signed(v, w) if signed else v for v, w in zip(raw, widths)]
            out.append(Row(f"__nv_{name}", raw, (masked(f(*values), out_bits),)))

    for prefix, width in (("", 32), ("ll", 64)):
        add(f"{prefix}abs", [width], True, width, abs)
        add(f"{prefix}min", [width] * 2, True, width, min)
        add(f"{prefix}max", [width] * 2, True, width, max)
        add(f"u{prefix}min", [width] * 2, False, width, min)
        add(f"u{prefix}max", [width] * 2, False, width, max)
        add(f"clz{prefix}", [width], False, 32, lambda a, w=width: w - a.bit_length())
        add(f"popc{prefix}", [width], False, 32, lambda a: bin(a).count("1"))
        add(f"ffs{prefix}", [width], False, 32, lambda a: (a & -a).bit_length())
        add(f"brev{prefix}", [width], False, width, lambda a, w=width: int(format(a, f"0{w}b")[::-1], 2))
        name = "mul64hi" if width == 64 else "mulhi"
        add(name, [width] * 2, True, width, lambda a, b, w=width: a * b >> w)
        add(f"u{name}", [width] * 2, False, width, lambda a, b, w=width: a * b >> w)
    add("byte_perm", [32] * 3, False, 32, lambda a, b, c: prmt(a, b, c & 0x7777, ""))  # three bits of each number
    add("mul24", [32] * 2, True, 32, lambda a, b: to_signed(a, 24) * to_signed(b, 24))
    add("umul24", [32] * 2, False, 32, lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF))
    add("sad", [32] * 3, True, 32, lambda a, b, c: abs(a - b) + c)
    add("usad", [32] * 3, False, 32, lambda a, b, c: abs(a - b) + c)
    for prefix, signed in (("", True), ("u", False)):
        add(f"{prefix}hadd", [32] * 2, signed, 32, lambda a, b: (a + b) >> 1)
        add(f"{prefix}rhadd", [32] * 2, signed, 32, lambda a, b: (a + b + 1) >> 1)
    return out


DIRECTIONS = {"rn": "rn", "rz": "rz", "ru": "rp", "rd": "rm"}


def exact_arithmetic() -> list[Row]:
    out = []
    for letter, fmt in (("f", F32), ("d", F64)):
        names = {"add": letter + "add", "sub": letter + "sub", "mul": letter + "mul", "div": letter + "div",
                 "rcp": letter + "rcp", "sqrt": letter + "sqrt", "fma": "fmaf" if letter == "f" else "fma"}
        for root, name in names.items():
            for suffix, mode in DIRECTIONS.items():
                arity, f = operation(root, mode)
                op = f"__nv_{name}_{suffix}"
                out += [Row(op, raw, (compute(fmt, raw, f, mode, False, False),)) for raw in float_tuples(op, fmt,
                    arity, 10, 4)]
    for name, fmt in (("fmaf", F32), ("fma", F64)):
        _, f = operation("fma", "rn")
        out += [Row(f"__nv_{name}", raw, (compute(fmt, raw, f, "rn", False, False),)) for raw in float_tuples(name, fmt,
            3, 10, 4)]
    for a in edge_values(F32):
        root = sf.div(sf.number(1), sf.sqrt(sf.decode(F32, a)))
        out.append(Row("__nv_frsqrt_rn", (a,), (sf.encode(F32, root),), check="ulp 1"))
    return out


def conversions() -> list[Row]:
    out = []
    ints = {"int": "s32", "uint": "u32", "ll": "s64", "ull": "u64"}
    for source, fmt, type_name in (("float", F32, "f32"), ("double", F64, "f64")):
        for target, t in ints.items():
            for suffix, mode in DIRECTIONS.items():
                for (a,) in float_tuples(f"{source}2{target}_{suffix}", fmt, 1, 12, 4):
                    out.append(Row(f"__nv_{source}2{target}_{suffix}", (a,),
                                   (to_integer(sf.decode(fmt, a), mode, t, type_name),)))
        for origin, t in ints.items():
            width = int(t[1:])
            for suffix, mode in DIRECTIONS.items() if source == "float" or width == 64 else [("rn", "rn")]:
                for (a,) in int_tuples(f"{origin}2{source}_{suffix}", [width], 8):
                    value = to_signed(a, width) if t[0] == "s" else a
                    out.append(Row(f"__nv_{origin}2{source}_{suffix}", (a,), (sf.encode(fmt, sf.number(value), mode),)))
    for suffix, mode in DIRECTIONS.items():
        for (a,) in float_tuples(f"double2float_{suffix}", F64, 1, 12, 4):
            out.append(Row(f"__nv_double2float_{suffix}", (a,), (converted("f32", "f64", sf.decode(F64, a), a, mode, False),)))
    for a in edge_values(F16):
        out.append(Row("__nv_half2float", (a,), (sf.encode(F32, sf.decode(F16, a)),)))
    for a in edge_values(F32):
        out.append(Row("__nv_float2half_rn", (a,), (sf.encode(F16, sf.decode(F32, a)),)))
    for name, width in (("float_as_int", 32), ("int_as_float", 32), ("float_as_uint", 32), ("uint_as_float", 32),
                        ("double_as_longlong", 64), ("longlong_as_double", 64)):
        out += [Row(f"__nv_{name}", (a,), (a,)) for (a,) in int_tuples(name, [width], 6)]
    for (a,) in int_tuples("words", [64], 6):
        out.append(Row("__nv_double2hiint", (a,), (a >> 32,)))
        out.append(Row("__nv_double2loint", (a,), (a & 0xFFFFFFFF,)))
        out.append(Row("__nv_hiloint2double", (a >> 32, a & 0xFFFFFFFF), (a,)))
    return out


def classification_and_rounding() -> list[Row]:
    out = []
    for suffix, fmt in FORMATS.items():
        d = suffix or "d"
        names = {"isnan" + d: lambda x: x.kind == "nan", "isinf" + d: lambda x: x.kind == "inf",
                 "finitef" if suffix else "isfinited": lambda x: x.kind == "num", "signbit" + d: None}
        for name, test in names.items():
            for a in edge_values(fmt):
                flag = bool(a & fmt.sign_bit) if test is None else test(sf.decode(fmt, a))
                out.append(Row(f"__nv_{name}", (a,), (int(flag),)))
        for name, mode in (("floor", "rm"), ("ceil", "rp"), ("trunc", "rz"), ("rint", "rn"), ("nearbyint", "rn"),
                           ("round", "rna")):
            for x in [0.5, -0.5, 1.5, 2.5, -2.5, 0.25, -0.75, 1e9 + 0.5, -0.0, 3.0]:
                bits = encode_number(suffix, x)
                value = sf.decode(fmt, bits)
                result = sf.number(sf.round_integral(mode, value.value), value.negative)
                out.append(Row(f"__nv_{name}{suffix}", (bits,), (sf.encode(fmt, result),)))
        for name, mode in (("llround", "rna"), ("llrint", "rn")):
            for x in [0.5, -0.5, 1.5, 2.5, -2.5, 1e25, -1e25]:
                bits = encode_number(suffix, x)
                out.append(Row(f"__nv_{name}{suffix}", (bits,),
                               (to_integer(sf.decode(fmt, bits), mode, "s64", "f64"),)))
        rng = generator("sign" + suffix)
        for a, b in float_tuples("copysign" + suffix, fmt, 2, 12, rng.randrange(2, 4)):
            out.append(Row(f"__nv_copysign{suffix}", (a, b), ((b & fmt.sign_bit) | (a & ~fmt.sign_bit),)))
            out.append(Row(f"__nv_fmin{suffix}", (a, b), (min_max(fmt, a, b, False, ""),)))
            out.append(Row(f"__nv_fmax{suffix}", (a, b), (min_max(fmt, a, b, True, ""),)))
            out.append(Row(f"__nv_fabs{suffix}", (a,), (number_or_nan(fmt, a, a & ~fmt.sign_bit),)))
    for x, y in [(0.5, 0.5), (2.0, 1.0), (-1.0, 0.0), (math.nan, 0.0), (-0.0, 0.0)]:
        out.append(Row("__nv_saturatef", (from_python(x),), (from_python(y),)))
    return out


def rows() -> list[Row]:
    return (one_argument() + several_arguments() + fast_forms() + integers() + exact_arithmetic() + conversions() +
            classification_and_rounding())
