"""Reads a file from a folder that student code could write to: there may be anything under its name."""
import os
import stat
from pathlib import Path


class Refused(ValueError):
    """Words: why the file is not read."""


class TooLong(Refused):
    """It has more bytes than its reader takes."""


def read(path: Path, most: int) -> bytes:
    """Its content, at most `most` bytes. Raises Refused for a link, a pipe, a device, a folder, or none; TooLong."""
    try:  # O_NONBLOCK: a pipe that nobody writes to must not block us
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Refused(f"{path.name} cannot be read: {error.strerror}") from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused(f"{path.name} is not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(content) > most:
        raise TooLong(f"{path.name} has more than {most >> 20} MB")
    return content
