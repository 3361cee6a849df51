"""Runs one command with limits on time, processor, memory, files and output, and never raises for what it does. stop()
ends all of them, for a grader that is told to end."""
import os
import resource
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

STDERR_KEEP = 16 * 1024
STDERR_READ = 64 << 20  # a program that says more is stopped


@dataclass(frozen=True)
class ProcessLimits:
    wall_s: float
    cpu_s: int
    fsize_bytes: int
    output_bytes: int
    memory_bytes: int | None = None  # private memory of each process, or of the whole tree where a control group counts
    pids: int | None = None          # processes and threads of the user
    nofile: int = 256


@dataclass(frozen=True)
class Finished:
    state: str  # "exit", "signal", "timeout", "output", "memory", "cannot_start"
    code: int   # exit status, or signal number
    stdout: str
    stderr: str
    wall_s: float


class Stopped(Exception):
    """This process is to end: nothing is to be made of its commands."""


_stopping = threading.Event()
_children: set[subprocess.Popen] = set()


def stop() -> None:
    """From now on run() raises Stopped, also where it waits for a command. For a signal handler, which itself must raise
    nothing: that could break off what puts things away."""
    _stopping.set()
    for child in tuple(_children):
        _kill_session(child)


class Group(Protocol):
    """A control group (cgroup.Group), where there is one."""
    def join(self) -> None: ...
    def kill(self) -> None: ...
    def out_of_memory(self) -> bool: ...


def run(command: Sequence[str], limits: ProcessLimits, cwd: Path, env: Mapping[str, str],
        group: Group | None = None) -> Finished:
    if _stopping.is_set():
        raise Stopped
    started = time.monotonic()
    try:
        child = subprocess.Popen(command, cwd=cwd, env=dict(env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, start_new_session=True,
                                 preexec_fn=lambda: _set_limits(limits, group))
    except OSError as error:
        return Finished("cannot_start", 0, "", f"{command[0]}: {error.strerror}", 0.0)
    try:
        _children.add(child)
        if _stopping.is_set():  # between the first look and this
            _kill_session(child)
        stdout, stderr, stopped = _read(child, limits, started)
    finally:
        _children.discard(child)
        _kill_group(child)
        if group is not None:
            group.kill()
    if _stopping.is_set():
        raise Stopped
    wall_s = time.monotonic() - started
    texts = stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace")
    if group is not None and group.out_of_memory():
        return Finished("memory", 0, *texts, wall_s)
    if stopped:
        return Finished(stopped, 0, *texts, wall_s)
    if child.returncode < 0:
        state = "timeout" if -child.returncode == signal.SIGXCPU else "signal"
        return Finished(state, -child.returncode, *texts, wall_s)
    return Finished("exit", child.returncode, *texts, wall_s)


def _set_limits(limits: ProcessLimits, group: Group | None) -> None:
    if group is not None:
        group.join()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.fsize_bytes, limits.fsize_bytes))
    if limits.memory_bytes is not None:
        # Not the address space: the simulated GPU reserves large regions, and CUDA programs do as well.
        resource.setrlimit(resource.RLIMIT_DATA, (limits.memory_bytes, limits.memory_bytes))
    if limits.pids is not None:
        resource.setrlimit(resource.RLIMIT_NPROC, (limits.pids, limits.pids))
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits.nofile, limits.nofile))


def _read(child: subprocess.Popen, limits: ProcessLimits, started: float) -> tuple[bytes, bytes, str]:
    """Reads both pipes until the child ends; the third value says which limit stopped it, or is empty."""
    assert child.stdout is not None and child.stderr is not None
    kept = {child.stdout: bytearray(), child.stderr: bytearray()}
    stopped, said = "", 0
    with selectors.DefaultSelector() as selector:
        for pipe in kept:
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map() and not stopped:
            left = started + limits.wall_s - time.monotonic()
            ready = selector.select(max(0.0, left))
            if left <= 0:
                stopped = "timeout"
            for key, _ in ready:
                data = key.fileobj.read(65536)  # type: ignore[union-attr]
                if not data:
                    selector.unregister(key.fileobj)
                    continue
                kept[key.fileobj] += data  # type: ignore[index]
                said += len(data) if key.fileobj is child.stderr else 0
                if len(kept[child.stdout]) > limits.output_bytes or said > STDERR_READ:
                    stopped = "output"
                del kept[child.stderr][:-STDERR_KEEP]
    if not stopped:
        try:
            child.wait(max(0.1, started + limits.wall_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            stopped = "timeout"
    return bytes(kept[child.stdout][:limits.output_bytes]), bytes(kept[child.stderr]), stopped


def _kill_group(child: subprocess.Popen) -> None:
    _kill_session(child)
    child.wait()
    for pipe in (child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()


def _kill_session(child: subprocess.Popen) -> None:
    """The child leads a session of its own, so this reaches what it has started as well."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
