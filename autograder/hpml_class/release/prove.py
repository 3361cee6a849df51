"""Proves an exported tree by using it: it loads, it configures, it builds, and its starter scores its floor."""
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from hpml_autograder import labspec
from hpml_autograder.paths import LabDirs, build_dir

from ..errors import InfraError
from .verify import Finding

Say = Callable[[str], None]


def prove(tree: Path, lab: LabDirs, build: bool, say: Say) -> list[Finding]:
    spec = labspec.load(tree / "labs" / lab.lab.name / "lab.toml")
    environment = {name: value for name, value in os.environ.items() if name not in ("SOLUTION", "TEST", "GPU", "PYTHONPATH")}
    environment.setdefault("HPML_BUILD_DIR", str(build_dir()))
    if build:
        del environment["HPML_BUILD_DIR"]
        say("building the exported tree")
        _run([str(tree / "tools/lab.sh"), spec.id, "build"], tree, environment)
    say("grading its starter")
    environment["PYTHONPATH"] = str(tree / "autograder")
    command = [sys.executable, "-B", "-m", "hpml_autograder", "test", spec.id]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    result = tree / "build" / "results" / f"{spec.id}.json"
    if done.returncode not in (0, 1) or not result.is_file():
        raise InfraError(f"make {spec.id} test fails in the exported tree: {_last(done.stderr) or _last(done.stdout)}")
    total = json.loads(result.read_text(encoding="utf-8"))["total_millipoints"]
    result.unlink()
    if total != spec.floor_millipoints:
        return [Finding(f"labs/{lab.lab.name}", f"the starter scores {total} millipoints; floor_millipoints says "
                                                f"{spec.floor_millipoints}")]
    return []


def _run(command: list[str], tree: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InfraError(f"{' '.join(command)} fails in the exported tree: {_last(done.stderr) or _last(done.stdout)}")


def _last(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")
