"""lab.toml, schema hpml.lab/v1: what a lab builds, runs, limits and pays points for."""
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import UsageError
from .strict import fill

SCHEMA = "hpml.lab/v1"
KINDS = ("build", "policy", "correct", "perf", "quiz")
VISIBILITIES = ("public", "hidden", "after_due")
MOST_FILES, MOST_BYTES = 64, 1 << 20  # of a hand-in (autograder specification, section 2)
MOST_OF_A_LIMIT = 1 << 20
APT_NAME = re.compile(r"[a-z0-9][a-z0-9.+-]+")
SIMULATED = ("gpusim", "smpi", "relay")  # back ends whose times are the same on every machine
MOST_ENDLESS = 3  # runs of a program, in one exercise, that may take until they are stopped


@dataclass(frozen=True)
class Submit:
    files: tuple[str, ...]    # names in `src` that a student hands in
    max_bytes: int = 1 << 16  # of each file, in bytes


@dataclass(frozen=True)
class Build:
    """For every program of the lab; a program's own std and flags come after these. once: a student's file is compiled once
    for all programs, with these flags and those of the file; a program's own flags, packages and libraries are for its harness
    and its linker."""
    std: str = "c++20"             # standard of C++
    flags: tuple[str, ...] = ("-O2",)  # of the compiler
    timeout_s: int = 120           # seconds that compiling one program may take
    memory_mb: int = 4096          # that a compiler may use, in MiB
    once: bool = False             # compile each file of a hand-in once for all programs
    file_flags: dict[str, tuple[str, ...]] = field(default_factory=dict)  # file -> its flags, where `once` holds


@dataclass(frozen=True)
class Gate:
    """What the student's object files may hold (gate.py). Patterns as the shell's."""
    exports: tuple[str, ...] = ()          # names they may define although a library of the system does
    allow_undefined: tuple[str, ...] = ()  # functions they call; none: any that is not forbidden
    forbidden: tuple[str, ...] = ()        # besides those that no lab allows
    instead: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what to write instead -> the refused names it is told of
    init_array: int = 0                    # functions before main, besides CUDA's own in a .cu file


@dataclass(frozen=True)
class Limits:
    """Of each run. A back end that starts many processes adds what these need to pids."""
    wall_s: int = 60       # seconds
    cpu_s: int = 60        # seconds of processor time, of all its processes
    memory_mb: int = 4096  # MiB of memory
    fsize_mb: int = 64     # MiB of a file that it writes
    output_kb: int = 64    # KiB that it prints
    pids: int = 64         # processes and threads


@dataclass(frozen=True)
class Sandbox:
    min_level: str = "L3"  # L0 to L4; below it a score is feedback and none of record


@dataclass(frozen=True)
class Program:
    """C, C++ or CUDA sources, or one Python file; without any source, the tool of that name in the build directory."""
    name: str                         # which tests and PROG= call it by
    backend: str                      # how it is built and run: a name of backends.KINDS
    sources: tuple[str, ...] = ()     # the student's
    harness: tuple[str, ...] = ()     # ours, pristine
    std: str = ""                     # instead of the lab's
    flags: tuple[str, ...] = ()       # of this program alone
    packages: tuple[str, ...] = ()    # pkg-config names of the system's libraries it links
    libraries: tuple[str, ...] = ()   # libraries of this tree it links: "nn", "nn/gemm"
    forks: bool = False               # its harness starts processes of its own, so that student code can as well

    @property
    def is_tool(self) -> bool:
        return not self.sources and not self.harness


@dataclass(frozen=True)
class Exercise:
    id: str              # such as "A2", which TEST= takes
    title: str           # in the table
    file: str            # that the student edits for it
    first_step: str      # what to do first, in the imperative, for the line behind the table
    bonus: bool = False  # its points come on top of the lab's total, and nobody loses any


@dataclass(frozen=True)
class Test:
    id: str                      # such as "A2.loads", which TEST= takes
    exercise: str                # id of its exercise
    kind: str                    # build, policy, correct, perf, quiz
    visibility: str              # public, hidden (its runs are not shown), after_due
    max_millipoints: int         # a thousandth of a point each
    generator: str               # name of the plan and the judge in judges/checks.py
    params: dict[str, Any] = field(default_factory=dict)  # for these
    shapes: tuple[str, ...] = ()  # program arguments of each run
    requires: tuple[str, ...] = ()  # ids of earlier tests that must pass first


@dataclass(frozen=True)
class LabSpec:
    schema: str             # "hpml.lab/v1"
    id: str                 # such as "lab3", as its folder's name begins
    title: str              # above the table
    version: str            # of the lab, for people
    total_millipoints: int  # of all tests but those of bonuses: a check of the sums
    floor_millipoints: int  # what the unmodified starter earns
    submit: Submit          # what is handed in
    program: tuple[Program, ...]    # what is built
    exercise: tuple[Exercise, ...]  # rows of the table
    test: tuple[Test, ...]  # in the order of the table
    build: Build = Build()  # how it is compiled
    limits: Limits = Limits()     # of each run
    sandbox: Sandbox = Sandbox()  # how much protection a score of record needs
    bonus_millipoints: int = 0  # of the bonus exercises together
    elsewhere_millipoints: int = 0  # of tests that a student release leaves out
    gate: Gate = Gate()  # what object files may hold
    gpu: str = ""  # that CUDA programs are simulated on; empty: the lab has none
    apt: tuple[str, ...] = ()    # packages of the distribution that this lab needs besides those of every lab: compilers, libraries
    tools: tuple[str, ...] = ()  # CMake targets that its bench needs besides those of its programs

    def uses(self, backend: str) -> bool:
        return any(program.backend == backend for program in self.program)

    @property
    def bonus_files(self) -> frozenset[str]:
        """Those that nobody has to hand in: no exercise but a bonus is about them."""
        return frozenset(exercise.file for exercise in self.exercise if exercise.bonus) - {
            exercise.file for exercise in self.exercise if not exercise.bonus}

    @property
    def longest_s(self) -> int:
        """What grading may take at most, where nothing of a hand-in ends by itself."""
        asked = {(test.exercise, value) for test in self.test for value in test.params.values() if isinstance(value, str)}
        own = [program.name for program in self.program if program.sources]
        return (self.build.timeout_s * len(own)
                + MOST_ENDLESS * self.limits.wall_s * sum(value in own for _, value in asked))

    def exercise_of(self, test: Test) -> Exercise:
        return next(exercise for exercise in self.exercise if exercise.id == test.exercise)

    def is_bonus(self, test: Test) -> bool:
        return self.exercise_of(test).bonus

    def measures(self, test: Test) -> bool:
        """Whether its outcome is this machine's: times of programs whose time is not simulated."""
        name = test.params.get("program")
        return test.kind == "perf" and not any(
            program.backend in SIMULATED for program in self.program if name in (None, program.name))

    def find_program(self, name: str) -> Program:
        return next(program for program in self.program if program.name == name)


def load(path: Path) -> LabSpec:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error
    spec = fill(LabSpec, table, str(path))
    _validate(spec, str(path))
    return spec


def _validate(spec: LabSpec, where: str) -> None:
    if spec.schema != SCHEMA:
        raise UsageError(f"{where}: schema is '{spec.schema}', this grader reads '{SCHEMA}'")
    _validate_files(spec, where)
    _validate_build(spec, where)
    _validate_numbers(spec, where)
    ids = [test.id for test in spec.test]
    exercises = {exercise.id for exercise in spec.exercise}
    programs = {program.name for program in spec.program}
    for position, test in enumerate(spec.test):
        if test.id in ids[:position]:
            raise UsageError(f"{where}: test id '{test.id}' occurs twice")
        if test.kind not in KINDS or test.visibility not in VISIBILITIES:
            raise UsageError(f"{where}: test '{test.id}': unknown kind '{test.kind}' or visibility '{test.visibility}'")
        if test.exercise not in exercises:
            raise UsageError(f"{where}: test '{test.id}': no exercise '{test.exercise}'")
        if "program" in test.params and test.params["program"] not in programs:
            raise UsageError(f"{where}: test '{test.id}': no program '{test.params['program']}'")
        for required in test.requires:
            if required not in ids[:position]:
                raise UsageError(f"{where}: test '{test.id}' requires '{required}', which no earlier test is called")
    if spec.uses("gpusim") and not spec.gpu:
        raise UsageError(f"{where}: a program has the back end gpusim, but no gpu is named")
    for name, bonus in (("total_millipoints", False), ("bonus_millipoints", True)):
        total = sum(test.max_millipoints for test in spec.test if spec.is_bonus(test) is bonus)
        if total != getattr(spec, name):
            raise UsageError(f"{where}: {'bonus ' if bonus else ''}tests add up to {total} millipoints, {name} says "
                             f"{getattr(spec, name)}")


def _validate_build(spec: LabSpec, where: str) -> None:
    if spec.build.file_flags and not spec.build.once:
        raise UsageError(f"{where}: build.file_flags: only files that are compiled once have flags of their own; set once = true")
    for name in spec.build.file_flags:
        if name not in spec.submit.files:
            raise UsageError(f"{where}: build.file_flags: '{ascii(name)}' is no file that is handed in")


def _validate_files(spec: LabSpec, where: str) -> None:
    """Names come from the lab and are opened in a hand-in and in our folders: plain ones, below the folder."""
    for package in spec.apt:
        if not APT_NAME.fullmatch(package):
            raise UsageError(f"{where}: apt: '{ascii(package)}' is no name of a package")
    for name in (*spec.submit.files, *(file for one in spec.program for file in (*one.sources, *one.harness)),
                 *(program.name for program in spec.program)):
        parts = name.split("/")
        if any(part in ("", ".", "..") or not part.isprintable() or part.startswith("-") for part in parts):
            raise UsageError(f"{where}: '{ascii(name)}' is no name of a file below the lab's folder")
    if len(spec.submit.files) > MOST_FILES or not 0 < spec.submit.max_bytes <= MOST_BYTES:
        raise UsageError(f"{where}: at most {MOST_FILES} files of at most {MOST_BYTES} bytes can be handed in")


def _validate_numbers(spec: LabSpec, where: str) -> None:
    numbers = {"build.timeout_s": spec.build.timeout_s, "build.memory_mb": spec.build.memory_mb,
               "limits.wall_s": spec.limits.wall_s, "limits.cpu_s": spec.limits.cpu_s,
               "limits.memory_mb": spec.limits.memory_mb, "limits.fsize_mb": spec.limits.fsize_mb,
               "limits.output_kb": spec.limits.output_kb, "limits.pids": spec.limits.pids}
    for name, value in numbers.items():
        if not 0 < value <= MOST_OF_A_LIMIT:
            raise UsageError(f"{where}: {name} = {value} is no limit; 1 to {MOST_OF_A_LIMIT}")
    for test in spec.test:
        if test.max_millipoints < 0:
            raise UsageError(f"{where}: test '{test.id}' has {test.max_millipoints} millipoints")
