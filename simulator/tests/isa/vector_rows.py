"""One line of a vector file, and the input values that every type is tried with."""

from __future__ import annotations

import itertools
import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    op: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    carry_in: int | None = None
    carry_out: int | None = None
    check: str = "exact"  # or "ulp N", "abs X", "rel X" of the first output

    def line(self) -> str:
        cells = [f"{v:x}" for v in self.inputs] + ["-"] * (5 - len(self.inputs))
        cells.append("-" if self.carry_in is None else str(self.carry_in))
        cells += [f"{v:x}" for v in self.outputs] + ["-"] * (4 - len(self.outputs))
        cells.append("-" if self.carry_out is None else str(self.carry_out))
        return "\t".join([self.op, *cells, self.check])


def bits_of(type_name: str) -> int:
    """Of an integer or bit type: u32 -> 32."""
    return int(type_name[1:])


def is_signed(type_name: str) -> bool:
    return type_name[0] == "s"


def to_signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def value_of(value: int, type_name: str) -> int:
    bits = bits_of(type_name)
    return to_signed(value, bits) if is_signed(type_name) else value & ((1 << bits) - 1)


def masked(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def int_values(bits: int) -> list[int]:
    top = 1 << (bits - 1)
    return [0, 1, 2, 7, 2 * top - 1, 2 * top - 2, top, top - 1, top + 1, masked(0x5555555555555555, bits)]


SHIFT_COUNTS = [0, 1, 15, 16, 31, 32, 33, 63, 64, 255, 0xFFFFFFFF]


def generator(op: str) -> random.Random:
    return random.Random(zlib.crc32(op.encode()))


def tuples(op: str, pools: Sequence[Sequence[int]], edges: int, extra: Callable[[random.Random], tuple[int, ...]],
           random_rows: int = 3) -> list[tuple[int, ...]]:
    """`edges` of the cross product of the pools (all of it when small), and some random tuples."""
    rng = generator(op)
    cross = list(itertools.product(*pools))
    chosen = cross if len(cross) <= edges else rng.sample(cross, edges)
    return chosen + [extra(rng) for _ in range(random_rows)]


def int_tuples(op: str, widths: Sequence[int], edges: int = 12) -> list[tuple[int, ...]]:
    return tuples(op, [int_values(w) for w in widths], edges, lambda rng: tuple(rng.getrandbits(w) for w in widths))
