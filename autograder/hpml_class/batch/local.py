"""Runs the hand-ins of a batch on this machine, some at a time, each in a process of its own. Interrupted, it ends them and
leaves nothing behind; what was graded by then is kept.

Memory is bounded by the number of workers: a worker holds one hand-in and ends with it, and this process keeps a line of
text for each.
"""
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from hpml_autograder import labspec
from hpml_autograder.paths import find_lab

from ..errors import InfraError
from ..progress import Progress
from . import worker
from . import plan as plans
from .plan import Plan
from .store import Store

TRIES = 2           # of one hand-in in one run, when a worker dies or cannot grade
STDERR_KEEP = 2000
OTHER_WORK_S = 1800  # of a hand-in, besides compiling and what does not end, on a busy machine
GRACE_S = 5.0       # for a worker that is told to end
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Result:
    index: int
    problem: str = ""  # why there is no record


class Workers:
    """The workers that run at the moment, so that all of them can be told to end."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._children: set[subprocess.Popen] = set()

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def add(self, child: subprocess.Popen) -> None:
        self._children.add(child)
        if self.stopping:
            child.terminate()

    def remove(self, child: subprocess.Popen) -> None:
        self._children.discard(child)

    def stop(self) -> None:
        """Each puts away what it has made; who takes longer than the grace is killed."""
        self._stopping.set()
        for child in tuple(self._children):
            child.terminate()
        end = time.monotonic() + GRACE_S
        while self._children and time.monotonic() < end:
            time.sleep(0.02)
        for child in tuple(self._children):
            child.kill()


def unsettled(out: Path, plan: Plan, indices: Iterable[int]) -> list[int]:
    """Those that no earlier run has settled: new, changed, failed, or graded with another harness, key or target."""
    store, dirs = Store(out, plans.read_key(plan)), find_lab(plan.lab)
    spec = labspec.load(dirs.lab / "lab.toml")
    settings = worker.settings_of(plans.load_grader(plan), plan, dirs)
    left = []
    for index in indices:
        handin = plan.handins[index]
        pointer = store.pointer(handin.id)
        same = pointer is not None and pointer.identity == settings and store.settled(pointer.key)
        if not same or store.problem(handin.id) or pointer.stamp != worker.stamp_of(handin, dirs, spec):
            left.append(index)
    return left


def run(out: Path, plan: Plan, indices: Sequence[int], jobs: int, progress: Progress) -> list[Result]:
    """Grades them all; a hand-in that cannot be graded is a Result with a problem and stops nobody else. Where there are
    fewer hand-ins than jobs, each has several runs at a time."""
    results, workers = [], Workers()
    runs = max(1, jobs // max(1, len(indices)))
    worker.put_scratch_away()
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        try:
            pinned = plans.pin(plan, out)
            running = [pool.submit(_grade, out, plan, pinned, index, runs, workers) for index in indices]
            for done in as_completed(running):
                result = done.result()
                results.append(result)
                name = plan.handins[result.index].id
                progress.step(f"{name}: {result.problem}" if result.problem else name)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            workers.stop()
            raise
        finally:
            worker.put_scratch_away()
    return sorted(results, key=lambda result: result.index)


def _grade(out: Path, plan: Plan, pinned: str, index: int, runs: int, workers: Workers) -> Result:
    problem = ""
    for _ in range(TRIES):
        try:
            problem = _attempt(out, plan, pinned, index, runs, workers)
        except subprocess.TimeoutExpired as error:
            problem = f"no result within {error.timeout:.0f} s; the worker was stopped"
            break  # a second time would take as long
        if not problem or workers.stopping:  # what we stopped is no failure: the next run grades it
            return Result(index, problem)
    Store(out).note_problem(plan.handins[index].id, problem)
    return Result(index, problem)


def _attempt(out: Path, plan: Plan, pinned: str, index: int, runs: int, workers: Workers) -> str:
    command = [sys.executable, "-B", "-m", "hpml_class.batch.worker", str(out), pinned, str(index), str(runs)]
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 env=worker_environment(), preexec_fn=_die_with_parent, start_new_session=True)
    except OSError as error:
        raise InfraError(f"cannot start a worker: {error.strerror}") from error
    workers.add(child)
    try:
        _, said = child.communicate(timeout=plan.timeout_s or longest_s(plan))
    finally:
        workers.remove(child)
        _kill(child)
    if child.returncode == 0:
        return ""
    lines = said.decode("utf-8", "replace")[-STDERR_KEEP:].strip().splitlines()
    if child.returncode < 0:
        return f"the worker was killed by signal {-child.returncode}"
    return lines[-1] if lines else f"the worker ended with exit code {child.returncode}"


def longest_s(plan: Plan) -> int:
    """A hand-in whose programs do not end is stopped run by run, and gets a record; who takes longer is stuck."""
    return OTHER_WORK_S + labspec.load(find_lab(plan.lab).lab / "lab.toml").longest_s


def worker_environment() -> dict[str, str]:
    """The worker finds this package where we have it; it inherits nothing else that could change a record."""
    kept = ("PATH", "HOME", "LANG", "TMPDIR", "HPML_BUILD_DIR", "HPML_SCRATCH", "HPML_FEEDBACK", "CUDA_PATH")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    return {**environment, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "PYTHONDONTWRITEBYTECODE": "1"}


def _die_with_parent() -> None:
    """A killed batch leaves no workers behind (prctl(2)); bubblewrap does the same for what they run."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _kill(child: subprocess.Popen) -> None:
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    child.wait()
    if child.stderr is not None:
        child.stderr.close()
