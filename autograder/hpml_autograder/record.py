"""The canonical record hpml.grade/v1: same submission, same bytes, but for tests that measure this machine's own speed
(LabSpec.measures); all else that varies lies under "volatile"."""
import hashlib
import hmac
import json
import os
import platform
from collections import Counter
from pathlib import Path
from typing import Any

from . import sandbox, seeds
from .collect import submission_sha
from .harness import harness_sha
from .ledger import write_atomically
from .machine import compiler_version
from .graded import Graded
from .verdict import Verdict

SCHEMA = "hpml.grade/v1"
UNSEALED = ("record_sha256", "record_mac", "sandbox", "volatile")  # host-dependent, or the seal itself: outside the hash
MAC_PURPOSE = b"hpml.grade/v1 record_mac"  # the course key also makes seeds: neither says anything of the other


def make_record(graded: Graded, volatile: dict[str, Any]) -> dict[str, Any]:
    spec = graded.spec
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "lab": spec.id,
        "status": _status(graded),
        "submission": {"id": submission_sha(graded.files)[:16], "sha256": submission_sha(graded.files), "files": [
            {"path": file.name, "state": file.state, "sha256": file.sha256, "bytes": len(file.content)}
            for file in graded.files]},
        "harness": {"sha": harness_sha(graded.dirs.lab), "lab_version": spec.version},
        "target": _target(graded),
        "seed_id": seeds.seed_id(graded.context.key),
        "metrics_trust": graded.metrics_trust,
        "replay": _replay(graded),
        "total_millipoints": graded.total,
        "max_millipoints": sum(test.max_millipoints for test in graded.required),
        "late": {"days": 0, "deduction_millipoints": 0},
        "tests": [_test_entry(graded, test) for test in graded.tests],
        "leaderboard": _leaderboard(graded),
    }
    record["sandbox"] = sandbox.detect().describe()
    record["standing"] = graded.standing
    record["volatile"] = {**volatile, "host": host_block()}
    if "cuda" in record["target"]:
        record["volatile"]["host"]["compiler"] = compiler_version(graded.context.cuda)
    return seal(record, graded.context.key)


def seal(record: dict[str, Any], key: bytes | None = None) -> dict[str, Any]:
    """The record with its hash, which anybody can make, and its MAC, for which one needs the course key; both cover everything
    but UNSEALED. Without a course key the MAC is "none"."""
    covered = canonical({name: value for name, value in record.items() if name not in UNSEALED}).encode()
    return {**record, "record_sha256": hashlib.sha256(covered).hexdigest(), "record_mac": _mac(covered, key)}


def _mac(covered: bytes, key: bytes | None) -> dict[str, str]:
    if key in (None, seeds.PUBLIC_KEY):
        return {"algorithm": "none"}
    own = hmac.new(key, MAC_PURPOSE, hashlib.sha256).digest()
    return {"algorithm": "hmac-sha256", "key_id": seeds.seed_id(key), "value": hmac.new(own, covered, hashlib.sha256).hexdigest()}


def forged(record: dict[str, Any], key: bytes | None) -> str:
    """Return the reason why a grader with this course key did not write the record, or an empty string. Without a key (None or
    the public key) only the hash is compared."""
    wanted = seal(record, key)
    if not hmac.compare_digest(str(wanted["record_sha256"]), str(record.get("record_sha256"))):
        return "its content does not have the hash that it names: it was edited"
    if key in (None, seeds.PUBLIC_KEY):
        return ""
    found = record.get("record_mac")
    if not isinstance(found, dict) or found.get("algorithm") != wanted["record_mac"]["algorithm"]:
        return "it carries no MAC: it was graded without the course key, or edited"
    if found.get("key_id") != wanted["record_mac"]["key_id"]:
        return f"its MAC was made with another key ({str(found.get('key_id'))[:8]!r}; this one is '{wanted['record_mac']['key_id']}')"
    same = hmac.compare_digest(str(wanted["record_mac"]["value"]).encode(), str(found.get("value")).encode("utf-8", "replace"))
    return "" if same else "its MAC does not match its content: it was edited"


def _target(graded: Graded) -> dict[str, str]:
    context = graded.context
    if not graded.spec.uses("gpusim"):
        return {"kind": "cpu"}
    return {"kind": context.target, "gpu": context.gpu, "cuda": context.cuda}


def _test_entry(graded: Graded, test) -> dict[str, Any]:
    outcome = graded.outcomes[test.id]
    return {"id": test.id, "exercise": test.exercise, "kind": test.kind, "visibility": test.visibility,
            "bonus": graded.spec.is_bonus(test), "max_millipoints": test.max_millipoints,
            "millipoints": graded.millipoints(test), "verdict": outcome.verdict.value, "checked": outcome.checked,
            "detail_public": outcome.detail, "detail_staff": "", "metrics": outcome.metrics}


def _replay(graded: Graded) -> dict[str, dict[str, int]]:
    """How work of GPUs was done again with other data, by program: from the recording, or by running the program again,
    because what it asks of the GPU depends on its data."""
    ways: dict[str, Counter[str]] = {"recording": Counter(), "run_again": Counter()}
    for case, run in graded.runner.runs.items():
        if run.other_data:
            ways["run_again" if run.run_again else "recording"][case.program] += 1
    return {way: dict(programs) for way, programs in ways.items()}


def _leaderboard(graded: Graded) -> list[dict[str, Any]]:
    """Of tests with `params = { leaderboard = "FIGURE" }` that have this figure: the lowest is the best."""
    return [{"name": f"{graded.spec.id} {test.id}", "metric": metric, "order": "asc", "value": graded.outcomes[test.id].metrics[metric]}
            for test in graded.tests if (metric := test.params.get("leaderboard")) in graded.outcomes[test.id].metrics]


def _status(graded: Graded) -> str:
    verdicts = {outcome.verdict for outcome in graded.outcomes.values()}
    if Verdict.XX in verdicts:
        return "infra_error"
    return "inconclusive" if Verdict.INC in verdicts else "ok"


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
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, indent=1) + "\n"
    return text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate is no UTF-8
