"""Takes the files named in lab.toml out of a hand-in; everything else in it is ignored."""
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from .labspec import Submit

MISSING, TAKEN, REFUSED = "missing", "taken", "refused"


@dataclass(frozen=True)
class Collected:
    name: str
    state: str
    content: bytes = b""
    note: str = ""

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def collect(source: Path, submit: Submit) -> list[Collected]:
    return [_take(source, name, submit.max_bytes) for name in submit.files]


def _take(source: Path, name: str, max_bytes: int) -> Collected:
    path = source / name
    try:
        # O_NOFOLLOW and O_NONBLOCK: a link or a FIFO in a hand-in must neither be followed nor block us.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return Collected(name, MISSING, note=f"{name} is not in the hand-in; the starter's version is used")
    except OSError as error:
        return Collected(name, REFUSED, note=f"{name} cannot be taken: {error.strerror}")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return Collected(name, REFUSED, note=f"{name} is not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        return Collected(name, REFUSED, note=f"{name} is larger than {max_bytes} bytes")
    return Collected(name, TAKEN, content)
