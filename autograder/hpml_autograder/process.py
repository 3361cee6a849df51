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

from . import allowance, supervisor, tree

STDERR_KEEP = 16 * 1024
STDERR_READ = 64 << 20  # a program that says more is stopped
# Waits until its limits are set, and becomes the command; if its starter ends before, so does it.
WHEN_TOLD = ("/bin/sh", "-c", 'read -r go && exec "$@" </dev/null', "sh")


@dataclass(frozen=True)
class ProcessLimits:
    wall_s: float
    cpu_s: int
    fsize_bytes: int
    output_bytes: int
    memory_bytes: int | None = None  # of all it starts together; what is reserved and never touched does not count
    pids: int | None = None          # processes and threads that it starts, itself included
    nofile: int = 256


@dataclass(frozen=True)
class Finished:
    state: str  # "exit", "signal", "timeout", "output", "memory", "cannot_start"
    code: int   # exit status, or signal number
    stdout: str
    stderr: str
    wall_s: float
    begun: bool = True  # all that is around the program worked, and it was reached


class Stopped(Exception):
    """This process is to end: nothing is to be made of its commands."""


_stopping = threading.Event()
_children: set[subprocess.Popen] = set()


def stop() -> None:
    """From now on run() raises Stopped, also where it waits for a command. For a signal handler, which itself must raise
    nothing: that could break off what puts things away."""
    _stopping.set()
    for child in tuple(_children):
        _kill(child)


class Group(Protocol):
    """A control group (cgroup.Group), where there is one."""
    def join(self, pid: int = 0) -> None: ...
    def kill(self) -> None: ...
    def out_of_memory(self) -> bool: ...


def run(command: Sequence[str], limits: ProcessLimits, cwd: Path, env: Mapping[str, str], group: Group | None = None,
        mark: bytes = b"", descriptors: Sequence[int] = (), stays_together: bool = False) -> Finished:
    """mark: what `command` writes to stderr where all is set up, and the program begins; it is taken out again. descriptors: that it
    inherits. Memory and processes are counted by the control group, or, without one, by looking at them some times a second.
    stays_together: the command's processes end with it, and it ends with this one, as bubblewrap does."""
    if _stopping.is_set():
        raise Stopped
    started = time.monotonic()
    rlimits = allowance.rlimits(limits)
    start = _start_whole if stays_together else _start
    try:
        child = start(command, cwd, env, descriptors, rlimits, group)
    except (OSError, ValueError) as error:
        what, why = getattr(error, "filename", None) or command[0], getattr(error, "strerror", None) or error
        return Finished("cannot_start", 0, "", f"{what}: {why}", 0.0, begun=False)
    said = _Stderr(mark)
    try:
        _children.add(child)
        if _stopping.is_set():  # between the first look and this
            _kill(child)
        watch = supervisor.Watch(child.pid, *((None, None) if group else (limits.memory_bytes, limits.pids)))
        stdout, stopped = _read(child, said, limits, watch, started)
    finally:
        _children.discard(child)
        _kill(child)
        child.wait()
        if group is not None:
            group.kill()
        for pipe in (child.stdout, child.stderr):
            if pipe is not None:
                pipe.close()
    if _stopping.is_set():
        raise Stopped
    if group is not None and group.out_of_memory():
        stopped = "memory"
    state, code = _how_it_ended(child.returncode, stopped)
    stderr = said.text() + (f"\nstopped: more than {limits.pids} processes and threads\n" if stopped == "processes" else "")
    return Finished(state, code, stdout.decode("utf-8", "replace"), stderr, time.monotonic() - started, said.begun)


def _how_it_ended(returncode: int, stopped: str) -> tuple[str, int]:
    if stopped == "processes":
        return "signal", signal.SIGKILL
    if stopped:
        return stopped, 0
    if returncode < 0:
        return "timeout" if -returncode == signal.SIGXCPU else "signal", -returncode
    return "exit", returncode


def _start(command: Sequence[str], cwd: Path, env: Mapping[str, str], descriptors: Sequence[int], rlimits: allowance.RLimits,
           group: Group | None) -> subprocess.Popen:
    """Below a process that keeps all that it starts together."""
    return subprocess.Popen(command, cwd=cwd, env=dict(env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True, pass_fds=descriptors,
                            preexec_fn=lambda: supervisor.begin(lambda: _set_limits(0, rlimits, group)))


def _start_whole(command: Sequence[str], cwd: Path, env: Mapping[str, str], descriptors: Sequence[int], rlimits: allowance.RLimits,
                 group: Group | None) -> subprocess.Popen:
    """Without a copy of this process, which would take a tenth of a second to make on virtual machines with slow page tables."""
    child = subprocess.Popen([*WHEN_TOLD, *command], cwd=cwd, env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, start_new_session=True, pass_fds=descriptors)
    assert child.stdin is not None
    try:
        with child.stdin as told:
            _set_limits(child.pid, rlimits, group)
            told.write(b"go\n")
    except (OSError, ValueError):
        _kill(child)
        child.wait()
        raise
    return child


def _set_limits(pid: int, rlimits: allowance.RLimits, group: Group | None) -> None:
    """pid: 0 is this process."""
    if group is not None:
        group.join(pid)
    for which, value in rlimits.items():
        resource.prlimit(pid, which, value)


class _Stderr:
    """The end of what a command writes there, and whether it has begun."""

    def __init__(self, mark: bytes) -> None:
        self.kept, self.length, self.mark, self.begun = bytearray(), 0, mark, not mark

    def add(self, data: bytes) -> None:
        self.length += len(data)
        self.kept += data
        if not self.begun and self.mark in self.kept:
            self.begun = True
            at = self.kept.index(self.mark)
            del self.kept[at:at + len(self.mark)]
        del self.kept[:-STDERR_KEEP]

    def text(self) -> str:
        return self.kept.decode("utf-8", "replace")


def _read(child: subprocess.Popen, said: _Stderr, limits: ProcessLimits, watch: supervisor.Watch,
          started: float) -> tuple[bytes, str]:
    """Reads both pipes until the child ends; the second value says which limit stopped it, or is empty."""
    assert child.stdout is not None and child.stderr is not None
    stdout, stopped = bytearray(), ""
    with selectors.DefaultSelector() as selector:
        for pipe in (child.stdout, child.stderr):
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map() and not stopped:
            left = started + limits.wall_s - time.monotonic()
            pause = watch.pause_s
            ready = selector.select(max(0.0, left if pause is None else min(left, pause)))
            stopped = "timeout" if left <= 0 else watch.exceeded()
            for key, _ in ready:
                data = key.fileobj.read(65536)  # type: ignore[union-attr]
                if not data:
                    selector.unregister(key.fileobj)
                elif key.fileobj is child.stdout:
                    stdout += data
                else:
                    said.add(data)
                if len(stdout) > limits.output_bytes or said.length > STDERR_READ:
                    stopped = "output"
    if not stopped:
        stopped = _wait(child, watch, started + limits.wall_s)
    return bytes(stdout[:limits.output_bytes]), stopped


def _wait(child: subprocess.Popen, watch: supervisor.Watch, until: float) -> str:
    """For a child that has closed both pipes: it may go on all the same."""
    while True:
        left = max(0.1, until - time.monotonic())
        pause = watch.pause_s
        try:
            child.wait(left if pause is None else max(0.001, min(left, pause)))
            return ""
        except subprocess.TimeoutExpired:
            if time.monotonic() >= until:
                return "timeout"
            if stopped := watch.exceeded():
                return stopped


def _kill(child: subprocess.Popen) -> None:
    """The child is bubblewrap or the reaper: with it ends all that the command has started."""
    if child.poll() is not None:
        return
    tree.kill_below(child.pid)
    try:
        os.kill(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
