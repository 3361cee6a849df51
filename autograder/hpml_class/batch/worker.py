"""One hand-in of a batch in a process of its own: python -m hpml_class.batch.worker OUT PLAN INDEX RUNS-AT-A-TIME.

Ends with 0 when the hand-in is settled (a record, or a refusal that is a record), 3 otherwise; its last line on stderr
says why. SIGTERM ends it soon, with nothing left behind. It may be killed at any time: what it leaves is a record or
none, and a scratch directory that the next batch clears.
"""
import contextlib
import hashlib
import os
import shutil
import signal
import stat
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from hpml_autograder import labspec, process
from hpml_autograder.collect import collect
from hpml_autograder.labspec import LabSpec
from hpml_autograder.paths import LabDirs, find_lab

from ..errors import InfraError, UsageError
from ..similarity import Prints, prints
from . import opening
from . import plan as plans
from .handins import HandIn
from .plan import Plan
from .standin import refused
from .store import Pointer, Store


def grade_one(out: Path, plan: Plan, handin: HandIn, runs: int = 1) -> None:
    store, dirs = Store(out, plans.read_key(plan)), find_lab(plan.lab)
    spec = labspec.load(dirs.lab / "lab.toml")
    grader = plans.load_grader(plan)
    scratch = scratch_of(out, handin)
    shutil.rmtree(scratch, ignore_errors=True)  # of a process that had this number before
    while not scratch.is_dir():
        with contextlib.suppress(FileNotFoundError):  # another batch of the same results has just put the folder away
            scratch.mkdir(parents=True)
    stamp = ""
    try:
        if handin.problem:
            raise opening.Refused(handin.problem)
        stamp = stamp_of(handin, dirs, spec)  # first: what changes from here on is graded again
        source = opening.source_of(Path(handin.path), scratch / "unpacked", dirs, spec)
        order = replace(order_of(grader, plan, source), jobs=runs)
        identity = grader.identify(order)
        pointer = Pointer(identity.key, stamp, settings_of(grader, plan, dirs))
        store.put_prints(handin.id, prints_of(source, spec))
        with store.alone(identity.key):
            if not store.settled(identity.key):
                record = grader.grade(order, scratch / "grading", attempt=store.failures(identity.key) + 1)
                if record["submission"]["sha256"] != identity.submission:
                    raise InfraError("the hand-in has changed while it was graded")
                store.put(identity.key, record)
        store.point(handin.id, pointer)
    except opening.Refused as reason:
        key, record = refused(spec, dirs, handin, str(reason), plans.read_key(plan))
        store.put(key, record)
        store.point(handin.id, Pointer(key, stamp, settings_of(grader, plan, dirs)))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def stamp_of(handin: HandIn, dirs: LabDirs, spec: LabSpec) -> str:
    """Of its content; none where it cannot even be opened."""
    return "" if handin.problem else opening.stamp(Path(handin.path), dirs, spec)


def prints_of(source: Path, spec: LabSpec) -> Prints:
    return Prints(set, {name: prints(text) for name, text in texts_of(source, spec).items()})


def texts_of(source: Path, spec: LabSpec) -> dict[str, str]:
    """Of the lab's files; empty where one is missing."""
    return {file.name: file.content.decode("utf-8", "replace") for file in collect(source, spec.submit)}


def scratch_of(out: Path, handin: HandIn) -> Path:
    """On the node's own disk, never below the results. A process has its own, because a task that Slurm has queued
    again may run beside the one it believes dead. Compilers meet this path, so a student's name is no part of it."""
    return scratch_base(out) / f"{hashlib.sha256(handin.id.encode()).hexdigest()[:16]}.{os.getpid()}"


def scratch_base(out: Path) -> Path:
    return _scratch_root() / f"{_scratch_prefix()}{out.resolve().stat().st_ino}"


def _scratch_root() -> Path:
    return Path(os.environ.get("HPML_SCRATCH", tempfile.gettempdir()))


def _scratch_prefix() -> str:
    return f"hpml-{os.getuid()}-"


def put_scratch_away() -> None:
    """What dead workers have left, of any batch on this node (its results may be gone), and the folders themselves when
    nobody works in them any more. The folder above may be everybody's: what is not ours stays, and no link is followed."""
    for base in _scratch_root().glob(f"{_scratch_prefix()}*"):
        status = base.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            continue
        for left in base.glob("*.*"):
            if not Path("/proc", left.name.rsplit(".", 1)[1]).exists():
                shutil.rmtree(left, ignore_errors=True)
        with contextlib.suppress(OSError):
            base.rmdir()


def order_of(grader: ModuleType, plan: Plan, source: Path) -> Any:
    fields: dict[str, Any] = {"lab": plan.lab, "source": source, "gpu": plan.gpu or None, "cuda": plan.cuda}
    key = plans.read_key(plan)
    return grader.Order(**fields) if key is None else grader.Order(**fields, key=key)


def settings_of(grader: ModuleType, plan: Plan, dirs: LabDirs) -> str:
    """All of an identity but the submission: equal for every hand-in of one run."""
    identity = grader.identify(order_of(grader, plan, dirs.src))
    return f"{identity.harness} {identity.seed_id} {identity.target}"


def main(arguments: list[str]) -> int:
    out = Path(arguments[0])
    signal.signal(signal.SIGTERM, lambda number, frame: process.stop())
    try:
        plan = plans.load(out, arguments[1])
        handin = plan.handins[int(arguments[2])]
        grade_one(out, plan, handin, int(arguments[3]))
    except (UsageError, InfraError) as error:
        print(f"{error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"{error.filename or ''}: {error.strerror}", file=sys.stderr)
        return 3
    except process.Stopped:
        print("stopped", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
