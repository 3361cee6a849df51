"""lab.toml, schema hpml.lab/v1: what a lab builds, runs, limits and pays points for."""
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import UsageError
from .strict import fill

SCHEMA = "hpml.lab/v1"
KINDS = ("build", "policy", "correct", "perf", "quiz")
VISIBILITIES = ("public", "hidden", "after_due")


@dataclass(frozen=True)
class Submit:
    files: tuple[str, ...]
    max_bytes: int


@dataclass(frozen=True)
class Build:
    kind: str
    std: str
    flags: tuple[str, ...]
    timeout_s: int
    memory_mb: int


@dataclass(frozen=True)
class Limits:
    wall_s: int
    cpu_s: int
    memory_mb: int
    fsize_mb: int
    output_kb: int
    pids: int | None = None


@dataclass(frozen=True)
class Sandbox:
    min_level: str
    profile: str


@dataclass(frozen=True)
class MetricsTrust:
    trust: str


@dataclass(frozen=True)
class Program:
    """C, C++ or CUDA sources, or one Python file; without any source, the tool of that name in the build directory."""
    name: str
    sources: tuple[str, ...]  # the student's
    harness: tuple[str, ...]  # ours, pristine
    simulated: bool
    flags: tuple[str, ...] = ()     # of this program alone
    packages: tuple[str, ...] = ()  # pkg-config names of the libraries it links


@dataclass(frozen=True)
class Exercise:
    id: str
    title: str
    file: str
    first_step: str


@dataclass(frozen=True)
class Test:
    id: str
    exercise: str
    kind: str
    visibility: str
    max_millipoints: int
    generator: str
    params: dict[str, Any] = field(default_factory=dict)
    shapes: tuple[str, ...] = ()  # program arguments of each run
    requires: tuple[str, ...] = ()


@dataclass(frozen=True)
class LabSpec:
    schema: str
    id: str
    title: str
    version: str
    total_millipoints: int
    floor_millipoints: int
    submit: Submit
    build: Build
    limits: Limits
    sandbox: Sandbox
    metrics: MetricsTrust
    program: tuple[Program, ...]
    exercise: tuple[Exercise, ...]
    test: tuple[Test, ...]
    gpu: str = ""  # empty: no program of the lab runs on one

    @property
    def simulated(self) -> bool:
        return any(program.simulated for program in self.program)

    def find_program(self, name: str) -> Program:
        return next(program for program in self.program if program.name == name)


def load(path: Path) -> LabSpec:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}") from error
    spec = fill(LabSpec, table, str(path))
    _validate(spec, str(path))
    return spec


def _validate(spec: LabSpec, where: str) -> None:
    if spec.schema != SCHEMA:
        raise UsageError(f"{where}: schema is '{spec.schema}', this grader reads '{SCHEMA}'")
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
    if spec.simulated and not spec.gpu:
        raise UsageError(f"{where}: a program is simulated, but no gpu is named")
    total = sum(test.max_millipoints for test in spec.test)
    if total != spec.total_millipoints:
        raise UsageError(f"{where}: tests add up to {total} millipoints, "
                         f"total_millipoints says {spec.total_millipoints}")
