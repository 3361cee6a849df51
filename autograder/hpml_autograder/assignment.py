"""What is to be graded and how: the command line's words, and the lab, back ends and hand-in folder they stand for."""
from dataclasses import dataclass
from pathlib import Path

from . import labspec, seeds
from .backends import Asked, Backends, settle
from .errors import UsageError
from .labspec import LabSpec, Test
from .paths import LabDirs, find_lab, kept_dir


@dataclass(frozen=True)
class Request:
    lab: str
    source: Path | None = None   # default: the lab's own src
    solution: bool = False
    wrong: str | None = None     # the solution with this known mistake
    gpu: str | None = None
    target: str = "sim"
    cuda: str = "auto"
    jobs: int = 2
    full: bool = False
    only: str | None = None      # some tests ("B1.build,B2.format") and what they require
    wall_s: int | None = None    # of a run, instead of the lab's limit
    trusted: bool = False        # counters and results of a score of record: counted outside the student's process
    feedback: bool = False       # no score of record: whatever sandbox there is will do
    fresh: bool = False          # compile and run again what is unchanged of the hand-in
    given: bool = False          # nothing but what is given
    key: bytes = seeds.PUBLIC_KEY


@dataclass(frozen=True)
class Assignment:
    """A request, with the lab it names opened."""
    request: Request
    spec: LabSpec
    dirs: LabDirs
    backends: Backends
    tests: tuple[Test, ...]  # those asked for

    @property
    def for_record(self) -> bool:
        return self.request.trusted and not self.request.feedback

    @property
    def source(self) -> Path:
        """The folder of the hand-in."""
        request = self.request
        return request.source or (self.dirs.solution if request.solution or request.wrong else self.dirs.src)


def open_assignment(request: Request) -> Assignment:
    """Raises UsageError where the request names what there is not, InfraError where this machine cannot do it."""
    dirs = find_lab(request.lab)
    spec = labspec.load(dirs.lab / "lab.toml")
    setup = settle(spec, Asked(request.gpu, request.cuda, request.target, request.trusted))
    opened = Assignment(request, spec, dirs, Backends(spec, setup), tuple(select(spec, request.only)))
    if not opened.source.is_dir():
        raise UsageError(f"{opened.source} is not a directory")
    return opened


def grading_folder(spec: LabSpec) -> Path:
    """Where this checkout's own files are graded; one command at a time (lock.py)."""
    return kept_dir() / "grade" / spec.id


def select(spec: LabSpec, only: str | None) -> list[Test]:
    """All tests, or some and what they require. only: names of tests (B2.time), of exercises (B2), or their beginnings
    (B2.correct), with commas between them."""
    if only is None:
        return list(spec.test)
    wanted: set[str] = set()
    names = {test.id for test in spec.test}
    for name in only.split(","):
        found = {name} & names or {test.id for test in spec.test if test.exercise == name or test.id.startswith(f"{name}.")}
        if not found:
            raise UsageError(f"{spec.id} has no test '{name}'; exercises: {', '.join(one.id for one in spec.exercise)}; "
                             f"tests: {', '.join(test.id for test in spec.test)}")
        wanted |= found
    for test in reversed(spec.test):
        if test.id in wanted:
            wanted.update(test.requires)
    return [test for test in spec.test if test.id in wanted]
