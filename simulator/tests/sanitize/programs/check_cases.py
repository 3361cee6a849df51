#!/usr/bin/python3
"""Run every case of a program of this folder with all checks on, planted defect and correct twin.

    check_cases.py GPUSIM PROGRAM SOURCE.cu

The findings of the defect must be exactly those that SOURCE.cu announces (see cases.cuh), the twin must have none, and
a second run must write the same file, byte by byte.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

FIND = re.compile(r"// (FIND|MAY) (\w+): (\w+)((?: \w+=\S+)*)")
LABEL = re.compile(r"// LABEL (\w+)")
ADVICE = {"uninitialized_copy", "leak", "api_error"}  # warnings: they do not fail the run


class Announced(NamedTuple):
    """One finding as the source announces it; `other` of the attributes is a line number."""

    must: bool
    line: int  # 0: on the host
    kind: str
    attributes: dict[str, str]


def announced(source: str) -> dict[str, list[Announced]]:
    """Case -> what is found in it."""
    lines = source.splitlines()
    labels = {m[1]: str(n) for n, line in enumerate(lines, 1) for m in LABEL.finditer(line)}
    cases: dict[str, list[Announced]] = {}
    for number, line in enumerate(lines, 1):
        for match in FIND.finditer(line):
            attributes = dict(word.split("=") for word in match[4].split())
            if "other" in attributes:
                attributes["other"] = labels[attributes["other"]]
            on_host = line.lstrip().startswith("// FIND")
            cases.setdefault(match[2], []).append(
                Announced(match[1] == "FIND", 0 if on_host else number, match[3], attributes))
    return cases


def triple(values: list[int]) -> str:
    """(x,y,z) as the sources write it."""
    return f"({values[0]},{values[1]},{values[2]})"


def fits(finding: dict, expected: Announced) -> bool:
    """Is this the finding that was announced?"""
    threads = finding.get("threads", [])
    if finding["kind"] != expected.kind or (threads[0].get("line", -1) if threads else 0) != expected.line:
        return False
    actual = {"distance": str(finding.get("allocation", {}).get("distance"))}
    if threads:
        actual |= {"thread": triple(threads[0]["thread"]), "block": triple(threads[0]["block"])}
        actual |= {"other": str(threads[1].get("line"))} if len(threads) > 1 else {}
    return all(actual.get(name) == value for name, value in expected.attributes.items())


def run(gpusim: str, program: str, case: str, variant: str, mode: str) -> tuple[int, str, str]:
    """Exit status, what was found as JSON text, stderr."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "check.json"
        done = subprocess.run([gpusim, "run", "--mode", mode, "--check", "all", "--check-out", out, "--", program, case,
                               variant], check=False, capture_output=True, text=True)
        return done.returncode, out.read_text(encoding="utf-8"), done.stderr


def problems_of(gpusim: str, program: str, case: str, expected: list[Announced]) -> list[str]:
    """What is wrong with this case; empty: nothing."""
    problems = []
    for mode in ("functional", "cycle"):
        status, text, err = run(gpusim, program, case, "good", mode)
        if status != 0 or json.loads(text)["findings"]:
            problems.append(f"{case} ({mode}): the correct twin is blamed (status {status}):\n{err}")
        status, text, err = run(gpusim, program, case, "bad", mode)
        findings = json.loads(text)["findings"]
        missing = [e for e in expected if e.must and not any(fits(f, e) for f in findings)]
        extra = [f for f in findings if not any(fits(f, e) for e in expected)]
        if missing or extra:
            problems.append(f"{case} ({mode}): missing {missing}, {len(extra)} not announced:\n{err}")
        if (status == 0) != all(e.kind in ADVICE for e in expected):
            problems.append(f"{case} ({mode}): exit status {status}")
        if mode == "functional" and run(gpusim, program, case, "bad", mode)[1] != text:
            problems.append(f"{case}: a second run found something else")
    return problems


def main(gpusim: str, program: str, source: str) -> int:
    """0 when every case is as announced."""
    cases = announced(Path(source).read_text(encoding="utf-8"))
    listed = subprocess.run([gpusim, "run", "--", program], check=True, capture_output=True, text=True).stdout.split()
    problems = [] if set(listed) == set(cases) else [f"announced {sorted(cases)}, there are {sorted(listed)}"]
    for case in listed:
        problems += problems_of(gpusim, program, case, cases.get(case, []))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
