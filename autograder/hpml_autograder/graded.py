"""What came of grading one hand-in: all that the table and the record are made from."""
from collections.abc import Sequence
from dataclasses import dataclass

from . import collect, score
from .check import Context
from .first_wrong import FirstFailure, FirstWrong
from .labspec import LabSpec, Test
from .paths import LabDirs
from .runner import Runner
from .verdict import PENDING, Outcome


@dataclass(frozen=True)
class Graded:
    spec: LabSpec
    dirs: LabDirs
    context: Context
    files: list[collect.Collected]
    outcomes: dict[str, Outcome]
    runner: Runner
    standing: str       # "record", or "feedback": a score that a missing sandbox, or the student's own process, may have bent
    metrics_trust: str  # how the figures were counted that tests pay for
    wrong: tuple[FirstWrong | FirstFailure, ...] = ()  # what the debugger may begin with, in feedback

    def millipoints(self, test: Test) -> int:
        return score.millipoints(self.outcomes[test.id], test.max_millipoints)

    @property
    def tests(self) -> list[Test]:
        return [test for test in self.spec.test if test.id in self.outcomes]

    @property
    def required(self) -> list[Test]:
        """Without the bonuses."""
        return [test for test in self.tests if not self.spec.is_bonus(test)]

    @property
    def bonuses(self) -> list[Test]:
        return [test for test in self.tests if self.spec.is_bonus(test)]

    def earned(self, tests: Sequence[Test]) -> int:
        return sum(self.millipoints(test) for test in tests)

    @property
    def total(self) -> int:
        """Bonuses come on top."""
        return self.earned(self.tests)

    @property
    def pending(self) -> bool:
        return any(outcome.verdict in PENDING for outcome in self.outcomes.values())
