"""What a record adds up to: integers in, integers and decimal text out."""
from collections.abc import Iterable, Sequence
from typing import Any

Record = dict[str, Any]

PENDING = ("INC", "XX")


def pending(test: Record) -> bool:
    return test["verdict"] in PENDING


def is_bonus(test: Record) -> bool:
    """Its points come on top of the maximum. Records from before there were bonuses do not say."""
    return test.get("bonus", False)


def listed(record: Record) -> list[Record]:
    """The tests for platforms on which what was not earned looks lost: without bonuses that were not looked at."""
    return [test for test in record["tests"] if not (is_bonus(test) and test["verdict"] == "SK")]


def deduction(record: Record) -> int:
    """Millipoints taken off for lateness, never more than there are."""
    return min(record["late"]["deduction_millipoints"], record["total_millipoints"])


def net(record: Record) -> int:
    """What counts: the sum of the tests less the late deduction, which is a line of its own everywhere. With bonuses it
    may be more than the maximum."""
    return record["total_millipoints"] - deduction(record)


def capped(record: Record) -> int:
    """What counts on a platform that knows no more than the maximum."""
    return min(net(record), record["max_millipoints"])


def bonus(record: Record) -> int:
    return earned(test for test in record["tests"] if is_bonus(test))


def decimal(millipoints: int) -> str:
    """1234 -> "1.234", always three decimals: exact, and columns line up."""
    sign = "-" if millipoints < 0 else ""
    return f"{sign}{abs(millipoints) // 1000}.{abs(millipoints) % 1000:03}"


def number(millipoints: int) -> float:
    """The same as a JSON number: the nearest double prints with at most three decimals."""
    return round(millipoints / 1000, 3)


def short(millipoints: int) -> str:
    """For people: "1.5", "20"."""
    text = decimal(millipoints)
    return text.rstrip("0").rstrip(".")


def exercises(record: Record) -> list[str]:
    return list(dict.fromkeys(test["exercise"] for test in record["tests"]))


def of_exercise(record: Record, exercise: str) -> list[Record]:
    return [test for test in record["tests"] if test["exercise"] == exercise]


def earned(tests: Iterable[Record]) -> int:
    return sum(test["millipoints"] for test in tests)


def possible(tests: Iterable[Record]) -> int:
    return sum(test["max_millipoints"] for test in tests)


def share_out(parts: Sequence[int], grain: int, most: Sequence[int] | None = None) -> list[int]:
    """Each part in whole grains, rounded down, and the grains that were lost given to the largest remainders, so
    that the sum is the sum of the parts in whole grains, rounded down. No part gets more than its `most`."""
    shares = [part // grain for part in parts]
    missing = sum(parts) // grain - sum(shares)
    order = sorted(range(len(parts)), key=lambda index: (-(parts[index] % grain), index))
    for index in order:
        if missing and (most is None or shares[index] < most[index]):
            shares[index] += 1
            missing -= 1
    return shares
