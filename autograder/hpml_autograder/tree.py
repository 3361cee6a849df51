"""The processes below one of ours, as /proc shows them: how many there are, what memory they take, and their end."""
import contextlib
import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

KILL_TRIES = 500  # a killed process is there until the kernel has taken its memory back
PROC = Path("/proc")


@dataclass(frozen=True)
class Task:
    """A process with its threads."""
    pid: int
    parent: int
    group: int
    threads: int
    dead: bool  # its parent has not asked for it yet


def everybody() -> list[Task]:
    return [task for name in os.listdir(PROC) if name.isdigit() and (task := _read(name)) is not None]


def _read(name: str) -> Task | None:
    try:
        text = (PROC / name / "stat").read_bytes()
    except OSError:  # it has ended
        return None
    state, parent, group, *rest = text[text.rindex(b")") + 2:].split()
    return Task(int(name), int(parent), int(group), int(rest[14]), state in (b"Z", b"X"))


def below(root: int) -> list[Task]:
    """All descendants that live, parents first."""
    children: dict[int, list[Task]] = defaultdict(list)
    for task in everybody():
        children[task.parent].append(task)
    found, left = [], [root]
    for pid in left:
        found += [task for task in children[pid] if not task.dead]
        left += [task.pid for task in children[pid]]
    return found


def kill_below(root: int) -> None:
    """Ends all descendants. Whole process groups at a time, which no fork escapes; what has a group of its own is stopped
    first, so that what is born meanwhile is met in the next look and bears no more."""
    ours = os.getpgid(root)
    for _ in range(KILL_TRIES):
        known: set[int] = set()
        while new := [task for task in below(root) if task.pid not in known]:
            for group in {task.group for task in new} - {ours}:
                _send(os.killpg, group, signal.SIGKILL)
            for task in new:
                _send(os.kill, task.pid, signal.SIGSTOP)
            known |= {task.pid for task in new}
        if not known:
            return
        for pid in known:
            _send(os.kill, pid, signal.SIGKILL)
        time.sleep(0.002)


def _send(kill: Callable[[int, int], None], whom: int, number: int) -> None:
    with contextlib.suppress(OSError):
        kill(whom, number)


def memory_over(tasks: list[Task], limit: int) -> bool:
    """Whether they use more than `limit` bytes: what they have touched, not what they have reserved.

    Resident sizes come cheap, but count a page once for each mapping of it, and the simulator maps its shared memory
    twice. Only where they are too much the kernel is asked for each mapping's share of a page (Pss)."""
    private, shared = [], [0]
    for task in tasks:
        sizes = _sizes(task.pid, "status")
        private.append(sizes.get("RssAnon", 0))
        shared.append(sizes.get("RssShmem", 0))
    if sum(private) + sum(shared) <= limit:
        return False
    exact = [_sizes(task.pid, "smaps_rollup") for task in tasks]
    if all("Pss" in sizes for sizes in exact):
        return sum(sizes["Pss"] - sizes.get("Pss_File", 0) for sizes in exact) > limit
    return sum(private) + max(shared) > limit  # root of a container may not ask: shared memory is taken to be the same


def _sizes(pid: int, file: str) -> dict[str, int]:
    """The lines of the form "Name:  12 kB", in bytes."""
    try:
        lines = (PROC / str(pid) / file).read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:  # it has ended, or may not be asked
        return {}
    words = [line.split() for line in lines if line.endswith(" kB")]
    return {name.rstrip(":"): int(value) << 10 for name, value, *_ in words}


def tasks_of(uid: int) -> int:
    """Processes and threads of a user, as the limit on them counts (RLIMIT_NPROC)."""
    count = 0
    for task in everybody():
        with contextlib.suppress(OSError):
            count += max(1, task.threads) if (PROC / str(task.pid)).stat().st_uid == uid else 0
    return count
