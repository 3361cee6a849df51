"""Packs what labs compile of this tree, so that a student's machine compiles none of it.

    hpml package --out /tmp/packages

Two files for this distribution and processor: a package for apt, hpml-labs_VERSION_amd64.deb, and the same as a tarball that
is unpacked in a student's tree, where it makes the folder prebuilt/. They hold the simulator, its libraries in CUDA's place,
headers, and the tools and libraries of all labs, built of the trees that `hpml release` cuts; a tree of other sources builds
its own. VERSION is the time of the last commit, so that apt knows which of two is newer.
"""
import argparse
from pathlib import Path

from hpml_autograder.paths import ROOT

from ..progress import Progress
from ..release import package

NAME = "package"
HELP = "what labs compile, for students: a package for apt, and a tarball"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "packages", help="folder (default: build/packages)")


def run(options: argparse.Namespace) -> int:
    progress = Progress(3, "package")
    for path in package.make(options.out.resolve(), progress):
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    return 0
