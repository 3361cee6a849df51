"""What a program and its runs are made of, as one number each: what is unchanged is neither compiled nor run again."""
import functools
import hashlib
import os
import re
import shutil
from pathlib import Path

from .errors import InfraError
from .labspec import Program
from .ledger import key_of
from .paths import build_dir, find_gpusim
from .staging import Stage

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*([^\s]?)[ \t]*([^">\n]*)', re.MULTILINE)
COMPILERS = {"nvcc": "nvcc", "clang": "clang", "": "cc"}
COMPILER_PATH = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/local/cuda/bin"


def files_of(program: Program, stage: Stage) -> list[Path]:
    """The staged files that its sources are and include, in order of name. All of the stage where a file is included
    by the name that a macro stands for, and for Python, which imports its neighbours."""
    found: set[Path] = set()
    left = [stage.src / name for name in (*program.sources, *program.harness)]
    while left:
        path = left.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        included = INCLUDE.findall(path.read_bytes())
        if path.suffix == ".py" or any(quote not in (b'"', b"<") for quote, _ in included):
            return sorted(one for one in stage.src.rglob("*") if one.is_file())
        for folder in {path.parent, stage.src}:
            left += [folder / os.fsdecode(name) for _, name in included]
    return sorted(found)


def digest_of(program: Program, stage: Stage, *how: str) -> str:
    """Of all that decides what the program does: its files, and how they are compiled."""
    digest = hashlib.sha256("\0".join((*how, *program.flags, *program.packages, *program.sources)).encode())
    for path in files_of(program, stage):
        digest.update(os.fsencode(os.path.relpath(path, stage.src)))
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def tools(cuda: str, simulated: bool) -> str:
    """The compiler and, for a lab with a GPU, the simulator as they are installed now."""
    compiler = shutil.which(COMPILERS[cuda], path=COMPILER_PATH)
    paths = [Path(compiler)] if compiler else []
    if simulated:
        try:
            paths += [find_gpusim(), *sorted((build_dir() / "lib").glob("*"))]
        except InfraError:  # a run says so
            pass
    return key_of(*map(_identity, paths))


@functools.lru_cache(maxsize=256)
def _identity(path: Path) -> str:
    state = path.stat()
    return f"{path} {state.st_size} {state.st_mtime_ns}"
