"""Video instructions. The last input is the word of the operands' parts (isa/selectors.hpp), made here from the words
that PTX writes behind the operands."""

from __future__ import annotations

from collections.abc import Callable

from vector_rows import Row, generator, int_values, masked, to_signed
from vectors_integer import COMPARE

PARTS = ["", "b0", "b1", "b2", "b3", "h0", "h1"]  # the scalar codes are places in this list


def part(word: int, name: str, t: str) -> int:
    width = 32 if not name else 8 if name[0] == "b" else 16
    field = masked(word >> (width * int(name[1:] or 0)), width)
    return to_signed(field, width) if t == "s32" else field


def limits(t: str, width: int) -> tuple[int, int]:
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if t == "s32" else (0, (1 << width) - 1)


def saturated(value: int, t: str, width: int) -> int:
    low, high = limits(t, width)
    return min(max(value, low), high)


# What ptxas makes of the scalar instructions since Maxwell is not the manual's pseudo-code in all cases; the rules
# below are those that an H200 showed for code of CUDA 13.0.
def merged(result: int, dsel: str, c: int) -> int:
    """A byte is the lowest one of the result, the upper half is the result's own upper half."""
    width = 8 if dsel[0] == "b" else 16
    place = ((1 << width) - 1) << (width * int(dsel[1]))
    field = result if dsel == "h1" else result << (width * int(dsel[1]))
    return (c & ~place) | (field & place)


def combined(result: int, t: str, op2: str, wraps: bool, c: int) -> int:
    """min and max compare 64 bits; vadd and vsub with a signed result have wrapped before."""
    if op2 == "add":
        return masked(result + c, 32)
    if t == "u32":
        chosen = masked(result, 64)
    else:
        chosen = to_signed(result, 32 if wraps else 64)
        c = to_signed(c, 32)
    return masked(min(chosen, c) if op2 == "min" else max(chosen, c), 32)


def finished(root: str, result: int, t: str, sat: bool, op2: str, dsel: str, c: int | None) -> int:
    if sat and root in ("vshl", "vshr"):
        result = saturated(to_signed(result, 34) if root == "vshl" else result, t, 32)
    elif sat and dsel:
        width = 8 if dsel[0] == "b" else 16
        result = min(masked(result, 32), limits(t, width)[1])
    elif sat:
        result = saturated(result, t, 32) if t == "s32" else max(result, 0)
    if c is None:
        return masked(result, 32)
    return combined(result, t, op2, root in ("vadd", "vsub"), c) if op2 else merged(result, dsel, c)


FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "vadd": lambda a, b: a + b, "vsub": lambda a, b: a - b, "vabsdiff": lambda a, b: abs(a - b), "vmin": min,
    "vmax": max}
TYPES = ["u32", "s32"]


def scalar_word(d: str, a: str, b: str, negations: int = 0) -> int:
    return PARTS.index(a) | PARTS.index(b) << 4 | PARTS.index(d) << 8 | negations << 12


def scalar_rows(op: str, d: str, at: str, bt: str, sat: bool, f: Callable[[int, int], int], combine: bool,
                op2: str) -> list[Row]:
    out = []
    rng = generator(op + op2 + str(combine))
    values = int_values(32)
    for i in range(6):
        a, b, c = (rng.choice(values) if rng.random() < 0.6 else rng.getrandbits(32) for _ in range(3))
        asel, bsel = rng.choice(PARTS), rng.choice(PARTS)
        dsel = rng.choice(PARTS[1:]) if combine and not op2 else ""
        result = f(part(a, asel, at), part(b, bsel, bt))
        result = finished(op.split(".")[0], result, d, sat, op2, dsel, c if combine else None)
        inputs = (a, b, c) if combine else (a, b)
        out.append(Row(op, (*inputs, scalar_word(dsel, asel, bsel)), (result,)))
    return out


def scalar() -> list[Row]:
    out = []
    for d in TYPES:
        for at in TYPES:
            for sat in [False, True]:
                flag = ".sat" if sat else ""
                for root, f in FUNCTIONS.items():
                    for bt in TYPES:
                        stem = f"{root}.{d}.{at}.{bt}{flag}"
                        out += scalar_rows(stem, d, at, bt, sat, f, False, "")
                        for op2 in ["", "add", "min", "max"]:
                            op = stem + (f".{op2}" if op2 else "")
                            out += scalar_rows(op, d, at, bt, sat, f, True, op2)
                for root, wrap in ((r, w) for r in ("vshl", "vshr") for w in (False, True)):
                    def shift(a: int, n: int, root: str = root, wrap: bool = wrap) -> int:
                        n = n & 31 if wrap else min(n, 32)
                        return a << n if root == "vshl" else a >> n
                    stem = f"{root}.{d}.{at}.u32{flag}.{'wrap' if wrap else 'clamp'}"
                    out += scalar_rows(stem, d, at, "u32", sat, shift, False, "")
                    for op2 in ["", "add", "max"]:
                        op = stem + (f".{op2}" if op2 else "")
                        out += scalar_rows(op, d, at, "u32", sat, shift, True, op2)
    for at in TYPES:
        for bt in TYPES:
            for cmp in ["eq", "ne", "lt", "le", "gt", "ge"]:
                def test(a: int, b: int, cmp: str = cmp) -> int:
                    return int(COMPARE[cmp](a, b))
                stem = f"vset.{at}.{bt}.{cmp}"
                out += scalar_rows(stem, at, at, bt, False, test, False, "")
                for op2 in ["", "add", "min", "max"]:
                    op = stem + (f".{op2}" if op2 else "")
                    out += scalar_rows(op, at, at, bt, False, test, True, op2)
    return out + multiply_add()


def multiply_add() -> list[Row]:
    out = []
    for d in TYPES:
        for at in TYPES:
            for bt in TYPES:
                for plus_one in ["", ".po"]:
                    for sat in ["", ".sat"]:
                        for scale in [0, 7, 15]:
                            op = f"vmad.{d}.{at}.{bt}{plus_one}{sat}" + (f".shr{scale}" if scale else "")
                            out += multiply_add_rows(op, at, bt, bool(plus_one), bool(sat), scale)
    return out


def multiply_add_rows(op: str, at: str, bt: str, plus_one: bool, sat: bool, scale: int) -> list[Row]:
    out = []
    rng = generator(op)
    for i in range(8):
        a, b, c = (rng.choice(int_values(32)) if rng.random() < 0.5 else rng.getrandbits(32) for _ in range(3))
        asel, bsel = rng.choice(PARTS), rng.choice(PARTS)
        negations = 0 if plus_one else (0, 1, 2, 3, 4, 0, 4, 1)[i]
        minus_product, minus_c = negations in (1, 2), negations == 4
        signed = "s32" in (at, bt) or minus_product or minus_c
        # Whole words and c are signed, whatever the types say.
        x, y = (part(v, sel, t if sel else "s32") for v, sel, t in ((a, asel, at), (b, bsel, bt)))
        total = x * y * (-1 if minus_product else 1) + to_signed(c, 32) * (-1 if minus_c else 1) + plus_one
        if scale and not signed:
            total = masked(total, 64)
        total >>= scale
        if sat:
            total = saturated(total, "s32" if signed else "u32", 32)
        out.append(Row(op, (a, b, c, scalar_word("", asel, bsel, negations)), (masked(total, 32),)))
    return out


def average(a: int, b: int) -> int:
    return (a + b + 1) >> 1 if a + b >= 0 else (a + b) >> 1


SIMD = {**FUNCTIONS, "vavrg": average}


def element(a: int, b: int, number: int, width: int, t: str) -> int:
    field = masked((b << 32 | a) >> (width * number), width)
    return to_signed(field, width) if t == "s32" else field


def simd_rows(op: str, count: int, d: str, at: str, bt: str, sat: bool, accumulate: bool,
              f: Callable[[int, int], int]) -> list[Row]:
    out = []
    width = 32 // count
    rng = generator(op)
    for i in range(6):
        a, b, c = (rng.choice(int_values(32)) if rng.random() < 0.3 else rng.getrandbits(32) for _ in range(3))
        plain = i < 2
        asel = list(range(count)) if plain else [rng.randrange(2 * count) for _ in range(count)]
        bsel = list(range(count, 2 * count)) if plain else [rng.randrange(2 * count) for _ in range(count)]
        mask = (1 << count) - 1 if plain else rng.randrange(1, 1 << count)
        merged, total = 0, c
        for k in range(count):
            t = f(element(a, b, asel[k], width, at), element(a, b, bsel[k], width, bt))
            t = saturated(t, d, width) if sat else t
            merged |= masked(t if mask >> k & 1 else c >> (width * k), width) << (width * k)
            total += t if mask >> k & 1 else 0
        word = sum(n << (3 * k) | m << (3 * k + 12) for k, (n, m) in enumerate(zip(asel, bsel))) | mask << 24
        out.append(Row(op, (a, b, c, word), (masked(total if accumulate else merged, 32),)))
    return out


def simd() -> list[Row]:
    out = []
    for count in [2, 4]:
        for at in TYPES:
            for bt in TYPES:
                for root, f in SIMD.items():
                    for d in TYPES:
                        for flag in ["", ".sat", ".add"]:
                            op = f"{root}{count}.{d}.{at}.{bt}{flag}"
                            out += simd_rows(op, count, d, at, bt, flag == ".sat", flag == ".add", f)
                for cmp in ["eq", "ne", "lt", "le", "gt", "ge"]:
                    for flag in ["", ".add"]:
                        op = f"vset{count}.{at}.{bt}.{cmp}{flag}"
                        out += simd_rows(op, count, "u32", at, bt, False, flag == ".add",
                                         lambda a, b, cmp=cmp: int(COMPARE[cmp](a, b)))
    return out


def rows() -> list[Row]:
    return scalar() + simd()
