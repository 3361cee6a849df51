"""What the debugger begins with: `make lab3 debug PROG="matmult01 2"` starts at the last writer of the first wrong element of
a public test, or runs until the failure that ended the test's run. Schema hpml.wrong/v1, a file of the student's own build folder.

Only what the table has said of a public test in feedback is handed over, and the data of that run, which follows from the
public key."""
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .case import Run
from .check import load_data
from .data import Expected
from .errors import UsageError
from .labspec import Test
from .ledger import write_atomically
from .paths import kept_dir
from .seeds import PUBLIC_KEY
from .strict import fill
from .verdict import Outcome, Verdict

if TYPE_CHECKING:
    from .graded import Graded

SCHEMA = "hpml.wrong/v1"
PLACE = re.compile(r"; first (.+?): expected")
FAILURES = (Verdict.RE, Verdict.SG, Verdict.TO)


@dataclass(frozen=True)
class HandedOver:
    test: str
    program: str
    args: str
    env: dict[str, str]  # the data
    gpu: str

    @property
    def words(self) -> str:
        return f"{self.program} {self.args}".strip()

    def command(self, lab: str) -> str:
        return f'make {lab} debug PROG="{self.words}"'


@dataclass(frozen=True)
class FirstWrong(HandedOver):
    size: int            # elements of the result
    dtype: str           # numpy's word
    place: str           # of the first wrong one, in the judge's words: "C[0][1]"
    index: int           # the same, in the order in which the harness hands the result over
    expected: str
    got: str             # "nan": never written

    def offer(self, lab: str) -> str:
        return f"See {self.place} being written: {self.command(lab)}"


@dataclass(frozen=True)
class FirstFailure(HandedOver):
    """A run that ended with an error, that a signal ended, or that did not end."""
    verdict: str
    detail: str  # the reason of the lost point

    @property
    def endless(self) -> bool:
        return self.verdict == Verdict.TO.value

    def offer(self, lab: str) -> str:
        return f"{'Look into it while it runs' if self.endless else 'Stop where it fails'}: {self.command(lab)}"


def of(graded: "Graded") -> tuple[FirstWrong | FirstFailure, ...]:
    """Of each test the run that its reason names: shapes grow, so it is the smallest that is wrong or fails."""
    context = graded.context
    if graded.standing == "record" or context.key != PUBLIC_KEY or context.target != "sim":
        return ()
    found = (_of_test(graded, test) for test in graded.tests if test.visibility == "public")
    return tuple(one for one in found if one is not None)


def _of_test(graded: "Graded", test: Test) -> FirstWrong | FirstFailure | None:
    outcome = graded.outcomes[test.id]
    run = _named_run(graded.runner.runs.values(), outcome)
    if run is None:
        return None
    program = graded.spec.find_program(run.case.program)
    if program.backend != "gpusim" or not program.sources:
        return None
    if outcome.verdict in FAILURES:
        return FirstFailure(test.id, run.case.program, run.case.args, dict(run.case.env), run.case.gpu, outcome.verdict.value,
                            outcome.detail)
    result = load_data(graded.dirs.lab, graded.spec).result
    if outcome.verdict is not Verdict.WA or run.dump is None or result is None:
        return None
    named = PLACE.search(outcome.detail)
    return _compare(test.id, named[1] if named else "", run, result(run.case))


def _named_run(runs: Iterable[Run], outcome: Outcome) -> Run | None:
    """The run that the reason names. A wrong result is one that has been left."""
    wrong = outcome.verdict is Verdict.WA
    return next((run for run in runs if (run.dump is not None or not wrong) and not run.case.check
                 and f"`{run.case}`" in outcome.detail), None)


def _compare(test: str, place: str, run: Run, expected: Expected) -> FirstWrong | None:
    import numpy
    right = expected.values.reshape(-1)
    if run.dump is None or run.dump.stat().st_size != right.nbytes or not right.size:
        return None
    got = numpy.fromfile(run.dump, right.dtype)
    bound = expected.tolerance * max(1.0, float(numpy.abs(right).max()))
    bad = ~(numpy.abs(got.astype(float) - right) <= bound)
    if not bad.any():
        return None
    index = int(numpy.argmax(bad))
    return FirstWrong(test, run.case.program, run.case.args, dict(run.case.env), run.case.gpu, right.size, right.dtype.name,
                      place or f"element {index}", index, f"{right[index]:g}", f"{got[index]:g}")


def _file(lab: str) -> Path:
    return kept_dir() / "debug" / lab / "wrong.json"


def hand_over(lab: str, found: Iterable[FirstWrong | FirstFailure]) -> None:
    """Takes the place of what the test before has handed over."""
    path = _file(lab)
    entries: dict[str, list[dict[str, Any]]] = {"wrong": [], "failed": []}
    for one in found:
        entries["wrong" if isinstance(one, FirstWrong) else "failed"].append(asdict(one))
    if any(entries.values()):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps({"schema": SCHEMA, **entries}, indent=1) + "\n")
    else:
        path.unlink(missing_ok=True)


def take(lab: str, words: str) -> FirstWrong | FirstFailure | None:
    """What the last test handed over of this run; of a program without arguments, of its smallest wrong run, or the first that
    failed."""
    path = _file(lab)
    if not path.is_file():
        return None
    try:
        table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        known = table["schema"] == SCHEMA
        wrong = [fill(FirstWrong, entry, str(path)) for entry in table["wrong"] if known]
        failed = [fill(FirstFailure, entry, str(path)) for entry in table["failed"] if known]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path}: cannot be read ({error!r}); `make {lab} test` writes it again") from error
    asked = " ".join(words.split())
    exact = [one for one in (*wrong, *failed) if asked == " ".join(one.words.split())]
    of_program = (*sorted(wrong, key=lambda one: one.size), *failed)
    return next(iter([*exact, *(one for one in of_program if asked == one.program)]), None)

