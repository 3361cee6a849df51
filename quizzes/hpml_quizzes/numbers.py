"""Numbers as text: plain decimals, never an exponent, a thousands separator or a negative zero."""
import math
import re
from fractions import Fraction

Number = int | float | Fraction
_SCIENTIFIC = re.compile(r"([\d.]+) × 10<sup>(-?\d+)</sup>")


def exact(value: Number) -> Fraction:
    return Fraction(value)


def decimals(value: Number, digits: int) -> str:
    """Rounded half to even at `digits` places; a float by its exact binary value."""
    top, bottom = value.as_integer_ratio()
    scaled, rest = divmod(top * 10**digits, bottom)
    if 2 * rest > bottom or 2 * rest == bottom and scaled % 2:
        scaled += 1
    sign = "-" if scaled < 0 else ""
    whole, part = divmod(abs(scaled), 10**digits)
    return f"{sign}{whole}" + (f".{part:0{digits}d}" if digits > 0 else "")


def places_for(value: Number, significant: int) -> int:
    """Decimal places that show `value` with so many significant digits."""
    if value == 0:
        return 0
    return significant - 1 - math.floor(math.log10(abs(value)) + 1e-12)


def significant(value: Number, digits: int) -> str:
    places = places_for(value, digits)
    if places >= 0:
        text = decimals(value, places)
        return text.rstrip("0").rstrip(".") if "." in text else text
    return str(round(exact(value) / 10**-places) * 10**-places)


def finite_places(value: Fraction) -> int | None:
    """Decimal places of a terminating decimal, None when it does not end."""
    denominator, twos, fives = value.denominator, 0, 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None


def scientific(value: Number, digits: int) -> str:
    exponent = math.floor(math.log10(abs(value)) + 1e-12)
    return f"{decimals(exact(value) / Fraction(10)**exponent, digits)} × 10<sup>{exponent}</sup>"


def auto(value: Number) -> str:
    """Exact when the decimal ends within six places, four significant digits otherwise."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return str(value.numerator)
        places = finite_places(value)
        if places is not None and places <= 6:
            return decimals(value, places)
    return significant(value, 4)


def show(value, style: str) -> str:
    """style: "" automatic, "2" decimals, "g3" significant digits, "e2" scientific, "," thousands separated."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return ", ".join(show(item, style) for item in value)
    if isinstance(value, bool) or style == "":
        return auto(value)
    if style == ",":
        whole, dot, part = auto(value).partition(".")
        return f"{int(whole):,}{dot}{part}"
    if style[0] == "g":
        return significant(value, int(style[1:]))
    if style[0] == "e":
        return scientific(value, int(style[1:]))
    return decimals(value, int(style))


def parse_shown(text: str) -> Fraction | None:
    """What a reader takes a shown number for."""
    match = _SCIENTIFIC.fullmatch(text)
    if match:
        return Fraction(match[1]) * Fraction(10) ** int(match[2])
    try:
        return Fraction(text.replace(",", ""))
    except ValueError:
        return None
