"""Where a program of the processor was when a signal ended it, or when its time was up. It is compiled again with line
numbers and with crash.c, and run once more; the words are for people only, since the process that says where holds student
code."""
import re
import shutil
import signal
from collections.abc import Sequence
from pathlib import Path

from . import process, sandbox
from .backends import Backend, Job
from .backends.mpi import Mpi
from .backends.native import Native
from .build import Built, build
from .case import Case, Run
from .errors import InfraError
from .labspec import LabSpec, Program
from .runner import Runner
from .staging import Stage

SOURCE = Path(__file__).parent / "backends" / "crash.c"
STOP_AFTER_S = 4  # a program that does not end is asked where it is
SIGNALS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT)
WHAT = {"null": "it used a null pointer",
        "stack": "its stack was full: large arrays belong on the heap (malloc, std::vector), and a recursion must end",
        signal.SIGSEGV: "it used memory that it does not have: an index outside its array, or a pointer that is not valid",
        signal.SIGBUS: "it used memory that it does not have",
        signal.SIGFPE: "it divided a whole number by zero",
        signal.SIGILL: "it came to an instruction that is not valid, as a function does that returns no value",
        signal.SIGALRM: "it still ran after {seconds} s: does every loop around this line come to its end?",
        signal.SIGABRT: "it was ended by a check (assert, the memory allocator or an exception that nothing caught)"}
OUTSIDE = ("a check outside your files ended it. Most often the memory allocator has found its own data overwritten: look for a "
           "write before the beginning or past the end of an array, for delete or free called twice, and for an exception that nothing caught")
_REPORT = re.compile(r"^hpml crash: (\d{1,2}) (null|stack|other)((?: [0-9a-f]{1,16}){1,48})$", re.MULTILINE)
_LINE = re.compile(r"([^/\n]{1,80}):([1-9]\d{0,6})(?: \(discriminator \d+\))?")
_LIMITS = process.ProcessLimits(wall_s=20, cpu_s=10, fsize_bytes=1 << 20, output_bytes=1 << 16, memory_bytes=1 << 30, pids=8)


class _Watched(Native):
    stop_after_s = 0

    def flags(self, program: Program) -> list[str]:
        return [*super().flags(program), "-g1", *([f"-DHPML_STOP_AFTER_S={self.stop_after_s}"] if self.stop_after_s else [])]

    def added_sources(self) -> list[str]:
        return [*super().added_sources(), str(SOURCE)]


class _WatchedRanks(_Watched, Mpi):
    """With Open MPI's own handlers of signals switched off."""

    def start(self, job: Job) -> tuple[Sequence[str], dict[str, str], tuple[Path, ...]]:
        words, env, read = super().start(job)
        return words, {**env, "OMPI_MCA_opal_signal": ""}, read


WATCHED = {Native.name: _Watched, Mpi.name: _WatchedRanks}


def number_of(run: Run) -> int:
    """The signal that ended this run, or the worker that it started; SIGALRM for one whose time was up; 0: none."""
    if run.state == "timeout" and not run.problem:
        return signal.SIGALRM
    code = run.code if run.state == "signal" else run.code - 128 if run.state == "exit" else 0
    return code if code in SIGNALS else 0


def explained(runner: Runner, src: Path, run: Run) -> str:
    """"at dp1.c:22 its stack was full ...". Empty where no line is known; src: the staged files of the hand-in."""
    spec = runner.backends.spec
    if not number_of(run) or not _of_processor(spec, run.case):
        return ""
    place = runner.work / "crash"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        backend = WATCHED[spec.find_program(run.case.program).backend](spec, runner.backends.setup)
        backend.stop_after_s = STOP_AFTER_S if number_of(run) == signal.SIGALRM else 0
        built = _built(backend, runner, Stage(src, place), run.case)
        again = _run(backend, runner, built, place / "run", run.case)
        report = _REPORT.search(again.stderr) if again is not None else None
        return _words(report, built, spec) if report else ""
    except InfraError:
        return ""  # this machine cannot say; the verdict stands
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _of_processor(spec: LabSpec, case: Case) -> bool:
    """Whether its student code is C or C++, all of it compiled for this machine's processor, or one program of Open MPI."""
    programs = [spec.find_program(name) for name in (case.program, *case.others)]
    sources = [name for program in programs for name in program.sources]
    kinds = {program.backend for program in programs}
    return bool(sources) and (kinds == {"native"} or (kinds == {"mpi"} and not case.others)) and \
        all(Path(name).suffix in (".c", ".cpp") for name in sources)


def _built(backend: Backend, runner: Runner, stage: Stage, case: Case) -> dict[str, Built]:
    spec = runner.backends.spec
    return {name: build(backend, spec.find_program(name), stage) if spec.find_program(name).sources else runner.built[name]
            for name in (case.program, *case.others)}


def _run(backend: Backend, runner: Runner, built: dict[str, Built], place: Path, case: Case) -> Run | None:
    paths = {name: one.path for name, one in built.items() if one.path is not None}
    if paths.keys() != built.keys():
        return None
    place.mkdir()
    return backend.launch(Job(case, paths[case.program], {name: paths[name] for name in case.others}, place, runner.limits()))


def _words(report: re.Match[str], built: dict[str, Built], spec: LabSpec) -> str:
    """The innermost line of a file that was handed in."""
    number, kind, offsets = signal.Signals(int(report[1])), report[2], report[3].split()
    for name, one in built.items():
        if not spec.find_program(name).sources or one.path is None:
            continue
        done = sandbox.run(["/usr/bin/addr2line", "-i", "-e", str(one.path), *offsets], sandbox.Jail(read=(one.path,)), _LIMITS)
        for line in done.stdout.splitlines():
            found = _LINE.fullmatch(line.rsplit("/", 1)[-1])
            if found and found[1] in spec.submit.files:
                return f"at {found[1]}:{found[2]} {WHAT[kind] if kind in WHAT else WHAT[number].format(seconds=STOP_AFTER_S)}"
    return OUTSIDE if number == signal.SIGABRT else ""
