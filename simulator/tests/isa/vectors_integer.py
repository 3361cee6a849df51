"""Integer, logic, shift, selection, move and atomic instructions on Python integers."""

from __future__ import annotations

from collections.abc import Callable

from vector_rows import (SHIFT_COUNTS, Row, bits_of, generator, int_tuples, int_values, is_signed, masked, to_signed,
                         tuples, value_of)

INTS = ["u16", "s16", "u32", "s32", "u64", "s64"]
BITS = ["b16", "b32", "b64"]


def simple(op: str, type_name: str, arity: int, f: Callable[..., int], out_bits: int | None = None) -> list[Row]:
    """An op whose operands all have the instruction's type; f works on values, the result wraps."""
    bits = bits_of(type_name)
    out = []
    for raw in int_tuples(op, [bits] * arity):
        values = [value_of(v, type_name) for v in raw]
        out.append(Row(op, tuple(raw), (masked(f(*values), out_bits or bits),)))
    return out


def clamp(value: int, type_name: str) -> int:
    bits = bits_of(type_name)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed(type_name) else (0, (1 << bits) - 1)
    return min(max(value, low), high)


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def divide(type_name: str, remainder: bool) -> Callable[[int, int], int]:
    def f(a: int, b: int) -> int:
        if b == 0:  # what ptxas' code leaves on an H200
            return -1
        q = quotient(a, b)
        return a - q * b if remainder else q

    return f


def s24(v: int, type_name: str) -> int:
    return to_signed(v, 24) if is_signed(type_name) else v & 0xFFFFFF


def arithmetic() -> list[Row]:
    out: list[Row] = []
    for t in INTS:
        bits = bits_of(t)
        out += simple(f"add.{t}", t, 2, lambda a, b: a + b)
        out += simple(f"sub.{t}", t, 2, lambda a, b: a - b)
        out += simple(f"mul.lo.{t}", t, 2, lambda a, b: a * b)
        out += simple(f"mul.hi.{t}", t, 2, lambda a, b: a * b >> bits)
        out += simple(f"mad.lo.{t}", t, 3, lambda a, b, c: a * b + c)
        out += simple(f"mad.hi.{t}", t, 3, lambda a, b, c: (a * b >> bits) + c)
        out += simple(f"sad.{t}", t, 3, lambda a, b, c: c + abs(a - b))
        out += simple(f"min.{t}", t, 2, min)
        out += simple(f"max.{t}", t, 2, max)
        out += simple(f"div.{t}", t, 2, divide(t, False))
        out += simple(f"rem.{t}", t, 2, divide(t, True))
        if is_signed(t):
            out += simple(f"abs.{t}", t, 1, abs)
            out += simple(f"neg.{t}", t, 1, lambda a: -a)
        if bits <= 32:
            out += simple(f"mul.wide.{t}", t, 2, lambda a, b: a * b, 2 * bits)
            for raw in int_tuples(f"mad.wide.{t}", [bits, bits, 2 * bits]):
                product = value_of(raw[0], t) * value_of(raw[1], t)
                out.append(Row(f"mad.wide.{t}", raw, (masked(product + raw[2], 2 * bits),)))
    out += simple("add.sat.s32", "s32", 2, lambda a, b: clamp(a + b, "s32"))
    out += simple("sub.sat.s32", "s32", 2, lambda a, b: clamp(a - b, "s32"))
    out += simple("mad.hi.sat.s32", "s32", 3, lambda a, b, c: clamp((a * b >> 32) + c, "s32"))
    for t in ["u32", "s32"]:
        def product(a: int, b: int, t: str = t) -> int:
            return s24(a, t) * s24(b, t)
        out += simple(f"mul24.lo.{t}", t, 2, product)
        out += simple(f"mul24.hi.{t}", t, 2, lambda a, b: product(a, b) >> 16)
        out += simple(f"mad24.lo.{t}", t, 3, lambda a, b, c: product(a, b) + c)
        out += simple(f"mad24.hi.{t}", t, 3, lambda a, b, c: (product(a, b) >> 16) + c)
    out += simple("mad24.hi.sat.s32", "s32", 3,
                  lambda a, b, c: clamp(to_signed(s24(a, "s32") * s24(b, "s32") >> 16, 32) + c, "s32"))
    return out


def extended() -> list[Row]:
    out = []

    def carry(op: str, t: str, arity: int, f: Callable[..., int], reads: bool, writes: bool) -> None:
        bits = bits_of(t)
        for i, raw in enumerate(int_tuples(op, [bits] * arity)):
            cc = i & 1 if reads else None
            total = f(*raw, cc or 0)
            out.append(Row(op, raw, (masked(total, bits),), cc, (1 if total >> bits else 0) if writes else None))

    for t in ["u16", "s16", "u32", "s32", "u64", "s64"]:
        bits = bits_of(t)

        def low(a: int, b: int, bits: int = bits) -> int:
            return masked(a * b, bits)

        def high(a: int, b: int, t: str = t, bits: int = bits) -> int:
            return masked(value_of(a, t) * value_of(b, t) >> bits, bits)

        def word_high(a: int, b: int, t: str = t) -> int:
            return masked(value_of(a, t) * value_of(b, t) >> 32, 16)

        top = 1 << bits
        carry(f"addc.{t}", t, 2, lambda a, b, cc: a + b + cc, True, False)
        # The flag of a subtraction is the adder's: set when nothing was borrowed.
        carry(f"subc.{t}", t, 2, lambda a, b, cc, top=top: a - b + top - (1 - cc), True, False)
        for half, part in (("lo", low), ("hi", high)):
            # madc.hi of 16 bits is the machine instruction of 32 (measured on an H200).
            p = word_high if half == "hi" and bits == 16 else part
            carry(f"madc.{half}.{t}", t, 3, lambda a, b, c, cc, p=p: p(a, b) + c + cc, True, False)
        if bits == 16:
            continue  # 16-bit forms only read the flag
        carry(f"add.cc.{t}", t, 2, lambda a, b, cc: a + b, False, True)
        carry(f"addc.cc.{t}", t, 2, lambda a, b, cc: a + b + cc, True, True)
        carry(f"sub.cc.{t}", t, 2, lambda a, b, cc, top=top: a - b + top, False, True)
        carry(f"subc.cc.{t}", t, 2, lambda a, b, cc, top=top: a - b + top - (1 - cc), True, True)
        for half, part in (("lo", low), ("hi", high)):
            carry(f"mad.{half}.cc.{t}", t, 3, lambda a, b, c, cc, p=part: p(a, b) + c, False, True)
            carry(f"madc.{half}.cc.{t}", t, 3, lambda a, b, c, cc, p=part: p(a, b) + c + cc, True, True)
    return out


def field_place(pos: int, length: int, bits: int) -> tuple[int, int]:
    """Bytes to the 32-bit forms; whole words to the 64-bit ones, which are emulated (measured on an H200)."""
    return (pos, length) if bits == 64 else (pos & 255, length & 255)


def bfe(a: int, pos: int, length: int, t: str) -> int:
    msb = bits_of(t) - 1
    pos, length = field_place(pos, length, msb + 1)
    sign = (a >> min(pos + length - 1, msb)) & 1 if is_signed(t) and length else 0
    return sum(((a >> (pos + i)) & 1 if i < length and pos + i <= msb else sign) << i for i in range(msb + 1))


def bfi(a: int, b: int, pos: int, length: int, bits: int) -> int:
    pos, length = field_place(pos, length, bits)
    for i in range(min(length, bits)):
        if pos + i < bits:
            b = (b & ~(1 << (pos + i))) | (((a >> i) & 1) << (pos + i))
    return b


def bfind(a: int, t: str, shift: bool) -> int:
    bits = bits_of(t)
    a = ~a if is_signed(t) and a < 0 else a
    if a == 0:
        return 0xFFFFFFFF
    return bits - a.bit_length() if shift else a.bit_length() - 1


def fns(mask: int, base: int, offset: int) -> int:
    if offset == -(1 << 31):  # measured on an H200
        return 0
    if offset == 0:
        return base if (mask >> base) & 1 else 0xFFFFFFFF
    step = 1 if offset > 0 else -1
    bits = [i for i in range(base, 32 if step > 0 else -1, step) if (mask >> i) & 1]
    return bits[abs(offset) - 1] if abs(offset) <= len(bits) else 0xFFFFFFFF


def bit_fields() -> list[Row]:
    out = []
    for t in ["b32", "b64"]:
        bits = bits_of(t)
        out += simple(f"popc.{t}", t, 1, lambda a: bin(a).count("1"), 32)
        out += simple(f"clz.{t}", t, 1, lambda a, bits=bits: bits - a.bit_length(), 32)
        out += simple(f"brev.{t}", t, 1, lambda a, bits=bits: int(format(a, f"0{bits}b")[::-1], 2))
        op = f"bfi.{t}"
        places = [0, 1, 8, 31, 32, 40, 63, 64, 255, 0x101, 0xFFFFFFF0]
        pools = [int_values(bits), int_values(bits), places, places]
        for raw in tuples(op, pools, 24, lambda r,
                          b=bits: (r.getrandbits(b), r.getrandbits(b), r.randrange(b), r.randrange(b))):
            out.append(Row(op, raw, (bfi(*raw, bits),)))
    for t in ["u32", "s32", "u64", "s64"]:
        bits = bits_of(t)
        out += simple(f"bfind.{t}", t, 1, lambda a, t=t: bfind(a, t, False), 32)
        out += simple(f"bfind.shiftamt.{t}", t, 1, lambda a, t=t: bfind(a, t, True), 32)
        places = [0, 1, 8, 31, 32, 40, 63, 64, 255, 0x101, 0xFFFFFFF0]
        for raw in tuples(f"bfe.{t}", [int_values(bits), places, places], 32,
                          lambda r, b=bits: (r.getrandbits(b), r.randrange(b), r.randrange(b))):
            out.append(Row(f"bfe.{t}", raw, (bfe(*raw, t),)))
    for raw in tuples("fns.b32", [[0, 0xAAAAAAAA, 1, 0x80000000, 0xFFFFFFFF], [0, 3, 31],
                                  [0, 1, 2, 0xFFFFFFFF, 40, 0x80000000]],
                      40, lambda r: (r.getrandbits(32), r.randrange(32), r.randrange(8)), 4):
        out.append(Row("fns.b32", raw, (fns(raw[0], raw[1], to_signed(raw[2], 32)),)))
    counts = [0, 1, 16, 31, 32, 33, 64, 255, 0xFFFFFFFF]
    for mode, count in (("clamp", lambda v: min(v, 32)), ("wrap", lambda v: v & 31)):
        for raw in tuples(f"bmsk.{mode}.b32", [counts, counts], 40, lambda r: (r.randrange(40), r.randrange(40))):
            out.append(Row(f"bmsk.{mode}.b32", raw, (masked(((1 << count(raw[1])) - 1) << count(raw[0]), 32),)))
        for t in ["u32", "s32"]:
            for raw in tuples(f"szext.{mode}.{t}", [int_values(32), counts], 30,
                              lambda r: (r.getrandbits(32), r.randrange(40))):
                width = count(raw[1])
                field = masked(raw[0], width)
                value = to_signed(field, width) if is_signed(t) and width else field
                out.append(Row(f"szext.{mode}.{t}", raw, (masked(value, 32),)))
    return out + dot_products()


def dot_products() -> list[Row]:
    out = []

    def part(word: int, bits: int, i: int, t: str) -> int:
        field = (word >> (bits * i)) & ((1 << bits) - 1)
        return to_signed(field, bits) if is_signed(t) else field

    for a_type in ["u32", "s32"]:
        for b_type in ["u32", "s32"]:
            op = f"dp4a.{a_type}.{b_type}"
            for a, b, c in int_tuples(op, [32, 32, 32]):
                total = c + sum(part(a, 8, i, a_type) * part(b, 8, i, b_type) for i in range(4))
                out.append(Row(op, (a, b, c), (masked(total, 32),)))
            for mode, first in (("lo", 0), ("hi", 2)):
                op = f"dp2a.{mode}.{a_type}.{b_type}"
                for a, b, c in int_tuples(op, [32, 32, 32]):
                    total = c + sum(part(a, 16, i, a_type) * part(b, 8, first + i, b_type) for i in range(2))
                    out.append(Row(op, (a, b, c), (masked(total, 32),)))
    return out


def prmt(a: int, b: int, c: int, mode: str) -> int:
    source = [((b << 32 | a) >> (8 * i)) & 255 for i in range(8)]
    tables = {  # bytes 3..0 for c & 3 = 0..3, from the manual
        "f4e": ["3210", "4321", "5432", "6543"], "b4e": ["5670", "6701", "7012", "0123"],
        "rc8": ["0000", "1111", "2222", "3333"], "ecl": ["3210", "3211", "3222", "3333"],
        "ecr": ["0000", "1110", "2210", "3210"], "rc16": ["1010", "3232", "1010", "3232"]}
    out = 0
    for i in range(4):
        if mode:
            byte = source[int(tables[mode][c & 3][3 - i])]
        else:
            selector = (c >> (4 * i)) & 15
            byte = source[selector & 7]
            byte = (255 if byte & 128 else 0) if selector & 8 else byte
        out |= byte << (8 * i)
    return out


def logic_and_shift() -> list[Row]:
    out = []
    logic: dict[str, Callable[[int, int], int]] = {
        "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}
    for t in BITS:
        bits = bits_of(t)
        for root, f in logic.items():
            out += simple(f"{root}.{t}", t, 2, f)
        out += simple(f"not.{t}", t, 1, lambda a: ~a)
        out += simple(f"cnot.{t}", t, 1, lambda a: 1 if a == 0 else 0)
        for raw in tuples(f"shl.{t}", [int_values(bits), SHIFT_COUNTS], 24, lambda r,
                          b=bits: (r.getrandbits(b), r.randrange(b))):
            out.append(Row(f"shl.{t}", raw, (masked(raw[0] << min(raw[1], 64), bits),)))
    for root, f in logic.items():
        out += [Row(f"{root}.pred", (a, b), (f(a, b),)) for a in (0, 1) for b in (0, 1)]
    out += [Row("not.pred", (a,), (1 - a,)) for a in (0, 1)]
    for t in BITS + INTS:
        bits = bits_of(t)
        for raw in tuples(f"shr.{t}", [int_values(bits), SHIFT_COUNTS], 24, lambda r,
                          b=bits: (r.getrandbits(b), r.randrange(b))):
            out.append(Row(f"shr.{t}", raw, (masked(value_of(raw[0], t) >> min(raw[1], 64), bits),)))
    for raw in tuples("lop3.b32", [int_values(32)] * 3 + [[0, 0x96, 0xE8, 0xFF, 0x80, 0x01]], 24,
                      lambda r: (r.getrandbits(32), r.getrandbits(32), r.getrandbits(32), r.randrange(256)), 16):
        a, b, c, table = raw
        value = sum(((table >> (((a >> i) & 1) * 4 + ((b >> i) & 1) * 2 + ((c >> i) & 1))) & 1) << i for i in range(32))
        out.append(Row("lop3.b32", raw, (value,)))
    for direction in "lr":
        for mode, count in (("clamp", lambda v: min(v, 32)), ("wrap", lambda v: v & 31)):
            op = f"shf.{direction}.{mode}.b32"
            for raw in tuples(op, [int_values(32), int_values(32), SHIFT_COUNTS], 24,
                              lambda r: (r.getrandbits(32), r.getrandbits(32), r.randrange(40))):
                wide = raw[1] << 32 | raw[0]
                n = count(raw[2])
                out.append(Row(op, raw, (masked((wide << n) >> 32 if direction == "l" else wide >> n, 32),)))
    for mode in ["", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]:
        op = "prmt.b32" + (f".{mode}" if mode else "")
        rng = generator(op)
        for c in [0, 1, 2, 3, 0x7531, 0xFEDC, 0x8888, 0x3210, 0xFFFF4444]:
            a, b = rng.getrandbits(32), rng.getrandbits(32)
            out.append(Row(op, (a, b, c), (prmt(a, b, c, mode),)))
    return out


def moves_and_selection() -> list[Row]:
    out = []
    typed = BITS + INTS + ["f32", "f64"]
    width = {**{t: bits_of(t) for t in BITS + INTS}, "f32": 32, "f64": 64}
    for t in typed:
        for (a,) in int_tuples(f"mov.{t}", [width[t]]):
            out.append(Row(f"mov.{t}", (a,), (a,)))
        for i, (a, b) in enumerate(int_tuples(f"selp.{t}", [width[t]] * 2, 6)):
            out.append(Row(f"selp.{t}", (a, b, i & 1), (a if i & 1 else b,)))
        for a, b, c in int_tuples(f"slct.{t}.s32", [width[t], width[t], 32], 8):
            out.append(Row(f"slct.{t}.s32", (a, b, c), (a if to_signed(c, 32) >= 0 else b,)))
    out += [Row("mov.pred", (a,), (a,)) for a in (0, 1)]
    for whole, parts in (("b32", 2), ("b64", 2), ("b64", 4)):
        part = bits_of(whole) // parts
        for values in int_tuples(f"mov.pack{parts}.{whole}", [part] * parts):
            packed = sum(v << (part * i) for i, v in enumerate(values))
            out.append(Row(f"mov.pack{parts}.{whole}", values, (packed,)))
            out.append(Row(f"mov.unpack{parts}.{whole}", (packed,), values))
    return out


def conversions() -> list[Row]:
    out = []
    types = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]
    for d in types:
        for s in types:
            low, high = value_of(1 << (bits_of(s) - 1),
                                 s) if is_signed(s) else 0, (1 << (bits_of(s) - is_signed(s))) - 1
            matters = clamp(low, d) != low or clamp(high, d) != high  # else ptxas refuses .sat
            for sat in ["", ".sat"] if matters else [""]:
                op = f"cvt{sat}.{d}.{s}"
                for (a,) in tuples(op, [int_values(bits_of(s)) + [0x7F & 2**bits_of(s) - 1, 0x80, 0xFF]], 13,
                                   lambda r, s=s: (r.getrandbits(bits_of(s)),), 1):
                    value = value_of(a, s)
                    out.append(Row(op, (a,), (masked(clamp(value, d) if sat else value, bits_of(d)),)))
    return out


def atomics() -> list[Row]:
    out = []
    functions: dict[str, tuple[list[str], Callable[[int, int, int], int]]] = {
        "min": (["u32", "s32", "u64", "s64"], lambda old, b, c: min(old, b)),
        "max": (["u32", "s32", "u64", "s64"], lambda old, b, c: max(old, b)),
        "inc": (["u32"], lambda old, b, c: 0 if old >= b else old + 1),
        "dec": (["u32"], lambda old, b, c: b if old == 0 or old > b else old - 1),
        "and": (["b32", "b64"], lambda old, b, c: old & b),
        "or": (["b32", "b64"], lambda old, b, c: old | b),
        "xor": (["b32", "b64"], lambda old, b, c: old ^ b),
        "add": (["u32", "s32", "u64"], lambda old, b, c: old + b),
        "exch": (["b32", "b64"], lambda old, b, c: b),
        "cas": (["b16", "b32", "b64"], lambda old, b, c: c if old == b else old)}
    for root in ["atom", "red"]:
        for name, (types, f) in functions.items():
            if root == "red" and name in ("exch", "cas"):
                continue
            for t in types:
                op = f"{root}.{name}.{t}"
                rows = int_tuples(op, [bits_of(t)] * 3, 10)
                if name == "cas":
                    rows += [(a, a, c) for a, _, c in rows[:5]]
                for raw in rows:
                    out.append(Row(op, raw, (masked(f(*(value_of(v, t) for v in raw)), bits_of(t)),)))
    return out + asynchronous(out) + multicast(out)


ASYNCHRONOUS = {  # types of and, or, xor; add; min, max
    "cp.reduce.async.bulk.global.shared::cta.bulk_group": (["b32", "b64"], ["u32", "s32", "u64"],
                                                           ["u32", "s32", "u64", "s64"]),
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes": (
        ["b32"], ["u32", "s32", "u64"], ["u32", "s32"]),
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes": (
        ["b32"], ["u32", "s32", "u64", "s64"], ["u32", "s32"]),
    "red.async.release.gpu.global": (["b32"], ["u32", "s32", "u64", "s64"], ["u32", "s32"])}


def asynchronous(atomic: list[Row]) -> list[Row]:
    """The same operations on the same numbers, one element of what a copy brings or a lane sends."""
    out = []
    for root, (logic, sums, orders) in ASYNCHRONOUS.items():
        types = {"and": logic, "or": logic, "xor": logic, "add": sums, "min": orders, "max": orders, "inc": ["u32"],
                 "dec": ["u32"]}
        for name, legal in types.items():
            for t in legal:
                like = f"red.{name}.{'u64' if (name, t) == ('add', 's64') else t}"
                out += [Row(f"{root}.{name}.{t}", row.inputs, row.outputs) for row in atomic if row.op == like]
    return out


def multicast(atomic: list[Row]) -> list[Row]:
    """multimem.red, whose group is one GPU here: what red does."""
    return [Row(f"multimem.{row.op}", row.inputs, row.outputs) for row in atomic
            if row.op.startswith("red.") and row.op.split(".")[1] not in ("inc", "dec")]


def answers() -> list[Row]:
    """A request to cancel a cluster was granted where the response's lowest bit is set: the simulator's own form."""
    op = "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128"
    return [Row(op, (a,), (a & 1,)) for (a,) in int_tuples(op, [128])]


def rows() -> list[Row]:
    return (arithmetic() + extended() + bit_fields() + logic_and_shift() + moves_and_selection() + conversions() +
            compare_rows() + atomics() + answers())


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "lo": lambda a, b: a < b, "ls": lambda a, b: a <= b,
    "hi": lambda a, b: a > b, "hs": lambda a, b: a >= b}
COMBINE: dict[str, Callable[[bool, int], bool]] = {
    "and": lambda t, c: t and bool(c), "or": lambda t, c: t or bool(c), "xor": lambda t, c: t != bool(c)}


def comparisons_of(t: str) -> list[str]:
    if t[0] == "b":
        return ["eq", "ne"]
    return ["eq", "ne", "lt", "le", "gt", "ge"] + (["lo", "ls", "hi", "hs"] if t[0] == "u" else [])


def compare_rows() -> list[Row]:
    out = []
    for t in BITS + INTS:
        for i, cmp in enumerate(comparisons_of(t)):
            pairs = int_tuples(f"setp.{cmp}.{t}", [bits_of(t)] * 2, 5) + [(5, 5), (masked(-3, bits_of(t)), 4)]
            op = list(COMBINE)[i % 3]
            for j, (a, b) in enumerate(pairs):
                c = j & 1
                result = COMPARE[cmp](value_of(a, t), value_of(b, t))
                combined = COMBINE[op](result, c)
                out.append(Row(f"setp.{cmp}.{t}", (a, b), (int(result), int(not result))))
                out.append(Row(f"setp.{cmp}.{op}.{t}", (a, b, c), (int(combined), int(COMBINE[op](not result, c)))))
                for d, true in (("u32", 0xFFFFFFFF), ("s32", 0xFFFFFFFF), ("f32", 0x3F800000)):
                    out.append(Row(f"set.{cmp}.{d}.{t}", (a, b), (true if result else 0,)))
                    out.append(Row(f"set.{cmp}.{op}.{d}.{t}", (a, b, c), (true if combined else 0,)))
    return out
