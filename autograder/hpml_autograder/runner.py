"""Runs cases under the simulator, each once, some at a time."""
import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import metrics, process, sandbox
from .build import Built
from .case import Case, Run
from .errors import InfraError
from .labspec import LabSpec
from .paths import ROOT, build_dir, find_gpusim

# How a file is started that is no program by itself; neither environment nor home changes what it imports.
START = {".py": ("/usr/bin/python3", "-s", "-E", "-B")}
KEPT_ENVIRONMENT = ("LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES")
SCRATCH_MB = 256
DEFAULT_PIDS = 64


def simulator_paths() -> tuple[Path, ...]:
    """What gpusim needs of us to run a program."""
    gpusim = find_gpusim()
    return gpusim, build_dir() / "lib", ROOT / "simulator" / "gpus"


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
    runs: dict[Case, Run] = field(default_factory=dict)
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
        with ThreadPoolExecutor(max_workers=workers) as pool:
            for case, run in zip(cases, pool.map(self._run, cases)):
                self.runs[case] = self.known[self._key(case)] = run

    def can_run(self, case: Case) -> bool:
        return all(self.built[name].path is not None for name in (case.program, *case.others))

    def _key(self, case: Case) -> tuple[str, Case]:
        return " ".join(self.built[name].digest for name in (case.program, *case.others)), case

    def resolve(self, case: Case) -> Case:
        return case if case.gpu else replace(case, gpu=self.gpu)

    def _run(self, case: Case) -> Run:
        program = self.built[case.program].path
        if program is None or not self.can_run(case):
            return Run(case, "cannot_start", problem=f"{' or '.join((case.program, *case.others))} did not compile")
        place = self.work / hashlib.sha256(repr(case).encode()).hexdigest()[:16]
        place.mkdir(parents=True, exist_ok=True)
        metrics_file, dump_file = place / "metrics.json", place / "dump.bin"
        for stale in (metrics_file, dump_file):
            stale.unlink(missing_ok=True)
        paths = {name: str(self.built[name].path) for name in case.others}
        command = [*START.get(program.suffix, ()), str(program), *case.args.format_map(paths).split()]
        simulated = self.spec.find_program(case.program).simulated
        if simulated and self.target == "sim":
            command = [str(find_gpusim()), "run", "--gpu", case.gpu, "--mode", "auto", "--metrics", str(metrics_file),
                       "--", *command]
        env = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ} | dict(case.env)
        if case.dump:
            env["HPML_DUMP"] = str(dump_file)
        files = (program, *(self.built[name].path for name in case.others))
        read = (*map(visible, files), *(simulator_paths() if simulated else ()))
        jail = sandbox.Jail(read=read, write_dirs=(place,), env=env, scratch_mb=SCRATCH_MB,
                            profile=self.spec.sandbox.profile, real_gpu=self.target == "gpu")
        done = sandbox.run(command, jail, self._limits(), cwd=place)
        return self._finish(case, done, metrics_file if simulated else None, dump_file)

    def _limits(self) -> process.ProcessLimits:
        limits = self.spec.limits
        return process.ProcessLimits(self.wall_s or limits.wall_s, self.wall_s or limits.cpu_s, limits.fsize_mb << 20,
                                     limits.output_kb << 10, limits.memory_mb << 20, limits.pids or DEFAULT_PIDS)

    def _finish(self, case: Case, done: process.Finished, metrics_file: Path | None, dump_file: Path) -> Run:
        run = Run(case, done.state, done.code, done.stdout, done.stderr, wall_s=done.wall_s,
                  dump=dump_file if dump_file.is_file() else None)
        if metrics_file is None or self.target != "sim":
            return run
        try:
            return replace(run, metrics=metrics.load(metrics_file))
        except InfraError as error:
            if done.state == "exit" and done.code in (0, 3):
                return replace(run, state="infra", problem=f"{error}; gpusim said: {done.stderr.strip()[-300:]}")
            return run


