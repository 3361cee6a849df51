"""Compiles the student's programs one by one, so that an error in one leaves the other exercises alone."""
import functools
import hashlib
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from . import process, sandbox
from .dependencies import digest_of
from .errors import InfraError
from .labspec import LabSpec, Program
from .paths import ROOT, build_dir
from .staging import Stage

DIAGNOSTIC_BYTES = 16 * 1024
READ_PYTHON = """import ast, sys
try:
    ast.parse(open(sys.argv[1], 'rb').read())
except (SyntaxError, ValueError) as error:
    sys.exit(f"{sys.argv[1]}:{getattr(error, 'lineno', 1)}: error: {error}")
"""
BUILD_PIDS = 64
CUDA_COMPILE = ROOT / "tools" / "cuda_compile.py"


@dataclass(frozen=True)
class Built:
    program: str
    path: Path | None  # None: did not compile
    log: str = ""
    digest: str = ""   # of all that decides what the program does: sources, harness, compiler
    violations: tuple[str, ...] = ()  # of the gate: built, but not to be run

    @property
    def first_error(self) -> str:
        for line in self.log.splitlines():
            if re.search(r"\berror\b", line, re.IGNORECASE):
                return line.strip()
        lines = [line.strip() for line in self.log.splitlines() if line.strip()]
        return lines[0] if lines else "the compiler stopped without a message"


def build(spec: LabSpec, program: Program, stage: Stage, cuda: str, given: Mapping[str, Path] | None = None) -> Built:
    """given: the objects of harness files that are compiled already."""
    given = given or {}
    names = [name for name in (*program.sources, *program.harness) if name not in given]
    sources = [*(str(stage.src / name) for name in names), *map(str, given.values())]
    if not sources:
        return _tool(program)
    for source in sources:
        if not Path(source).is_file():
            return Built(program.name, None, f"error: {Path(source).name} is missing")
    shutil.rmtree(build_place(stage, program), ignore_errors=True)  # what another user's compiler left is not ours to change
    build_place(stage, program).mkdir()
    output, command = _compiler(spec, program, stage, sources, cuda)
    return _compiled(spec, program, stage, cuda, command, output, tuple(given.values()))


def build_object(spec: LabSpec, program: Program, stage: Stage, cuda: str, output: Path) -> Built:
    """The object of the one file that the harness of this program is."""
    source = stage.src / program.harness[0]
    return _compiled(spec, program, stage, cuda, [*_cuda_compile(cuda), *program.flags, "-c", "-o", str(output),
                                                  str(source), f"-I{stage.src}"], output)


def _compiled(spec: LabSpec, program: Program, stage: Stage, cuda: str, command: list[str], output: Path,
              objects: tuple[Path, ...] = ()) -> Built:
    limits = process.ProcessLimits(wall_s=spec.build.timeout_s, cpu_s=spec.build.timeout_s, fsize_bytes=256 << 20,
                                   output_bytes=DIAGNOSTIC_BYTES, memory_bytes=spec.build.memory_mb << 20,
                                   pids=BUILD_PIDS)
    # What a compiler may read: the staged sources and our headers. Nothing of the checkout besides.
    jail = sandbox.Jail(read=(stage.src, CUDA_COMPILE, ROOT / "simulator" / "include", *objects),
                        write_dirs=() if output.parent == stage.src else (output.parent,), scratch_mb=512)
    done = sandbox.run(command, jail, limits, cwd=stage.src)
    if done.state == "cannot_start" or (program.simulated and (done.state, done.code) == ("exit", 3)):
        raise InfraError(done.stderr.strip().splitlines()[-1])  # 3: no usable compiler
    log = (done.stderr + done.stdout).replace(f"{stage.src}/", "").replace(f"{ROOT}/", "")[:DIAGNOSTIC_BYTES]
    if done.state == "timeout":
        log = f"error: compiling took longer than {spec.build.timeout_s} s\n{log}"
    if done.state == "memory":
        log = f"error: the compiler needed more than {spec.build.memory_mb} MB\n{log}"
    compiled = done.state == "exit" and done.code == 0 and output.is_file() and not output.is_symlink()
    return Built(program.name, output if compiled else None, log, digest_of(program, stage, cuda))


def build_place(stage: Stage, program: Program) -> Path:
    """Where its objects are, and the program."""
    return stage.work / f"build_{program.name}"


def _tool(program: Program) -> Built:
    path = build_dir() / "bin" / program.name
    if not path.is_file():
        raise InfraError(f"{path} is missing: run `make setup`, or set HPML_BUILD_DIR")
    return Built(program.name, path, digest=hashlib.sha256(path.read_bytes()).hexdigest())


def _compiler(spec: LabSpec, program: Program, stage: Stage, sources: list[str], cuda: str) -> tuple[Path, list[str]]:
    """The file that is to run, and the command that makes it, or (Python) that only reads it."""
    output = build_place(stage, program) / program.name
    own = [*program.flags, "-o", str(output), *sources, f"-I{stage.src}"]
    kinds = {Path(source).suffix for source in sources}
    if program.simulated:
        return output, [*_cuda_compile(cuda), "--keep", str(output.parent), *own]
    if kinds == {".py"}:
        return Path(sources[0]), ["/usr/bin/python3", "-I", "-c", READ_PYTHON, sources[0]]
    compiler = "/usr/bin/cc" if kinds == {".c"} else "/usr/bin/c++"
    libraries = [word for package in program.packages for word in _library(package)]
    return output, [compiler, f"-std={spec.build.std}", *spec.build.flags, "-save-temps=obj", *own, *libraries, "-lm"]


def _cuda_compile(cuda: str) -> list[str]:
    if not CUDA_COMPILE.is_file():
        raise InfraError(f"{CUDA_COMPILE} is missing")
    return ["/usr/bin/python3", str(CUDA_COMPILE), "--frontend", cuda]


@functools.cache
def _library(package: str) -> list[str]:
    done = subprocess.run(["pkg-config", "--cflags", "--libs", package], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InfraError(f"the library {package} is not installed: run `make setup`")
    return done.stdout.split()
