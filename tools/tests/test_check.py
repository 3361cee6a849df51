"""Does `make check` count rightly, and can a failing step hide?"""

import os
import subprocess
import sys
import time
from pathlib import Path

import check
import pytest
from hpml_check import paths, runner, times
from hpml_check.runner import Tally
from hpml_check.steps import Step

REPOSITORY = paths.ROOT
JUNIT = """<testsuite><testcase name="a"/><testcase name="b"><failure/></testcase>
<testcase name="c"><skipped/></testcase><testcase name="d"/></testsuite>"""


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "build/check"
    folder.mkdir(parents=True)
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(paths, "LOGS", folder)
    return folder


def python_step(name: str, code: str, **more: str) -> Step:
    return Step(name, "a step", [sys.executable, "-c", code], **more)


def run(*steps: Step) -> tuple[Tally, str]:
    said: list[str] = []
    return runner.run_all(list(steps), said.append), "\n".join(said)


def test_tests_of_a_suite_are_counted_one_by_one(logs: Path) -> None:
    write = f"open({str(logs / 'r.xml')!r}, 'w').write({JUNIT!r}); raise SystemExit(1)"
    tally, said = run(python_step("suite", write, junit="r.xml"))
    assert (tally.passed, tally.failed, tally.skipped) == (2, 1, 1)
    assert "1 skipped" in said


def test_a_failing_step_is_named_with_its_log_and_output() -> None:
    tally, said = run(python_step("broken", "print('the reason'); raise SystemExit(3)"), python_step("fine", "pass"))
    assert (tally.passed, tally.failed) == (1, 1)
    assert "the reason" in said and "FAILED: step broken" in said and "build/check/broken.log" in said


def test_a_suite_that_dies_before_it_reports_has_failed() -> None:
    tally, _ = run(python_step("suite", "pass", junit="never_written.xml"))
    assert (tally.passed, tally.failed) == (0, 1)


def test_results_of_an_earlier_run_are_not_taken_for_new_ones(logs: Path) -> None:
    (logs / "r.xml").write_text("<testsuite><testcase name='old'/></testsuite>")
    tally, _ = run(python_step("suite", "raise SystemExit(1)", junit="r.xml"))
    assert (tally.passed, tally.failed) == (0, 1)


def test_a_suite_with_a_bad_status_never_counts_as_passed(logs: Path) -> None:
    write = f"open({str(logs / 'r.xml')!r}, 'w').write('<t><testcase/></t>'); raise SystemExit(5)"
    tally, _ = run(python_step("suite", write, junit="r.xml"))
    assert tally.failed == 1


@pytest.mark.parametrize("terminal", [False, True])
def test_a_step_that_does_not_end_is_stopped_and_has_failed(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    # Commands that start in milliseconds, so that a busy machine does not stop the one that ends.
    monkeypatch.setattr(runner, "LONGEST_S", {False: 2, True: 2})
    monkeypatch.setattr(runner, "STARTED", time.monotonic())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setattr(os, "get_terminal_size", lambda *_: os.terminal_size((80, 24)))
    tally, said = run(Step("fine", "a step", ["true"]), Step("endless", "a step", ["sh", "-c", "echo so far; exec sleep 60"]))
    assert (tally.passed, tally.failed) == (1, 1)
    assert "so far" in said and "stopped 2 s after the first step began" in said and "FAILED: step endless" in said


def test_a_suite_that_is_stopped_tells_what_it_has_found_so_far(monkeypatch: pytest.MonkeyPatch, logs: Path) -> None:
    monkeypatch.setattr(runner, "LONGEST_S", {False: 1, True: 1})
    monkeypatch.setattr(runner, "STARTED", time.monotonic())
    waits = (f"import time\ntry:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n"
             f"    open({str(logs / 'r.xml')!r}, 'w').write('<t><testcase/><testcase/></t>'); raise SystemExit(2)")
    tally, _ = run(python_step("suite", waits, junit="r.xml"))
    assert (tally.passed, tally.failed) == (2, 1)


def test_a_test_that_does_not_end_is_named_with_its_stack_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text("import time\ndef test_endless():\n    time.sleep(60)\ndef test_other():\n    pass\n")
    (tmp_path / "short.py").write_text("from conftest import *\nLONGEST_TEST_S.update({False: 1, True: 1})\n")
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "short", "-p", "no:cacheprovider", "-n", "1", "-v", "test_two.py"],
                          cwd=tmp_path, env={**os.environ, "PYTHONPATH": f"{tmp_path}:{REPOSITORY}"}, capture_output=True,
                          text=True, check=False, timeout=200)
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout, done.stdout
    assert "test_two.py::test_endless" in done.stdout and "in test_endless" in done.stderr


def test_what_needs_a_failed_step_fails_too() -> None:
    tally, said = run(python_step("build", "raise SystemExit(1)"), python_step("test", "pass", needs="build"))
    assert tally.failed == 2
    assert "not run, because step build failed" in said


def test_a_step_that_cannot_run_here_says_so() -> None:
    tally, said = run(Step("format", "", [], absent="clang-format is not installed"))
    assert (tally.passed, tally.failed) == (0, 0)
    assert "not run: clang-format is not installed" in said


def test_a_trace_left_in_the_checkout_fails(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("/build/\n")
    tally, said = run(python_step("untidy", f"open({str(tmp_path / 'left')!r}, 'w')"))
    assert tally.failed == 1
    assert "left" in said and "FAILED: step tree" in said


def test_unknown_steps_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(["ctset"]) == 2
    assert "no step ctset" in capsys.readouterr().err


def test_times_name_the_steps_and_the_slowest_tests(logs: Path) -> None:
    (logs / "r.xml").write_text('<t><testcase classname="room" name="slow" time="9.5"/><testcase name="fast" time="0.1"/></t>')
    run(python_step("quick", "pass"))
    said = times.report()
    assert "quick" in said and said.index("9.5  room::slow") < said.index("0.1  None::fast")


def test_what_a_step_took_is_told_the_next_time(logs: Path) -> None:
    run(python_step("short", "pass"))
    assert runner.costs()["short"].wall_s > 0
    run(python_step("short", "raise SystemExit(1)"))
    assert runner.costs()["short"].wall_s > 0  # a failed run says nothing about the time


def test_the_goals_own_variables_do_not_reach_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in runner.GOAL_VARIABLES:
        monkeypatch.setenv(name, "1")
    assert not set(runner.GOAL_VARIABLES) & runner.environment().keys()
