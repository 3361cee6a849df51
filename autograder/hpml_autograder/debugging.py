"""`make lab3 debug PROG="matmult01 2"`: the debugger on one program of a lab, compiled from the student's own files, so that
breakpoints and source lines are those of the editor."""
import os
import subprocess
import sys
from pathlib import Path

from .assignment import Assignment, Request, open_assignment
from .backends.gpusim import CUDA_COMPILE
from .errors import UsageError
from .labspec import Program
from .paths import find_gpusim, kept_dir
from .pipeline import Progress
from .single_run import program_of


def debug_program(request: Request, words: str, compile_only: bool, progress: Progress) -> int:
    """words: a program's name and its arguments. Ends with the debugger's status."""
    assignment = open_assignment(request)
    program, arguments = program_of(assignment.spec, words)
    if program.backend != "gpusim":
        raise UsageError(f"debug is for CUDA programs, which {program.name} is not")
    progress(f"compiling {program.name} for the debugger")
    built = compile_for_debugger(assignment, program)
    if built is None or compile_only:
        return 0 if built else 1
    setup = assignment.backends.setup
    command = [str(find_gpusim()), "debug", "--gpu", setup.gpu, "--", str(built), *arguments.split()]
    sys.stdout.flush()
    os.execv(command[0], command)


def sources_of(assignment: Assignment, program: Program) -> list[Path]:
    """The harness first, as the grader links it."""
    return [*(assignment.dirs.src / name for name in program.harness), *(assignment.source / name for name in program.sources)]


def compile_for_debugger(assignment: Assignment, program: Program) -> Path | None:
    """None: it does not compile, and the compiler has said why."""
    place = kept_dir() / "debug" / assignment.spec.id
    place.mkdir(parents=True, exist_ok=True)
    output = place / program.name
    flags = [word for word in (*assignment.spec.build.flags, *program.flags) if not word.startswith("-O")]
    command = ["/usr/bin/python3", str(CUDA_COMPILE), "--frontend", assignment.backends.setup.cuda, "-g", "-O", "0", *flags,
               f"-std={program.std or assignment.spec.build.std}", f"-I{assignment.dirs.src}", "-o", str(output),
               *map(str, sources_of(assignment, program))]
    return output if subprocess.run(command, check=False).returncode == 0 else None
