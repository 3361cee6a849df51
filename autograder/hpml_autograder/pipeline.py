"""Grades one submission: the list of stages, each a module of its own."""
import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import collect as collecting
from . import labspec, score, seeds, staging
from .build import build
from .case import Case, Run
from .check import Check, Context, load_checks
from .errors import InfraError, UsageError
from .labspec import LabSpec, Test
from .paths import LabDirs, build_dir, find_gpusim, find_lab, known_gpus
from .runner import Runner
from .verdict import PENDING, Outcome, Verdict


@dataclass(frozen=True)
class Request:
    lab: str
    source: Path | None = None   # default: the lab's own src
    solution: bool = False
    gpu: str | None = None
    target: str = "sim"
    cuda: str = "auto"
    jobs: int = 2
    full: bool = False
    only: str | None = None      # one test and what it requires
    key: bytes = seeds.PUBLIC_KEY


@dataclass(frozen=True)
class Graded:
    spec: LabSpec
    dirs: LabDirs
    context: Context
    files: list[collecting.Collected]
    outcomes: dict[str, Outcome]
    runner: Runner

    def millipoints(self, test: Test) -> int:
        return score.millipoints(self.outcomes[test.id], test.max_millipoints)

    @property
    def tests(self) -> list[Test]:
        return [test for test in self.spec.test if test.id in self.outcomes]

    @property
    def total(self) -> int:
        return sum(self.millipoints(test) for test in self.tests)

    @property
    def pending(self) -> bool:
        return any(outcome.verdict in PENDING for outcome in self.outcomes.values())


Progress = Callable[[str], None]


def grade(request: Request, progress: Progress = lambda text: None, scratch: Path | None = None,
          known: dict[tuple[str, Case], Run] | None = None) -> Graded:
    """known: runs of equal programs, for grading many submissions that differ in one file. Its scratch must live on."""
    context, runner, dirs, files = prepare(request, progress, scratch)
    runner.known = {} if known is None else known
    spec = context.spec
    checks = load_checks(dirs.lab, spec)
    tests = select(spec, request.only)
    plans = {test.id: [runner.resolve(case) for case in checks[test.generator].plan(test, context)] for test in tests}
    cases = list(dict.fromkeys(case for plan in plans.values() for case in plan))
    progress(f"running {len(cases)} cases")
    runs = runner.run_all(case for case in cases if runner.can_run(case))
    outcomes: dict[str, Outcome] = {}
    for test in tests:
        own_runs = [runs[case] for case in plans[test.id] if case in runs]
        outcomes[test.id] = score.gate(test, outcomes) or _judge(checks[test.generator], test, context, own_runs)
    return Graded(spec, dirs, context, files, outcomes, runner)


def _judge(check: Check, test: Test, context: Context, runs: list[Run]) -> Outcome:
    try:
        return check.judge(test, context, runs)
    except InfraError as error:  # our files are not what they should be: pending, never zero
        return Outcome(Verdict.XX, str(error))


def prepare(request: Request, progress: Progress, scratch: Path | None) -> tuple[Context, Runner, LabDirs,
                                                                                   list[collecting.Collected]]:
    """Collect, stage and build; what `test` and `bench` share."""
    dirs = find_lab(request.lab)
    spec = labspec.load(dirs.lab / "lab.toml")
    gpu = request.gpu or spec.gpu
    if spec.simulated:
        if gpu not in known_gpus():
            raise UsageError(f"there is no simulated GPU '{gpu}'; known: {', '.join(known_gpus())}")
        if request.target == "sim":
            find_gpusim()
    source = request.source or (dirs.solution if request.solution else dirs.src)
    if not source.is_dir():
        raise UsageError(f"{source} is not a directory")
    files = collecting.collect(source, spec.submit)
    if request.solution and request.source:  # a known-wrong answer holds only the file that is wrong
        rest = collecting.collect(dirs.solution, spec.submit)
        files = [own if own.state != collecting.MISSING else other for own, other in zip(files, rest)]
    place = staging.stage(scratch or build_dir() / "grade" / spec.id, dirs, files)
    cuda = choose_front_end(request.cuda) if spec.simulated else ""
    progress(f"compiling {len(spec.program)} programs" + (f" with {cuda}" if cuda else ""))
    with ThreadPoolExecutor(max_workers=max(1, request.jobs)) as pool:
        results = pool.map(lambda program: build(spec, program, place, cuda), spec.program)
        built = {result.program: result for result in results}
    context = Context(spec, place.src, built, gpu, cuda, request.target, request.key, request.full)
    runner = Runner(spec, built, place.work, gpu, request.target, request.jobs)
    return context, runner, dirs, files


def choose_front_end(wanted: str) -> str:
    """nvcc where it is found, else clang; the same order as tools/cuda_compile.py."""
    places = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/local/cuda/bin"
    found = {"nvcc": shutil.which("nvcc", path=places), "clang": shutil.which("clang", path=places)}
    if wanted == "auto":
        for name, path in found.items():
            if path:
                return name
        raise InfraError("neither nvcc nor clang is installed: run `make setup`")
    if found[wanted] is None:
        hint = " (run `make setup`)" if wanted == "clang" else "; CUDA=clang needs no CUDA Toolkit"
        raise UsageError(f"CUDA={wanted}: {wanted} is not installed{hint}")
    return wanted


def select(spec: LabSpec, only: str | None) -> list[Test]:
    if only is None:
        return list(spec.test)
    by_id = {test.id: test for test in spec.test}
    if only not in by_id:
        raise UsageError(f"{spec.id} has no test '{only}'; tests: {', '.join(by_id)}")
    wanted = {only}
    for test in reversed(spec.test):
        if test.id in wanted:
            wanted.update(test.requires)
    return [test for test in spec.test if test.id in wanted]
