"""Where graded records lie: one file for each (submission, harness, seed, target), whole or not there.

    OUT/.graded/<key>.json        a record as the grader made it, without names or dates of students
    OUT/.graded/<key>.failed      the last attempt that was our fault: its record or reason, and how many there were
    OUT/.graded/handins/<id>.json which key a hand-in had when it was graded, and what its files were then
    OUT/.graded/prints/<id>       fingerprints of its files, for hints of who is alike: "print file", a line each
    OUT/.graded/handins/<id>.problem  why its newest grading came to nothing

Two workers with one key write the same bytes; a rename is atomic, so it does not matter who is last.
"""
import contextlib
import fcntl
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hpml_autograder.record import canonical, write_atomically

from .. import recordfile
from ..errors import UsageError
from ..marks import Record
from ..similarity import Prints
from ..standing import better

ATTEMPTS = 3  # of a grading that ends inconclusive


@dataclass(frozen=True)
class Pointer:
    key: str
    stamp: str        # of the hand-in's content, so that an unchanged one need not be opened again
    identity: str     # harness, seed and target, for the same reason


class Store:
    def __init__(self, out: Path, key: bytes | None = None) -> None:
        """key: the course key; a record without its MAC counts as absent."""
        self.folder, self.key = out / ".graded", key

    def record(self, key: str) -> Record | None:
        """None as well for a file that is no record or does not match its own hash: it is graded again."""
        try:
            return recordfile.load(self.folder / f"{key}.json", self.key)
        except UsageError:
            return None

    def put(self, key: str, record: Record) -> None:
        """A failure never takes a score's place; it is noted beside it."""
        if record["status"] != "ok":
            self.note_failure(key, f"graded as {record['status']}")
        if better(record, self.record(key)):
            write_atomically(self.folder / f"{key}.json", canonical(record))
        if record["status"] == "ok":
            (self.folder / f"{key}.failed").unlink(missing_ok=True)

    @contextlib.contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """One worker at a time for each key, so that equal hand-ins are graded once. The lock dies with its holder; on
        a file system without locks both grade, and write the same."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / f"{key}.lock", "wb") as file:
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def settled(self, key: str) -> bool:
        """Nothing more to do: graded, or so often inconclusive that a human must look. Our own fault never settles."""
        found = self.record(key)
        if found is None or found["status"] == "infra_error":
            return False
        return found["status"] == "ok" or self.failures(key) >= ATTEMPTS

    def failures(self, key: str) -> int:
        return int(_read(self.folder / f"{key}.failed").get("attempts", 0))

    def note_failure(self, key: str, reason: str) -> None:
        write_atomically(self.folder / f"{key}.failed",
                         canonical({"attempts": self.failures(key) + 1, "reason": reason}))

    def pointer(self, handin: str) -> Pointer | None:
        table = _read(self.folder / "handins" / f"{handin}.json")
        try:
            return Pointer(**table)
        except TypeError:
            return None

    def point(self, handin: str, pointer: Pointer) -> None:
        write_atomically(self.folder / "handins" / f"{handin}.json", canonical(vars(pointer)))
        (self.folder / "handins" / f"{handin}.problem").unlink(missing_ok=True)

    def put_prints(self, handin: str, prints: Prints) -> None:
        lines = sorted(f"{mark} {file}" for file, marks in prints.items() for mark in marks)
        write_atomically(self.folder / "prints" / handin, "\n".join(lines))

    def prints(self, handin: str) -> Prints:
        path, found = self.folder / "prints" / handin, Prints(set)
        for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
            mark, _, file = line.partition(" ")
            found[file].add(mark)
        return found

    def note_problem(self, handin: str, problem: str) -> None:
        write_atomically(self.folder / "handins" / f"{handin}.problem", canonical({"problem": problem}))

    def problem(self, handin: str) -> str:
        return str(_read(self.folder / "handins" / f"{handin}.problem").get("problem", ""))


def _read(path: Path) -> dict[str, Any]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}
