"""Reads a file from a folder that student code could write to: there may be anything under its name."""
import errno
import os
import stat
from pathlib import Path


class Refused(ValueError):
    """Words: why the file is not read."""


class TooLong(Refused):
    """It has more bytes than its reader takes."""


def open_regular(name: str | Path, folder: int | None = None) -> int:
    """A descriptor to read from, of a file in an open folder. Raises Refused for what is neither a file nor a link, before it is
    opened: to open a device is to use it, and a pipe would make us wait. Raises OSError otherwise, for a link as well."""
    found = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        mode = os.fstat(found).st_mode
        if stat.S_ISLNK(mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not stat.S_ISREG(mode):
            raise Refused(f"{name if folder is not None else Path(name).name} is not a regular file")
        return os.open(f"/proc/self/fd/{found}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(found)


def read(path: Path, most: int) -> bytes:
    """Its content, at most `most` bytes. Raises Refused for a link, a pipe, a device, a folder, or none; TooLong."""
    try:
        descriptor = open_regular(path)
    except OSError as error:
        raise Refused(f"{path.name} cannot be read: {error.strerror}") from error
    try:
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(content) > most:
        raise TooLong(f"{path.name} has more than {most >> 20} MB")
    return content
