"""The same batch as a Slurm job array: a task for some hand-ins, and after all of them, whatever became of them, the end.

A task costs about 2.7 slot-seconds of its own, so it takes 10 to 20 hand-ins. Tasks may be killed and queued again with
their node: what they have graded lies in the store, which must be on a file system that all nodes see.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hpml_autograder.record import write_atomically

from ..errors import InfraError, UsageError
from ..progress import Progress
from . import plan as plans
from .local import worker_environment
from .plan import Plan
from .store import Store

CHUNK = 15
MAX_TASKS = 1000  # Slurm's default MaxArraySize is 1001
NODE_LOCAL = ("TMPDIR", "HOME", "PATH", "LANG")  # of the node, not of the machine that submits


@dataclass(frozen=True)
class Jobs:
    array: str
    finish: str

    @property
    def both(self) -> str:
        return ",".join(job for job in (self.array, self.finish) if job)


def submit(out: Path, plan: Plan, todo: Sequence[int], chunk: int, more: Sequence[str] = ()) -> Jobs:
    for program in ("sbatch", "squeue"):
        if shutil.which(program) is None:
            raise UsageError(f"{program} is not installed here; without --slurm the batch runs on this machine")
    chunk = max(chunk, -(-len(todo) // MAX_TASKS))
    folder = out / ".slurm"
    pinned = plans.pin(plan, out)
    write_atomically(todo_path(out, pinned), json.dumps(list(todo)) + "\n")
    tasks = -(-len(todo) // chunk)
    array = ""
    if tasks:
        script = _script([sys.executable, "-B", "-m", "hpml_class.batch.task", str(out), pinned, "$SLURM_ARRAY_TASK_ID", str(chunk)])
        write_atomically(folder / "grade.sh", script)
        array = _sbatch([f"--array=0-{tasks - 1}", "--requeue", f"--output={folder}/grade-%a.log", *more,
                         str(folder / "grade.sh")], "hpml-grade")
    write_atomically(folder / "finish.sh", _script([sys.executable, "-B", "-m", "hpml_class", "aggregate", str(out)]))
    after = [f"--dependency=afterany:{array}"] if array else []
    return Jobs(array, _sbatch([*after, "--requeue", f"--output={folder}/finish.log", *more, str(folder / "finish.sh")],
                               "hpml-finish"))


def todo_path(out: Path, pinned: str) -> Path:
    return out / ".slurm" / f"todo-{pinned}.json"


def _script(command: Sequence[str]) -> str:
    exports = [f"export {name}={shlex.quote(value)}" for name, value in sorted(worker_environment().items())
               if name not in NODE_LOCAL]
    words = " ".join(word if word.startswith("$SLURM_") else shlex.quote(word) for word in command)
    return "\n".join(["#!/bin/bash", *exports, f"exec {words}"]) + "\n"


def _sbatch(arguments: Sequence[str], name: str) -> str:
    # Only these variables go into the job: a key in somebody's environment must not.
    command = ["sbatch", "--parsable", "--export=PATH,HOME,LANG", "--open-mode=append", "--ntasks=1", f"--job-name={name}",
               "--chdir=/", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise InfraError(f"sbatch: {' '.join(done.stderr.split()) or 'no reason given'}")
    return done.stdout.strip().split(";")[0]


def wait(jobs: Jobs, out: Path, plan: Plan, todo: Sequence[int], poll_s: float = 2.0) -> None:
    """Until both jobs have left the queue."""
    progress = Progress(len(todo), "graded")
    store, seen = Store(out), set()
    while True:
        done = subprocess.run(["squeue", "--noheader", "--jobs", jobs.both, "--format=%i"], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0 and "Invalid job id" not in done.stderr:
            raise InfraError(f"squeue: {' '.join(done.stderr.split())}; the jobs {jobs.both} go on without us")
        for index in todo:
            if index not in seen and (store.pointer(plan.handins[index].id) or store.problem(plan.handins[index].id)):
                seen.add(index)
                progress.step(plan.handins[index].id)
        if not done.stdout.strip():
            break
        time.sleep(poll_s)
    progress.end()


def jobs_of_node() -> int:
    """Workers at a time in one task: the processors that Slurm gave it."""
    return max(1, int(os.environ.get("SLURM_CPUS_PER_TASK", "1") or "1"))
