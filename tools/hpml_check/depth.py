"""The two depths of `make check`: the quick one, and FULL=1. What only FULL=1 runs is listed in tools/full_only.toml, with
the reason; the list itself is what the quick depth leaves out, so that it cannot be wrong about it."""
import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "full_only.toml"
SUITES = ("step", "pytest", "ctest", "label")  # label: of tests of ctest
VARIABLE = "HPML_CHECK_FULL"  # how the depth reaches pytest


@dataclass(frozen=True)
class FullOnly:
    match: str   # regular expression that is found at the beginning of a test's name
    reason: str

    def takes(self, name: str) -> bool:
        return re.match(self.match, name) is not None


def is_full() -> bool:
    return os.environ.get(VARIABLE) == "1"


def full_only(suite: str) -> list[FullOnly]:
    """The entries of one suite. Raises ValueError for an unknown suite and for an entry without a reason."""
    table = tomllib.loads(LIST.read_text(encoding="utf-8"))
    if unknown := table.keys() - set(SUITES):
        raise ValueError(f"{LIST.name}: no suite {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")
    entries = [FullOnly(**entry) for entry in table.get(suite, [])]
    for entry in entries:
        if not entry.match or not entry.reason:
            raise ValueError(f"{LIST.name}: {entry} needs both match and reason")
    return entries


def left_out(name: str, entries: list[FullOnly]) -> bool:
    return any(entry.takes(name) for entry in entries)
