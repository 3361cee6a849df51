"""Stages a hand-in, and says what of an earlier grading in the same folder may be used again."""
from dataclasses import dataclass
from pathlib import Path

from . import dependencies, seeds, staging
from .assignment import Assignment
from .handin import HandIn
from .harness import harness_sha
from .ledger import Ledger, key_of
from .staging import Stage


@dataclass(frozen=True)
class Staged:
    place: Stage
    ledger: Ledger
    key: str  # of what decides the score. For feedback without the hand-in, whose programs have keys of their own


def stage_hand_in(assignment: Assignment, hand_in: HandIn, folder: Path) -> Staged:
    """Every stage leaves a file, and what they say of the same programs is used again. For a score of record only when
    everything about the hand-in is the same; for feedback program by program."""
    request, dirs, files, setup = assignment.request, assignment.dirs, hand_in.files, assignment.backends.setup
    ledger = Ledger(folder)
    trust = "trusted" if setup.trusted else "in_process"
    how = (setup.gpu, setup.cuda, trust, setup.target, dependencies.tools(assignment.backends.all()))
    if not request.trusted:
        key = key_of(*how, harness_sha(dirs.lab, frozenset(file.name for file in files)))
        return Staged(staging.stage(folder, dirs, files, keep=not request.fresh), ledger, key)
    key = key_of(*how, harness_sha(dirs.lab), seeds.seed_id(request.key),
                 *(f"{file.name} {file.state} {file.sha256}" for file in files))
    place = staging.stage(folder, dirs, files, keep=ledger.get("stage", key) is not None)
    ledger.put("collect", key, {"files": [{"name": file.name, "state": file.state, "sha256": file.sha256,
                                           "bytes": len(file.content), "note": file.note} for file in files]})
    ledger.put("stage", key, {"how": " ".join(how[:4]), "files": sorted(str(path.relative_to(place.src))
                                                                        for path in place.src.rglob("*")
                                                                        if path.is_file())})
    return Staged(place, ledger, key)
