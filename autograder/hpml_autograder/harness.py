"""What of this checkout decides a score, as one number."""
import functools
import hashlib
from pathlib import Path

from .paths import ROOT

# Of the simulator and common: what no score depends on.
UNSCORED = {"__pycache__", "tests", "bench", "validation", "README.md"}


@functools.cache
def harness_sha(lab: Path, handed_in: frozenset[str] = frozenset()) -> str:
    """Over every pristine file that decides the score: lab, grader, and the simulator with what it is made of.
    handed_in: without these of the lab's src, which a student edits there."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent
    for folder, ignored in ((lab, {"__pycache__"}), (package, {"__pycache__"}), (ROOT / "common", UNSCORED),
                            (ROOT / "simulator", UNSCORED)):
        for path in sorted(folder.rglob("*")):
            within = path.relative_to(folder)
            edited = folder == lab and within.parts[0] == "src" and within.relative_to("src").as_posix() in handed_in
            if path.is_file() and not edited and not ignored.intersection(within.parts):
                digest.update(f"{path.relative_to(folder.parent)}\0".encode() + path.read_bytes())
    digest.update((ROOT / "tools" / "cuda_compile.py").read_bytes())
    return digest.hexdigest()
