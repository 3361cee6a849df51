"""The canonical record hpml.grade/v1: same submission, same bytes; all that varies lies under "volatile"."""
import hashlib
import json
import os
import platform
from pathlib import Path
from typing import Any

from . import sandbox, seeds
from .collect import TAKEN
from .pipeline import Graded
from .verdict import Verdict

SCHEMA = "hpml.grade/v1"


def make_record(graded: Graded, volatile: dict[str, Any]) -> dict[str, Any]:
    spec = graded.spec
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "lab": spec.id,
        "status": _status(graded),
        "submission": {"id": _submission_id(graded), "files": [
            {"path": file.name, "state": file.state, "sha256": file.sha256, "bytes": len(file.content)}
            for file in graded.files]},
        "harness": {"sha": harness_sha(graded), "lab_version": spec.version},
        "target": {"kind": graded.context.target, "gpu": graded.context.gpu, "cuda": graded.context.cuda},
        "seed_id": seeds.seed_id(graded.context.key),
        "metrics_trust": spec.metrics.trust,
        "total_millipoints": graded.total,
        "max_millipoints": sum(test.max_millipoints for test in graded.tests),
        "late": {"days": 0, "deduction_millipoints": 0},
        "tests": [_test_entry(graded, test) for test in graded.tests],
        "leaderboard": [],
    }
    record["record_sha256"] = hashlib.sha256(canonical(record).encode()).hexdigest()
    record["sandbox"] = sandbox.describe()  # host-dependent as well, so outside the hash
    record["volatile"] = {**volatile, "host": host_block()}
    return record


def _test_entry(graded: Graded, test) -> dict[str, Any]:
    outcome = graded.outcomes[test.id]
    return {"id": test.id, "exercise": test.exercise, "kind": test.kind, "visibility": test.visibility,
            "max_millipoints": test.max_millipoints, "millipoints": graded.millipoints(test),
            "verdict": outcome.verdict.value, "checked": outcome.checked, "detail_public": outcome.detail,
            "detail_staff": "", "metrics": outcome.metrics}


def _status(graded: Graded) -> str:
    verdicts = {outcome.verdict for outcome in graded.outcomes.values()}
    if Verdict.XX in verdicts:
        return "infra_error"
    return "inconclusive" if Verdict.INC in verdicts else "ok"


def _submission_id(graded: Graded) -> str:
    taken = [f"{file.name}:{file.sha256}" for file in graded.files if file.state == TAKEN]
    return hashlib.sha256("\n".join(taken).encode()).hexdigest()[:16]


def harness_sha(graded: Graded) -> str:
    """Over every pristine file that decides the score: lab and grader."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent
    for folder in (graded.dirs.lab, package):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(folder.parent)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def host_block() -> dict[str, Any]:
    cpu = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return {"cpu": cpu, "cores": os.cpu_count() or 1, "kernel": platform.release()}


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=1) + "\n"


def write_atomically(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
