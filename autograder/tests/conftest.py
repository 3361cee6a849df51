import functools
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
for folder in ("autograder", "labs/lab3_cuda/judges", "labs/lab3_cuda/bench"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

from hpml_autograder.known import Known  # noqa: E402
from hpml_autograder.pipeline import Graded, Request, grade  # noqa: E402


@pytest.fixture(scope="session")
def known() -> Known:
    """Programs and their runs, shared by gradings of hand-ins that differ in one file."""
    return Known()


@pytest.fixture(scope="session")
def graded(tmp_path_factory, known) -> Callable[..., Graded]:
    """graded(lab, **request) grades a hand-in."""
    def one(lab: str, **request) -> Graded:
        return grade(Request(lab, **{"cuda": "clang", **request}), scratch=tmp_path_factory.mktemp("grade"), known=known)
    return one


@pytest.fixture(scope="session")
def solution_of(graded) -> Callable[[str], Graded]:
    """A lab's solution, graded once for all tests that look at it: the whole of lab 3 takes a minute and more."""
    return functools.cache(lambda lab: graded(lab, solution=True))
