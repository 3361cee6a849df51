"""`make lab1 bench`: the measurement series; nothing under the graded table yet measures on its own."""
from collections.abc import Callable, Sequence

from hpml_autograder.errors import UsageError
from hpml_autograder.pipeline import Graded, Request

Progress = Callable[[str], None]


def bench(request: Request, check: bool, progress: Progress) -> int:
    raise UsageError("lab1 has no measurement series yet; `make lab1 test` grades")


profile = reference = bench


def timing_rows(graded: Graded) -> list[Sequence[str]]:
    return []
