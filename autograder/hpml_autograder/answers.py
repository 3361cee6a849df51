"""Reads the answers.toml of a hand-in. It was written by anybody: whatever is in it, the outcome is a table that judges can
trust to be of moderate size, or a sentence."""
import functools
import math
import tomllib
from pathlib import Path
from typing import Any

FILE = "answers.toml"
DEEPEST = 8            # tables and lists within each other
LARGEST = 1 << 63      # TOML 1.0: an integer is of 64 bits
LONGEST_KEY = 200
LONGEST_LINE = 4000    # of a key of n parts, Python's reader takes time that grows with n squared
TOO_DEEP = "lists and tables lie too deep in each other"


def read_answers(src: Path) -> dict[str, Any] | str:
    """The table, or what is wrong with it."""
    try:
        found = _parse((src / FILE).read_bytes())
    except OSError:
        return f"{FILE} is missing"
    return f"{FILE}: {found}" if isinstance(found, str) else found


def read_table(src: Path, schema: str) -> dict[str, Any] | str:
    """The same of a lab's schema."""
    found = read_answers(src)
    if isinstance(found, str):
        return found
    return found if found.get("schema") == schema else f'{FILE}: expected schema = "{schema}"'


@functools.lru_cache(maxsize=4)
def _parse(content: bytes) -> dict[str, Any] | str:
    if max(map(len, content.split(b"\n"))) > LONGEST_LINE:
        return f"a line has more than {LONGEST_LINE} bytes"
    try:
        table = tomllib.loads(content.decode("utf-8"))
    except RecursionError:
        return TOO_DEEP
    except ValueError as error:  # no TOML, no UTF-8, or a number of more digits than Python reads
        return " ".join(str(error).split())[:300]
    return _strange(table) or table


def _strange(table: dict[str, Any]) -> str:
    left: list[tuple[Any, int]] = [(table, 0)]
    while left:
        value, depth = left.pop()
        if depth > DEEPEST:
            return TOO_DEEP
        if isinstance(value, dict):
            if any(len(key) > LONGEST_KEY for key in value):
                return f"a key has more than {LONGEST_KEY} letters"
            left += [(inner, depth + 1) for inner in value.values()]
        elif isinstance(value, list):
            left += [(inner, depth + 1) for inner in value]
        elif isinstance(value, int) and not -LARGEST <= value < LARGEST:
            return "an integer does not fit into 64 bits"
        elif isinstance(value, float) and not math.isfinite(value):
            return "a number is infinite or none at all"
    return ""
