"""Whether a score may stand: asked of the back ends that ran what it pays for, and assumed of none."""
from collections.abc import Iterable, Mapping, Sequence

from .backends import Backends, Counted
from .backends.base import IN_PROCESS
from .case import Case
from .labspec import Test

RECORD, FEEDBACK = "record", "feedback"


def standing(for_record: bool, tests: Iterable[Test], plans: Mapping[str, Sequence[Case]], backends: Backends) -> str:
    """RECORD for a trusted grading without a test that pays for a figure which student code could have written."""
    return RECORD if for_record and not any(_is_word(test, plans[test.id], backends) for test in tests) else FEEDBACK


def _is_word(test: Test, cases: Iterable[Case], backends: Backends) -> bool:
    """Tests of kind perf pay for figures. The others compare a result with the judge's own, so it does not matter where
    it was made; but where figures are counted, they must not be counted inside the student's process. A test with
    `params = { figures = "elapsed" }` pays for how long whole runs took (Run.wall_s), which the grader takes."""
    where = {backends.of(case.program).counted(case) for case in cases}
    return Counted.INSIDE in where or (
        test.kind == "perf" and test.params.get("figures") != "elapsed" and Counted.NOWHERE in where)


def metrics_trust(backends: Backends) -> str:
    """The record's word for how figures were counted: of the back ends that count any."""
    return "+".join(sorted({backend.trust for backend in backends.all() if backend.counts})) or IN_PROCESS
