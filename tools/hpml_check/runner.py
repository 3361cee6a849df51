"""Runs steps, counts their tests, says what went wrong."""
import json
import os
import resource
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass

from . import depth, paths
from .steps import Step

# The goal's own variables would reach the makes and graders that tests start.
GOAL_VARIABLES = ("SOLUTION", "GPU", "TARGET", "CUDA", "FULL", "STEP", "MAKEFLAGS", "MFLAGS", "MAKELEVEL")
# All steps together, by whether the depth is full. Shorter than what CI allows, so that the log names the step that hangs.
LONGEST_S = {False: 5250, True: 6 * 3600}
STARTED = time.monotonic()
INTERRUPTIBLE = ("env", "--default-signal=INT")  # a shell's background jobs ignore it, and all that they start
STOPPED = 124  # status of a step that ended well when it was interrupted, as timeout(1) has it
Say = Callable[[str], None]


@dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)


@dataclass(frozen=True)
class Cost:
    wall_s: float
    cpu_s: float  # of its processes, but for those in a process namespace of their own (graded programs)


def count_junit(path: os.PathLike) -> Tally:
    tally = Tally()
    for case in ElementTree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            tally.failed += 1
        elif case.find("skipped") is not None:
            tally.skipped += 1
        else:
            tally.passed += 1
    return tally


def environment() -> dict[str, str]:
    result = {name: value for name, value in os.environ.items() if name not in GOAL_VARIABLES}
    result["PYTHONPATH"] = str(paths.ROOT / "autograder")
    result["PYTHONDONTWRITEBYTECODE"] = "1"
    result["HPML_BUILD_DIR"] = str(paths.ROOT / "build/release")
    return result


def run_command(step: Step, last_time: Cost | None) -> int:
    if step.junit:
        (paths.LOGS / step.junit).unlink(missing_ok=True)
    with (paths.LOGS / f"{step.name}.log").open("wb") as log:
        process = subprocess.Popen([*INTERRUPTIBLE, *step.command], cwd=paths.ROOT, env=environment(), stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=subprocess.STDOUT)
        limit_s = LONGEST_S[depth.is_full()]
        end = STARTED + limit_s
        if sys.stdout.isatty():
            show_progress(process, step, last_time, end)
        try:
            return process.wait(timeout=max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            log.write(f"stopped {limit_s} s after the first step began\n".encode())
            process.send_signal(signal.SIGINT)  # pytest then writes what it has found so far
            try:
                process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                process.terminate()
            return process.wait() or STOPPED


def show_progress(process: subprocess.Popen, step: Step, last_time: Cost | None, end: float) -> None:
    """Until the process or its time ends: one line, overwritten: the time it has run, what it took last time, and the last line that the step wrote."""
    start = time.monotonic()
    before = f" of {last_time.wall_s:.0f} last time" if last_time else ""
    file = paths.ROOT / step.progress if step.progress else paths.LOGS / f"{step.name}.log"
    while process.poll() is None and time.monotonic() < end:
        try:
            process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            text = f"   {time.monotonic() - start:.0f} s{before}  {last_line(file)}"
            sys.stdout.write(f"\r{text[:os.get_terminal_size().columns - 1]}\033[K")
            sys.stdout.flush()
    sys.stdout.write("\r\033[K")


def last_line(path: os.PathLike) -> str:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - 400))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return "".join(char for char in (lines or [""])[-1] if char.isprintable())


def judge(step: Step, status: int) -> Tally:
    """A step without single tests counts as one; a suite that ends badly never counts as all passed."""
    junit = paths.LOGS / step.junit if step.junit else None
    if junit is None or not junit.is_file():
        return Tally(passed=int(status == 0 and junit is None), failed=int(status != 0 or junit is not None))
    tally = count_junit(junit)
    if status != 0 and tally.failed == 0:
        tally.failed = 1
    return tally


def costs() -> dict[str, Cost]:
    """What each step took when it last passed."""
    try:
        table = json.loads((paths.LOGS / "times.json").read_text(encoding="utf-8"))
        return {name: Cost(**cost) for name, cost in table.items()}
    except (OSError, ValueError, TypeError):
        return {}


def keep_cost(step: Step, cost: Cost) -> None:
    table = {name: vars(one) for name, one in (costs() | {step.name: cost}).items()}
    (paths.LOGS / "times.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_step(step: Step, failed: set[str], say: Say) -> Tally:
    if step.absent:
        say(f"   not run: {step.absent}")
        return Tally()
    if step.needs in failed:
        say(f"   FAILED: not run, because step {step.needs} failed")
        return Tally(failed=1)
    start, cpu = time.monotonic(), children_cpu()
    tally = judge(step, run_command(step, costs().get(step.name)))
    cost = Cost(time.monotonic() - start, children_cpu() - cpu)
    skipped = f", {tally.skipped} skipped (named in the log)" if tally.skipped else ""
    if not tally.failed:
        keep_cost(step, cost)
        say(f"   ok, {cost.wall_s:.1f} s ({cost.cpu_s:.0f} s of processor time), {tally.passed} passed{skipped}")
        return tally
    log = paths.LOGS / f"{step.name}.log"
    tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-80:]
    say("\n".join(f"   | {line}" for line in tail))
    say(f"   FAILED: step {step.name}, {cost.wall_s:.1f} s, {tally.failed} failed{skipped}; "
        f"log: {log.relative_to(paths.ROOT)}")
    return tally


def git_status() -> str | None:
    """What git says of the tree, or None outside a checkout. The tree may belong to another user (a container)."""
    command = ["git", "-c", "safe.directory=*", "status", "--porcelain"]
    result = subprocess.run(command, cwd=paths.ROOT, capture_output=True, text=True, check=False)
    return result.stdout if result.returncode == 0 else None


def check_tree(before: str | None, say: Say) -> Tally:
    say("== tree: the checks left no trace")
    after = git_status()
    if before is None or after is None:
        say("   not run: not a git checkout")
        return Tally()
    if before == after:
        say("   ok")
        return Tally(passed=1)
    changes = set(after.splitlines()) ^ set(before.splitlines())
    say("\n".join(f"   | {line}" for line in sorted(changes)))
    say("   FAILED: step tree: git status differs from before the checks (above)")
    return Tally(failed=1)


def run_all(chosen: list[Step], say: Say) -> Tally:
    before = git_status()
    return run_steps(chosen, say) + check_tree(before, say)


def run_steps(chosen: list[Step], say: Say) -> Tally:
    total = Tally()
    failed: set[str] = set()
    for number, step in enumerate(chosen, start=1):
        say(f"== {step.name} ({number}/{len(chosen)}): {step.heading}")
        tally = run_step(step, failed, say)
        if tally.failed:
            failed.add(step.name)
        total += tally
    return total
