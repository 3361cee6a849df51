"""The numbers of part B, computed by the checker itself: inputs, sums, checksums."""
from dataclasses import dataclass

import numpy
from hpml_autograder.lab import Case

MILLION = 1_000_000


@dataclass(frozen=True)
class DataRule:
    """x[i] = (a i + b) mod 1024, y[i] = 2 ((c i + d) mod 1000), as partb.cpp makes them."""
    a: int = 1
    b: int = 0
    c: int = 1
    d: int = 0

    def environment(self) -> tuple[tuple[str, str], ...]:
        if self == DataRule():
            return ()
        return (("HPML_DATA", f"{self.a},{self.b},{self.c},{self.d}"),)

    @staticmethod
    def seeded(seed: int) -> "DataRule":
        """Odd factors, so that neighbouring elements differ and every residue occurs."""
        return DataRule((seed & 0xFFFF) | 1, (seed >> 16) & 0xFFFF, ((seed >> 32) & 0xFFFF) | 1, (seed >> 48) & 0xFFFF)

    @staticmethod
    def of(case: Case) -> "DataRule":
        """The rule that a case was given in its environment."""
        text = dict(case.env).get("HPML_DATA")
        return DataRule(*map(int, text.split(","))) if text else DataRule()


def vectors(n: int, rule: DataRule) -> tuple[numpy.ndarray, numpy.ndarray]:
    """x and y as fill_inputs() makes them."""
    index = numpy.arange(n, dtype=numpy.int64)
    x = (index * rule.a + rule.b) % 1024
    y = 2 * ((index * rule.c + rule.d) % 1000)
    return x.astype(numpy.float32), y.astype(numpy.float32)


def sums(n: int, rule: DataRule = DataRule()) -> numpy.ndarray:
    """z[i] = x[i] + y[i] as 32-bit floats; exact, because every sum is a whole number below 2^24."""
    x, y = vectors(n, rule)
    return x + y


def checksums(z: numpy.ndarray) -> tuple[int, int]:
    values = z.astype(numpy.int64)
    weights = 1 + numpy.arange(len(z), dtype=numpy.int64) % 7
    return int(values.sum()), int((values * weights).sum())


@dataclass(frozen=True)
class Size:
    """What the arguments of a program say."""
    k: int
    n: int
    grid: int = 0   # as launched: 0 already replaced by ceil(n / block)
    block: int = 0


def parse_args(args: str, gpu: bool) -> Size:
    words = args.split()
    grid, block = (int(words[0]), int(words[1])) if gpu else (0, 0)
    k = int(words[2] if gpu else words[0])
    n = int(words[words.index("--n") + 1]) if "--n" in words else k * MILLION
    if gpu and grid == 0:
        grid = -(-n // block)
    return Size(k, n, grid, block)


def make_case(program: str, args: str, rule: DataRule = DataRule(), gpu: str = "") -> Case:
    """Asks for the result vector unless it is large: a dump of 100 million elements would be 400 MB."""
    size = parse_args(args, program != "vecaddcpu")
    return Case(program, args, rule.environment(), dump=size.n <= MILLION, gpu=gpu)
