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


def stage(directory: Path, dirs: LabDirs, files: list[Collected]) -> Stage:
    shutil.rmtree(directory, ignore_errors=True)
    src = directory / "src"
    work = directory / "work"
    work.mkdir(parents=True)
    shutil.copytree(dirs.src, src)
    for file in files:
        if file.state == TAKEN:
            (src / file.name).write_bytes(file.content)
    return Stage(src, work)
