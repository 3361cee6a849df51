"""Builds the programs of this room and runs them: on a simulated GPU, or as they are on a real one."""
from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hpml_metrics.document import load

from hpml_validation.metrics import WORDS
from hpml_validation.targets import Run

ROOM = Path(__file__).resolve().parent.parent
ROOT = ROOM.parent.parent
COMPILER = ROOT / "tools/cuda_compile.py"
LIMIT_S = 900
# These read %clock64 in kernels that may be long: every instruction must be timed. The others run as users' programs do.
CYCLE_MODE = {"alu", "atomics", "chase", "warp"}

Results = dict[str, tuple[float, str]]   # name -> value, unit


class RunError(Exception):
    """A program could not be built or run; the message has its last line."""


def digest(*parts: bytes) -> str:
    hasher = hashlib.sha256()
    for part in parts:
        hasher.update(hashlib.sha256(part).digest())
    return hasher.hexdigest()[:24]


class Programs:
    """Executables below build/validation/FRONTEND, built again only when a source or the compiler's driver changed."""

    def __init__(self, build: Path, frontend: str, arch: str = "") -> None:
        self.folder = build / "validation" / (frontend + arch)
        self.frontend = frontend
        self.arch = arch

    def path(self, name: str) -> Path:
        return self.folder / name

    def build(self, names: Iterable[str], jobs: int) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(self.build_one, sorted(set(names))))

    def build_one(self, name: str) -> None:
        source = ROOM / "programs" / f"{name}.cu"
        if not source.is_file():
            raise RunError(f"targets.toml names the program '{name}', but there is no {source.relative_to(ROOT)}")
        headers = sorted(source.parent.glob("*.cuh"))
        compile_changed([str(source)], [source, *headers], self.path(name), self.frontend, self.arch)


def compile_changed(words: list[str], sources: Iterable[Path], out: Path, frontend: str, arch: str) -> None:
    """Compiles `words` to `out` unless it is there and was made of the same `sources`, maybe on another machine."""
    stamp = digest(*(path.read_bytes() for path in sources), COMPILER.read_bytes())
    stamp_file = out.with_name(f"{out.name}.stamp")
    if out.is_file() and stamp_file.is_file() and stamp_file.read_text("ascii") == stamp:
        return
    command = ["/usr/bin/python3", str(COMPILER), "--frontend", frontend, "-o", str(out), *words]
    command += ["--nvcc-arch", arch] if arch else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RunError(f"cannot compile {out.name}:\n{done.stderr.strip() or 'no message'}")
    stamp_file.write_text(stamp, "ascii")


def parse(text: str) -> Results:
    results = {}
    for line in text.splitlines():
        name, value, unit = line.split()
        results[name] = (float(value), unit)
    return results


class Runner:
    """Runs commands, several at a time, and remembers what they gave (build/validation/cache) for as long as program,
    GPU file and simulator are the same bytes."""

    def __init__(self, build: Path, programs: Programs, jobs: int, say: Callable[[str], None]) -> None:
        self.build = build
        self.programs = programs
        self.jobs = jobs
        self.say = say
        self.cache = build / "validation/cache"
        self.simulator = b""

    def run_all(self, runs: Iterable[Run]) -> dict[Run, Results]:
        todo = sorted(set(runs), key=lambda run: (run.gpu, run.command))
        self.programs.build((run.command.split()[0] for run in todo), self.jobs)
        self.cache.mkdir(parents=True, exist_ok=True)
        if any(run.gpu for run in todo):
            parts = [self.build / "bin/gpusim", *sorted((self.build / "lib").glob("lib*.so*"))]
            self.simulator = b"".join(part.read_bytes() for part in parts)
        results = {run: self.remembered(run) for run in todo}
        missing = [run for run in todo if results[run] is None]
        missing.sort(key=lambda run: -self.seconds_last_time(run))
        with ThreadPoolExecutor(1 if any(not run.gpu for run in todo) else self.jobs) as pool:
            for number, (run, result) in enumerate(zip(missing, pool.map(self.execute, missing)), start=1):
                results[run] = result
                self.say(f"{number}/{len(missing)} {run.gpu} {run.command}")
        return results

    def key(self, run: Run) -> str:
        program = self.programs.path(run.command.split()[0]).read_bytes()
        gpu_file = (ROOT / f"simulator/gpus/{run.gpu}.toml").read_bytes()
        return digest(program, gpu_file, self.simulator, run.command.encode())

    def remembered(self, run: Run) -> Results | None:
        if not run.gpu:
            return None
        path = self.cache / f"{self.key(run)}.json"
        if not path.is_file():
            return None
        return {name: (value, unit) for name, (value, unit) in json.loads(path.read_text("utf-8"))["results"].items()}

    def time_file(self, run: Run) -> Path:
        return self.cache / f"seconds-{digest(run.gpu.encode(), run.command.encode())}"

    def seconds_last_time(self, run: Run) -> float:
        path = self.time_file(run)
        return float(path.read_text("ascii")) if path.is_file() else 1.0

    def execute(self, run: Run) -> Results:
        begin = time.monotonic()
        name, *arguments = run.command.split()
        with tempfile.NamedTemporaryFile(suffix=".json") as metrics:
            program = [str(self.programs.path(name)), *arguments]
            if run.gpu:
                program = [str(self.build / "bin/gpusim"), "run", "--gpu", run.gpu, "--mode",
                           "cycle" if name in CYCLE_MODE else "auto", "--metrics", metrics.name, "--", *program]
            results = parse(self.output(run, program))
            if run.gpu:
                found = WORDS.get(name, lambda _: {})(load(Path(metrics.name)))
                results |= {f"metric:{word}": value for word, value in found.items()}
        if run.gpu:
            path = self.cache / f"{self.key(run)}.json"
            path.write_text(json.dumps({"command": run.command, "gpu": run.gpu, "results": results}), "utf-8")
            self.time_file(run).write_text(f"{time.monotonic() - begin:.2f}", "ascii")
        return results

    @staticmethod
    def output(run: Run, program: list[str]) -> str:
        environment = {**os.environ, "LC_ALL": "C"}
        try:
            done = subprocess.run(program, capture_output=True, text=True, check=False, env=environment, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            raise RunError(f"{run.gpu} {run.command}: not done after {LIMIT_S} s") from None
        if done.returncode != 0:
            tail = (done.stderr.strip() or "no message").splitlines()[-1]
            raise RunError(f"{run.gpu} {run.command}: exit status {done.returncode}: {tail}")
        return done.stdout


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K  {text}", end="", file=sys.stderr, flush=True)
