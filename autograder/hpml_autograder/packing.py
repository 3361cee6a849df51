"""Copies what labs have compiled of a tree into a folder that serves as a build folder (prebuilt.py): for the packages, and for
the container image."""
import json
import shutil
from pathlib import Path

from . import labspec, prebuilt
from .backends import targets_of
from .paths import PREBUILT, ROOT, build_dir, find_lab, known_labs

# What compiling takes, and bash for its completions, at the places of the tree.
TOOLS = ("tools/cuda_compile.py", "tools/shared_objects.py", "tools/completion.bash", "simulator/include")


def pack(place: Path) -> None:
    """For this tree, with all its labs."""
    specs = {name: labspec.load(find_lab(name).lab / "lab.toml") for name in known_labs()}
    sources = {name: prebuilt.sum_of(ROOT, find_lab(name).lab, spec) for name, spec in specs.items()}
    stage(place, list(dict.fromkeys(target for spec in specs.values() for target in targets_of(spec))), sources)


def stage(place: Path, targets: list[str], sources: dict[str, str]) -> None:
    """sources: by lab, the sum of the tree that it serves."""
    built, programs = build_dir(), ["gpusim", *targets]
    wanted = [built / "bin" / name for name in programs] + [built / "lib" / f"lib{name}.a" for name in targets]
    for path in [*wanted, *sorted((built / "lib").glob("*.so*"))]:
        if path.is_file():
            copy(path, place / path.relative_to(built))
    for source, target in ((ROOT / "simulator/gpus", place / "share/gpusim/gpus"),
                           (ROOT / "simulator/report", place / "share/gpusim/report"),
                           (ROOT / "simulator/metrics", place / "share/gpusim/metrics"),  # the report reads its table of counters
                           *((ROOT / name, place / name) for name in TOOLS)):
        copy(source, target)
    (place / PREBUILT).write_text(json.dumps({"schema": prebuilt.SCHEMA, "sources": sources}, indent=1) + "\n", encoding="utf-8")


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "test_*", "tests", "conftest.py"))
    else:
        shutil.copy2(source, target, follow_symlinks=not source.is_symlink())
