"""The first wrong element of a public test, handed over to the debugger: `make lab3 debug PROG="matmult01 2"` begins where it
was written last. Schema hpml.wrong/v1, a file of the student's own build folder.

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
from .ledger import write_atomically
from .paths import kept_dir
from .seeds import PUBLIC_KEY
from .strict import fill
from .verdict import Outcome, Verdict

if TYPE_CHECKING:
    from .graded import Graded

SCHEMA = "hpml.wrong/v1"
PLACE = re.compile(r"; first (.+?): expected")


@dataclass(frozen=True)
class FirstWrong:
    test: str
    program: str
    args: str
    env: dict[str, str]  # the data
    gpu: str
    size: int            # elements of the result
    dtype: str           # numpy's word
    place: str           # of the first wrong one, in the judge's words: "C[0][1]"
    index: int           # the same, in the order in which the harness hands the result over
    expected: str
    got: str             # "nan": never written

    @property
    def words(self) -> str:
        return f"{self.program} {self.args}".strip()

    def command(self, lab: str) -> str:
        return f'make {lab} debug PROG="{self.words}"'


def of(graded: "Graded") -> tuple[FirstWrong, ...]:
    """Of each test the run with a wrong result that its reason names: shapes grow, so it is the smallest that is wrong."""
    context = graded.context
    if graded.standing == "record" or context.key != PUBLIC_KEY or context.target != "sim":
        return ()
    data = load_data(graded.dirs.lab, graded.spec)
    if data.result is None:
        return ()
    found: list[FirstWrong] = []
    for test in graded.tests:
        outcome = graded.outcomes[test.id]
        run = _wrong_run(graded.runner.runs.values(), outcome)
        if test.visibility != "public" or run is None or graded.spec.find_program(run.case.program).backend != "gpusim":
            continue
        named = PLACE.search(outcome.detail)
        wrong = _compare(test.id, named[1] if named else "", run, data.result(run.case))
        if wrong:
            found.append(wrong)
    return tuple(found)


def _wrong_run(runs: Iterable[Run], outcome: Outcome) -> Run | None:
    """The run that the reason names, where it has left a result."""
    if outcome.verdict is not Verdict.WA:
        return None
    return next((run for run in runs if run.dump is not None and not run.case.check and f"`{run.case}`" in outcome.detail), None)


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


def hand_over(lab: str, found: Iterable[FirstWrong]) -> None:
    """Takes the place of what the test before has handed over."""
    path = _file(lab)
    entries = [asdict(one) for one in found]
    if entries:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps({"schema": SCHEMA, "wrong": entries}, indent=1) + "\n")
    else:
        path.unlink(missing_ok=True)


def take(lab: str, words: str) -> FirstWrong | None:
    """What the last test handed over of this run; of a program without arguments, of its smallest run."""
    path = _file(lab)
    if not path.is_file():
        return None
    try:
        table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        entries = [fill(FirstWrong, entry, str(path)) for entry in table["wrong"] if table["schema"] == SCHEMA]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path}: cannot be read ({error!r}); `make {lab} test` writes it again") from error
    asked = " ".join(words.split())
    exact = [one for one in entries if asked == " ".join(one.words.split())]
    of_program = sorted((one for one in entries if asked == one.program), key=lambda one: one.size)
    return next(iter([*exact, *of_program]), None)

