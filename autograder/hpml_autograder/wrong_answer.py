"""A known-wrong answer: the solution with a few lines changed, and what that must cost. Schema hpml.bad/v1, in
solutions/<lab>/bad/<name>.toml: it proves that a lab's tests see the mistake, and see nothing else."""
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .changes import Change, changed
from .collect import Collected
from .errors import UsageError
from .labspec import Test
from .paths import LabDirs
from .score import millipoints
from .strict import fill
from .verdict import Outcome, Verdict

SCHEMA = "hpml.bad/v1"


@dataclass(frozen=True)
class Loss:
    millipoints: int
    verdict: str
    words: str   # the message must hold them


@dataclass(frozen=True)
class WrongAnswer:
    schema: str
    reason: str               # what is wrong, in one sentence
    change: tuple[Change, ...]
    lost: dict[str, list]     # test -> [millipoints, verdict, words]; every other test earns full points
    full: bool = False        # only the full sizes show it
    only_full: tuple[str, ...] = ()  # lost tests that cost tens of seconds: the quick depth of `make check` leaves them out
    kept_with_nvcc: tuple[str, ...] = ()  # lost tests that cost nothing where nvcc compiles, because its code has no such mistake

    def losses(self, cuda: str = "clang") -> dict[str, Loss]:
        kept = self.kept_with_nvcc if cuda == "nvcc" else ()
        return {test: Loss(*entry) for test, entry in self.lost.items() if test not in kept}

    def apply(self, solution: Iterable[Collected]) -> list[Collected]:
        """The solution's files with the changes made. Raises UsageError for a change that fits nowhere or twice."""
        files = list(solution)
        texts = changed({file.name: file.content.decode() for file in files}, self.change)
        return [replace(file, content=texts[file.name].encode()) for file in files]


def folder(dirs: LabDirs) -> Path:
    return dirs.solution / "bad"


def names(dirs: LabDirs) -> list[str]:
    return sorted(path.stem for path in folder(dirs).glob("*.toml"))


def load(dirs: LabDirs, name: str) -> WrongAnswer:
    path = folder(dirs) / f"{name}.toml"
    if name not in names(dirs):
        raise UsageError(f"there is no {path}; known wrong answers: {', '.join(names(dirs))}")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from error
    answer = fill(WrongAnswer, table, str(path))
    if answer.schema != SCHEMA:
        raise UsageError(f"{path}: schema is '{answer.schema}', expected '{SCHEMA}'")
    complete = all(len(entry) == len(Loss.__annotations__) for entry in answer.lost.values())
    if not answer.change or not answer.lost or not complete:
        raise UsageError(f"{path}: expected a [[change]], and [lost] with test = [millipoints, verdict, words]")
    if not set(answer.only_full) < set(answer.lost):
        raise UsageError(f"{path}: only_full must name some of the tests in [lost], and not all")
    if not set(answer.kept_with_nvcc) <= set(answer.lost):
        raise UsageError(f"{path}: kept_with_nvcc must name tests in [lost]")
    return answer


def shows_it(answer: WrongAnswer, tests: Sequence[Test]) -> list[str]:
    """The tests that show this mistake soonest: those that it must lose, and one of the same programs that it must keep."""
    lost = [test for test in tests if test.id in answer.lost and test.id not in answer.only_full]
    programs = {test.params.get("program") for test in lost}
    kept = [test for test in tests if test.id not in answer.lost and test.kind != "perf" and test.max_millipoints]
    near = [test for test in kept if test.params.get("program") in programs]
    return [test.id for test in [*lost, *(near or kept)[-1:]]]


def losses(tests: Iterable[Test], outcomes: Mapping[str, Outcome]) -> dict[str, Loss]:
    """What each test did not earn; a test without points that fails loses 0 of them. A measurement that a busy machine
    leaves without a verdict is no loss."""
    lost = {}
    for test in tests:
        outcome = outcomes[test.id]
        missing = test.max_millipoints - millipoints(outcome, test.max_millipoints)
        failed = missing or (not test.max_millipoints and outcome.verdict is not Verdict.AC)
        if failed and not (test.kind == "perf" and outcome.verdict is Verdict.INC):
            lost[test.id] = Loss(missing, outcome.verdict.value, outcome.detail)
    return lost


def surprises(answer: WrongAnswer, tests: Iterable[Test], outcomes: Mapping[str, Outcome], cuda: str = "clang") -> list[str]:
    """Where the outcomes of these tests differ from what was declared for this compiler, a line each."""
    tests = list(tests)
    lost, found = losses(tests, outcomes), []
    declared = answer.losses(cuda)
    wanted = {test.id: declared[test.id] for test in tests if test.id in declared}
    for name in sorted(lost.keys() | wanted.keys()):
        got, expected = lost.get(name), wanted.get(name)
        if got is None:
            if outcomes[name].verdict is not Verdict.INC:
                found.append(f"{name}: expected to lose {expected}, lost nothing")
        elif expected is None:
            found.append(f"{name}: lost {got}, expected nothing")
        elif (got.millipoints, got.verdict) != (expected.millipoints, expected.verdict):
            found.append(f"{name}: expected to lose {expected}, lost {got}")
        elif expected.words not in got.words:
            found.append(f"{name}: expected the words {expected.words!r}, got {got.words!r}")
    return found
