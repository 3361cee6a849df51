"""Collects the hand-in of an assignment: the files that its lab names, out of a student's folder, the solution, or the
solution with a known mistake."""
from dataclasses import dataclass, replace

from . import collect, wrong_answer
from .assignment import Assignment
from .collect import Collected


@dataclass(frozen=True)
class HandIn:
    files: list[Collected]

    @property
    def sha256(self) -> str:
        return collect.submission_sha(self.files)

    @property
    def is_empty(self) -> bool:
        return all(file.state == collect.MISSING for file in self.files)

    @property
    def missing(self) -> dict[str, str]:
        """Note of each file that is not there. An exercise about one of them earns nothing, whatever its starter would."""
        return {file.name: file.note for file in self.files if file.state == collect.MISSING}

    @property
    def refused(self) -> dict[str, str]:
        """What was not taken, and why; the starter's file is in its place."""
        return {file.name: file.note for file in self.files if file.state == collect.REFUSED}


def collect_hand_in(assignment: Assignment) -> HandIn:
    """A bonus file that is missing is not missed."""
    spec, wrong = assignment.spec, assignment.request.wrong
    of_exercises = {exercise.file for exercise in spec.exercise}
    files = [replace(file, note=f"{file.note}; the starter's version is used")
             if file.state == collect.MISSING and file.name not in of_exercises else file
             for file in collect.collect(assignment.source, spec.submit)
             if file.state != collect.MISSING or file.name not in spec.bonus_files]
    return HandIn(wrong_answer.load(assignment.dirs, wrong).apply(files) if wrong else files)
