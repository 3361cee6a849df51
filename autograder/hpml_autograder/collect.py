"""Takes the files named in lab.toml out of a hand-in; everything else in it is ignored."""
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from . import untrusted
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


def submission_sha(files: list[Collected]) -> str:
    """Over the files that were taken or refused, and nothing else of the hand-in."""
    seen = [f"{file.name}:{file.sha256 if file.state == TAKEN else file.note}"
            for file in files if file.state != MISSING]
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()


def _take(source: Path, name: str, max_bytes: int) -> Collected:
    try:
        descriptor = _open_beneath(source, name)
    except FileNotFoundError:
        return Collected(name, MISSING, note=f"{name} was not handed in")
    except OSError as error:
        return Collected(name, REFUSED, note=f"{name} cannot be taken: {error.strerror}")
    except untrusted.Refused as error:
        return Collected(name, REFUSED, note=str(error))
    try:
        status = os.fstat(descriptor)
        if status.st_nlink != 1:
            return Collected(name, REFUSED, note=f"{name} is a hard link")
        if status.st_mode & (stat.S_ISUID | stat.S_ISGID):
            return Collected(name, REFUSED, note=f"{name} has the setuid or setgid bit")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(max_bytes + 1)
    finally:
        os.close(descriptor)
    if len(content) > max_bytes:
        return Collected(name, REFUSED, note=f"{name} is larger than {max_bytes} bytes")
    return Collected(name, TAKEN, content)


def _open_beneath(source: Path, name: str) -> int:
    """As openat2(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS): no part of the name may be a link."""
    folder = os.open(source, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        *folders, last = name.split("/")
        for part in folders:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            os.close(folder)
            folder = inner
        return untrusted.open_regular(last, folder)
    finally:
        os.close(folder)
