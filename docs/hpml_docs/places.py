"""Trees for readers of tutorials: copies of this one, in which nothing has to be built again."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from .pages import ROOT

sys.path.insert(0, str(ROOT / "autograder"))

from hpml_autograder.paths import build_dir, find_lab  # noqa: E402
from hpml_class.release import tree  # noqa: E402

# Page -> the tree that its reader has.
TUTORIALS = {"labs/lab3_cuda/tutorial.md": "release lab3", "docs/tutorials/instructor.md": "tree",
             "docs/tutorials/simulator.md": "tree", "docs/add_a_lab.md": "tree"}
# In place of tools/build.sh: what it would build is in this tree's build folder.
BUILT = """#!/bin/bash
[[ -d "$HPML_BUILD_DIR/bin" ]] || { echo "the copy's build folder $HPML_BUILD_DIR is not there" >&2; exit 3; }
"""


def whole_tree(place: Path) -> None:
    """What git knows of this tree or would add, with one commit."""
    command = ["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / name)
    author = ["-c", "user.name=A reader", "-c", "user.email=reader@localhost"]
    for words in (["init", "-q"], ["add", "--all"], [*author, "commit", "-q", "-m", "The tree as it is"]):
        subprocess.run(["git", "-C", place, *words], check=True, capture_output=True)


def released(place: Path, lab: str) -> None:
    """What students of a lab get."""
    tree.export(find_lab(lab), place)


def made(kind: str, place: Path) -> dict[str, str]:
    """A tree: "tree", or "release lab3". Returns the environment of its commands."""
    word, _, lab = kind.partition(" ")
    if word == "release":
        released(place, lab)
    else:
        whole_tree(place)
    (place / "tools/build.sh").write_text(BUILT, encoding="utf-8")
    (place / "build").mkdir(exist_ok=True)
    (place / "build/release").symlink_to(build_dir())
    # Gradings of several readers share what they compile of the given files, as those of this tree do.
    kept = {name: os.environ[name] for name in ("CCACHE_DIR", "CCACHE_BASEDIR") if name in os.environ}
    return {"HPML_BUILD_DIR": str(build_dir()), **kept}
