"""What holds for every Python test of the repository: the two depths of `make check`, and which tests share a process.

Tests run side by side (pytest-xdist, --dist=loadgroup). The tests of one file stay together, because they share what the
file prepares; a test that names another group with @pytest.mark.xdist_group joins that. A test marked `alone` measures the
machine it runs on, so that nothing may run beside it. A test that does not end is ended, with the stacks of its threads."""
import faulthandler
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

from hpml_check import depth  # noqa: E402

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the grader has it (hpml_autograder/__init__.py), before a test imports NumPy

LONGEST_TEST_S = {False: 1200, True: 7200}  # by whether the depth is full; some four times what the slowest takes
errors = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[errors] = os.dup(2)  # what a test writes to its own is captured
    config.addinivalue_line("markers", "alone: measures this machine; nothing runs beside it")
    config.addinivalue_line("markers", "xdist_group(name): tests that share a process")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A process that is ended while it runs a test is a failure of that test, and pytest-xdist starts another process."""
    faulthandler.dump_traceback_later(LONGEST_TEST_S[depth.is_full()], exit=True, file=item.config.stash[errors])
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(tryfirst=True)  # before xdist, which writes the groups into the names
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not depth.is_full() and _whole_suite(config):
        entries = depth.full_only("pytest")
        dropped = [item for item in items if depth.left_out(item.nodeid, entries)]
        if dropped:
            config.hook.pytest_deselected(items=dropped)
            items[:] = [item for item in items if item not in set(dropped)]
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.split("::")[0]))


def _whole_suite(config: pytest.Config) -> bool:
    """Folders are being tested. Someone who names a file or a test wants what is named, at any depth."""
    return not any(".py" in argument for argument in config.args)
