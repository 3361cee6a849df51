"""Bounds what a piece of the grader's own code takes in memory and processor time, where what it reads was made by student
code: a file of some megabytes can ask for objects of some gigabytes."""
import contextlib
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

STATUS = Path("/proc/self/status")


AGAIN_S = 0.1  # of processor time: Python drops what is raised while it frees an object


class TooMuch(BaseException):
    """Words: what was exceeded. No `except Exception` of the code inside takes it for an error of its own."""


@contextlib.contextmanager
def bounded(memory_mb: int, cpu_s: float) -> Iterator[None]:
    """Raises TooMuch inside for more processor time, and for more memory than there is now plus memory_mb. The limit on
    memory holds for the whole process, so no other thread should be at work. The time is watched in the main thread only,
    where Python can be interrupted."""
    try:
        with _memory(memory_mb), _time(cpu_s):
            yield
    except MemoryError:
        raise TooMuch(f"more than {memory_mb} MB of memory") from None


@contextlib.contextmanager
def _memory(most_mb: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    _warm_up()
    wanted = _data_bytes() + (most_mb << 20)
    if soft != resource.RLIM_INFINITY:
        wanted = min(soft, wanted)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _warm_up() -> None:
    """BLAS takes its buffers at the first product, and ends the process where it gets none."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.ones((64, 64)) @ numpy.ones((64, 64))


def _data_bytes() -> int:
    """What RLIMIT_DATA counts: private memory that can be written (proc(5))."""
    for line in STATUS.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) << 10
    return 0


@contextlib.contextmanager
def _time(cpu_s: float) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooMuch(f"more than {cpu_s:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, cpu_s, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
