"""What is given is the same for every hand-in: its files are compiled once, and its programs run once, for all that are
graded with one build folder.

    BUILD/given/LAB/KEY/objects/...o    files of the harness that include nothing of a student's
    BUILD/given/LAB/KEY/runs/.../       programs without a student's file: ledger/run.json, metrics.json

KEY is made of compiler, simulator and pristine files, so that nothing old is ever used; an entry appears whole, by a
rename. No student code runs where it is made, or can write to it: counters of such runs need no replay to vouch for them."""
import functools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from . import build as building
from . import dependencies
from .backends import Backends
from .case import Case, Run
from .errors import InfraError
from .harness import harness_sha
from .labspec import Program
from .ledger import Ledger, key_of
from .paths import LabDirs, kept_dir
from .runs import run_from, to_table
from .staging import Stage

KEPT = 6  # folders of a lab: two compilers, and some builds of the simulator


class Given:
    def __init__(self, backends: Backends, dirs: LabDirs) -> None:
        self.spec, self.backends = backends.spec, backends
        self.stage = Stage(dirs.src, dirs.src)  # the pristine files themselves
        key = key_of(backends.setup.cuda, dependencies.tools(backends.all()),
                     harness_sha(dirs.lab, frozenset(self.spec.submit.files)))
        self.folder = kept_dir() / "given" / self.spec.id / key[:16]

    def sources(self, program: Program) -> list[str]:
        """The files of its harness that no file of a hand-in is included by."""
        if not self.backends.of(program.name).precompiles:
            return []
        handed_in = {self.stage.src / name for name in self.spec.submit.files}
        compiled = [name for name in program.harness if Path(name).suffix != ".py"]
        return [name for name in compiled if not handed_in.intersection(
            dependencies.files_of(_alone(program, name), self.stage))]

    def objects(self, program: Program) -> dict[str, Path]:
        return {name: self._object(program, name) for name in self.sources(program)}

    def missing(self, programs: Iterable[Program]) -> list[Callable[[], None]]:
        """What is to be done before objects() of these has something to show, each once."""
        wanted = {self._object(program, name): (program, name) for program in programs for name in self.sources(program)}
        return [functools.partial(self._compile, program, name, path)
                for path, (program, name) in wanted.items() if not path.is_file()]

    def _object(self, program: Program, name: str) -> Path:
        digest = dependencies.digest_of(self.backends.of(program.name), _alone(program, name), self.stage)
        return self.folder / "objects" / digest[:16] / f"{Path(name).stem}.o"

    def _compile(self, program: Program, name: str, path: Path) -> None:
        with self._place(path.parent) as place:
            built = building.build_object(self.backends.of(program.name), _alone(program, name), self.stage,
                                          place.folder / path.name)
            if built.path is None:
                raise InfraError(f"{name}, which is given, does not compile: {built.first_error}")
            place.complete = True

    def is_given(self, case: Case) -> bool:
        program = self.spec.find_program(case.program)
        return bool(self.backends.of(case.program).repeats and program.harness and not program.sources and not case.others
                    and not case.alone)

    def run(self, case: Case, key: str) -> Run | None:
        """What is known of it. key: of all that the run depends on and KEY does not cover."""
        place = self._run_place(case, key)
        table = Ledger(place).get("run", key)
        return None if table is None else run_from(table, case, place)

    def keep(self, case: Case, key: str, make: Callable[[Path], Run]) -> Run:
        """Runs it in a folder that becomes the entry. What went wrong is not kept."""
        final = self._run_place(case, key)
        shutil.rmtree(final, ignore_errors=True)  # damaged, or run() would have read it
        with self._place(final) as place:
            run = make(place.folder)
            if (run.state, run.code) != ("exit", 0):
                return run
            Ledger(place.folder).put("run", key, to_table(run, place.folder))
            place.complete = True
        return self.run(case, key) or run

    def _run_place(self, case: Case, key: str) -> Path:
        return self.folder / "runs" / f"{case.program}-{key_of(key, repr(case))[:16]}"

    def _place(self, final: Path) -> "_Place":
        if not self.folder.is_dir():
            self._forget_old()
        return _Place(final)

    def _forget_old(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        others = [folder for folder in self.folder.parent.iterdir() if folder != self.folder]
        for folder in sorted(others, key=lambda folder: folder.stat().st_mtime, reverse=True)[KEPT - 1:]:
            shutil.rmtree(folder, ignore_errors=True)


class _Place:
    """A folder that takes the name `final` when it is complete, unless another grader was first."""

    def __init__(self, final: Path) -> None:
        self.final, self.complete = final, False

    def __enter__(self) -> "_Place":
        self.final.parent.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix=".", dir=self.final.parent))
        self.folder.chmod(0o755)  # a sandbox's user starts in it
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self.complete:
                _make_ours(self.folder)
                os.rename(self.folder, self.final)
        except OSError:
            if not self.final.is_dir():
                raise
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


def _make_ours(folder: Path) -> None:
    """The user of a sandbox, who has written these files, is a student's at another time."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, os.geteuid(), os.getegid(), follow_symlinks=False)


def _alone(program: Program, name: str) -> Program:
    return replace(program, name=Path(name).stem, sources=(), harness=(name,))
