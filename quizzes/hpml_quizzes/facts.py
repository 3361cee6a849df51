"""Fact lists (quizzes/facts/*.toml): what the lectures say, with its source. A question's claim is true when its item is
on the list's `yes`, false when it is on its `no`; an item on neither is an error, never a guess."""
import difflib
import tomllib
from functools import lru_cache
from pathlib import Path

from .errors import UsageError
from .paths import ROOM, relative

FOLDER = ROOM / "facts"


class NoSuchFact(ValueError):
    pass


def _read(path: Path) -> dict[str, dict[str, bool]]:
    lists = {}
    for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
        both = set(entry["yes"]) & set(entry["no"])
        if both or not entry.get("source"):
            what = f"on yes and on no: {', '.join(sorted(both))}" if both else "no source"
            raise UsageError(f"{relative(path)}: list {name}: {what}")
        lists[name] = {item: True for item in entry["yes"]} | {item: False for item in entry["no"]}
    return lists


@lru_cache(maxsize=1)
def lists() -> dict[str, dict[str, bool]]:
    result: dict[str, dict[str, bool]] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for name, items in _read(path).items():
            if name in result:
                raise UsageError(f"{relative(path)}: there is another list {name}")
            result[name] = items
    return result


def holds(name: str, item: str) -> bool:
    if name not in lists():
        raise NoSuchFact(f"no fact list '{name}'; there are {', '.join(sorted(lists()))}")
    items = lists()[name]
    if item not in items:
        near = difflib.get_close_matches(item, items, 1, 0.4)
        raise NoSuchFact(f"fact list '{name}' says nothing about '{item}'"
                         + (f"; did you mean '{near[0]}'?" if near else ""))
    return items[item]
