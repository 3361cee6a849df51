"""Conversions from and to bf16, with .relu and .satfinite, to the formats of eight bits and less, and cvt.pack."""

from __future__ import annotations

from fractions import Fraction

import softfloat as sf
from softfloat import BF16, F16, F32, Format, Number
from vector_rows import Row, bits_of, generator, int_values, is_signed, masked, to_signed, tuples, value_of
from vectors_float import FORMATS, INTEGRAL, ROUNDINGS, converted, edge_values, float_tuples, to_integer
from vectors_integer import clamp

WIDE = ["u16", "s16", "u32", "s32", "u64", "s64"]


def narrowed(fmt: Format, x: Number, mode: str, relu: bool, satfinite: bool) -> int:
    bits = sf.encode(fmt, x, mode)
    if satfinite and bits & ~fmt.sign_bit == fmt.infinity:
        bits -= 1
    return 0 if relu and x.kind != "nan" and x.negative else bits


def ties(source: Format, to: Format) -> list[int]:
    """Values of `source` halfway and a quarter between neighbours of `to`, and around its largest and smallest."""
    spread = [Fraction((1 << to.precision) * 2 + v, 1 << (to.precision + 1)) for v in (1, 2, 3, 5, 6, 7)]
    tiny = [Fraction(v, 8) * Fraction(2) ** (1 - to.bias - to.fraction_bits) for v in (1, 4, 5, 12, 13)]
    most = sf.decode(to, to.infinity - 1).value
    edge = [most, most * Fraction(4097, 4096), most * Fraction(1025, 1024), most * 2]
    bits = [sf.encode(source, sf.number(v), "rz") for v in spread + tiny + edge]
    return bits + [b | source.sign_bit for b in bits]


def brain_floats() -> list[Row]:
    out = []

    def convert(op: str, d: str, s: str, mode: str, relu: bool = False, satfinite: bool = False,
                integral: bool = False) -> None:
        pool = edge_values(FORMATS[s]) + ties(FORMATS[s], FORMATS[d])
        width = FORMATS[s].width
        for (a,) in tuples(op, [pool], 40, lambda r: (r.getrandbits(width),), 6):
            x = sf.decode(FORMATS[s], sf.flush(FORMATS[s], a) if ".ftz" in op else a)
            if integral and x.kind == "num":
                x = sf.number(sf.round_integral(mode, x.value), x.negative)
            bits = narrowed(FORMATS[d], x, "rn" if integral else mode, relu, satfinite)
            if x.kind == "nan":
                bits = converted(d, s, x, a, mode, integral or ".ftz" in op)
            out.append(Row(op, (a,), (bits,)))

    for d, s in (("f16", "bf16"), ("bf16", "f16"), ("bf16", "f64"), ("bf16", "f32")):
        for mode in ROUNDINGS:
            convert(f"cvt.{mode}.{d}.{s}", d, s, mode)
    for mode in ROUNDINGS:
        convert(f"cvt.{mode}.ftz.bf16.f32", "bf16", "f32", mode)
        convert(f"cvt.{mode}.ftz.f32.bf16", "f32", "bf16", "rn")
    convert("cvt.ftz.f32.bf16", "f32", "bf16", "rn")
    convert("cvt.f16.bf16", "f16", "bf16", "rn")  # no mode: to the nearest
    convert("cvt.bf16.f16", "bf16", "f16", "rn")
    for d in ["f32", "f64"]:
        convert(f"cvt.{d}.bf16", d, "bf16", "rn")
        convert(f"cvt.rz.{d}.bf16", d, "bf16", "rn")
    convert("cvt.bf16.bf16", "bf16", "bf16", "rn")
    for irnd, mode in INTEGRAL.items():
        convert(f"cvt.{irnd}.bf16.bf16", "bf16", "bf16", mode, integral=True)
        for t in WIDE:
            op = f"cvt.{irnd}.{t}.bf16"
            near = [sf.encode(BF16, sf.number(Fraction(v, 4))) for v in (2, 6, 10, 3, -2, -6, -3, -5, 401, -403)]
            near += [sf.encode(BF16, sf.number(v << k)) for k in (15, 16, 31, 32, 63, 64) for v in (1, -1)]
            for (a,) in tuples(op, [edge_values(BF16) + near], 30, lambda r: (r.getrandbits(16),), 4):
                out.append(Row(op, (a,), (to_integer(sf.decode(BF16, a), mode, t, "bf16"),)))
    for t in WIDE:
        for mode in ROUNDINGS:
            op = f"cvt.{mode}.bf16.{t}"
            pool = int_values(bits_of(t)) + [masked((1 << 9) + v, bits_of(t)) for v in (1, 2, 3, 6)]
            for (a,) in tuples(op, [pool], 14, lambda r, b=bits_of(t): (r.getrandbits(b),), 4):
                out.append(Row(op, (a,), (sf.encode(BF16, sf.number(value_of(a, t)), mode),)))
    for d in ["f16", "bf16"]:
        for mode in ["rn", "rz"]:
            for flags in [".relu", ".satfinite", ".relu.satfinite"]:
                convert(f"cvt.{mode}{flags}.{d}.f32", d, "f32", mode, "relu" in flags, "satfinite" in flags)
    return out


def pairs() -> list[Row]:
    out = []
    for d, fmt in (("f16", F16), ("bf16", BF16)):
        pool = edge_values(F32) + ties(F32, fmt)
        for mode in ["rn", "rz"]:
            for flags in [".relu", ".satfinite", ".relu.satfinite"]:
                op = f"cvt.{mode}{flags}.{d}x2.f32"
                for a, b in tuples(op, [pool, pool], 24, lambda r: (r.getrandbits(32), r.getrandbits(32))):
                    high, low = (narrowed(fmt, sf.decode(F32, v), mode, "relu" in flags, "satfinite" in flags)
                                 for v in (a, b))
                    out.append(Row(op, (a, b), (high << 16 | low,)))
        for flags in ["", ".relu", ".satfinite", ".relu.satfinite"]:
            op = f"cvt.rs{flags}.{d}x2.f32"
            for a, b, rbits in tuples(op, [pool, pool, [0, 0xFFFFFFFF, 0x0FFF0FFF, 0x10001000, 0x80008000]], 40,
                                      lambda r: tuple(r.getrandbits(32) for _ in range(3)), 12):
                high, low = (stochastic(fmt, sf.decode(F32, v), bits & 0xFFFF, flags)
                             for v, bits in ((a, rbits >> 16), (b, rbits)))
                out.append(Row(op, (a, b, rbits), (high << 16 | low,)))
    return out


def stochastic(fmt: Format, x: Number, random: int, flags: str) -> int:
    """What is cut off, in units of 2^-13 (f16) or 2^-16 (bf16) of the last place, plus the random bits: a carry rounds
    up."""
    reach = F32.precision - fmt.precision
    down = sf.encode(fmt, x, "rz")
    bits = down
    if x.kind == "num":
        low = abs(sf.decode(fmt, down).value)
        beyond = down & ~fmt.sign_bit == fmt.infinity - 1
        last = abs(sf.decode(fmt, down - 1 if beyond else down + 1).value) - low
        cut = int((abs(x.value) - low) / abs(last) * (1 << reach))
        if not beyond and cut + random % (1 << reach) >= 1 << reach:
            bits = down + 1
    if "satfinite" in flags and bits & ~fmt.sign_bit == fmt.infinity:
        bits -= 1
    return 0 if "relu" in flags and x.kind != "nan" and x.negative else bits


def tensor_floats() -> list[Row]:
    out = []
    tf32 = Format(11, 8, 0x3FFFF)
    pool = edge_values(F32) + ties(F32, tf32)
    for mode in ["rna", "rn", "rz"]:
        for flags in ["", ".satfinite"] + ([".relu", ".relu.satfinite"] if mode != "rna" else []):
            op = f"cvt.{mode}{flags}.tf32.f32"
            for (a,) in tuples(op, [pool], 50, lambda r: (r.getrandbits(32),)):
                x = sf.decode(F32, a)
                bits = narrowed(tf32, x, mode, "relu" in flags, "satfinite" in flags) << 13
                if x.kind == "nan":  # .rna adds to the bits and cuts them off (measured on an H200)
                    bits = 0x7FFFE000 if mode != "rna" else (a & ~0x1FFF) - (0x2000 if "satfinite" in flags else 0)
                out.append(Row(op, (a,), (bits,)))
    return out


# Values of every code without its sign, from the manual's description of the formats; None is NaN.
def values_of(exponent_bits: int, fraction_bits: int, specials: dict[int, str]) -> list[Number]:
    bias = (1 << (exponent_bits - 1)) - 1
    out = []
    for code in range(1 << (exponent_bits + fraction_bits)):
        exponent, fraction = code >> fraction_bits, code & ((1 << fraction_bits) - 1)
        significand = Fraction(fraction, 1 << fraction_bits) + (1 if exponent else 0)
        value = significand * Fraction(2) ** (max(exponent, 1) - bias)
        out.append(Number(specials[code]) if code in specials else sf.number(value))
    return out


TINY = {
    "e4m3x2": values_of(4, 3, {0x7F: "nan"}),
    "e5m2x2": values_of(5, 2, {0x7C: "inf", 0x7D: "nan", 0x7E: "nan", 0x7F: "nan"}),
    "e2m3x2": values_of(2, 3, {}), "e3m2x2": values_of(3, 2, {}), "e2m1x2": values_of(2, 1, {})}


def to_tiny(t: str, x: Number, relu: bool) -> int:
    """The nearest value, the even code of two; beyond the largest, the largest."""
    values = TINY[t]
    sign = len(values)
    if x.kind == "nan":
        return 0x7F if values[-1].kind == "nan" else len(values) - 1
    if relu and x.negative:
        return 0
    finite = [code for code, v in enumerate(values) if v.kind == "num"]
    if x.kind == "inf":
        best = finite[-1]
    else:
        best = min(finite, key=lambda code: (abs(values[code].value - abs(x.value)), code & 1))
    return best | (sign if x.negative else 0)


def of_tiny(t: str, code: int) -> Number:
    values = TINY[t]
    v = values[code % len(values)]
    return sf.negated(v) if code >= len(values) else v


def tiny_formats() -> list[Row]:
    out = []
    for t, values in TINY.items():
        shift = 4 if t == "e2m1x2" else 8
        exact = [v.value for v in values if v.kind == "num"]
        middles = [(a + b) / 2 for a, b in zip(exact, exact[1:])][::3] + exact[::5] + [exact[-1] * Fraction(17, 16)]
        rng = generator(t)
        for relu in ["", ".relu"]:
            for source, fmt in (("f32", F32), ("f16x2", F16)):
                if source == "f16x2" and t not in ("e4m3x2", "e5m2x2", "e2m1x2"):
                    continue
                op = f"cvt.rn.satfinite{relu}.{t}.{source}"
                pool = edge_values(fmt) + [sf.encode(fmt, sf.number(s * v)) for v in middles for s in (1, -1)]
                for _ in range(60):
                    a, b = rng.choice(pool), rng.choice(pool)
                    high, low = (to_tiny(t, sf.decode(fmt, v), bool(relu)) for v in (a, b))
                    inputs = (a, b) if source == "f32" else (a << 16 | b,)
                    out.append(Row(op, inputs, (high << shift | low,)))
            op = f"cvt.rn{relu}.f16x2.{t}"
            for code in range(2 * len(values)):
                other = rng.randrange(2 * len(values))
                halves = [sf.encode(F16, of_tiny(t, c)) for c in (code, other)]
                if relu:
                    halves = [0 if h & 0x8000 and h != F16.canonical_nan else h for h in halves]
                out.append(Row(op, (code << shift | other,), (halves[0] << 16 | halves[1],)))
    return out + exponents()


def to_ue8m0(x: Number, up: bool, satfinite: bool) -> int:
    if x.kind == "nan":
        return 0xFF
    if x.kind == "inf":
        return 0xFE if satfinite else 0xFF
    powers = [Fraction(2) ** (code - 127) for code in range(256)]
    size = abs(x.value)
    if up:
        code = next(c for c in range(256) if powers[c] >= size)
    else:
        code = max((c for c in range(256) if powers[c] <= size), default=0)
    return min(code, 0xFE) if satfinite else code


def exponents() -> list[Row]:
    out = []
    rng = generator("ue8m0")
    for source, fmt in (("f32", F32), ("bf16x2", BF16)):
        pool = edge_values(fmt) + [(e << fmt.fraction_bits) + f for e in (0, 1, 64, 127, 200, 254)
                                   for f in (0, 1, 1 << (fmt.fraction_bits - 1), (1 << fmt.fraction_bits) - 1)]
        for mode in ["rz", "rp"]:
            for sat in ["", ".satfinite"]:
                op = f"cvt.{mode}{sat}.ue8m0x2.{source}"
                for _ in range(40):
                    a, b = rng.choice(pool), rng.choice(pool)
                    high, low = (to_ue8m0(sf.decode(fmt, v), mode == "rp", bool(sat)) for v in (a, b))
                    out.append(Row(op, (a, b) if source == "f32" else (a << 16 | b,), (high << 8 | low,)))
    for code in range(256):
        halves = [BF16.canonical_nan if c == 255 else sf.encode(BF16, sf.number(Fraction(2) ** (c - 127)))
                  for c in (code, 255 - code)]
        out.append(Row("cvt.rn.bf16x2.ue8m0x2", (code << 8 | (255 - code),), (halves[0] << 16 | halves[1],)))
    return out


def packs() -> list[Row]:
    out = []
    values = [0, 1, 2, 3, 7, 8, 15, 16, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7FFFFFFF, 0x80000000,
              *(masked(-v, 32) for v in (1, 2, 3, 8, 9, 128, 129, 32768, 32769))]
    for t in ["u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"]:
        bits = bits_of(t)
        op = f"cvt.pack.sat.{t}.s32" + ("" if bits == 16 else ".b32")
        for a, b, c in tuples(op, [values, values, [0, 0xDEADBEEF]], 30, lambda r: tuple(r.getrandbits(32)
                                                                                         for _ in range(3))):
            high, low = (masked(clamp(to_signed(v, 32), t), bits) for v in (a, b))
            packed = high << bits | low
            if bits == 16:
                out.append(Row(op, (a, b), (packed,)))
            else:
                out.append(Row(op, (a, b, c), (masked(c << (2 * bits), 32) | packed,)))
    return out


def rows() -> list[Row]:
    return brain_floats() + pairs() + tensor_floats() + tiny_formats() + packs()
