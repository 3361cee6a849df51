"""Grades one submission: the list of stages, each a module of its own."""
import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from . import collect as collecting
from . import dependencies, disk, gate, labspec, sandbox, score, seeds, sessions, staging, wrong_answer
from .build import Built, build
from .case import Case, Run
from .check import Check, Context, load_checks, load_inputs
from .errors import InfraError, UsageError
from .given import Given
from .harness import harness_sha
from .labspec import LabSpec, Program, Test
from .ledger import Ledger, key_of
from .paths import LabDirs, build_dir, find_gpusim, find_lab, known_gpus
from .runner import IN_PROCESS, REPLAY, Runner
from .verdict import PENDING, Outcome, Verdict


@dataclass(frozen=True)
class Request:
    lab: str
    source: Path | None = None   # default: the lab's own src
    solution: bool = False
    wrong: str | None = None     # the solution with this known mistake
    gpu: str | None = None
    target: str = "sim"
    cuda: str = "auto"
    jobs: int = 2
    full: bool = False
    only: str | None = None      # some tests ("B1.build,B2.format") and what they require
    wall_s: int | None = None    # of a run, instead of the lab's limit
    trusted: bool = False        # counters and results of a score of record: from the replay, not from the program
    feedback: bool = False       # no score of record: whatever sandbox there is will do
    fresh: bool = False          # compile and run again what is unchanged of the hand-in
    given: bool = False          # nothing but what is given
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
    def required(self) -> list[Test]:
        """Without the bonuses."""
        return [test for test in self.tests if not self.spec.is_bonus(test)]

    @property
    def bonuses(self) -> list[Test]:
        return [test for test in self.tests if self.spec.is_bonus(test)]

    def earned(self, tests: list[Test]) -> int:
        return sum(self.millipoints(test) for test in tests)

    @property
    def total(self) -> int:
        """Bonuses come on top."""
        return self.earned(self.tests)

    @property
    def standing(self) -> str:
        """"record", or "feedback": a score that a missing sandbox, or the student's own process, may have bent."""
        counted_outside = not self.spec.simulated or self.runner.trust == REPLAY
        return "record" if self.runner.trusted and counted_outside else "feedback"

    @property
    def pending(self) -> bool:
        return any(outcome.verdict in PENDING for outcome in self.outcomes.values())


MOST_WORDS = 2000  # of a reason: it may quote what a program has printed
TRUSTS = (IN_PROCESS, REPLAY)
NOTHING = Outcome(Verdict.SK, "nothing was handed in: none of the lab's files is there")
Progress = Callable[[str], None]


def grade(request: Request, progress: Progress = lambda text: None, scratch: Path | None = None,
          known: dict[tuple[str, Case], Run] | None = None) -> Graded:
    """known: runs of equal programs, for grading many submissions that differ in one file. Its scratch must live on."""
    context, runner, dirs, files = prepare(request, progress, scratch)
    runner.known = {} if known is None else known
    spec = context.spec
    checks = load_checks(dirs.lab, spec)
    runner.inputs = load_inputs(dirs.lab, spec)
    tests = select(spec, request.only)
    plans = plans_of(tests, checks, context, runner)
    for test in tests:
        for case in plans[test.id]:
            runner.exercise.setdefault(case, test.exercise)
    empty = all(file.state == collecting.MISSING for file in files)  # the starter's points are for who hands it in
    outcomes: dict[str, Outcome] = {}
    for part in () if empty else parts_of(spec, tests):
        wanted = [test for test in part if not set(test.requires) <= outcomes.keys() or score.gate(test, outcomes) is None]
        runs = _run([case for test in wanted for case in plans[test.id]], runner, progress)
        for test in part:
            judge = partial(_judge, checks[test.generator], test, context)
            own_runs = [runs[case] for case in plans[test.id] if case in runs]
            outcomes[test.id] = score.gate(test, outcomes) or (
                sessions.best(judge, own_runs, runner.take_again) if test.kind == "perf" else judge(own_runs))
    outcomes = {test.id: outcomes.get(test.id, NOTHING) for test in tests}
    graded = Graded(spec, dirs, context, files, score.pass_over_bonuses(spec, outcomes), runner)
    _put_results(runner.ledger, graded)
    return graded


def parts_of(spec: LabSpec, tests: list[Test]) -> list[list[Test]]:
    """What is run at a time: all that everybody owes, then of a bonus what the tests before allow, so that who leaves it
    out does not wait for it."""
    depth: dict[str, int] = {}
    for test in tests:
        before = max((depth[name] for name in test.requires), default=0)
        depth[test.id] = before + bool(test.requires and spec.is_bonus(test))
    return [[test for test in tests if depth[test.id] == level] for level in sorted(set(depth.values()))]


def _run(planned: list[Case], runner: Runner, progress: Progress) -> dict[Case, Run]:
    cases = list(dict.fromkeys(planned))
    todo = [case for case in cases if not runner.is_known(case)]
    if cases:
        progress(f"running {len(todo)} cases" + (f", {len(cases) - len(todo)} are unchanged" if len(todo) < len(cases) else ""))
    return runner.run_all(case for case in cases if runner.can_run(case))


def plans_of(tests: list[Test], checks: dict[str, Check], context: Context, runner: Runner) -> dict[str, list[Case]]:
    """The cases of each test. One run serves those that ask for its result and those that only ask for its counters."""
    plans = {test.id: [runner.resolve(case) for case in checks[test.generator].plan(test, context)] for test in tests}
    dumped = {case for plan in plans.values() for case in plan if case.dump}
    return {name: [twin if (twin := replace(case, dump=True)) in dumped else case for case in plan]
            for name, plan in plans.items()}


def make_given(request: Request, progress: Progress, scratch: Path) -> None:
    """Compiles and runs what is given in a lab, before the first student asks for it."""
    context, runner, dirs, _ = prepare(replace(request, given=True), progress, scratch)
    plans = plans_of(list(context.spec.test), load_checks(dirs.lab, context.spec), context, runner)
    cases = list(dict.fromkeys(case for plan in plans.values() for case in plan if runner.is_given(case)))
    progress(f"running {len(cases)} cases of given programs where there is something new")
    runner.run_all(cases)


def _put_results(ledger: Ledger, graded: Graded) -> None:
    key = key_of(graded.context.stage_key, *(test.id for test in graded.tests))
    ledger.put("check", key, {"tests": {
        test.id: {"verdict": outcome.verdict.value, "detail": outcome.detail, "fraction": outcome.fraction}
        for test in graded.tests for outcome in [graded.outcomes[test.id]]}})
    ledger.put("score", key, {"tests": {test.id: graded.millipoints(test) for test in graded.tests},
                              "total_millipoints": graded.total})


def _judge(check: Check, test: Test, context: Context, runs: list[Run]) -> Outcome:
    built = context.built.get(str(test.params.get("program", "")))
    if built is not None and built.violations:
        return Outcome(Verdict.PV, built.violations[0])
    try:
        found = check.judge(test, context, runs)
        here = f"{context.src.parent}/"  # no fact about the hand-in, and another one the next time
        return replace(found, detail=found.detail.replace(here, "")[:MOST_WORDS])
    except InfraError as error:  # our files are not what they should be: pending, never zero
        return Outcome(Verdict.XX, str(error))
    except Exception as error:  # a judge that was not ready for what student code has left: the others go on
        return Outcome(Verdict.XX, f"the judge of {test.id} failed, which is our fault: {error!r}")


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
    files = _collect(request, spec, dirs)
    trust = spec.metrics.trust if request.trusted and spec.simulated else IN_PROCESS
    if trust not in TRUSTS:
        raise UsageError(f"{dirs.lab}/lab.toml: metrics.trust is '{trust}'; this grader knows {', '.join(TRUSTS)}")
    if request.trusted and not request.feedback:
        sandbox.require(spec.sandbox.min_level, f"a score of record of {spec.id}")
    cuda = choose_front_end(request.cuda) if spec.simulated else ""
    scratch = scratch or grading_folder(spec)
    disk.require_room(scratch)
    place, ledger, key = _stage(request, scratch, dirs, files,
                                (gpu, cuda, trust, request.target, dependencies.tools(cuda, spec.simulated)))
    refused = {file.name: file.note for file in files if file.state == collecting.REFUSED}
    given = Given(spec, dirs, cuda)
    built = Programs(lambda name: build_and_gate(spec, spec.find_program(name), place, cuda, ledger, key, refused, given))
    named = programs_of(spec, select(spec, request.only))
    own = [name for name in named if not request.given or not spec.find_program(name).sources]
    progress(f"compiling {len(own)} programs" + (f" with {cuda}" if cuda else "") + " where they have changed")
    with ThreadPoolExecutor(max_workers=max(1, request.jobs)) as pool:
        list(pool.map(lambda make: make(), given.missing(map(spec.find_program, named))))
        list(pool.map(built.__getitem__, own))
    ledger.put("gate", key, {"violations": {name: list(one.violations) for name, one in built.items()}})
    context = Context(spec, place.src, built, gpu, cuda, request.target, request.key, request.full, key)
    runner = Runner(spec, built, place.work, gpu, request.target, request.jobs, trust=trust, ledger=ledger, key=key,
                    wall_s=request.wall_s, trusted=request.trusted and not request.feedback, given=given,
                    keeps_all=request.trusted)
    return context, runner, dirs, files


def grading_folder(spec: LabSpec) -> Path:
    """Where this checkout's own files are graded; one command at a time (lock.py)."""
    return build_dir() / "grade" / spec.id


def _collect(request: Request, spec: LabSpec, dirs: LabDirs) -> list[collecting.Collected]:
    source = request.source or (dirs.solution if request.solution or request.wrong else dirs.src)
    if not source.is_dir():
        raise UsageError(f"{source} is not a directory")
    files = [file for file in collecting.collect(source, spec.submit)
             if file.state != collecting.MISSING or file.name not in spec.bonus_files]
    return wrong_answer.load(dirs, request.wrong).apply(files) if request.wrong else files


def _stage(request: Request, folder: Path, dirs: LabDirs, files: list[collecting.Collected],
           how: tuple[str, ...]) -> tuple[staging.Stage, Ledger, str]:
    """Every stage leaves a file, and what they say of the same programs is used again. For a score of record only when
    everything about the hand-in is the same; for feedback program by program."""
    ledger = Ledger(folder)
    if not request.trusted:
        base = key_of(*how, harness_sha(dirs.lab, frozenset(file.name for file in files)))
        return staging.stage(folder, dirs, files, keep=not request.fresh), ledger, base
    key = key_of(*how, harness_sha(dirs.lab), seeds.seed_id(request.key),
                 *(f"{file.name} {file.state} {file.sha256}" for file in files))
    place = staging.stage(folder, dirs, files, keep=ledger.get("stage", key) is not None)
    ledger.put("collect", key, {"files": [{"name": file.name, "state": file.state, "sha256": file.sha256,
                                           "bytes": len(file.content), "note": file.note} for file in files]})
    ledger.put("stage", key, {"how": " ".join(how[:4]), "files": sorted(str(path.relative_to(place.src))
                                                                        for path in place.src.rglob("*")
                                                                        if path.is_file())})
    return place, ledger, key


class Programs(dict[str, Built]):
    """The programs of a hand-in by name, each compiled when it is first asked for."""

    def __init__(self, compile_one: Callable[[str], Built]) -> None:
        super().__init__()
        self.compile_one = compile_one

    def __missing__(self, name: str) -> Built:
        self[name] = self.compile_one(name)
        return self[name]


def programs_of(spec: LabSpec, tests: list[Test]) -> list[str]:
    """Those that these tests name; all of them for all tests."""
    named = {value for test in tests for value in test.params.values() if isinstance(value, str)}
    return [program.name for program in spec.program if len(tests) == len(spec.test) or program.name in named]


def build_and_gate(spec: LabSpec, program: Program, place: staging.Stage, cuda: str, ledger: Ledger, key: str,
                   refused: Mapping[str, str], given: Given) -> Built:
    """refused: what collect would not take, and why; the starter's file is in its place."""
    name = f"build/{program.name}"
    notes = [refused[source] for source in program.sources if source in refused]
    key = key_of(key, dependencies.digest_of(program, place, cuda), *notes)
    before = ledger.get(name, key)
    if before is not None:
        path = Path(before["path"])
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == before["sha256"]:
            return Built(program.name, path, before["log"], before["digest"], tuple(before["violations"]))
    objects = given.objects(program)
    built = build(spec, program, place, cuda, objects)
    if built.path is None and not program.sources:
        raise InfraError(f"{program.name}, which is given, does not compile: {built.first_error}")
    found = notes + [str(one) for one in gate.check(spec, program, built, place, objects)]
    built = replace(built, violations=tuple(found))
    if built.path is not None:
        ledger.put(name, key, {"program": program.name, "path": str(built.path), "log": built.log,
                               "digest": built.digest, "sha256": hashlib.sha256(built.path.read_bytes()).hexdigest(),
                               "violations": list(built.violations)})
    return built


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
    wanted = set(only.split(","))
    if unknown := wanted - by_id.keys():
        raise UsageError(f"{spec.id} has no test '{', '.join(sorted(unknown))}'; tests: {', '.join(by_id)}")
    for test in reversed(spec.test):
        if test.id in wanted:
            wanted.update(test.requires)
    return [test for test in spec.test if test.id in wanted]
