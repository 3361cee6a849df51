"""Given: calls dp() of a student's file on data the grader chose. dp_worker.py FILE DATA N[,N...]

dp() lives in a process of its own, which is given numbers and gives numbers. This one prints a line per N: the result
with all its digits, the most bytes that the other held during the call beside A and B, and its processor time in ns.
Exit code 1: the student's part failed; 4: it did what it was not asked.
"""
import ctypes
import importlib.util
import mmap
import os
import resource
import struct
import sys
import time
import traceback
from pathlib import Path

import numpy as np

FAILED, POLICY = 1, 4
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, SIGKILL = 1, 4, 9
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, PR_SET_NO_NEW_PRIVS = 22, 2, 38
REQUEST, RESULT = struct.Struct("<qq"), struct.Struct("<d")
EMPTY_TABLE = b"5"  # written to clear_refs: the most memory held so far is forgotten (Linux, proc(5))


def splitmix(seed: int, n: int) -> np.ndarray:
    """The n first numbers of the generator, as the checker makes them: uniform in [-1, 1), multiples of 2^-23."""
    z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return ((z >> np.uint64(40)).astype(np.float64) * 2.0**-23 - 1.0).astype(np.float32)


def ramp(n: int, p: int, q: int, m: int, o: int) -> np.ndarray:
    return ((p * np.arange(n, dtype=np.int64) + q) % m - o).astype(np.float32)


def vectors(data: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    kind, _, rest = data.partition(":")
    if kind == "uniform":
        return splitmix(int(rest), n), splitmix(int(rest) ^ 1, n)
    if kind == "ints":
        numbers = [int(word) for word in rest.split(",")]
        return ramp(n, *numbers[:4]), ramp(n, *numbers[4:])
    a = np.full(n, 1.0, np.float32)
    if kind == "probe":
        a[0] = 4096.0
    return a, a.copy()


def load(path: Path):
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.dp


class SockProgram(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""
    _fields_ = [("count", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def enter_filter() -> None:
    """From here on, of the kernel only what the grader lists: common/worker/filter.hpp."""
    if "HPML_FILTER" not in os.environ:
        return
    program = Path(os.environ["HPML_FILTER"]).read_bytes()
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or prctl(
            PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(SockProgram(len(program) // 8, program)), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the filter of system calls cannot be used")


def serve(path: Path, memory: mmap.mmap, requests: int, answers: int) -> None:
    """The side that student code lives in: a size comes in, a result goes out."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, SIGKILL)
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1)  # its memory may be looked at
    nothing = os.open("/dev/null", os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))  # neither processes nor threads; root is not limited
    enter_filter()
    shared = np.frombuffer(memory, np.float32)
    half = len(shared) // 2
    dp = load(path)
    while request := os.read(requests, REQUEST.size):
        n, touched = REQUEST.unpack(request)
        shared[:touched].sum(), shared[half:half + touched].sum()  # memory counts from when it is first touched
        os.write(answers, RESULT.pack(float(dp(n, shared[:n], shared[half:half + n]))))


class Host:
    """The other process, seen from outside: what it is asked, what it answers, what that took."""

    def __init__(self, path: Path, most: int) -> None:
        self.memory = mmap.mmap(-1, 2 * 4 * most)
        self.shared = np.frombuffer(self.memory, np.float32)
        (theirs, self.requests), (self.answers, their_answers) = os.pipe(), os.pipe()
        self.child = os.fork()
        if self.child == 0:
            os.close(self.requests)
            os.close(self.answers)
            try:
                serve(path, self.memory, theirs, their_answers)
            except BaseException:  # also SystemExit: it is asked for a result
                traceback.print_exc()
            os._exit(FAILED)
        os.close(theirs)
        os.close(their_answers)

    def put(self, n: int, a: np.ndarray, b: np.ndarray) -> None:
        half = len(self.shared) // 2
        self.shared[:n], self.shared[half:half + n] = a, b

    def call(self, n: int, touched: int = 0) -> float:
        try:
            os.write(self.requests, REQUEST.pack(n, touched))
        except BrokenPipeError:
            self.ended()
        answer = os.read(self.answers, 4096)
        if not answer:
            self.ended()
        if len(answer) != RESULT.size:
            stop(POLICY, "something else than the grader has answered in its place")
        return RESULT.unpack(answer)[0]

    def ended(self) -> None:
        _, status = os.waitpid(self.child, 0)
        if os.WIFSIGNALED(status):
            stop(128 + os.WTERMSIG(status), f"killed by signal {os.WTERMSIG(status)}")
        code = os.WEXITSTATUS(status)
        stop(FAILED, "it ended the program instead of returning a result" if code == 0 else "")

    def cpu_ns(self) -> int:
        return time.clock_gettime_ns((~self.child << 3) | 2)  # the clock of another process: clock_getcpuclockid(3)

    def held_bytes(self, forget: bool = False) -> int:
        """The most memory that it has held since it was told to forget."""
        try:
            if forget:
                with open(f"/proc/{self.child}/clear_refs", "wb", buffering=0) as file:
                    file.write(EMPTY_TABLE)
            with open(f"/proc/{self.child}/status", encoding="ascii") as file:
                return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))
        except (OSError, StopIteration):
            stop(POLICY, "its memory cannot be looked at")


def stop(code: int, why: str) -> None:
    if why:
        print(f"dp_worker: {why}", file=sys.stderr)
    sys.stdout.flush()
    os._exit(code)


def main(path: str, data: str, sizes: str) -> None:
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)  # the other process runs as the same user, and must not look in here
    host = Host(Path(path).resolve(), max(map(int, sizes.split(","))))
    for n in map(int, sizes.split(",")):
        host.put(n, *vectors(data, n))
        host.call(1, touched=n)  # what is imported or set up at the first call is not held by the next
        before, cpu = host.held_bytes(forget=True), host.cpu_ns()
        result = host.call(n)
        print(f"{result!r} {host.held_bytes() - before} {host.cpu_ns() - cpu}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
