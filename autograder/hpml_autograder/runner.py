"""Runs cases under the simulator, each once, some at a time."""
import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import metrics, process, sandbox
from . import replay as replays
from .build import Built
from .case import Case, Run
from .errors import InfraError
from .given import Given
from .labspec import MOST_ENDLESS, LabSpec
from .ledger import Ledger, key_of
from .paths import build_dir, find_gpusim, gpu_folders
from .runs import DUMP, METRICS, run_from, to_table

# How a file is started that is no program by itself; neither environment nor home changes what it imports.
START = {".py": ("/usr/bin/python3", "-s", "-E", "-B")}
KEPT_ENVIRONMENT = ("LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES")
SCRATCH_MB = 256
IN_PROCESS, REPLAY = "in_process", "replay"  # where counters and results come from
RECORDING_BYTES = 1 << 30
REPLAY_BYTES = 1 << 30
DEFAULT_PIDS = 64


def simulator_paths() -> tuple[Path, ...]:
    """What gpusim needs of us to run a program."""
    return find_gpusim(), build_dir() / "lib", *gpu_folders()


def visible(program: Path) -> Path:
    """What of a program must be seen to run it: a Python file imports its neighbours."""
    return program.parent if program.suffix == ".py" else program


@dataclass
class Runner:
    spec: LabSpec
    built: dict[str, Built]
    work: Path
    gpu: str
    target: str = "sim"    # "gpu": a real one, without gpusim and without its metrics
    jobs: int = 2
    wall_s: int | None = None  # instead of the lab's limit, for long series
    trust: str = IN_PROCESS
    trusted: bool = False  # for a score of record
    inputs: replays.Inputs = lambda case: None
    ledger: Ledger = field(default_factory=lambda: Ledger(None))
    key: str = ""
    given: Given | None = None  # where runs of given programs are, for every hand-in
    keeps_all: bool = False  # the ledger, also of what was measured or stopped; otherwise only what the simulator decides
    runs: dict[Case, Run] = field(default_factory=dict)
    exercise: dict[Case, str] = field(default_factory=dict)  # that has asked for it first
    simulator_problems: dict[str, str] = field(default_factory=dict)  # by GPU; empty: it works
    known: dict[tuple[str, Case], Run] = field(default_factory=dict)  # of other submissions: (program digest, case)

    def run_all(self, cases: Iterable[Case]) -> dict[Case, Run]:
        wanted = list(dict.fromkeys(self.resolve(case) for case in cases))
        for case in wanted:
            if self._key(case) in self.known:
                self.runs.setdefault(case, self.known[self._key(case)])
        todo = [case for case in wanted if case not in self.runs]
        self._run_some([case for case in todo if not case.alone], max(1, self.jobs))
        self._run_some([case for case in todo if case.alone], 1)
        return self.runs

    def _run_some(self, cases: list[Case], workers: int) -> None:
        """Who does not end some times in an exercise is not asked again. What was asked all the same, since several run
        at a time, counts as if it had not been: a record does not depend on how many do."""
        ended: dict[Case, Run] = {}

        def run(case: Case) -> None:
            ended[case] = _not_asked(case) if case in spared_in(cases, ended, self.exercise) else self._run(case)

        with ThreadPoolExecutor(max_workers=workers) as pool:
            list(pool.map(run, cases))
        spared = spared_in(cases, ended, self.exercise)
        for case in cases:
            self.runs[case] = self.known[self._key(case)] = _not_asked(case) if case in spared else ended[case]

    def take_again(self, case: Case) -> Run:
        """A further session of a measurement; it stands in nobody's ledger."""
        program = self.built[case.program].path
        assert program is not None, case
        return self._run_fresh(case, program, self.work / self._name(case))

    def can_run(self, case: Case) -> bool:
        needed = [self.built[name] for name in (case.program, *case.others)]
        return all(one.path is not None and not one.violations for one in needed)

    def _key(self, case: Case) -> tuple[str, Case]:
        return " ".join(self.built[name].digest for name in (case.program, *case.others)), case

    @staticmethod
    def _name(case: Case) -> str:
        return hashlib.sha256(repr(case).encode()).hexdigest()[:16]

    def resolve(self, case: Case) -> Case:
        return case if case.gpu else replace(case, gpu=self.gpu)

    def _run(self, case: Case) -> Run:
        program = self.built[case.program].path
        if program is None or not self.can_run(case):
            return Run(case, "cannot_start", problem=f"{' or '.join((case.program, *case.others))} did not compile")
        if self.is_given(case):
            return self._run_given(case, program)
        place = self.work / self._name(case)
        before = self._kept(case)
        if before is not None:
            return run_from(before, case, place)
        run = self._run_fresh(case, program, place)
        if run.state == "exit" or (self.keeps_all and run.state != "infra"):
            self.ledger.put(*self._entry(case), to_table(run, place))
        return run

    def is_given(self, case: Case) -> bool:
        return self.given is not None and self.target == "sim" and self.given.is_given(case)

    def _given_key(self, case: Case) -> str:
        return key_of(self._key(case)[0], str(self._limits()))

    def _run_given(self, case: Case, program: Path) -> Run:
        """No student code is in its process: the simulator can live there, whatever the counters are for."""
        assert self.given is not None
        before = self.given.run(case, self._given_key(case))
        return before or self.given.keep(case, self._given_key(case),
                                         lambda place: self._run_simulated(case, program, place))

    def _entry(self, case: Case) -> tuple[str, str]:
        """Name and key of a run in the ledger."""
        digests, _ = self._key(case)
        return f"{self.work.name}/{self._name(case)}/run", key_of(self.key, digests, repr(case), str(self._limits()))

    def _kept(self, case: Case) -> dict[str, Any] | None:
        decided = self.target == "sim" and self.spec.find_program(case.program).simulated and not case.alone
        return self.ledger.get(*self._entry(case)) if self.keeps_all or decided else None

    def is_known(self, case: Case) -> bool:
        """Whether it need not be run."""
        if self.is_given(case) and self.can_run(case):
            return self.given is not None and self.given.run(case, self._given_key(case)) is not None
        return not self.can_run(case) or self._key(case) in self.known or self._kept(case) is not None

    def _run_fresh(self, case: Case, program: Path, place: Path) -> Run:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        if self.target != "sim" or not self.spec.find_program(case.program).simulated:
            return self._run_plain(case, program, place)
        run = (self._run_replayed if self.trust == REPLAY else self._run_simulated)(case, program, place)
        broken = "" if (run.state, run.code) == ("exit", 0) else self._simulator_problem(case.gpu)
        return replace(run, state="infra", problem=broken) if broken else run

    def _simulator_problem(self, gpu: str) -> str:
        """Why the simulator does not even start a program that does nothing: then no run says anything of a hand-in. Empty:
        it does. What the run itself says of it could be the student's words."""
        if gpu not in self.simulator_problems:
            command = [str(find_gpusim()), "run", "--gpu", gpu, "--mode", "auto", "--", "/bin/true"]
            done = sandbox.run(command, sandbox.Jail(read=simulator_paths(), scratch_mb=SCRATCH_MB), self._limits())
            works = (done.state, done.code) == ("exit", 0)
            self.simulator_problems[gpu] = "" if works else f"the simulator does not work here: {done.stderr.strip()[-300:]}"
        return self.simulator_problems[gpu]

    def _run_plain(self, case: Case, program: Path, place: Path) -> Run:
        """All it can write to the disk is its result: the rest of what it sees is memory, counted and limited."""
        dump = place / DUMP
        dump.touch()
        return self._finish(case, self._run_jailed(case, program, place, [], cwd=place, write_files=(dump,)), place)

    def _run_simulated(self, case: Case, program: Path, place: Path) -> Run:
        """The simulator lives in the program's own process: good for feedback only."""
        file = place / METRICS
        watched = ["--check", case.check] if case.check else []
        command = [str(find_gpusim()), "run", *simulated_gpu(case), *watched, "--metrics", str(file), "--"]
        done = self._run_jailed(case, program, place, command, cwd=place, write_dirs=(place,))
        return self._with_metrics(self._finish(case, done, place), file, done)

    def _run_replayed(self, case: Case, program: Path, place: Path) -> Run:
        recording, dump, folder = place / "recording", place / DUMP, place / "replay"
        for file in (recording, dump):
            file.touch()
        folder.mkdir()
        command = [str(find_gpusim()), "run", *simulated_gpu(case), "--record", str(recording), "--"]
        limits = replace(self._limits(), fsize_bytes=max(self._limits().fsize_bytes, RECORDING_BYTES))
        done = self._run_jailed(case, program, place, command, write_files=(recording, dump), limits=limits)
        run = self._finish(case, done, place)
        if (done.state, done.code) != ("exit", 0):  # it has its verdict already
            recording.unlink()
            return run
        try:
            return self._replay(run, program, recording, folder)
        finally:
            recording.unlink()

    def _replay(self, run: Run, program: Path, recording: Path, folder: Path) -> Run:
        """The same GPU work in a process without student code."""
        contents = self.inputs(run.case) or []
        inputs = [folder.parent / f"input{number}" for number, _ in enumerate(contents)]
        for path, content in zip(inputs, contents):
            path.write_bytes(content)
        files = [word for path in inputs for word in ("--input", str(path))]
        watched = ["--check", run.case.check] if run.case.check else []
        kept = ["--outputs", str(folder)] if run.case.dump else []
        command = [str(find_gpusim()), "replay", str(recording), *simulated_gpu(run.case), *watched, "--program",
                   str(program), *files, "--metrics", str(folder / METRICS), "--report", str(folder / "report.json"),
                   *kept]
        limits = replace(self._limits(), fsize_bytes=REPLAY_BYTES)
        jail = sandbox.Jail(read=(program, recording, *inputs, *simulator_paths()), write_dirs=(folder,),
                            scratch_mb=SCRATCH_MB)
        done = sandbox.run(command, jail, limits)
        if (done.state, done.code) not in (("exit", 0), ("exit", 1)) or not (folder / "report.json").is_file():
            # Its input was made by student code: what breaks it is no fault of this machine's.
            state = done.state if done.state in ("timeout", "memory", "output") else "ended_early"
            return replace(run, state=state, problem=f"doing its GPU work again failed: {done.stderr.strip()[-200:]}")
        again = replays.load(folder / "report.json", folder)
        state, problem = again.verdict
        if state != "exit":
            return replace(run, state=state, problem=problem)
        if again.check_errors:  # as the program itself ends where a tool has found something
            return replace(run, code=1, stderr=done.stderr)
        results = again.results if run.case.dump else None
        return self._with_metrics(replace(run, results=results), folder / METRICS, done)

    def _run_jailed(self, case: Case, program: Path, place: Path, before: list[str],
                    limits: process.ProcessLimits | None = None, cwd: Path | None = None,
                    **jail: tuple[Path, ...]) -> process.Finished:
        paths = {name: str(self.built[name].path) for name in case.others}
        command = [*before, *START.get(program.suffix, ()), str(program), *case.args.format_map(paths).split()]
        env = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ} | dict(case.env)
        if case.dump:
            env["HPML_DUMP"] = str(place / DUMP)
        files = (program, *(self.built[name].path for name in case.others))
        read = (*map(visible, files), *(simulator_paths() if before else ()))
        box = sandbox.Jail(read=read, env=env, scratch_mb=SCRATCH_MB, profile=self.spec.sandbox.profile,
                           real_gpu=self.target == "gpu", **jail)
        return sandbox.run(command, box, limits or self._limits(), cwd)

    def _limits(self) -> process.ProcessLimits:
        limits = self.spec.limits
        return process.ProcessLimits(self.wall_s or limits.wall_s, self.wall_s or limits.cpu_s, limits.fsize_mb << 20,
                                     limits.output_kb << 10, limits.memory_mb << 20, limits.pids or DEFAULT_PIDS)

    def _finish(self, case: Case, done: process.Finished, place: Path) -> Run:
        dump = place / DUMP
        there = case.dump and dump.is_file() and not dump.is_symlink() and dump.stat().st_size > 0
        return Run(case, done.state, done.code, done.stdout, done.stderr, wall_s=done.wall_s,
                   dump=dump if there else None)

    def _with_metrics(self, run: Run, file: Path, done: process.Finished) -> Run:
        try:
            return replace(run, metrics=metrics.load(file))
        except InfraError as error:
            if done.state == "exit" and done.code in (0, 3):
                return replace(run, state="infra", problem=f"{error}; gpusim said: {done.stderr.strip()[-300:]}")
            return run


def spared_in(cases: Sequence[Case], ended: Mapping[Case, Run], exercise: Mapping[Case, str]) -> set[Case]:
    """Those after the last run that a program is allowed not to end in an exercise, by what is known so far."""
    endless: Counter[tuple[str, ...]] = Counter()
    spared = set()
    for case in cases:
        whose = (exercise.get(case, ""), *(case.others or (case.program,)))
        if endless[whose] >= MOST_ENDLESS:
            spared.add(case)
        endless[whose] += case in ended and ended[case].state == "timeout"
    return spared


def _not_asked(case: Case) -> Run:
    return Run(case, "timeout", problem=f"it was not run, since {MOST_ENDLESS} other runs of this exercise did not end")


def simulated_gpu(case: Case) -> list[str]:
    return ["--gpu", case.gpu, "--mode", "auto"]
