"""Draws that are the same on every machine and Python: a keyed seed, and our own way from bits to choices."""
import hashlib
import hmac
import random
from typing import Any, Sequence


def seed_of(course_key: str, *labels: str) -> int:
    digest = hmac.new(course_key.encode(), "|".join(("hpml", *labels)).encode(), hashlib.sha256).digest()
    return int.from_bytes(digest, "big")


class Draws:
    """The Mersenne Twister's bits are part of Python's promise; what randrange() or shuffle() make of them is not."""

    def __init__(self, seed: int):
        self._bits = random.Random(seed).getrandbits

    def below(self, count: int) -> int:
        width = count.bit_length()
        while (value := self._bits(width)) >= count:
            pass
        return value

    def choose(self, values: Sequence[Any]) -> Any:
        return values[self.below(len(values))]

    def sample(self, values: Sequence[Any], count: int) -> list[Any]:
        """`count` different entries in the order of `values`."""
        picked = self.shuffled(range(len(values)))[:count]
        return [values[i] for i in sorted(picked)]

    def shuffled(self, values: Sequence[Any]) -> list[Any]:
        result = list(values)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result
