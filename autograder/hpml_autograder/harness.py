"""What of this checkout decides a score, as one number."""
import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

from . import labspec
from .backends import kinds_of
from .paths import ROOT

LAB = ("lab.toml", "src", "judges", "data", "reference")  # of a lab; its handout, figures, benches and tests of judges decide nothing
UNSCORED = {"__pycache__", "tests", "README.md"}  # of the rest, and of a lab's parts
UNUSED = (ROOT / "simulator/bench", ROOT / "simulator/validation")


@functools.cache
def harness_sha(lab: Path, handed_in: frozenset[str] = frozenset()) -> str:
    """Over every pristine file that decides the score: of the lab, the grader, and what the lab's programs are made with.
    handed_in: without these of the lab's src, which a student edits there."""
    digest = hashlib.sha256()
    edited = {lab / "src" / name for name in handed_in}
    for root, path in scored_files(lab):
        if path not in edited:
            digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def scored_files(lab: Path) -> Iterator[tuple[Path, Path]]:
    """Each file that decides the score, after the folder that its name in the identity is relative to."""
    roots = [*((lab, lab / name) for name in LAB), *((folder.parent, folder) for folder in _folders(lab))]
    for root, part in roots:
        for path in _files(part):
            unscored = UNSCORED.intersection(path.relative_to(root).parts[1:])
            if not unscored and not any(path.is_relative_to(folder) for folder in UNUSED):
                yield root, path


def _folders(lab: Path) -> list[Path]:
    """The grader itself, and what of this tree the lab's back ends, tools and libraries come from."""
    spec = labspec.load(lab / "lab.toml")
    found = [Path(__file__).resolve().parent, *(folder for kind in kinds_of(spec) for folder in kind.made_of)]
    if any(program.is_tool or program.libraries for program in spec.program):
        found.append(ROOT / "common")
    return list(dict.fromkeys(found))


def _files(part: Path) -> Iterator[Path]:
    if part.is_file():
        yield part
    elif part.is_dir():
        yield from sorted(path for path in part.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
