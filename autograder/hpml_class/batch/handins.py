"""What is to be graded: the entries of a folder, each a directory or an archive, and what they are called."""
import fnmatch
import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hpml_autograder import labspec
from hpml_autograder.paths import ROOT

from ..errors import UsageError

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")
OF_TOOLS = ("._*", ".git", ".svn", ".hg", ".idea", ".vscode", ".Trash*", ".ipynb_checkpoints", ".graded", "__MACOSX")
IN_NAMES = " .,'\u2019@+()-"  # beside letters, digits and _ of any script: what people's names and platforms' folders hold
LONGEST_NAME = 180            # bytes of UTF-8; the endings of our own files must fit into the 255 of a file name


@dataclass(frozen=True)
class HandIn:
    id: str       # safe as a file name, unique in its batch; the student's own name where that is safe
    path: str     # what the instructor has: a directory or an archive
    problem: str = ""  # why it cannot even be opened


def entries(folder: Path) -> list[bytes]:
    """What may be a hand-in, in the order of the names; loose files are none, nor are folders that tools hide."""
    found = []
    for raw in sorted(os.listdir(os.fsencode(folder))):
        mode = os.lstat(os.fsencode(folder) + b"/" + raw).st_mode
        archive = stat.S_ISREG(mode) and _suffix(os.fsdecode(raw))
        tool = any(fnmatch.fnmatchcase(os.fsdecode(raw), pattern) for pattern in OF_TOOLS)
        if not tool and (stat.S_ISDIR(mode) or stat.S_ISLNK(mode) or archive):
            found.append(raw)
    return found


def find(folder: Path) -> list[HandIn]:
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a directory; name the folder that holds the hand-ins")
    found: list[HandIn] = []
    taken: set[str] = set()
    for raw in entries(folder):
        path = folder / os.fsdecode(raw)
        problem = "it is a symbolic link" if path.is_symlink() else ""
        suffix = "" if path.is_dir() else _suffix(path.name)
        found.append(HandIn(_unique(safe_id(raw, suffix), raw, taken), str(path), problem))
    if not found:
        raise UsageError(f"{folder} holds no hand-ins: no directory and no archive ({', '.join(ARCHIVES)})")
    return found


def safe_id(raw: bytes, suffix: str = "") -> str:
    """The name itself where it is harmless as a file name (in Unicode's composed form), else its letters and a digest."""
    name = _composed(raw.decode("utf-8", "replace").removesuffix(suffix))
    if is_safe(name):
        return name
    return _with_digest(re.sub(r"\W+", "_", name).strip("_") or "handin", raw)


def is_safe(name: str) -> bool:
    """No separator, no control or invisible character, nothing a shell or another file system reads as its own."""
    return (bool(name) and name[0] not in IN_NAMES and name[-1] not in " ." and len(name.encode("utf-8", "replace")) <= LONGEST_NAME
            and all(letter in IN_NAMES or letter == "_" or unicodedata.category(letter)[0] in "LMN" for letter in name))


def same_file(name: str) -> str:
    """Equal for names that some file system takes for one: Ann and ann, or two spellings of Müller."""
    return _composed(_composed(name).casefold())


def _unique(name: str, raw: bytes, taken: set[str]) -> str:
    if same_file(name) in taken:  # ann and ann.zip, or Ann and ann where records may be copied to a careless disk
        name = _with_digest(name, raw)
    taken.add(same_file(name))
    return name


def is_renamed(handin: HandIn) -> bool:
    """Is it called otherwise than the instructor's file or folder? Receipts and gradebooks must then use the id."""
    path = Path(handin.path)
    return handin.id != _composed(path.name) and handin.id != _composed(path.name.removesuffix(_suffix(path.name)))


def _with_digest(name: str, raw: bytes) -> str:
    """Cut to the length that a name may have."""
    short = name.encode("utf-8", "replace")[:LONGEST_NAME - 9].decode("utf-8", "ignore").rstrip()
    return f"{short}-{hashlib.sha256(raw).hexdigest()[:8]}"


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _suffix(name: str) -> str:
    return max((suffix for suffix in ARCHIVES if name.lower().endswith(suffix)), key=len, default="")


def is_archive(path: Path) -> bool:
    return path.is_file() and bool(_suffix(path.name))


def roots(lab: str) -> tuple[str, ...]:
    """Where in a hand-in a lab's files may lie: flat, or as in the course's repository."""
    return (".", "src", f"labs/{lab}/src", f"{lab}/src", lab)


def locate(directory: Path, lab: Path, files: Sequence[str]) -> Path:
    """The directory of the hand-in that holds most of the lab's files; one wrapping folder is looked through."""
    places = [directory / place for place in roots(lab.name)]
    inner = _only_folder(directory)
    if inner is not None:
        places += [inner / place for place in roots(lab.name)]
    return max(places, key=lambda place: _present(place, directory, files))


def _only_folder(directory: Path) -> Path | None:
    entries = [entry for entry in os.scandir(directory) if not entry.name.startswith((".", "__MACOSX"))]
    if len(entries) == 1 and entries[0].is_dir(follow_symlinks=False):
        return Path(entries[0].path)
    return None


def _present(place: Path, top: Path, files: Sequence[str]) -> int:
    """How many are there, as anything at all: what may be taken is for `collect` to say."""
    if any(parent.is_symlink() for parent in (place, *place.parents) if parent != top and top in parent.parents):
        return 0
    return sum(os.path.lexists(place / file) for file in files)


def detect_lab(directories: Sequence[Path]) -> str:
    """The one lab whose files these hand-ins hold."""
    hits: dict[str, int] = {}
    for toml in sorted((ROOT / "labs").glob("lab*_*/lab.toml")):
        files = labspec.load(toml).submit.files
        name = toml.parent.name.split("_")[0]
        hits[name] = sum(_present(locate(one, toml.parent, files), one, files) for one in directories)
    best = [name for name, count in hits.items() if count and count == max(hits.values())]
    if len(best) != 1:
        what = f"files of {', '.join(best)}" if best else "no lab's files"
        raise UsageError(f"these hand-ins hold {what}; say which lab: --lab {' or --lab '.join(best or hits)} (LAB=)")
    return best[0]
