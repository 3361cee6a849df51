"""What the trusted replay of a run says (gpusim replay): schema gpusim/replay/v1, as a typed view.

A program that student code lives in can forge every number of its own process. For a score of record it runs under
`gpusim run --record`; the recording, which is data, is then done again by a process without student code, and counters
and results are taken from there."""
import json
from dataclasses import dataclass
from pathlib import Path

from .case import Copy
from .errors import InfraError

SCHEMA = "gpusim/replay/v1"
LAST = 1 << 62  # launches before what is kept of shared memory, when it is freed or the program ends
WHERE = "<recording>: error: "  # before the reason, for those who replay by hand


@dataclass(frozen=True)
class Replay:
    problem: str             # why the recording is none of an honest program; empty: it is
    complete: bool           # the program came to its end
    too_large: bool
    unrepeatable: str        # a call of a GPU library that only its own process can make; empty: none
    mismatches: int          # copies to the host that gave the program something else than its replay
    foreign_bytes: int       # that came from the host and were no part of the inputs
    ambiguous: int           # parts of inputs that look alike, where other data took their place
    alike: bool              # it makes the calls of the recording that it was compared with, but for a count
    check_errors: int        # found by the check tools, where they were asked for
    results: tuple[Copy, ...]  # what the program could read of the GPU's memory, in order

    @property
    def verdict(self) -> tuple[str, str]:
        """State of the run and why; ("exit", "") when there is nothing to say against it."""
        if self.too_large:
            return "output", "does too much with its GPU to be recorded, and was stopped"
        if self.problem:
            return "policy", "what it did with its GPU cannot be done again: " + self.problem.removeprefix(WHERE)
        if self.unrepeatable and not self.mismatches:
            return "unrepeatable", (f"cannot be graded for record: it uses {self.unrepeatable}, which the grader cannot "
                                    "do again outside the program")
        if not self.complete and not self.unrepeatable:
            return "ended_early", "the program ended without coming to its end (_exit, or its process was replaced)"
        if self.mismatches and self.foreign_bytes:
            return "policy", ("its results change when only the given inputs reach the GPU: "
                              f"{self.foreign_bytes} other bytes were uploaded")
        if self.mismatches:
            return "policy", f"{self.mismatches} copies from the GPU hold something else when its work is done again"
        return "exit", ""


def load(report: Path, outputs: Path) -> Replay:
    try:
        table = json.loads(report.read_text(encoding="utf-8"))
        if table["schema"] != SCHEMA:
            raise InfraError(f"{report.name} has schema '{table['schema']}', expected '{SCHEMA}'")
        results = tuple(Copy(outputs / Path(entry["file"]).name, int(entry.get("launches_before", LAST)))
                        for entry in table["transfers"] if "file" in entry)
        return Replay(str(table["problem"]), bool(table["complete"]), bool(table["too_large"]), str(table["unrepeatable"]),
                      int(table["mismatches"]), int(table["foreign_bytes"]),
                      int(table["ambiguous"]), bool(table["alike"]), int(table["check_errors"]), results)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InfraError(f"cannot read {report.name}: {error!r}") from error
