"""`make lab3 run PROG="vecadd01 500"`: one program of a lab with arguments of your own; what it prints, and what it cost."""
import re
import sys
from dataclasses import replace

from .assignment import Request, open_assignment
from .case import Case, Run
from .check import trouble
from .errors import UsageError
from .findings import CHECKERS
from .labspec import LabSpec, Program
from .pipeline import Progress, prepare

RANKS = 4                             # of an MPI program, unless said otherwise
_METRICS = re.compile(r"(?<=simulated); metrics: .*$", re.MULTILINE)  # a file of the grader's, for itself
MPI = ("mpi", "smpi", "relay")        # back ends that start several ranks


def run_program(request: Request, words: str, check: bool, ranks: int, progress: Progress) -> int:
    """words: a program's name and its arguments. 0 when it ended well and no check tool found anything."""
    spec = open_assignment(request).spec
    program, arguments = program_of(spec, words)
    if check and program.backend != "gpusim":
        raise UsageError(f"CHECK=1 is for CUDA programs, which {program.name} is not")
    prepared = prepare(replace(request, only=_a_test_of(spec, program)), progress)
    built = prepared.context.built[program.name]
    if built.path is None:
        print(f"{program.name} does not compile:\n{built.log}", file=sys.stderr)
        return 1
    if built.violations:
        print("\n".join(f"not allowed: {violation}" for violation in built.violations), file=sys.stderr)
        return 1
    case = Case(program.name, arguments, check=CHECKERS if check else "", ranks=ranks if program.backend in MPI else 0)
    run = prepared.runner.run_all([case])[prepared.runner.resolve(case)]
    return _show(run, spec)


def program_of(spec: LabSpec, words: str) -> tuple[Program, str]:
    name, *arguments = words.split() or [""]
    if any(letter in words for letter in "{}\"'"):
        raise UsageError(f"PROG={words}: arguments are words with spaces between them, without quotes and braces")
    programs = {program.name: program for program in spec.program if program.sources or program.harness}
    if name not in programs:
        raise UsageError(f"PROG={words}: name a program of {spec.id} and its arguments, as in PROG=\"{next(iter(programs))} 1\"; "
                         f"there are {', '.join(programs)}")
    return programs[name], " ".join(arguments)


def _a_test_of(spec: LabSpec, program: Program) -> str | None:
    """The first test that names the program, so that little else is compiled; None, which stands for all tests, where a
    program is only part of a test's plan."""
    return next((test.id for test in spec.test if program.name in test.params.values()), None)


def _show(run: Run, spec: LabSpec) -> int:
    sys.stdout.write(run.stdout)
    sys.stdout.flush()
    sys.stderr.write(_METRICS.sub("", run.stderr))
    problem = trouble(run, spec.limits.wall_s)
    if problem is None:
        if not run.stdout.strip() and not run.stderr.strip():
            print(f"`{run.case}` ended well and printed nothing: its results go to the grader as bytes, which `make {spec.id} test` "
                  "judges. To see values here, print them in your function.", file=sys.stderr)
        return 0
    print(problem.detail, file=sys.stderr)
    return 1
