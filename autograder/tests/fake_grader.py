"""Stands in for hpml_autograder.submission in tests of batches: same door, no simulator, and faults on demand.

The first line of vecaddcpu.cpp says what happens: "points 1500", "sleep 2", "once FILE", "crash", "infra", "pending", "compiler clang 14.0.6",
"swap" (it writes itself anew while it is graded), "hang FILE" (a command in the sandbox that does not end, until FILE is there).
Each grading adds a line to $HPML_SCRATCH/graded.log.
"""
import hashlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hpml_autograder import labspec, process, sandbox, seeds
from hpml_autograder import record as records
from hpml_autograder.collect import collect
from hpml_autograder.errors import InfraError
from hpml_autograder.paths import find_lab
from hpml_autograder.submission import Identity


@dataclass(frozen=True)
class Order:
    lab: str
    source: Path
    key: bytes = seeds.PUBLIC_KEY
    gpu: str | None = None
    cuda: str = "clang"
    jobs: int = 1


def harness() -> str:
    """A test changes the harness by writing another word into this file."""
    path = Path(os.environ["HPML_SCRATCH"]) / "harness"
    return hashlib.sha256(path.read_bytes() if path.is_file() else b"1").hexdigest()


def identify(order: Order) -> Identity:
    spec = labspec.load(find_lab(order.lab).lab / "lab.toml")
    return Identity(records.submission_sha(collect(order.source, spec.submit)), harness(), seeds.seed_id(order.key), "t4/clang")


def files_say(files) -> str:
    return next(file for file in files if file.name == "vecaddcpu.cpp").content.decode()


def grade(order: Order, scratch: Path, attempt: int = 1) -> dict[str, Any]:
    spec = labspec.load(find_lab(order.lab).lab / "lab.toml")
    files = collect(order.source, spec.submit)
    if files_say(files).startswith("swap"):
        (order.source / "vecaddcpu.cpp").write_text("points 5000\n", encoding="utf-8")
        files = collect(order.source, spec.submit)
    first = files_say(files).split("\n")[0] or "points 0"
    word, _, rest = first.partition(" ")
    with open(Path(os.environ["HPML_SCRATCH"]) / "graded.log", "a", encoding="utf-8") as log:
        log.write(f"{first}\n")
    if word == "sleep":
        time.sleep(float(rest))
    if word == "hang" and not Path(rest).exists():
        sandbox.run(["/bin/sh", "-c", "sleep 1000; true", rest], sandbox.Jail(), process.ProcessLimits(1000, 1000, 1 << 20, 1 << 20))
    if word == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "once" and not Path(rest).exists():
        Path(rest).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "infra":
        raise InfraError("the disk is full")
    verdict = "INC" if word == "pending" else "AC"
    points = int(rest) if word == "points" else 0
    bonus = 0 if harness() == hashlib.sha256(b"1").hexdigest() else 100
    record = _record(spec, order, files, verdict, points + bonus, attempt)
    if word == "compiler":
        record["volatile"]["host"] = {"compiler": rest}
    return record


def _record(spec, order, files, verdict, points, attempt) -> dict[str, Any]:
    tests = []
    for test in sorted(spec.test, key=spec.is_bonus):
        got = min(points, test.max_millipoints) if verdict == "AC" else 0
        points -= got
        full = got == test.max_millipoints
        tests.append({"id": test.id, "exercise": test.exercise, "kind": test.kind, "visibility": test.visibility,
                      "bonus": spec.is_bonus(test),
                      "max_millipoints": test.max_millipoints, "millipoints": got, "checked": "",
                      "verdict": verdict if full or verdict != "AC" else "PA" if got else "WA", "detail_public": "",
                      "detail_staff": "", "metrics": {}})
    sha = records.submission_sha(files)
    return records.seal({
        "schema": records.SCHEMA, "lab": spec.id, "status": "inconclusive" if verdict == "INC" else "ok",
        "submission": {"id": sha[:16], "sha256": sha, "files": [
            {"path": file.name, "state": file.state, "sha256": file.sha256, "bytes": len(file.content)} for file in files]},
        "harness": {"sha": harness(), "lab_version": spec.version}, "target": {"gpu": "t4", "cuda": "clang"},
        "seed_id": seeds.seed_id(order.key), "metrics_trust": "in_process", "sandbox": {"level": "L3", "net": "none"},
        "total_millipoints": sum(test["millipoints"] for test in tests), "max_millipoints": spec.total_millipoints,
        "late": {"days": 0, "deduction_millipoints": 0}, "tests": tests, "leaderboard": [],
        "volatile": {"attempt": attempt, "started": "2026-11-20T12:00:00+00:00", "wall_s": {"total": 1.0}}}, order.key)
