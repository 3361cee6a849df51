"""A control group for one sandboxed command: memory and processes, counted for the whole tree."""
import contextlib
import functools
import itertools
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PREFIX = "hpml-"
REMOVE_TRIES = 200
_serial = itertools.count()


@dataclass(frozen=True)
class Hierarchy:
    version: str               # "v2", "v1", "none"
    roots: tuple[Path, ...] = ()  # where groups are made; v1: memory and pids apart


@dataclass(frozen=True)
class _Mount:
    version: str
    controllers: frozenset[str]  # of v1
    place: Path
    own: Path                    # the group of this process


@functools.cache
def hierarchy() -> Hierarchy:
    """Detected by making a group and a process in it, never by version: containers mount what they cannot write."""
    for candidate in _candidates():
        _sweep(candidate)
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            group = Group(candidate, 64 << 20, 16)
            try:
                subprocess.run(["/bin/true"], preexec_fn=group.join, check=True, timeout=20)
                return candidate
            finally:
                group.remove()
    return Hierarchy("none")


def _candidates() -> Iterator[Hierarchy]:
    """Root makes groups at the top; a user where a part of the tree is the user's own, as systemd hands it out."""
    mounts = _mounts()
    v1 = {name: mount.place for mount in mounts for name in mount.controllers if name in ("memory", "pids")}
    for mount in mounts:
        if mount.version == "v2":
            places = [mount.place] if os.geteuid() == 0 else _upwards(mount)
            yield from (Hierarchy("v2", (place,)) for place in places if os.access(place, os.W_OK))
    if len(v1) == 2:
        yield Hierarchy("v1", (v1["memory"], v1["pids"]))


def _mounts() -> list[_Mount]:
    paths = {}  # of the own group: by controller, "" for v2
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, names, path = line.split(":", 2)
        paths |= dict.fromkeys(names.split(","), path)
    found = []
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        words, (kind, _, options) = line.split(" - ")[0].split(), line.split(" - ")[1].split()[:3]
        controllers = frozenset(options.split(",")) & paths.keys()
        path = paths.get("" if kind == "cgroup2" else next(iter(controllers), "none"))
        if kind in ("cgroup", "cgroup2") and path is not None:
            root, place = words[3], Path(words[4])
            inside = os.path.relpath(path, root)  # a container may see no more than its part
            own = place if inside.startswith("..") else place / inside
            found.append(_Mount("v2" if kind == "cgroup2" else "v1", controllers, place, own))
    return found


def _upwards(mount: _Mount) -> list[Path]:
    return [path for path in (mount.own, *mount.own.parents) if path.is_relative_to(mount.place)]


def processes_left() -> int | None:
    """How many more may be started in the group this process is in, or a group above; None: nothing limits them."""
    found = []
    for mount in _mounts():
        if mount.version == "v2" or "pids" in mount.controllers:
            for path in _upwards(mount):
                with contextlib.suppress(OSError, ValueError):  # no such file, or "max"
                    most = int((path / "pids.max").read_text(encoding="ascii"))
                    found.append(most - int((path / "pids.current").read_text(encoding="ascii")))
    return min(found, default=None)


def _sweep(found: Hierarchy) -> None:
    """Groups of graders that were killed: their name holds the process that made them."""
    for root in found.roots:
        for left in root.glob(f"{PREFIX}*"):
            maker = left.name.split("-")[1]
            if not Path("/proc", maker).exists():
                with contextlib.suppress(OSError):
                    left.rmdir()


def owner() -> int:
    return os.getpid()


class Group:
    def __init__(self, where: Hierarchy, memory_bytes: int | None, pids: int | None) -> None:
        name = f"{PREFIX}{owner()}-{next(_serial)}"
        self._where = where
        self.paths = [root / name for root in where.roots]
        try:
            for path in self.paths:
                path.mkdir()
            memory, processes = self.paths[0], self.paths[-1]
            if memory_bytes is not None:
                (memory / ("memory.max" if where.version == "v2" else "memory.limit_in_bytes")).write_text(
                    str(memory_bytes), encoding="ascii")
            if pids is not None:
                (processes / "pids.max").write_text(str(pids), encoding="ascii")
        except OSError:
            self.remove()
            raise

    def join(self, pid: int = 0) -> None:
        """While the process, 0 for this one, has not given up its rights."""
        for path in self.paths:
            (path / "cgroup.procs").write_text(str(pid or os.getpid()), encoding="ascii")

    def out_of_memory(self) -> bool:
        file = self.paths[0] / ("memory.events" if self._where.version == "v2" else "memory.oom_control")
        with contextlib.suppress(OSError):
            for line in file.read_text(encoding="ascii").splitlines():
                if line.startswith("oom_kill "):
                    return int(line.split()[1]) > 0
        return False

    def kill(self) -> None:
        for path in self.paths:
            with contextlib.suppress(OSError):
                for pid in (path / "cgroup.procs").read_text(encoding="ascii").split():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(pid), signal.SIGKILL)

    def remove(self) -> None:
        """A killed process stays in its group for a moment."""
        for path in self.paths:
            for _ in range(REMOVE_TRIES):
                try:
                    path.rmdir()
                except FileNotFoundError:
                    pass
                except OSError:
                    self.kill()
                    time.sleep(0.01)
                    continue
                break
