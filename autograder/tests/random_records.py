"""Random but valid records, with text that tries to break out of every format. Each number is a seed."""
import hashlib
import random
from typing import Any

from hpml_autograder import record as records

VERDICTS = ("AC", "AC", "AC", "PA", "WA", "CE", "RE", "SG", "TO", "ML", "OL", "PV", "SK", "INC", "XX")
SECRET = "hidden-secret-9c1e"  # stands in every place that a hidden test may be described in
NASTY = ("::error file=a::b", "::set-output name=x::y", "]]>", "\x1b[31mred\x1b[0m", "<script>alert(1)</script>", "a|b",
         "`code`", "](http://x)", "\x00\x01\uffff", "line\r\nline\n", "\u202eleft", "é漢字🙂", "%0A", "\ud800", "=1+1", "")


def text(draw: random.Random) -> str:
    return " ".join(draw.choice(NASTY) for _ in range(draw.randrange(4)))


def make_test(draw: random.Random, number: int) -> dict[str, Any]:
    most = draw.choice((0, 10, 500, 1500, 3000, 10 * draw.randrange(1, 1000), draw.randrange(20000)))
    verdict = draw.choice(VERDICTS)
    points = most if verdict == "AC" else draw.randrange(most + 1) // 10 * 10 if verdict == "PA" else 0
    visibility = draw.choice(("public", "public", "hidden", "after_due"))
    secret = f" {SECRET} " if visibility == "hidden" else f" due-{SECRET} " if visibility == "after_due" else ""
    return {"id": f"E{number % 4}.t{number}", "exercise": f"E{number % 4}",
            "kind": draw.choice(("build", "policy", "correct", "perf", "quiz")), "visibility": visibility,
            **({"bonus": True} if number % 4 == 3 else {}),  # a whole exercise; of the others some records do not speak
            "max_millipoints": most, "millipoints": points, "verdict": verdict, "checked": secret + text(draw),
            "detail_public": secret + text(draw), "detail_staff": secret + text(draw),
            "metrics": {"cycles": draw.randrange(10 ** 6), **({secret: 1} if secret else {})}}


def make(seed: int) -> dict[str, Any]:
    draw = random.Random(seed)
    tests = [make_test(draw, number) for number in range(draw.randrange(1, 9))]
    verdicts = {test["verdict"] for test in tests}
    total = sum(test["millipoints"] for test in tests)
    late = draw.choice((0, 0, 1, 3))
    return records.seal({
        "schema": "hpml.grade/v1", "lab": "lab3",
        "status": "infra_error" if "XX" in verdicts else "inconclusive" if "INC" in verdicts else "ok",
        "submission": {"id": f"s{seed}", "sha256": hashlib.sha256(b"%d" % seed).hexdigest(), "received_at": None,
                       "files": [{"path": "a.cu", "state": "taken", "sha256": "0" * 64, "bytes": 1}]},
        "harness": {"sha": "1" * 64, "lab_version": "1.0"}, "target": {"kind": "sim", "gpu": "t4", "cuda": "clang"},
        "seed_id": "deadbeef", "metrics_trust": "in_process", "sandbox": {"level": "L3", "net": "none"},
        "total_millipoints": total, "max_millipoints": sum(test["max_millipoints"] for test in tests if "bonus" not in test),
        "late": {"days": late, "deduction_millipoints": draw.randrange(total + 2000) if late else 0},
        "tests": tests, "leaderboard": [{"name": "time", "metric": "us", "order": "asc", "value": 1.5}],
        "volatile": {"started": "2026-11-20T12:00:00+00:00", "ended": "2026-11-20T12:00:09+00:00", "attempt": 1,
                     "host": {"cpu": f"host-{SECRET}"}, "wall_s": {"total": 9.25, "runs": {f"case {SECRET}": 1.0}}}})
