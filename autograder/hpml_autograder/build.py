"""Compiles the student's programs one by one, so that an error in one leaves the other exercises alone."""
import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import process, sandbox
from .backends import Backend
from .compiler_words import first_error
from .dependencies import digest_of
from .errors import InfraError
from .labspec import Program
from .paths import ROOT, build_dir
from .staging import Stage

DIAGNOSTIC_BYTES = 16 * 1024
BUILD_PIDS = 64
NO_COMPILER = 3  # exit code of our own tools (tools/cuda_compile.py) where the machine lacks what they need


@dataclass(frozen=True)
class Built:
    program: str
    path: Path | None  # None: did not compile
    log: str = ""
    digest: str = ""   # of all that decides what the program does: sources, harness, compiler
    violations: tuple[str, ...] = ()  # of the gate: built, but not to be run

    @property
    def first_error(self) -> str:
        return first_error(self.log)


def build(backend: Backend, program: Program, stage: Stage, objects: Mapping[str, Path] | None = None) -> Built:
    """objects: of those of its files that are compiled already. What comes first is what the linker keeps of an inline
    function that several objects define, so the harness comes first; of Python it is the file that is started."""
    objects = objects or {}
    ours = [str(objects.get(name, stage.src / name)) for name in program.harness]
    theirs = [str(objects.get(name, stage.src / name)) for name in program.sources]
    sources = [*theirs, *ours] if Path(program.sources[0] if theirs else "").suffix == ".py" else [*ours, *theirs]
    if not sources:
        return _tool(program)
    for source in sources:
        if not Path(source).is_file():
            return Built(program.name, None, f"error: {Path(source).name} is missing")
    place = build_place(stage, program)
    shutil.rmtree(place, ignore_errors=True)  # what another user's compiler left is not ours to change
    place.mkdir()
    return _compiled(backend, program, stage, sources, place / program.name, tuple(objects.values()))


def build_object(backend: Backend, program: Program, stage: Stage, output: Path) -> Built:
    """The object of the one file that this program is."""
    return _compiled(backend, program, stage, [str(stage.src / name) for name in (*program.sources, *program.harness)], output)


def _compiled(backend: Backend, program: Program, stage: Stage, sources: Sequence[str], output: Path,
              objects: tuple[Path, ...] = ()) -> Built:
    command, allowed = backend.command(program, stage, sources, output), backend.spec.build
    limits = process.ProcessLimits(wall_s=allowed.timeout_s, cpu_s=allowed.timeout_s, fsize_bytes=256 << 20,
                                   output_bytes=DIAGNOSTIC_BYTES, memory_bytes=allowed.memory_mb << 20, pids=BUILD_PIDS)
    # What a compiler may read: the staged sources, and headers and libraries of ours. Nothing of the checkout besides.
    jail = sandbox.Jail(read=(stage.src, *command.reads, *objects), write_dirs=(output.parent,), scratch_mb=512)
    done = sandbox.run(command.words, jail, limits, cwd=stage.src)
    if done.state == "cannot_start" or (done.state, done.code) == ("exit", NO_COMPILER):
        raise InfraError(done.stderr.strip().splitlines()[-1])
    log = (done.stderr + done.stdout).replace(f"{stage.src}/", "").replace(f"{ROOT}/", "")[:DIAGNOSTIC_BYTES]
    if done.state == "timeout":
        log = f"error: compiling took longer than {allowed.timeout_s} s\n{log}"
    if done.state == "memory":
        log = f"error: the compiler needed more than {allowed.memory_mb} MB\n{log}"
    made = command.output
    compiled = done.state == "exit" and done.code == 0 and made.is_file() and not made.is_symlink()
    return Built(program.name, made if compiled else None, log, digest_of(backend, program, stage))


def build_place(stage: Stage, program: Program) -> Path:
    """Where its objects are, and the program."""
    return stage.work / f"build_{program.name}"


def _tool(program: Program) -> Built:
    path = build_dir() / "bin" / program.name
    if not path.is_file():
        raise InfraError(f"{path} is missing: run `make setup`, or set HPML_BUILD_DIR")
    return Built(program.name, path, digest=hashlib.sha256(path.read_bytes()).hexdigest())
