"""Collects the hand-in of an assignment: the files that its lab names, out of a student's folder, the solution, or the
solution with a known mistake."""
from dataclasses import dataclass

from . import collect, wrong_answer
from .assignment import Assignment
from .collect import Collected


@dataclass(frozen=True)
class HandIn:
    files: list[Collected]

    @property
    def is_empty(self) -> bool:
        return all(file.state == collect.MISSING for file in self.files)

    @property
    def refused(self) -> dict[str, str]:
        """What was not taken, and why; the starter's file is in its place."""
        return {file.name: file.note for file in self.files if file.state == collect.REFUSED}


def collect_hand_in(assignment: Assignment) -> HandIn:
    """A bonus file that is missing is not missed."""
    spec, wrong = assignment.spec, assignment.request.wrong
    files = [file for file in collect.collect(assignment.source, spec.submit)
             if file.state != collect.MISSING or file.name not in spec.bonus_files]
    return HandIn(wrong_answer.load(assignment.dirs, wrong).apply(files) if wrong else files)
