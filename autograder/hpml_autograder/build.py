"""Compiles the student's programs one by one, so that an error in one leaves the other exercises alone."""
import hashlib
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from . import process
from .errors import InfraError
from .labspec import LabSpec, Program
from .paths import ROOT
from .staging import Stage

DIAGNOSTIC_BYTES = 16 * 1024
CUDA_COMPILE = ROOT / "tools" / "cuda_compile.py"


@dataclass(frozen=True)
class Built:
    program: str
    path: Path | None  # None: did not compile
    log: str = ""
    digest: str = ""   # of all that decides what the program does: sources, harness, compiler

    @property
    def first_error(self) -> str:
        for line in self.log.splitlines():
            if re.search(r"\berror\b", line, re.IGNORECASE):
                return line.strip()
        lines = [line.strip() for line in self.log.splitlines() if line.strip()]
        return lines[0] if lines else "the compiler stopped without a message"


def build(spec: LabSpec, program: Program, stage: Stage, cuda: str) -> Built:
    output = stage.work / program.name
    sources = [str(stage.src / name) for name in (*program.sources, *program.harness)]
    for source in sources:
        if not Path(source).is_file():
            return Built(program.name, None, f"error: {Path(source).name} is missing")
    include = f"-I{stage.src}"
    standard = f"-std={spec.build.std}"
    if program.simulated:
        if not CUDA_COMPILE.is_file():
            raise InfraError(f"{CUDA_COMPILE} is missing")
        command = [sys.executable, str(CUDA_COMPILE), "--frontend", cuda, "-o", str(output),
                   *sources, include]
    else:
        command = ["/usr/bin/c++", standard, *spec.build.flags, "-o", str(output), *sources, include]
    limits = process.ProcessLimits(wall_s=spec.build.timeout_s, cpu_s=spec.build.timeout_s, fsize_bytes=256 << 20,
                                   output_bytes=DIAGNOSTIC_BYTES, memory_bytes=None)
    done = process.run(command, limits, stage.src, {**os.environ, "LC_ALL": "C"})
    if done.state == "cannot_start" or (program.simulated and (done.state, done.code) == ("exit", 3)):
        raise InfraError(done.stderr.strip().splitlines()[-1])  # 3: no usable compiler
    log = (done.stderr + done.stdout).replace(f"{stage.src}/", "")[:DIAGNOSTIC_BYTES]
    if done.state == "timeout":
        log = f"error: compiling took longer than {spec.build.timeout_s} s\n{log}"
    digest = hashlib.sha256(cuda.encode() + b"".join(Path(source).read_bytes() for source in sources)).hexdigest()
    compiled = done.state == "exit" and done.code == 0 and output.is_file()
    return Built(program.name, output if compiled else None, log, digest)
