"""What a hand-in leaves may ask for more memory and time than the grader has: then a test fails with a reason."""
import json
import resource
import time
from pathlib import Path

import pytest
from hpml_autograder import judging, labspec
from hpml_autograder.bounded import TooMuch, bounded
from hpml_autograder.case import Case, Run
from hpml_autograder.check import Check, Context
from hpml_autograder.verdict import Outcome, Verdict

# The memory of the whole process is limited, and its time is watched in the main thread: a process of pytest-xdist has a
# thread beside, and does not always run its tests in the main one.
pytestmark = pytest.mark.alone
ONE_TEST = labspec.Test("T", "E", "correct", "public", 1000, "generator")
CONTEXT = Context(None, Path("/stage/src"), {}, "", "", "")


def judged(judge) -> Outcome:
    return judging._judge(Check(lambda test, context: [], judge), ONE_TEST, CONTEXT, [])


def test_more_memory_than_allowed_is_a_failed_test_with_a_reason_and_the_limit_ends_with_it():
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    outcome = judged(lambda test, context, runs: [bytearray(64 << 20) for _ in range(100)])
    assert outcome.verdict is Verdict.WA and "MB of memory" in outcome.detail
    assert resource.getrlimit(resource.RLIMIT_DATA) == limits
    assert len(bytearray(600 << 20)) == 600 << 20


def test_a_judge_that_does_not_end_is_stopped(monkeypatch):
    monkeypatch.setattr(judging, "CPU_S", 0.2)
    started = time.process_time()
    def endless(test, context, runs):
        while True:
            pass
    outcome = judged(endless)
    assert outcome.verdict is Verdict.WA and "processor time" in outcome.detail and time.process_time() - started < 5


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_judge_that_takes_being_stopped_for_an_error_is_stopped(monkeypatch):
    """Python drops an exception that is raised in __del__, so the timer has to raise it again."""
    monkeypatch.setattr(judging, "CPU_S", 0.1)
    stopped = []

    class Slow:
        def __del__(self):
            try:
                while True:
                    pass
            finally:
                stopped.append(True)

    def deaf(test, context, runs):
        Slow()
        while True:
            try:
                while True:
                    pass
            except Exception:
                stopped.append(False)
    outcome = judged(deaf)
    assert outcome.verdict is Verdict.WA and "processor time" in outcome.detail and stopped == [True]


def test_what_stays_within_its_bounds_is_not_disturbed():
    with bounded(64, 10):
        kept = bytearray(16 << 20)
    assert len(kept) == 16 << 20
    with pytest.raises(TooMuch, match="64 MB"), bounded(64, 10):
        json.loads("[" + "[],[[]]," * (1 << 20) + "0]")


def test_the_limit_is_on_what_is_added(monkeypatch):
    held = bytearray(300 << 20)
    with bounded(64, 10):
        assert len(held) and len(bytearray(8 << 20))
