"""A fresh directory with the pristine lab and the collected files over it."""
import shutil
from dataclasses import dataclass
from pathlib import Path

from .collect import TAKEN, Collected
from .paths import LabDirs


@dataclass(frozen=True)
class Stage:
    src: Path
    work: Path  # programs, metrics, dumps


def stage(directory: Path, dirs: LabDirs, files: list[Collected], keep: bool = False) -> Stage:
    """keep: what was built and run from the same files is still there."""
    src = directory / "src"
    work = directory / "work"
    shutil.rmtree(src if keep else directory, ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    shutil.copytree(dirs.src, src, ignore=shutil.ignore_patterns("__pycache__"))
    for file in files:
        if file.state == TAKEN:
            (src / file.name).write_bytes(file.content)
    return Stage(src, work)
