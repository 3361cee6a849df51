"""Unpacks a handed-in archive into an empty directory: regular files and folders only, with caps, never outside.

Nothing of an archive is believed: names, sizes, kinds and counts are checked while it is read, and what was written is
bounded by what was read. A hand-in that breaks a rule is refused as a whole, with one reason.
"""
import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

MIB = 1 << 20
ZIP_ENTRY = b"PK\1\2"      # begins each entry of the directory of a ZIP file
LONGEST_HEADER = 64 * 1024  # bytes of a tar's header that holds a long name or other properties
HEADERS = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)


@dataclass(frozen=True)
class Caps:
    archive_bytes: int = 16 * MIB
    file_bytes: int = 16 * MIB
    total_bytes: int = 128 * MIB
    entries: int = 4096
    depth: int = 16
    ratio: int = 200  # unpacked bytes for each packed one, beyond the first MiB


class Refused(Exception):
    """The hand-in breaks a rule: a verdict on it, not a failure of ours."""


@dataclass(frozen=True)
class Member:
    name: str
    folder: bool
    content: IO[bytes] | None  # of a regular file


def unpack(archive: Path, into: Path, caps: Caps = Caps()) -> None:
    """`into` must be new or empty. Raises Refused; what was written until then lies below `into` and nowhere else."""
    packed = archive.stat().st_size
    if packed > caps.archive_bytes:
        raise Refused(f"the archive has {packed} bytes; {caps.archive_bytes} are allowed")
    into.mkdir(parents=True, exist_ok=True)
    allowed = min(caps.total_bytes, MIB + packed * caps.ratio)
    written = entries = 0
    seen: set[str] = set()
    try:
        for member in _members(archive, allowed + caps.entries * 1024, caps.entries):
            entries += 1
            if entries > caps.entries:
                raise Refused(f"the archive has more than {caps.entries} entries")
            parts = _parts(member.name, caps)
            if not parts:
                continue
            folded = "/".join(parts).casefold()
            if folded in seen and not member.folder:
                raise Refused(f"{ascii(member.name[:80])} occurs twice (but for upper and lower case)")
            seen.add(folded)
            path = into.joinpath(*parts)
            if member.folder:
                path.mkdir(parents=True, exist_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                written += _write(path, member, min(caps.file_bytes, allowed - written))
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError, NotImplementedError, RuntimeError,
            MemoryError, OSError) as error:
        if isinstance(error, OSError) and error.errno in (28, 5):  # no space, input/output error: ours
            raise
        raise Refused(f"the archive cannot be read: {' '.join(str(error).split())[:200]}") from error


def _members(archive: Path, limit: int, most: int) -> Iterator[Member]:
    with open(archive, "rb") as file:
        magic = file.read(4)
    return _zip_members(archive, most) if magic[:2] == b"PK" else _tar_members(archive, limit)


def _zip_members(archive: Path, most: int) -> Iterator[Member]:
    # The reader makes an object of each entry of the directory, which lies behind the contents, before it gives the first.
    if archive.read_bytes().count(ZIP_ENTRY) > most:
        raise Refused(f"the archive has more than {most} entries")
    with zipfile.ZipFile(archive) as file:
        for info in file.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise Refused(f"{ascii(info.filename[:80])} is neither a file nor a folder")
            if info.flag_bits & 1:
                raise Refused(f"{ascii(info.filename[:80])} is encrypted")
            if info.is_dir():
                yield Member(info.filename, True, None)
            else:
                with file.open(info) as content:
                    yield Member(info.filename, False, content)


class _Bounded(io.RawIOBase):
    """A stream that ends in Refused after `limit` bytes: a header may ask for as many as it likes."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self._stream, self._left = stream, limit

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > self._left:
            raise Refused("unpacked, the archive is larger than allowed")
        data = self._stream.read(size)
        self._left -= len(data)
        return data


class _Header(tarfile.TarInfo):
    """Of a tar: those that hold the properties of others are read at once, so their size is looked at first."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_Header":
        found = super().frombuf(buf, encoding, errors)
        if found.type in HEADERS and found.size > LONGEST_HEADER:
            raise Refused(f"a name or property in the archive has {found.size} bytes; {LONGEST_HEADER} are allowed")
        return found


OPENERS: dict[bytes, Callable[[Path], IO[bytes]]] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}


def _tar_members(archive: Path, limit: int) -> Iterator[Member]:
    with open(archive, "rb") as file:
        opener = OPENERS.get(file.read(2), lambda path: open(path, "rb"))
    with opener(archive) as stream, tarfile.open(fileobj=_Bounded(stream, limit), mode="r|", tarinfo=_Header) as tar:
        for info in tar:  # one member after the other, each read before the next
            if not (info.isreg() or info.isdir()):
                raise Refused(f"{ascii(info.name[:80])} is neither a file nor a folder")
            yield Member(info.name, info.isdir(), None if info.isdir() else tar.extractfile(info))


def _parts(name: str, caps: Caps) -> list[str]:
    shown = ascii(name[:80])
    if name.startswith("/") or "\\" in name or len(name) > 1024:
        raise Refused(f"the name {shown} is not relative, or has a backslash, or is too long")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if len(parts) > caps.depth:
        raise Refused(f"{shown} lies more than {caps.depth} folders deep")
    for part in parts:
        if part == ".." or part.startswith("-") or not part.isprintable() or len(part.encode("utf-8", "replace")) > 255:
            raise Refused(f"the name {shown} is not allowed: '..', a leading dash, unprintable letters or too long")
        if any(0xD800 <= ord(letter) < 0xE000 for letter in part):
            raise Refused(f"the name {shown} is not UTF-8")
    return parts


def _write(path: Path, member: Member, limit: int) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    written = 0
    with os.fdopen(os.open(path, flags, 0o644), "wb") as out:
        while member.content is not None and (data := member.content.read(64 * 1024)):
            written += len(data)
            if written > limit:
                raise Refused(f"{ascii(member.name[:80])}: unpacked, the archive is larger than allowed")
            out.write(data)
    return written
