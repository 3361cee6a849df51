"""IEEE 754 binary formats on exact fractions: the independent reference behind the instruction vectors."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt


@dataclass(frozen=True)
class Format:
    precision: int  # significand bits, the hidden one included
    exponent_bits: int
    canonical_nan: int
    keeps_nan: bool = False  # a NaN result is that of an operand

    @property
    def width(self) -> int:
        return self.precision + self.exponent_bits

    @property
    def bias(self) -> int:
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def fraction_bits(self) -> int:
        return self.precision - 1

    @property
    def sign_bit(self) -> int:
        return 1 << (self.width - 1)

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent_bits) - 1) << self.fraction_bits


F16 = Format(11, 5, 0x7FFF)
BF16 = Format(8, 8, 0x7FFF)
F32 = Format(24, 8, 0x7FFFFFFF)
F64 = Format(53, 11, 0x7FF8000000000000, True)


@dataclass(frozen=True)
class Number:
    kind: str  # "nan", "inf", "num"
    negative: bool = False
    value: Fraction = Fraction(0)  # signed; the sign of zero is in `negative`
    payload: int = 0  # of a NaN: the fraction as binary64 holds it


NAN = Number("nan")
INVALID = Number("nan", True)  # what an invalid operation gives: to binary64 a NaN with the sign set


def decode(fmt: Format, bits: int) -> Number:
    negative = bool(bits & fmt.sign_bit)
    exponent = (bits & fmt.infinity) >> fmt.fraction_bits
    fraction = bits & ((1 << fmt.fraction_bits) - 1)
    if exponent == (1 << fmt.exponent_bits) - 1:
        payload = fraction << (F64.fraction_bits - fmt.fraction_bits)
        return Number("nan", negative, payload=payload) if fraction else Number("inf", negative)
    if exponent == 0:
        magnitude = Fraction(fraction) * Fraction(2) ** (1 - fmt.bias - fmt.fraction_bits)
    else:
        significand = fraction | (1 << fmt.fraction_bits)
        magnitude = Fraction(significand) * Fraction(2) ** (exponent - fmt.bias - fmt.fraction_bits)
    return Number("num", negative, -magnitude if negative else magnitude)


def number(value: Fraction | int, negative_zero: bool = False) -> Number:
    value = Fraction(value)
    return Number("num", value < 0 or (value == 0 and negative_zero), value)


def _floor_log2(x: Fraction) -> int:
    guess = x.numerator.bit_length() - x.denominator.bit_length()
    return guess if Fraction(2) ** guess <= x else guess - 1


def round_integral(mode: str, x: Fraction) -> int:
    """To an integer: rn ties to even, rz, rm down, rp up, rna ties away from zero."""
    floor = x.numerator // x.denominator
    rest = x - floor
    if mode == "rm" or rest == 0:
        return floor
    if mode == "rp":
        return floor + 1
    if mode == "rz":
        return floor if x > 0 else floor + 1
    if rest != Fraction(1, 2):
        return floor + (1 if rest > Fraction(1, 2) else 0)
    if mode == "rna":
        return floor + 1 if x > 0 else floor
    return floor + (floor & 1)


def quieted(fmt: Format, x: Number) -> int:
    """The NaN x with its sign and as much of its payload as fits, the quiet bit set."""
    payload = (x.payload | 1 << (F64.fraction_bits - 1)) >> (F64.fraction_bits - fmt.fraction_bits)
    return (fmt.sign_bit if x.negative else 0) | fmt.infinity | payload


def encode(fmt: Format, x: Number, mode: str = "rn") -> int:
    if x.kind == "nan":
        return quieted(fmt, x) if fmt.keeps_nan else fmt.canonical_nan
    sign = fmt.sign_bit if x.negative else 0
    if x.kind == "inf":
        return sign | fmt.infinity
    if x.value == 0:
        return sign
    exponent = max(_floor_log2(abs(x.value)), 1 - fmt.bias)
    ulp = Fraction(2) ** (exponent - fmt.fraction_bits)
    units = abs(round_integral(mode, x.value / ulp))
    bits = units + ((exponent + fmt.bias - 1) << fmt.fraction_bits)  # the hidden bit carries into the exponent
    if bits >= fmt.infinity:
        toward_zero = mode == "rz" or (mode == "rm" and not x.negative) or (mode == "rp" and x.negative)
        return sign | (fmt.infinity - 1 if toward_zero else fmt.infinity)
    return sign | bits


def nan_of(*operands: Number) -> Number | None:
    return next((x for x in operands if x.kind == "nan"), None)


def add(x: Number, y: Number, mode: str) -> Number:
    """Of two NaNs the second is the result (measured on an H200, as the other orders below)."""
    if nan := nan_of(y, x):
        return nan
    if x.kind == y.kind == "inf" and x.negative != y.negative:
        return INVALID
    if "inf" in (x.kind, y.kind):
        return x if x.kind == "inf" else y
    total = x.value + y.value
    if total == 0:
        return number(0, x.negative if x.negative == y.negative else mode == "rm")
    return number(total)


def negated(x: Number) -> Number:
    return x if x.kind == "nan" else Number(x.kind, not x.negative, -x.value)


def mul(x: Number, y: Number) -> Number:
    if nan := nan_of(y, x):
        return nan
    negative = x.negative != y.negative
    if "inf" in (x.kind, y.kind):
        zero = (x.kind == "num" and x.value == 0) or (y.kind == "num" and y.value == 0)
        return INVALID if zero else Number("inf", negative)
    return number(x.value * y.value, negative)


def fma(x: Number, y: Number, z: Number, mode: str) -> Number:
    return nan_of(y, z, x) or add(mul(x, y), z, mode)


def div(x: Number, y: Number) -> Number:
    if nan := nan_of(x, y):
        return nan
    if x.kind == y.kind == "inf":
        return INVALID
    negative = x.negative != y.negative
    if x.kind == "inf":
        return Number("inf", negative)
    if y.kind == "inf":
        return number(0, negative)
    if y.value == 0:
        return INVALID if x.value == 0 else Number("inf", negative)
    return number(x.value / y.value, negative)


def sqrt(x: Number) -> Number:
    """Exact, or with a sticky bit far below the last place of any format."""
    if x.negative and (x.kind == "inf" or (x.kind == "num" and x.value != 0)):
        return INVALID
    if x.kind in ("nan", "inf") or x.value == 0:
        return x
    scale = 2 * (80 + abs(_floor_log2(x.value)))
    scaled = x.value * (1 << scale)
    floor = scaled.numerator // scaled.denominator
    root = isqrt(floor)
    exact = root * root == scaled
    return number(Fraction(2 * root + (0 if exact else 1), 1 << (scale // 2 + 1)))


def is_subnormal(fmt: Format, bits: int) -> bool:
    return (bits & fmt.infinity) == 0


def flush(fmt: Format, bits: int) -> int:
    return bits & fmt.sign_bit if is_subnormal(fmt, bits) else bits
