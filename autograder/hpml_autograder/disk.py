"""A full disk is this machine's fault: what failed because of it must never become a verdict."""
import os
from collections.abc import Iterable
from pathlib import Path

from .errors import InfraError

LEAST_BYTES = 64 << 20
LEAST_FILES = 1000


def require_room(*places: Path) -> None:
    """Raises InfraError where a disk that these lie on is full, or so nearly that somebody else may just have had it full.
    Asked before student code runs, and again after it: between them anything may have failed to be written."""
    for place in _distinct(places):
        state = os.statvfs(place)
        if state.f_blocks and state.f_bavail * state.f_frsize < LEAST_BYTES:  # 0 blocks: a disk that does not count them
            raise InfraError(f"{place}: the disk is full, fewer than {LEAST_BYTES >> 20} MB are free; nothing is graded")
        if state.f_files and state.f_favail < LEAST_FILES:
            raise InfraError(f"{place}: the disk is full, fewer than {LEAST_FILES} more files can be made; nothing is graded")


def _distinct(places: Iterable[Path]) -> Iterable[Path]:
    """One of each disk; of what is not there yet, the folder that is."""
    found: dict[int, Path] = {}
    for place in places:
        while not place.exists() and place != place.parent:
            place = place.parent
        found.setdefault(place.stat().st_dev, place)
    return found.values()
