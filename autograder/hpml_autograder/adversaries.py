"""Grades hostile hand-ins (autograder/adversaries/NAME) as a score of record and says what came of each.

An attack is a folder with attack.toml and the files it hands in; the other files are the solution's, with the changes
that attack.toml names, so that what is lost is lost by the attack. @ROOT@ in a file stands for this checkout."""
import shutil
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import cgroup, labspec, pipeline
from .assignment import Request
from .changes import Change, changed
from .errors import UsageError
from .graded import Graded
from .paths import ROOT, find_lab
from .strict import fill

SCHEMA = "hpml.adversary/v1"
FOLDER = ROOT / "autograder" / "adversaries"


@dataclass(frozen=True)
class Attack:
    schema: str
    attack: str    # number in the catalogue: A01, ...
    lab: str
    reason: str
    test: str      # graded with what it requires
    points: int    # millipoints of these tests that its honest part earns
    verdicts: dict[str, list[str]]  # of each of these tests: what it may be
    wall_s: int | None = None
    needs: str | None = None         # of the machine, a key of NEEDS in tests/test_adversaries.py
    change: tuple[Change, ...] = ()  # of the solution's files


@dataclass(frozen=True)
class Result:
    name: str
    attack: Attack
    problems: tuple[str, ...]  # empty: repelled
    verdicts: str
    seconds: float


def load(folder: Path) -> Attack:
    attack = fill(Attack, tomllib.loads((folder / "attack.toml").read_text(encoding="utf-8")), f"{folder}/attack.toml")
    if attack.schema != SCHEMA:
        raise UsageError(f"{folder}/attack.toml: schema is '{attack.schema}', expected '{SCHEMA}'")
    return attack


def folders(lab: str | None = None, names: list[str] | None = None) -> list[Path]:
    found = [path.parent for path in sorted(FOLDER.glob("*/attack.toml"))]
    chosen = [path for path in found if (lab is None or load(path).lab == lab) and (not names or path.name in names)]
    if not chosen:
        raise UsageError(f"no such adversary; there are: {', '.join(path.name for path in found)}")
    return chosen


def hand_in(folder: Path, attack: Attack, into: Path) -> Path:
    """The solution with the attack's changes, and its files over it."""
    lab = find_lab(attack.lab)
    solution = _texts(lab.solution)
    taken = {name: solution[name] for name in labspec.load(lab.lab / "lab.toml").submit.files if name in solution}
    for name, text in (changed(taken, attack.change) | _texts(folder)).items():
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        (into / name).write_text(text.replace("@ROOT@", str(ROOT)), encoding="utf-8")
    return into


def _texts(folder: Path) -> dict[str, str]:
    """Files by their paths in the folder, which lab.toml names them by."""
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != "attack.toml"}


def run(folder: Path, cuda: str = "auto", feedback: bool = False) -> Result:
    attack, started = load(folder), time.monotonic()
    scratch = Path(tempfile.mkdtemp(prefix="hpml-adversary-"))
    try:
        request = Request(attack.lab, hand_in(folder, attack, scratch / "hand-in"), cuda=cuda,
                                   only=attack.test, wall_s=attack.wall_s, trusted=True, feedback=feedback)
        graded = pipeline.grade(request, scratch=scratch / "grading")
        problems = list(_wrong_verdicts(attack, graded))
        problems += _leftovers(scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    verdicts = ", ".join(f"{test} {outcome.verdict.value}" for test, outcome in graded.outcomes.items())
    return Result(folder.name, attack, tuple(problems), verdicts, time.monotonic() - started)


def _wrong_verdicts(attack: Attack, graded: Graded) -> Iterator[str]:
    for test, outcome in graded.outcomes.items():
        allowed = attack.verdicts.get(test, ["AC"])
        if outcome.verdict.value not in allowed:
            yield f"{test} is {outcome.verdict.value}, expected {' or '.join(allowed)}: {outcome.detail}"
        if outcome.verdict.value == "PV" and not outcome.detail:
            yield f"{test}: no reason is given"
        for secret in ("root:", "#include <stdlib.h>"):
            if secret in outcome.detail:
                yield f"{test}: its message tells '{secret}'"
    if graded.total > attack.points:
        yield f"{graded.total} millipoints, at most {attack.points} are honest"


def _leftovers(scratch: Path) -> Iterator[str]:
    """Mounts below our folder, processes that know it, and control groups of this grader: others' come and go meanwhile."""
    if str(scratch).encode() in Path("/proc/self/mounts").read_bytes():
        yield "a mount is left"
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(scratch).encode() in entry.read_bytes():
                yield f"process {entry.parent.name} is left"
        except OSError:
            continue
    for root in cgroup.hierarchy().roots:
        for left in root.glob(f"{cgroup.PREFIX}{cgroup.owner()}-*"):
            yield f"control group {left} is left"
