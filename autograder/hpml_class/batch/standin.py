"""Records for hand-ins that no grader ran on: refused ones earn nothing, missing ones are our fault and pending."""
import hashlib

from hpml_autograder import record as records
from hpml_autograder import seeds
from hpml_autograder.backends import Backends, Setup
from hpml_autograder.labspec import LabSpec
from hpml_autograder.paths import LabDirs
from hpml_autograder.trust import metrics_trust

from ..marks import Record
from .handins import HandIn


def refused(spec: LabSpec, dirs: LabDirs, handin: HandIn, reason: str, key: bytes | None) -> tuple[str, Record]:
    """A policy violation in every exercise, and the key under which it is kept."""
    seed_id = _seed_id(key)
    harness = records.harness_sha(dirs.lab)
    text = f"refused\n{handin.id}\n{reason}\n{harness}\n{seed_id}"
    return hashlib.sha256(text.encode()).hexdigest()[:40], _record(spec, harness, key, "PV", "ok", reason)


def missing(spec: LabSpec, dirs: LabDirs, key: bytes | None, reason: str) -> Record:
    """A missing record is infra_error, not 0."""
    return _record(spec, records.harness_sha(dirs.lab), key, "XX", "infra_error", reason)


def _seed_id(key: bytes | None) -> str:
    return seeds.seed_id(seeds.PUBLIC_KEY if key is None else key)


def _record(spec: LabSpec, harness: str, key: bytes | None, verdict: str, status: str, reason: str) -> Record:
    public = reason if verdict == "PV" else "the grader could not grade this; it will be graded again"
    tests = [{"id": test.id, "exercise": test.exercise, "kind": test.kind, "visibility": test.visibility,
              "bonus": spec.is_bonus(test), "max_millipoints": test.max_millipoints, "millipoints": 0, "verdict": verdict, "checked": "",
              "detail_public": public, "detail_staff": reason, "metrics": {}} for test in spec.test]
    return records.seal({
        "schema": records.SCHEMA, "lab": spec.id, "status": status,
        "submission": {"id": "none", "sha256": hashlib.sha256(b"").hexdigest(), "files": []},
        "harness": {"sha": harness, "lab_version": spec.version}, "target": {}, "seed_id": _seed_id(key),
        "metrics_trust": metrics_trust(Backends(spec, Setup(trusted=True))),
        "sandbox": {"level": "L0", "net": "none", "note": "nothing was run"},
        "total_millipoints": 0, "max_millipoints": spec.total_millipoints,
        "late": {"days": 0, "deduction_millipoints": 0}, "tests": tests, "leaderboard": [], "volatile": {}}, key)
