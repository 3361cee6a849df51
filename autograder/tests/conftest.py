import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
for folder in ("autograder", "labs/lab3_cuda/tests", "labs/lab3_cuda/bench"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

from hpml_autograder.case import Case, Run  # noqa: E402
from hpml_autograder.pipeline import Graded, Request, grade  # noqa: E402


@pytest.fixture(scope="session")
def known_runs() -> dict[tuple[str, Case], Run]:
    """Runs of lab 3's programs, shared by gradings of hand-ins that differ in one file."""
    return {}


@pytest.fixture(scope="session")
def lab3_solution(tmp_path_factory, known_runs) -> Graded:
    """The whole of lab 3 takes a minute and more: graded once for all tests that look at it."""
    return grade(Request("lab3", solution=True, cuda="clang"), scratch=tmp_path_factory.mktemp("grade"), known=known_runs)
