"""Keeps a command's processes together where bubblewrap does not, and within limits where no control group does.

    grader ── reaper ── command ── ...

The reaper is a copy of this process that only waits. What the command leaves in the background falls to it, so that the
tree below it is always whole, and is ended with it."""
import contextlib
import ctypes
import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from . import tree

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LEAST_PAUSE_S = 0.02
MOST_OF_THE_TIME = 0.1  # that looking takes of one processor
OUR_PROCESSES = 4       # at most, around the program: bubblewrap and what reaps in it
CANNOT = 125            # exit status of a command that could not be prepared
_prctl = ctypes.CDLL(None, use_errno=True).prctl


def begin(prepare: Callable[[], None]) -> None:
    """In a forked child: returns in a grandchild that is prepared to become the command. The child stays as its reaper,
    and ends as the command does."""
    try:
        _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        main = os.fork()
        if main == 0:
            os.setpgid(0, 0)  # a group that is ended without the reaper's
            _prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            prepare()
            return
    except (OSError, ValueError) as error:  # what is raised here would reach the grader without its words
        os.write(2, f"{getattr(error, 'strerror', None) or error}\n".encode())
        os._exit(CANNOT)
    try:
        _reap(main)
    finally:
        os._exit(CANNOT)


def _reap(main: int) -> None:
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # the grader's handlers are not for us
    for name in os.listdir("/proc/self/fd"):  # nobody is to wait for our end of a pipe, or for a lock
        with contextlib.suppress(OSError):
            os.close(int(name))
    ended: int | None = None
    while True:
        try:
            pid, status = os.waitpid(-1, 0 if ended is None else os.WNOHANG)
        except ChildProcessError:
            break
        if pid == main:
            ended = status
        if pid == 0:  # they live on
            tree.kill_below(os.getpid())
            time.sleep(0.001)
    _end_alike(ended or 0)


def _end_alike(status: int) -> None:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


@dataclass
class Watch:
    """Looks at what a command takes, some times a second. memory_bytes, pids: at most; None: not limited here."""
    reaper: int
    memory_bytes: int | None
    pids: int | None
    _next: float = field(default_factory=time.monotonic)

    @property
    def pause_s(self) -> float | None:
        """Until the next look; None: there is nothing to look at."""
        if self.memory_bytes is None and self.pids is None:
            return None
        return max(0.0, self._next - time.monotonic())

    def exceeded(self) -> str:
        """ "memory" or "processes"; empty: neither, or it is not time yet."""
        if self.pause_s != 0.0:
            return ""
        started = time.monotonic()
        tasks = tree.below(self.reaper)
        found = ""
        if self.pids is not None and sum(task.threads for task in tasks) > self.pids + OUR_PROCESSES:
            found = "processes"
        elif self.memory_bytes is not None and tree.memory_over(tasks, self.memory_bytes):
            found = "memory"
        ended = time.monotonic()
        self._next = ended + max(LEAST_PAUSE_S, (ended - started) / MOST_OF_THE_TIME)
        return found
