#!/usr/bin/python3
"""Run a program with all checks on: they find no errors but of the kinds its source announces with `// CHECK kind ...`.
The word `stops` among the kinds: without checks it goes on after them, so that its output is another one.

    check_clean.py GPUSIM PROGRAM SOURCE.cu [GPU]
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from run_program import beside


def main(gpusim: str, program: str, source: str, gpu: str = "t4") -> int:
    """0 when the kinds found are those announced, and the program's output changes only where a check stops it."""
    text = Path(source).read_text(encoding="utf-8")
    options = beside(Path(source), ".options").split()
    expected = {kind for match in re.finditer(r"// CHECK ([\w ]+)", text) for kind in match[1].split()}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "check.json"
        words = [gpusim, "run", "--gpu", gpu, *options, "--mode", "functional", "--check", "all", "--check-out", out]
        done = subprocess.run([*words, "--", program], check=False, capture_output=True, text=True)
        findings = json.loads(out.read_text(encoding="utf-8"))["findings"]
    # Most of these programs leave their memory to the end of the process, and some look for errors of the API.
    found = {finding["kind"] for finding in findings
             if finding["severity"] == "error" or finding["kind"] not in ("leak", "api_error")}
    printed = Path(source).with_suffix(".expected").read_text(encoding="utf-8")
    stops = "stops" in expected
    if found == expected - {"stops"} and (done.stdout == printed) != stops:
        return 0
    print(f"found {sorted(found)}, announced {sorted(expected)}, output {'right' if done.stdout == printed else 'wrong'}")
    print(done.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
