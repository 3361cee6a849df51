"""A class of hand-ins and the hpml command, for tests of batches."""
import json
import os
import subprocess
from pathlib import Path

from hpml_autograder.paths import ROOT

GRADER = str(Path(__file__).parent / "fake_grader.py")
HPML = ROOT / "tools/hpml"


class Class:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sub, self.out, self.tmp = folder / "sub", folder / "out", folder / "tmp"
        for path in (self.sub, self.tmp):
            path.mkdir()

    def add(self, name: str, first_line: str, more: str = "") -> Path:
        path = self.sub / name
        path.mkdir(parents=True, exist_ok=True)
        (path / "vecaddcpu.cpp").write_text(f"{first_line}\n{more}", encoding="utf-8")
        return path

    def environment(self) -> dict[str, str]:
        return {**os.environ, "TMPDIR": str(self.tmp), "HPML_BUILD_DIR": str(self.folder), "HPML_SCRATCH": str(self.tmp)}

    def command(self, *arguments: str) -> list[str]:
        return [str(HPML), *arguments]

    def hpml(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, check=False,
                              env=self.environment(), timeout=600)

    def grade(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.hpml("grade", str(self.sub), "--out", str(self.out), "--lab", "lab3", "--grader", GRADER,
                         "--cuda", "clang", *arguments)

    def records(self) -> dict[str, dict]:
        return {path.parent.name: json.loads(path.read_text(encoding="utf-8"))
                for path in self.out.glob("students/*/record.json")}

    def texts(self) -> dict[str, str]:
        """Every final file of the results."""
        return {str(path.relative_to(self.out)): path.read_text(encoding="utf-8")
                for path in [*self.out.glob("students/*/*"), *self.out.glob("*.csv"), *self.out.glob("report.html"),
                             *self.out.glob("summary.json")]}

    def graded(self) -> list[str]:
        log = self.tmp / "graded.log"
        return log.read_text(encoding="utf-8").splitlines() if log.exists() else []
