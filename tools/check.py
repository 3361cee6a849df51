#!/usr/bin/python3
"""`make check`: every test of the project, for people and CI alike.

Runs the steps below in order, each with its output in build/check/<step>.log, goes on after a failure where that makes
sense, and ends with one plain line: "N passed, N failed" (tests, plus one for each step that is not a test suite).

    tools/check.py [STEP...]     all steps and the check that they left no trace in the checkout, or only the named ones

Exit codes: 0 all passed, 1 something failed, 2 usage.
"""

import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
ROOT = TOOLS.parent
LOGS = ROOT / "build/check"
PYTHON = "/usr/bin/python3"
JOBS = os.environ.get("JOBS") or str(len(os.sched_getaffinity(0)))


@dataclass(frozen=True)
class Step:
    name: str
    heading: str
    command: list[str]
    needs: str = ""         # a step that must have passed before
    junit: str = ""         # file under build/check with the results of the single tests
    absent: str = ""        # why the step cannot run on this machine; empty = it can


@dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0


def pytest_folders() -> list[str]:
    folders = ("tools/tests", "autograder", "labs", "quizzes", "simulator/metrics", "simulator/report",
               "simulator/validation")
    return [folder for folder in folders if any(ROOT.glob(f"{folder}/**/test_*.py"))]


def ctest(preset: str, *more: str) -> list[str]:
    return ["ctest", "--test-dir", f"build/{preset}", "--output-on-failure", "--no-tests=error", "-j", JOBS,
            "--timeout", "600", "--output-junit", str(LOGS / f"ctest_{preset}.xml"), *more]


def steps() -> list[Step]:
    no_formatter = subprocess.run([TOOLS / "format.sh", "--which"], capture_output=True, text=True, check=False).stderr
    return [
        Step("layers", "rooms use only what their doors allow", [PYTHON, "tools/check_layers.py"]),
        Step("sizes", "files and functions are small", [PYTHON, "tools/check_sizes.py"]),
        Step("format", "sources are formatted", ["tools/format.sh", "--check"], absent=no_formatter.strip()),
        Step("build", "configure and build everything", ["tools/build.sh", "all"]),
        Step("headers", "every header compiles alone", ["tools/build.sh", "headers_alone"]),
        Step("ctest", "unit and program tests", ctest("release"), needs="build", junit="ctest_release.xml"),
        Step("asan-build", "build with both sanitizers", ["tools/build.sh", "-p", "asan", "hpml_sanitized_tests"]),
        Step("asan-ctest", "unit tests under both sanitizers", ctest("asan", "-L", "sanitized"), needs="asan-build",
             junit="ctest_asan.xml"),
        Step("fuzz", "fuzz targets, a fixed number of inputs", ["tools/fuzz.sh"]),
        Step("pytest", "grader, tools and labs",
             [PYTHON, "-m", "pytest", "-q", "-ra", "-p", "no:cacheprovider", f"--junitxml={LOGS / 'pytest.xml'}",
              *pytest_folders()], needs="build", junit="pytest.xml"),
    ]


def count_junit(path: Path) -> Tally:
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
    result = dict(os.environ)
    result["PYTHONPATH"] = str(ROOT / "autograder")
    result["PYTHONDONTWRITEBYTECODE"] = "1"
    result["HPML_BUILD_DIR"] = str(ROOT / "build/release")
    # The goal's own variables would reach the makes and graders that tests start.
    for name in ("SOLUTION", "GPU", "TARGET", "CUDA", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        result.pop(name, None)
    return result


def run_command(step: Step) -> int:
    if step.junit:
        (LOGS / step.junit).unlink(missing_ok=True)
    with (LOGS / f"{step.name}.log").open("wb") as log:
        try:
            return subprocess.run(step.command, cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL, stdout=log,
                                  stderr=subprocess.STDOUT, check=False).returncode
        except OSError as error:
            log.write(f"{step.command[0]}: {error}\n".encode())
            return 3


def judge(step: Step, status: int) -> Tally:
    """A step without single tests counts as one; a suite that ends badly never counts as all passed."""
    junit = LOGS / step.junit if step.junit else None
    if junit is None or not junit.is_file():
        return Tally(passed=int(status == 0 and junit is None), failed=int(status != 0 or junit is not None))
    tally = count_junit(junit)
    if status != 0 and tally.failed == 0:
        tally.failed = 1
    return tally


def run_step(step: Step, failed: set[str], say: Callable[[str], None]) -> Tally:
    if step.absent:
        say(f"   not run: {step.absent}")
        return Tally()
    if step.needs in failed:
        say(f"   FAILED: not run, because step {step.needs} failed")
        return Tally(failed=1)
    start = time.monotonic()
    tally = judge(step, run_command(step))
    seconds = time.monotonic() - start
    skipped = f", {tally.skipped} skipped (named in the log)" if tally.skipped else ""
    if not tally.failed:
        say(f"   ok, {seconds:.1f} s, {tally.passed} passed{skipped}")
        return tally
    log = LOGS / f"{step.name}.log"
    tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-80:]
    say("\n".join(f"   | {line}" for line in tail))
    say(f"   FAILED: step {step.name}, {seconds:.1f} s, {tally.failed} failed{skipped}; log: {log.relative_to(ROOT)}")
    return tally


def git_status() -> str | None:
    """What git says of the tree, or None outside a checkout. The tree may belong to another user (a container)."""
    command = ["git", "-c", "safe.directory=*", "status", "--porcelain"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return result.stdout if result.returncode == 0 else None


def check_tree(before: str | None, say: Callable[[str], None]) -> Tally:
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


def run_all(chosen: list[Step], say: Callable[[str], None]) -> Tally:
    before = git_status()
    steps_tally = run_steps(chosen, say)
    tree = check_tree(before, say)
    return Tally(steps_tally.passed + tree.passed, steps_tally.failed + tree.failed, steps_tally.skipped)


def run_steps(chosen: list[Step], say: Callable[[str], None]) -> Tally:
    total = Tally()
    failed: set[str] = set()
    for number, step in enumerate(chosen, start=1):
        say(f"== {step.name} ({number}/{len(chosen)}): {step.heading}")
        tally = run_step(step, failed, say)
        if tally.failed:
            failed.add(step.name)
        total = Tally(total.passed + tally.passed, total.failed + tally.failed, total.skipped + tally.skipped)
    return total


def main(arguments: list[str]) -> int:
    every = steps()
    unknown = set(arguments) - {step.name for step in every}
    if unknown:
        names = ", ".join(step.name for step in every)
        print(f"check: no step {', '.join(sorted(unknown))}; steps: {names}", file=sys.stderr)
        return 2
    LOGS.mkdir(parents=True, exist_ok=True)

    def say(text: str) -> None:
        print(text, flush=True)

    start = time.monotonic()
    total = run_steps([step for step in every if step.name in arguments], say) if arguments else run_all(every, say)
    say(f"{time.monotonic() - start:.0f} s, {total.skipped} tests skipped")
    say(f"{total.passed} passed, {total.failed} failed")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
