"""What can be wrong with a question file or a response file: told once, with its place."""
from dataclasses import dataclass
from pathlib import Path

from .paths import relative


class UsageError(Exception):
    """Bad input: exit code 2, one line that says what, where and how to mend it."""


class InfraError(Exception):
    """Our fault or the machine's: exit code 3."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a question."""
    file: Path
    line: int
    question: str
    reason: str

    def __str__(self) -> str:
        return f"{relative(self.file)}:{self.line}: {self.question}: {self.reason}"


class BadQuestion(UsageError):
    def __init__(self, problem: Problem):
        super().__init__(str(problem))
        self.problem = problem
