"""What a back end is: one way to build a program, to launch it and to see what it did.

A lab names a back end for each of its programs (`backend = "native"` in lab.toml). A grading makes one instance of each
back end that the lab uses; nothing else of the grader knows what kind of program it has before it."""
import enum
import functools
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import process, sandbox, seeds, syscalls
from ..case import Case, Run
from ..data import Data
from ..errors import InfraError
from ..labspec import LabSpec, Program
from ..paths import ROOT, build_dir
from ..runs import DUMP
from ..staging import Stage

# How a file is started that is no program by itself; neither environment nor home changes what it imports.
START = {".py": ("/usr/bin/python3", "-s", "-E", "-B")}
KEPT_ENVIRONMENT = ("LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES")
OWN = "HPML_OWN"  # in a case's environment: a number for each rank, with commas between; a rank is told its own and no other
FILTER = "filter"  # of a run: the system calls that its worker leaves to student code
SCRATCH_MB = 256
IN_PROCESS = "in_process"  # trust: figures come from a process that student code shares


class Counted(enum.Enum):
    """Where the figures of a run (times, counters) are counted."""
    NOWHERE = "nowhere"  # it hands over data only, which the judges compare with their own: its figures are its word
    INSIDE = "inside"    # in a process that student code shares
    OUTSIDE = "outside"  # in a process without student code


@dataclass(frozen=True)
class Setup:
    """How one grading builds and runs, decided before the first file is collected."""
    gpu: str = ""           # simulated GPU; empty: no program of the lab runs on one
    cuda: str = ""          # front end of .cu files, nvcc or clang; empty: there are none
    target: str = "sim"     # "gpu": a real one
    trusted: bool = False   # figures for a score of record


@dataclass(frozen=True)
class Command:
    """One compilation: the words, the file it makes, and what it reads besides the staged files."""
    words: Sequence[str]
    output: Path
    reads: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Job:
    """One run: of which program, with what, where. `place` is an empty folder that becomes the run's own."""
    case: Case
    program: Path
    others: Mapping[str, Path]  # the programs that the case's arguments name
    place: Path
    limits: process.ProcessLimits


@dataclass(frozen=True)
class Library:
    """A library of this tree, by its folder in common/ as lab.toml names it ("nn", "nn/gemm"): a prebuilt archive, which
    holds all of this tree that it needs, and the folders of its headers."""
    name: str

    @property
    def target(self) -> str:
        return f"hpml_{self.name.replace('/', '_')}"

    @property
    def archive(self) -> Path:
        return build_dir() / "lib" / f"lib{self.target}.a"

    @property
    def reads(self) -> tuple[Path, ...]:
        """What a compiler reads of it: archive, its headers, and those of the floor that they include."""
        return self.archive, ROOT / "common" / self.name.split("/")[0], ROOT / "common" / "base"

    @property
    def header_words(self) -> list[str]:
        """For the compiler. Its headers are included by their path in this tree: "common/nn/tensor.hpp"."""
        if not all(path.exists() for path in self.reads):
            raise InfraError(f"the library '{self.name}' of this tree is not built ({self.archive.name}): run `make setup`")
        return [f"-I{ROOT}"]


class Backend:
    """Base of all back ends. A back end that differs overrides what differs; all methods may raise InfraError where this
    machine lacks something, and never for what student code does."""
    name = ""
    profile = "default"     # of the sandbox, for its runs
    counts = False          # its runs come with figures that it counted
    trust = IN_PROCESS      # how it counted them: the record's metrics_trust
    targets: tuple[str, ...] = ()   # CMake targets it needs
    made_of: tuple[Path, ...] = ()  # folders and files of this tree that decide what its runs are
    enters_filter = False   # its programs enter the filter of system calls themselves, where student code begins
    repeats = False         # equal programs give equal runs, so a run that is known need not be done again
    precompiles = False     # harness files take long to compile: their objects are kept for all hand-ins

    def __init__(self, spec: LabSpec, setup: Setup) -> None:
        self.spec, self.setup = spec, setup
        self.data = Data()
        self.key, self.scope = seeds.PUBLIC_KEY, seeds.COURSE

    @classmethod
    def settle(cls, spec: LabSpec, setup: Setup, asked: "Asked") -> Setup:
        """The setup with what this back end decides of it. Raises UsageError for a choice that cannot be had."""
        return setup

    def tools(self) -> list[Path]:
        """The compilers and tools as they are installed: another one, and nothing that was kept is used again."""
        return []

    def dialect(self, program: Program) -> tuple[str, ...]:
        """What of the setup decides how this program is compiled, besides its own entry in lab.toml."""
        return ()

    def command(self, program: Program, stage: Stage, sources: Sequence[str], output: Path) -> Command:
        raise NotImplementedError

    def counted(self, case: Case) -> Counted:
        """Where the figures of such a run are counted. Nothing of student code is OUTSIDE unless its back end sees to it."""
        return Counted.NOWHERE if self.has_student_code(case) else Counted.OUTSIDE

    def has_student_code(self, case: Case) -> bool:
        return any(self.spec.find_program(name).sources for name in (case.program, *case.others))

    def launch(self, job: Job) -> Run:
        """One run in a sandbox. The state of the run says how it ended; "infra" where this machine is at fault."""
        raise NotImplementedError

    def plain(self, job: Job) -> Run:
        """The program by itself. All it can write to the disk is its result: what else it sees is memory, counted and limited."""
        dump = job.place / DUMP
        dump.touch()
        return finished(job, self.jailed(job, jail=sandbox.Jail(write_files=(dump,)), cwd=job.place))

    def jailed(self, job: Job, before: Sequence[str] = (), jail: "sandbox.Jail | None" = None, cwd: Path | None = None,
               limits: process.ProcessLimits | None = None) -> process.Finished:
        """Runs the job's program behind the words `before`; `jail` says what it may see besides program and arguments."""
        case, jail = job.case, jail or sandbox.Jail()
        paths = {name: str(path) for name, path in job.others.items()}
        words = [word.format_map(paths) for word in case.args.split()]  # a path may hold spaces
        command = [*before, *START.get(job.program.suffix, ()), str(job.program), *words]
        env = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ} | dict(jail.env) | dict(case.env)
        if case.dump:
            env["HPML_DUMP"] = str(job.place / DUMP)
        read = (*map(visible, (job.program, *job.others.values())), *jail.read)
        program = self.spec.find_program(case.program)
        watched = self.has_student_code(case) and sandbox.detect().seccomp
        enters = self.enters_filter or not program.sources  # the latter are workers of the grader's
        if watched and enters:
            (job.place / FILTER).write_bytes(syscalls.program())
            env["HPML_FILTER"] = str(job.place / FILTER)
            read = (*read, job.place / FILTER)
        box = sandbox.Jail(read=read, write_files=jail.write_files, write_dirs=jail.write_dirs, env=env,
                           scratch_mb=jail.scratch_mb, profile=self.profile, real_gpu=self.setup.target == "gpu",
                           filtered=watched and not enters, forks=program.forks)
        return sandbox.run(command, box, limits or job.limits, cwd)


@dataclass(frozen=True)
class Asked:
    """What the command line asked of the setup."""
    gpu: str | None = None
    cuda: str = "auto"
    target: str = "sim"
    trusted: bool = False


def finished(job: Job, done: process.Finished) -> Run:
    """What came of a command, with the result it handed over, if it did."""
    dump = job.place / DUMP
    there = job.case.dump and dump.is_file() and not dump.is_symlink() and dump.stat().st_size > 0
    return Run(job.case, done.state, done.code, done.stdout, done.stderr, wall_s=done.wall_s, dump=dump if there else None)


def visible(program: Path) -> Path:
    """What of a program must be seen to run it: a Python file imports its neighbours."""
    return program.parent if program.suffix == ".py" else program


def installed(*names: str, path: str = "/usr/bin:/bin") -> list[Path]:
    return [Path(found) for name in names if (found := shutil.which(name, path=path))]


@functools.cache
def package_words(package: str, kind: str) -> tuple[str, ...]:
    """Words of a library of the system, by its pkg-config name: for the compiler (--cflags) or the linker (--libs)."""
    done = subprocess.run(["pkg-config", kind, package], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InfraError(f"the library {package} is not installed: run `make setup`")
    return tuple(done.stdout.split())
