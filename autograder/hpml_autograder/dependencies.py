"""What a program and its runs are made of, as one number each: what is unchanged is neither compiled nor run again."""
import functools
import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from .backends import Backend
from .backends.base import Library
from .labspec import Program
from .ledger import key_of
from .staging import Stage

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*([^\s]?)[ \t]*([^">\n]*)', re.MULTILINE)


def files_of(program: Program, stage: Stage) -> list[Path]:
    """The staged files that its sources are and include, in order of name. All of the stage where a file is included
    by the name that a macro stands for, and for Python, which imports its neighbours."""
    staged = {str(path): path for path in stage.src.rglob("*") if path.is_file()}
    found: set[Path] = set()
    left = [str(stage.src / name) for name in (*program.sources, *program.harness)]
    while left:  # names of a hand-in are looked up among the staged files, and nowhere else
        path = staged.get(os.path.normpath(left.pop()))
        if path is None or path in found:
            continue
        found.add(path)
        included = INCLUDE.findall(path.read_bytes())
        if path.suffix == ".py" or any(quote not in (b'"', b"<") for quote, _ in included):
            return sorted(staged.values())
        for folder in {path.parent, stage.src}:
            left += [f"{folder}/{os.fsdecode(name)}" for _, name in included]
    return sorted(found)


def digest_of(backend: Backend, program: Program, stage: Stage) -> str:
    """Of all that decides what the program does: its files, its libraries, and how they are compiled."""
    how = (program.backend, *backend.dialect(program), program.std, *program.flags, *program.packages, *program.sources)
    digest = hashlib.sha256("\0".join(how).encode())
    for path in files_of(program, stage):
        digest.update(os.fsencode(os.path.relpath(path, stage.src)))
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    for name in program.libraries:
        digest.update(_content(Library(name).archive))
    return digest.hexdigest()


def tools(backends: Iterable[Backend]) -> str:
    """The compilers and launchers of a lab's back ends as they are installed now."""
    return key_of(*(_identity(path) for backend in backends for path in backend.tools()))


@functools.lru_cache(maxsize=16)
def _content(archive: Path) -> bytes:
    return hashlib.sha256(archive.read_bytes()).digest() if archive.is_file() else b""


@functools.lru_cache(maxsize=256)
def _identity(path: Path) -> str:
    state = path.stat()
    return f"{path} {state.st_size} {state.st_mtime_ns}"
