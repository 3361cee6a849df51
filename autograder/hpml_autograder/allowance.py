"""What this machine, and the shell that started us, allow. Where it is less than a command is due nothing can be said of a
hand-in: InfraError says what is missing."""
from __future__ import annotations

import contextlib
import os
import pwd
import resource
from pathlib import Path
from typing import TYPE_CHECKING

from . import cgroup, tree
from .errors import InfraError

if TYPE_CHECKING:
    from .process import ProcessLimits

RLimits = dict[int, tuple[int, int]]  # as setrlimit takes them
UNLIMITED = resource.RLIM_INFINITY
LEAST_FILES = 48        # open in one of our tools; compilers need fewer
LEAST_PROCESSES = 24    # what two commands at a time are made of: sandbox, compiler driver, compiler, linker
LEAST_MEMORY = 1 << 30  # of the grader itself
MORE_PROCESSES = 1000   # that others may start while a command runs
WORDS = {resource.RLIMIT_CPU: ("-t", "seconds of processor time", 1), resource.RLIMIT_FSIZE: ("-f", "KB in a file", 1024),
         resource.RLIMIT_NOFILE: ("-n", "open files", 1), resource.RLIMIT_DATA: ("-d", "KB of data", 1024),
         resource.RLIMIT_AS: ("-v", "KB of addresses", 1024)}


def require() -> None:
    """Before anything is graded. Raises this process' own limits as far as they go: all that it starts inherits them."""
    for which, least in ((resource.RLIMIT_NOFILE, LEAST_FILES), (resource.RLIMIT_DATA, LEAST_MEMORY),
                         (resource.RLIMIT_AS, LEAST_MEMORY)):
        hard = _hard(which, UNLIMITED if which != resource.RLIMIT_NOFILE else least, least)
        resource.setrlimit(which, (hard, hard))
    _, processes = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    require_processes()


def rlimits(limits: ProcessLimits) -> RLimits:
    """What a command is started with. Memory is not among it: reservations count there, and the simulator, like CUDA
    itself, reserves more than any machine has. Processes are, but only so that a fork bomb ends before the machine does:
    the kernel counts all that a user runs, and on the whole machine."""
    cpu = _hard(resource.RLIMIT_CPU, limits.cpu_s + 5, limits.cpu_s + 5)
    files = _hard(resource.RLIMIT_NOFILE, limits.nofile, LEAST_FILES)
    size = _hard(resource.RLIMIT_FSIZE, limits.fsize_bytes, limits.fsize_bytes)
    found = {resource.RLIMIT_CORE: (0, 0), resource.RLIMIT_CPU: (limits.cpu_s, _least(cpu, limits.cpu_s + 5)),
             resource.RLIMIT_FSIZE: (_least(size, limits.fsize_bytes),) * 2,
             resource.RLIMIT_NOFILE: (_least(files, limits.nofile),) * 2}
    for which in (resource.RLIMIT_DATA, resource.RLIMIT_AS):
        found[which] = (_hard(which, UNLIMITED, limits.memory_bytes or 0),) * 2
    if limits.pids is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        found[resource.RLIMIT_NPROC] = (_least(hard, _tasks_of_machine() + limits.pids + MORE_PROCESSES),) * 2
    return found


def _least(limit: int, other: int) -> int:
    return other if limit == UNLIMITED else min(limit, other)


def _hard(which: int, wanted: int, needed: int) -> int:
    """The limit that may not be passed, raised to `wanted` where we may; at least `needed`."""
    soft, hard = resource.getrlimit(which)
    if hard != UNLIMITED and (wanted == UNLIMITED or hard < wanted):
        with contextlib.suppress(ValueError, OSError):  # root alone may, and not in every container
            resource.setrlimit(which, (soft, wanted))
            hard = wanted
    if hard != UNLIMITED and hard < needed:
        flag, unit, size = WORDS[which]
        raise InfraError(f"this shell allows {hard // size} {unit} (ulimit -H {flag}), the grader needs {needed // size}: "
                         "start it from a shell with a higher limit; nothing is graded")
    return hard


def _tasks_of_machine() -> int:
    """Processes and threads, also those that a container does not show."""
    return int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[2])


def require_processes() -> None:
    """Asked before a command is started, and after one that has failed: it may have been for lack of them."""
    _, limit = resource.getrlimit(resource.RLIMIT_NPROC)
    running = _tasks_of_machine()  # quickly known, and never fewer than the user's
    if os.geteuid() != 0 and limit != UNLIMITED and limit - running < LEAST_PROCESSES:
        running = tree.tasks_of(os.getuid())
        if limit - running < LEAST_PROCESSES:
            raise InfraError(f"{running} processes and threads of {_user()} are running and {limit} are allowed "
                             "(ulimit -H -u): end some of them or raise the limit; nothing is graded")
    left = cgroup.processes_left()
    if left is not None and left < LEAST_PROCESSES:
        raise InfraError(f"this container or session may start {left} more processes, the grader needs {LEAST_PROCESSES}: "
                         "end some or raise its limit (docker run --pids-limit, systemd TasksMax); nothing is graded")


def kills_for_memory() -> int:
    """How often the kernel has ended a process of this machine for want of memory, in a control group or not."""
    for line in Path("/proc/vmstat").read_text(encoding="ascii").splitlines():
        if line.startswith("oom_kill "):
            return int(line.split()[1])
    return 0


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"user {os.getuid()}"
