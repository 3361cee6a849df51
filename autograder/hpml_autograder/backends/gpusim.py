"""CUDA programs on the simulated GPU (or, for whoever has one, on a real GPU: then without its counters).

A program that student code lives in can forge every number of its own process. So for a score of record the program runs
under `gpusim run --record`, and the recording, which is data, is replayed by a process without student code: counters,
times and results are taken from there."""
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .. import metrics, process, sandbox, seeds, untrusted
from .. import replay as replays
from ..case import Case, Run
from ..errors import InfraError, UsageError
from ..labspec import LabSpec, Program
from ..paths import ROOT, build_dir, find_gpusim, gpu_folders, known_gpus
from ..runs import DUMP, METRICS
from ..staging import Stage
from .base import IN_PROCESS, SCRATCH_MB, Asked, Backend, Command, Counted, Job, Setup, finished

REPLAY = "replay"  # the record's word, and the folder of a run
CHANGED = "changed"  # a folder of a run: its replay with what takes the way of a technique changed
FORGET = ("--forget-warm-up",)
RECORDING_BYTES = 1 << 30
REPLAY_BYTES = 1 << 30
LAUNCH_SHARE = 0.9  # of a run's time, that one launch may take
UNRECORDED = re.compile("Texture|Surface")
OVER_TIME = "gpusim: the launch ran over its time limit"
CUDA_COMPILE = ROOT / "tools" / "cuda_compile.py"
COMPILING = (CUDA_COMPILE, CUDA_COMPILE.with_name("shared_objects.py"), ROOT / "simulator" / "include")  # what it reads
COMPILER_PATH = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/local/cuda/bin"


class Gpusim(Backend):
    name = "gpusim"
    targets = ("gpusim_labs",)
    made_of = (ROOT / "common", ROOT / "simulator", *COMPILING[:2])
    counts = True
    repeats = True
    precompiles = True

    def __init__(self, spec: LabSpec, setup: Setup) -> None:
        super().__init__(spec, setup)
        self.problems: dict[str, str] = {}  # by GPU: why the simulator does not work; empty: it does

    @classmethod
    def settle(cls, spec: LabSpec, setup: Setup, asked: Asked) -> Setup:
        gpu = asked.gpu or spec.gpu
        if gpu not in known_gpus():
            raise UsageError(f"there is no simulated GPU '{gpu}'; known: {', '.join(known_gpus())}")
        if asked.target == "sim":
            find_gpusim()
        return replace(setup, gpu=gpu, cuda=choose_front_end(asked.cuda), target=asked.target)

    @property
    def trust(self) -> str:  # type: ignore[override]
        return REPLAY if self.setup.trusted else IN_PROCESS

    def tools(self) -> list[Path]:
        compiler = shutil.which(self.setup.cuda, path=COMPILER_PATH)
        paths = [Path(compiler)] if compiler else []
        try:
            return [*paths, find_gpusim(), *sorted((build_dir() / "lib").glob("*"))]
        except InfraError:  # a run says so
            return paths

    def dialect(self, program: Program) -> tuple[str, ...]:
        return (self.setup.cuda,)

    def command(self, program: Program, stage: Stage, sources: Sequence[str], output: Path) -> Command:
        """An object of one file where `output` is one, else the program."""
        if not CUDA_COMPILE.is_file():
            raise InfraError(f"{CUDA_COMPILE} is missing")
        kind = ["-c"] if output.suffix == ".o" else ["--keep", str(output.parent)]
        words = ["/usr/bin/python3", str(CUDA_COMPILE), "--frontend", self.setup.cuda, *kind, *program.flags, "-o",
                 str(output), *sources, f"-I{stage.src}"]
        return Command(words, output, COMPILING)

    def counted(self, case: Case) -> Counted:
        """A given program has no student code in its process: the simulator can live there, whatever the counters are for."""
        if self.setup.target != "sim":
            return Counted.NOWHERE
        return Counted.OUTSIDE if self.setup.trusted or not self.has_student_code(case) else Counted.INSIDE

    def launch(self, job: Job) -> Run:
        if self.setup.target != "sim":
            return self.plain(job)
        replayed = self.setup.trusted and self.has_student_code(job.case)
        run = self._replayed(job) if replayed else self._simulated(job)
        broken = "" if (run.state, run.code) == ("exit", 0) else self._problem(job)
        return replace(run, state="infra", problem=broken) if broken else run

    def _problem(self, job: Job) -> str:
        """Why the simulator does not even start a program that does nothing: then no run says anything of a hand-in. Empty:
        it does. What the run itself says of it could be the student's words."""
        gpu = job.case.gpu
        if gpu not in self.problems:
            command = [str(find_gpusim()), "run", "--gpu", gpu, "--mode", "auto", "--", "/bin/true"]
            done = sandbox.run(command, sandbox.Jail(read=simulator_paths(), scratch_mb=SCRATCH_MB), job.limits)
            works = (done.state, done.code) == ("exit", 0)
            self.problems[gpu] = "" if works else f"the simulator does not work here: {done.stderr.strip()[-300:]}"
        return self.problems[gpu]

    def _simulated(self, job: Job) -> Run:
        """The simulator lives in the program's own process."""
        file = job.place / METRICS
        before = [*_gpusim_run(job), *_watched(job), "--metrics", str(file), "--"]
        done = self.jailed(job, before, sandbox.Jail(read=simulator_paths(), write_dirs=(job.place,)), cwd=job.place)
        return _with_metrics(_ended(job, done), file, done)

    def _replayed(self, job: Job) -> Run:
        run, recording = self._record(job)
        try:
            return self._replay(job, run, recording) if (run.state, run.code) == ("exit", 0) else run
        finally:
            recording.unlink()

    def _record(self, job: Job) -> tuple[Run, Path]:
        recording, dump = job.place / "recording", job.place / DUMP
        for file in (recording, dump):
            file.touch()
        before = [*_gpusim_run(job), "--record", str(recording), "--"]
        limits = replace(job.limits, fsize_bytes=max(job.limits.fsize_bytes, RECORDING_BYTES))
        done = self.jailed(job, before, sandbox.Jail(read=simulator_paths(), write_files=(recording, dump)), limits=limits)
        return _ended(job, done), recording

    def _replay(self, job: Job, run: Run, recording: Path) -> Run:
        """The same GPU work in a process without student code: with other data, or, where that gives nothing that is
        right, with the given data, which shows why."""
        twin = self._twin(job.case)
        if twin is None:
            return self._do_again(job, run, recording)[0]
        alone = FORGET if self.data.repeats(job.case) else ()
        for words in dict.fromkeys((alone, ())):
            other, report = self._do_again(job, run, recording, twin, words)
            if self._is_right(other, report, twin):
                return self._with_technique(replace(other, other_data=True, left_over=words != alone), job, recording, twin)
            if (other.state, other.code) == ("exit", 0) and report and report.ambiguous:
                return replace(other, state="unrepeatable", problem="cannot be graded for record: parts of its inputs "
                               "look alike, and other data cannot take their place")
        given, report = self._do_again(job, run, recording)
        if self._is_right(given, report, job.case):
            return self._run_again(job, given, recording, replace(job, case=twin, place=job.place / "again"), alone)
        return replace(given, other_data=False)

    def _run_again(self, job: Job, given: Run, recording: Path, again: Job, words: tuple[str, ...]) -> Run:
        """What it asks of the GPU may depend on the data, as where it iterates until something converges: the program itself
        runs with the other data, and may then repeat its calls more or less often, but make no other ones."""
        again.place.mkdir()
        run, second = self._record(again)
        first = _put(again.place, "first", self.data.inputs(job.case))
        alike = [*words, "--alike", str(recording), *(word for path in first for word in ("--alike-input", str(path)))]
        other, report = self._do_again(again, run, second, words=alike, reads=(recording, *first))
        right = self._is_right(other, report, again.case)
        if right:
            other = self._with_technique(other, again, second)
        second.unlink()
        if not right:
            return replace(given, other_data=False)
        if report is None or not report.alike:
            return replace(given, state="unrepeatable", problem="cannot be graded for record: with other data it makes other "
                           "calls, not only the same ones more or less often")
        shutil.rmtree(job.place / REPLAY)
        (again.place / REPLAY).rename(job.place / REPLAY)
        return replace(given, metrics=metrics.load(job.place / REPLAY / METRICS), results=None, other_data=True, run_again=True,
                       by_technique=other.by_technique, state=other.state, problem=other.problem)

    def _twin(self, case: Case) -> Case | None:
        """The same case with other data; none where no result is asked for, which could be compared."""
        if not (case.dump and self.data.other and self.data.result):
            return None
        return self.data.other(case, seeds.seed(self.key, self.spec.id, repr(case), f"replay {self.scope}", 0))

    def _with_technique(self, right: Run, job: Job, recording: Path, twin: Case | None = None) -> Run:
        """A run whose result is right, and whether that result changes as it must where the numbers that take the technique's way
        are changed. Others stay, whatever the program executes beside them."""
        case = twin or job.case
        technique = self.data.technique(case, seeds.seed(self.key, self.spec.id, repr(case), f"technique {self.scope}", 0))
        if technique is None or right.metrics is None:
            return right
        words, expected = technique
        done, report = self._do_again(job, right, recording, twin, words, name=CHANGED, mode="functional")
        if report is None or report.problem:
            return replace(right, state="unrepeatable", problem=f"cannot be graded for record with {' '.join(words)}: "
                           f"{report.problem if report else done.problem}")
        found = expected.is_in(report.results, len(right.metrics.kernels))
        shutil.rmtree(job.place / CHANGED)
        return replace(right, by_technique=found)

    def _is_right(self, run: Run, report: replays.Replay | None, case: Case) -> bool:
        """Whether a replay held the result of a case."""
        if (run.state, run.code) != ("exit", 0) or not (report and run.metrics and self.data.result):
            return False
        return self.data.result(case).is_in(report.results, len(run.metrics.kernels))

    def _do_again(self, job: Job, run: Run, recording: Path, twin: Case | None = None, words: Sequence[str] = (),
                  reads: tuple[Path, ...] = (), name: str = REPLAY, mode: str = "auto") -> tuple[Run, replays.Replay | None]:
        """twin: whose data takes the place of the case's. words, reads: of the command, and what they name. name: of
        the folder for what comes of it."""
        folder = job.place / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        given = _put(job.place, "input", self.data.inputs(job.case))
        instead = _put(job.place, "instead", self.data.inputs(twin) if twin else None)
        files = [word for name, paths in (("--input", given), ("--instead", instead)) for path in paths
                 for word in (name, str(path))]
        kept = ["--outputs", str(folder)] if job.case.dump else []
        command = [str(find_gpusim()), "replay", str(recording), *_gpu(job, mode), *_watched(job), "--program", str(job.program),
                   *files, *words, "--metrics", str(folder / METRICS), "--report", str(folder / "report.json"), *kept]
        jail = sandbox.Jail(read=(job.program, recording, *given, *instead, *reads, *simulator_paths()),
                            write_dirs=(folder,), scratch_mb=SCRATCH_MB)
        done = sandbox.run(command, jail, replace(job.limits, fsize_bytes=REPLAY_BYTES))
        if (done.state, done.code) not in (("exit", 0), ("exit", 1)) or not (folder / "report.json").is_file():
            # Its input was made by student code: what breaks it is no fault of this machine's.
            state = done.state if done.state in ("timeout", "memory", "output") else "ended_early"
            return replace(run, state=state, problem=f"doing its GPU work again failed: {done.stderr.strip()[-200:]}"), None
        again = replays.load(folder / "report.json", folder)
        state, problem = again.verdict
        if state == "policy" and (call := _unrecorded(folder / METRICS)):
            state, problem = "unrepeatable", (f"cannot be graded for record: it calls {call}, and what kernels read through a texture "
                                              "or a surface cannot be done again outside the program")
        if state != "exit":
            return replace(run, state=state, problem=problem), again
        if again.check_errors:  # as the program itself ends where a tool has found something
            return replace(run, code=1, stderr=done.stderr), again
        results = again.results if job.case.dump else None
        return _with_metrics(replace(run, results=results), folder / METRICS, done), again


def _put(place: Path, name: str, contents: Sequence[bytes] | None) -> list[Path]:
    paths = [place / f"{name}{number}" for number in range(len(contents or ()))]
    for path, content in zip(paths, contents or ()):
        path.write_bytes(content)
    return paths


def _gpusim_run(job: Job) -> list[str]:
    """The simulator stops an endless kernel before the sandbox stops the program, and says in which line its lanes are."""
    return [str(find_gpusim()), "run", *_gpu(job), "--max-seconds", f"{LAUNCH_SHARE * job.limits.wall_s:g}"]


def _ended(job: Job, done: process.Finished) -> Run:
    """A program whose kernel was stopped has run out of time, whatever it made of the error."""
    run = finished(job, done)
    return replace(run, state="timeout") if run.state == "exit" and OVER_TIME in run.stderr else run


def _gpu(job: Job, mode: str = "auto") -> list[str]:
    return ["--gpu", job.case.gpu, "--mode", mode, "--strict"]


def _watched(job: Job) -> list[str]:
    return ["--check", job.case.check] if job.case.check else []


def _unrecorded(file: Path) -> str:
    """The first call, by its name, of a kind that a recording does not hold: kernels then read something else, through no
    fault of the program."""
    try:
        return next((call.name for call in metrics.load(file).api if UNRECORDED.search(call.name)), "")
    except (InfraError, untrusted.Refused):
        return ""


def _with_metrics(run: Run, file: Path, done: process.Finished) -> Run:
    try:
        return replace(run, metrics=metrics.load(file))
    except untrusted.TooLong:
        return replace(run, state="output", problem="makes more calls and launches than can be looked at, and was not judged")
    except InfraError as error:
        if done.state == "exit" and done.code in (0, 3):
            return replace(run, state="infra", problem=f"{error}; gpusim said: {done.stderr.strip()[-300:]}")
        return run


def simulator_paths() -> tuple[Path, ...]:
    """What gpusim needs of us to run a program."""
    return find_gpusim(), build_dir() / "lib", *gpu_folders()


def choose_front_end(wanted: str) -> str:
    """nvcc where it is found, else clang; the same order as tools/cuda_compile.py."""
    found = {name: shutil.which(name, path=COMPILER_PATH) for name in ("nvcc", "clang")}
    if wanted == "auto":
        for name, path in found.items():
            if path:
                return name
        raise InfraError("neither nvcc nor clang is installed: run `make setup`")
    if found[wanted] is None:
        hint = " (run `make setup`)" if wanted == "clang" else "; CUDA=clang needs no CUDA Toolkit"
        raise UsageError(f"CUDA={wanted}: {wanted} is not installed{hint}")
    return wanted
