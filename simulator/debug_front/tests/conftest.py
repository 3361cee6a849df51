"""A program by each front end, and sessions with it."""
from pathlib import Path

import pytest
from debug_sessions import GPUSIM, HERE, Session, compile_program, has_nvcc


@pytest.fixture(scope="session", params=["clang", "nvcc"])
def program(request, tmp_path_factory) -> Path:
    """threads.cu by each front end that is here, with debug information."""
    if not GPUSIM.exists():
        pytest.skip(f"{GPUSIM} is not built")
    if request.param == "nvcc" and not has_nvcc():
        pytest.skip("no nvcc here")
    return compile_program(HERE / "threads.cu", tmp_path_factory.mktemp("debugged") / "threads", request.param, "-g")


@pytest.fixture
def session(program):
    opened = []

    def start(*arguments: str, options: tuple[str, ...] = ()) -> Session:
        opened.append(Session(program, *arguments, options=options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()
