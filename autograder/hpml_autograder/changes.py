"""Hand-ins that are the solution with a few lines changed: known-wrong answers and attacks say only what differs."""
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .errors import UsageError


@dataclass(frozen=True)
class Change:
    file: str
    old: str   # stands exactly once in the solution's file
    new: str


def changed(files: Mapping[str, str], changes: Iterable[Change]) -> dict[str, str]:
    """The files by name, as texts, with the changes made in order. Raises UsageError for one that fits nowhere or twice."""
    result = dict(files)
    for change in changes:
        if change.file not in result:
            raise UsageError(f"{change.file} is not among the solution's files: {', '.join(result)}")
        text = result[change.file]
        if text.count(change.old) != 1:
            raise UsageError(f"the text to change stands {text.count(change.old)} times in the solution's {change.file}, "
                             f"expected once: {change.old.strip()[:60]!r}")
        result[change.file] = text.replace(change.old, change.new)
    return result
