"""Cuts the student tree of a lab, and proves that it is one.

    hpml release --lab lab3 --out /tmp/lab3        (make release LAB=lab3)

The tree is made from the files that git tracks, by the list in autograder/release.toml, without history. Then: exporting
again gives the same tree; it holds no canary and no function body of the solution, no hidden test and nothing of staff; it
builds; its starter scores its floor. A tree that fails is left where it is, with exit code 1, and must not be given out.
"""
import argparse
import os
import shutil
import tempfile
from pathlib import Path

from hpml_autograder.paths import ROOT, find_lab

from ..errors import UsageError
from ..progress import Progress
from ..release import prove, tree, verify

NAME = "release"
HELP = "the tree that students get, verified to hold no solution"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lab", help="which lab (make release LAB=lab3)")
    parser.add_argument("--out", type=Path, help="folder to make anew (default: build/release-trees/LAB)")
    parser.add_argument("--no-build", action="store_true",
                        help="do not build the exported tree; grade its starter with the simulator of this checkout")


def run(options: argparse.Namespace) -> int:
    name = options.lab or os.environ.get("LAB")
    if not name:
        raise UsageError("which lab? hpml release --lab lab3, or make release LAB=lab3")
    lab = find_lab(name)
    out = (options.out or Path(os.environ.get("OUT") or ROOT / "build" / "release-trees" / name)).resolve()
    if out.exists() and any(out.iterdir()) and not (out / "labs" / lab.lab.name / "lab.toml").is_file():
        raise UsageError(f"{out} is not empty and holds no earlier release; name another folder")
    if out in (ROOT, *ROOT.parents):
        raise UsageError(f"{out} holds this checkout; name another folder")
    progress = Progress(4, "release")
    tree.export(lab, out)
    progress.step("exported")
    digest = tree.tree_hash(out)
    findings = verify.search(out, lab)
    progress.step("searched for solutions, canaries and hidden tests")
    with tempfile.TemporaryDirectory() as again:
        tree.export(lab, Path(again) / "tree")
        if tree.tree_hash(Path(again) / "tree") != digest:
            findings.append(verify.Finding(str(out), "exporting again gives another tree"))
    progress.step("exported again")
    findings += prove.prove(out, lab, not options.no_build, progress.say)
    shutil.rmtree(out / "build", ignore_errors=True)
    if tree.tree_hash(out) != digest:
        findings.append(verify.Finding(str(out), "building and grading change the tree"))
    progress.step("graded with this checkout's build: the tree itself was not built" if options.no_build else "built and graded")
    progress.end()
    for finding in findings:
        print(finding)
    if findings:
        print(f"{out}: {len(findings)} findings; do not give this tree out")
        return 1
    print(f"{out}: {sum(path.is_file() for path in out.rglob('*'))} files, tree {digest}" + (", not built" if options.no_build else ""))
    return 0
