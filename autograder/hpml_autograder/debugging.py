"""`make lab3 debug PROG="matmult01 2"`: the debugger on one program of a lab, compiled from the student's own files, so that
breakpoints and source lines are those of the editor."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from . import element_place, first_wrong
from .assignment import Assignment, Request, open_assignment
from .backends.gpusim import CUDA_COMPILE
from .errors import UsageError
from .first_wrong import FirstFailure, FirstWrong
from .labspec import Program
from .paths import find_gpusim, kept_dir
from .pipeline import Progress
from .single_run import program_of


AS_GRADED = ("--strict",)  # a grading stops at each access outside an allocation, also where a GPU would let it pass


def debug_program(request: Request, words: str, compile_only: bool, progress: Progress) -> int:
    """words: a program's name and its arguments. Ends with the debugger's status."""
    assignment = open_assignment(request)
    handed = first_wrong.take(assignment.spec.id, words)
    program, arguments = program_of(assignment.spec, handed.words if handed else words)
    if program.backend != "gpusim":
        raise UsageError(f"debug is for CUDA programs, which {program.name} is not")
    progress(f"compiling {program.name} for the debugger")
    built = compile_for_debugger(assignment, program)
    if built is None or compile_only:
        return 0 if built else 1
    setup = assignment.backends.setup
    environment, options = dict(os.environ), ["--gpu", setup.gpu]
    if handed is not None:
        environment |= handed.env
        begin = begin_at(handed, built, progress) if isinstance(handed, FirstWrong) else run_to_failure(handed)
        options = ["--gpu", handed.gpu, *begin]
    else:
        print("`run` starts the program, and stops where a kernel fails; `break KERNEL` or `break FILE:LINE` before it stops there.")
    command = [str(find_gpusim()), "debug", *AS_GRADED, *options, "--", str(built), *arguments.split()]
    sys.stdout.flush()
    os.execve(command[0], command, environment)


def begin_at(wrong: FirstWrong, program: Path, progress: Progress) -> list[str]:
    """Options with which the debugger begins at the last writer of the element, and says why."""
    progress(f"looking for the launch that wrote {wrong.place}")
    with tempfile.TemporaryDirectory(dir=program.parent, prefix="run-") as scratch:
        place = element_place.find(program, wrong, Path(scratch))
    print(f"{wrong.test} found {wrong.place} wrong in `{wrong.words}`: expected {wrong.expected}, got {wrong.got}.")
    if place is None:
        print("Which bytes of the GPU's memory that is cannot be told: the result is no copy of them, or this run ends "
              "early. `run` starts the program with the same data.")
        return []
    if place.value == wrong.expected:
        print(f"Compiled for the debugger, without optimisation, this run gives {place.value}, which is right. A mistake that "
              "depends on the compiler is often a race or memory that was never written: try CHECK=1 with `run`.")
    elif place.value != wrong.got:
        print(f"Compiled for the debugger, without optimisation, this run gives {place.value}.")
    return ["--ex", f"origin {place.launch} {place.address:#x} {place.bytes}"]


def run_to_failure(failed: FirstFailure) -> list[str]:
    """Options with which the debugger runs the program until it fails, with the data of the test."""
    print(f"{failed.test} found: {failed.detail}")
    if failed.endless:
        print("The program starts now. When it hangs, press Ctrl-C: the debugger stops in a thread of the kernel that runs.")
    else:
        print("The program starts now, with the data of that test. A kernel that fails stops at the instruction, in the thread that failed. "
              "A run that ends well here was compiled without optimisation: try CHECK=1 with `run`, which finds races and uninitialised memory.")
    return ["--ex", "run"]


def sources_of(assignment: Assignment, program: Program) -> list[Path]:
    """The harness first, as the grader links it."""
    return [*(assignment.dirs.src / name for name in program.harness), *(assignment.source / name for name in program.sources)]


def _headers(assignment: Assignment, program: Program) -> list[Path]:
    """Where given headers lie beside the sources, which may come from another folder."""
    return list(dict.fromkeys([assignment.dirs.src, *((assignment.dirs.src / name).parent for name in program.sources)]))


def compile_for_debugger(assignment: Assignment, program: Program) -> Path | None:
    """None: it does not compile, and the compiler has said why."""
    place = kept_dir() / "debug" / assignment.spec.id
    place.mkdir(parents=True, exist_ok=True)
    output = place / program.name
    flags = [word for word in program.flags if not word.startswith("-O")]  # those of [build] are for programs of the host
    command = ["/usr/bin/python3", str(CUDA_COMPILE), "--frontend", assignment.backends.setup.cuda, "-g", "-O", "0", *flags,
               *(f"-I{folder}" for folder in _headers(assignment, program)), "-o", str(output), *map(str, sources_of(assignment, program))]
    return output if subprocess.run(command, check=False).returncode == 0 else None
