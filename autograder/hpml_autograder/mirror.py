"""Copies of what another user may not read where it lies: in a folder that is its owner's alone, or with rights of such a
kind. They lie at BASE/their whole path, so that what names its neighbours finds them."""
import atexit
import contextlib
import functools
import os
import re
import shutil
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .errors import InfraError

PREFIX = "hpml-mirror-"
INCLUDE = "-I"  # before a folder, in one word: it may be no copy, but hold what is included by a path from there
Enter = tuple[str, ...]  # the words that make a command another user's
_lock = threading.Lock()
_copied: dict[Path, list[tuple[str, int, int]]] = {}  # what is only read is kept while this process lives


class Mirror:
    """The copies that one command sees: by path, the base of its copy."""

    def __init__(self, bases: Mapping[Path, Path]) -> None:
        self._bases = {str(path): str(base) for path, base in bases.items()}
        longest_first = sorted(self._bases, key=len, reverse=True)
        self._names = re.compile(f"({'|'.join(map(re.escape, longest_first))})(?![\\w.-])")

    def inside(self, word: str) -> str:
        """A word of the command, with the copies' names in it."""
        if not self._bases:
            return word
        found, count = self._names.subn(lambda name: self._bases[name[0]] + name[0], word)
        if count == 0 and word.startswith(INCLUDE):
            return INCLUDE + next(self._above(Path(word[2:])), "") + word[2:]
        return found

    def outside(self, text: str) -> str:
        """What the command has said, with the names of what was copied."""
        for base in sorted(set(self._bases.values()), key=len, reverse=True):
            text = text.replace(base, "")
        return text

    def path(self, path: Path) -> Path:
        return Path(self.inside(str(path)))

    def folder(self, path: Path) -> Path:
        """The same of a folder that a command starts in: it may itself be no copy, but hold some."""
        held = list(self._above(path))
        return Path(f"{held[-1]}{path}") if held else self.path(path)

    def _above(self, folder: Path) -> Iterator[str]:
        """Bases of the copies of what lies in it: of what is read, then of what is written."""
        return (base for name, base in self._bases.items() if Path(name).is_relative_to(folder))


@contextlib.contextmanager
def opened(read: Sequence[Path], write: Sequence[Path], enter: Enter, whole_path: bool) -> Iterator[Mirror]:
    """Copies where they are needed. What the command then writes is taken back at the end, if it is ordinary files.
    whole_path: the user has to get there; otherwise the sandbox shows it the files themselves, and may write to them."""
    taken = [path for path in write if whole_path and not _enters(path.parent, enter)]
    closed = [path for path in read if path not in taken and _is_closed(path, enter, whole_path)]
    if not closed and not taken:
        yield Mirror({})
        return
    with _lock:  # one for all threads
        base = _base(enter)
    own = Path(tempfile.mkdtemp(prefix="own-", dir=base))
    try:
        own.chmod(0o755)
        for path in closed:
            _copy_to_read(path, Path(f"{base}{path}"))
        for path in taken:
            _copy(path, Path(f"{own}{path}"))
        yield Mirror({path: base for path in closed} | {path: own for path in taken})
        for path in taken:
            _take_back(Path(f"{own}{path}"), path)
    finally:
        shutil.rmtree(own)


def _is_closed(path: Path, enter: Enter, whole_path: bool) -> bool:
    return (whole_path and not _enters(path.parent, enter)) or not all(map(_readable, _all_of(path)))


def _all_of(path: Path) -> list[Path]:
    return [path, *(path.rglob("*") if path.is_dir() else ())]


def _readable(path: Path) -> bool:
    """Whether others may do with it what its owner may, but for writing."""
    mode = path.stat().st_mode
    return mode & 0o5 == (mode >> 6 & 0o5)


@functools.lru_cache(maxsize=4096)
def _enters(folder: Path, enter: Enter) -> bool:
    """By trying: network and encrypted folders have rules of their own."""
    return subprocess.run([*enter, "/usr/bin/test", "-x", folder], capture_output=True, check=False).returncode == 0


@functools.cache
def _base(enter: Enter) -> Path:
    """A folder of this process where another user can read and run programs."""
    for parent in dict.fromkeys((tempfile.gettempdir(), "/tmp", "/var/tmp")):
        with contextlib.suppress(OSError):
            sweep(Path(parent))
            folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent))
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            folder.chmod(0o755)
            program = folder / "true"
            _copy(Path("/bin/true"), program)
            if subprocess.run([*enter, program], capture_output=True, check=False).returncode == 0:
                return folder
    raise InfraError("there is no folder in which the sandbox's user may run programs: it may not enter "
                     f"{tempfile.gettempdir()}, or that is mounted noexec; set TMPDIR to another one")


def sweep(parent: Path) -> None:
    """What graders that were killed have left: the name holds the process."""
    for left in parent.glob(f"{PREFIX}*"):
        if not Path("/proc", left.name.removeprefix(PREFIX).split("-")[0]).exists():
            shutil.rmtree(left, ignore_errors=True)


def _copy_to_read(path: Path, copy: Path) -> None:
    found = [(str(one), state.st_size, state.st_mtime_ns) for one in _all_of(path) for state in [one.stat()]]
    with _lock:
        if _copied.get(path) != found:
            _copy(path, copy)
            _copied[path] = found


def _copy(path: Path, copy: Path) -> None:
    """As it is, and readable for everybody; links are followed."""
    _remove(copy)
    for folder in reversed(copy.parents):
        if not folder.exists():
            folder.mkdir(mode=0o755)
    if path.is_dir():
        shutil.copytree(path, copy)
    elif path.is_file():
        shutil.copy2(path, copy)
    else:
        raise InfraError(f"{path} is in a folder that the sandbox's user may not enter, and no copy of it would do: "
                         "set TMPDIR to a folder that everybody may enter, /tmp for example")
    for one in _all_of(copy):
        one.chmod(stat.S_IMODE(one.stat().st_mode) | 0o555 if one.is_dir() or os.access(one, os.X_OK) else 0o644)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _take_back(copy: Path, path: Path) -> None:
    """Of what student code has left there: files and folders, never a link, which could lead anywhere."""
    for folder, _, names in os.walk(copy):
        into = path / Path(folder).relative_to(copy)
        into.mkdir(exist_ok=True)
        for name in names:
            _take_file(Path(folder, name), into / name)
    if not copy.is_dir():
        _take_file(copy, path)


def _take_file(copy: Path, path: Path) -> None:
    found, before = copy.lstat(), path.lstat() if path.exists() else None
    unchanged = before is not None and (found.st_size, found.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    if stat.S_ISREG(found.st_mode) and not unchanged:
        shutil.copyfile(copy, path, follow_symlinks=False)
        path.chmod(0o755 if found.st_mode & 0o100 else 0o644)
