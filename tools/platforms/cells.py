"""The cells of one distribution: who runs which lab in it, and what came out."""
import argparse
import json
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import rootfs

PLACES = {"root": "/root/HPML Übung", "student": "/home/student/HPML Übung"}


class Cell(NamedTuple):
    user: str
    lab: str


class Result(NamedTuple):
    points: str
    seconds: float
    note: str
    full: bool


def arguments(words: list[str], description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tools/platforms/try", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("distribution", choices=rootfs.DISTRIBUTIONS, help="whose root file system")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--user", action="store_true", help="as an ordinary user only")
    who.add_argument("--root", action="store_true", help="as root only")
    parser.add_argument("--labs", default="lab3,lab1", metavar="LAB,...", help="which labs (default: %(default)s)")
    parser.add_argument("--machine", choices=("container", "whole", "chroot"), default="container",
                        help="what root may do there: as in a container of Docker (default), all, or as after chroot")
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/hpml-platforms"), metavar="DIR",
                        help="where root file systems lie (default: %(default)s)")
    parser.add_argument("--ccache", type=Path, metavar="DIR", help="compile through ccache with this folder")
    parser.add_argument("--possible", action="store_true", help="only say on stderr why this machine cannot, if it cannot")
    parser.add_argument("--keep", action="store_true", help="go on with the clone and the build of the last time")
    return parser.parse_args(words)


def cloned(source: Path, target: Path) -> None:
    subprocess.run(["git", "-c", "safe.directory=*", "clone", "-q", "--no-hardlinks", source, target], check=True)


def result(record: Path, status: int, seconds: float, log: Path) -> Result:
    if not record.exists():
        said = log.read_text(errors="replace").strip().splitlines()
        return Result("-", seconds, f"status {status}: {said[-1] if said else 'no word'}", False)
    graded = json.loads(record.read_text(encoding="utf-8"))
    lost = [f"{test['id']} {test['verdict']}" for test in graded["tests"] if test["verdict"] != "AC"]
    points, most = graded["total_millipoints"] / 1000, graded["max_millipoints"] / 1000
    level = [line for line in log.read_text(errors="replace").splitlines() if line.startswith("sandbox: ")]
    note = "; ".join([*(line.split()[1] for line in level), *lost])
    return Result(f"{points:g}/{most:g}", seconds, note, status == 0 and points >= most and not lost)


def grade(root: Path, cell: Cell, options: argparse.Namespace) -> Result:
    place = rootfs.inner(root, PLACES[cell.user])
    log = options.folder / f"{options.distribution}-{options.machine}-{cell.user}-{cell.lab}.log"
    shares = {options.ccache: "/mnt"} if options.ccache else {}
    command = rootfs.entered(root, options.machine, network=False, shares=shares)
    if options.machine == "container":  # whose filter of system calls refuses new name spaces
        command += ["/usr/bin/python3", f"{PLACES[cell.user]}/autograder/tests/machine_kit.py"]
    command += ["/usr/bin/env", "--default-signal=PIPE", f"HOME={Path(PLACES[cell.user]).parent}"]
    if options.ccache:
        command += ["CCACHE_DIR=/mnt", f"CCACHE_BASEDIR={PLACES[cell.user]}", "CCACHE_NOHASHDIR=1", "CCACHE_UMASK=000",
                    "CMAKE_CXX_COMPILER_LAUNCHER=ccache", "CMAKE_C_COMPILER_LAUNCHER=ccache"]
    if cell.user != "root":
        command += ["/usr/bin/setpriv", f"--reuid={cell.user}", f"--regid={cell.user}", "--init-groups", "--"]
    command += ["/usr/bin/make", "-C", PLACES[cell.user], cell.lab, "test", "SOLUTION=1"]
    record = place / f"build/results/{cell.lab}.json"
    record.unlink(missing_ok=True)
    start = time.monotonic()
    with open(log, "wb") as out:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False).returncode
    return result(record, status, time.monotonic() - start, log)


def prepare(root: Path, user: str, clone: Path, options: argparse.Namespace) -> None:
    """A clean clone below the user's home folder, which is private."""
    place = rootfs.inner(root, PLACES[user])
    if options.keep and place.exists():
        return
    rootfs.remove(place)
    place.parent.chmod(0o700)
    cloned(clone, place)
    log = options.folder / f"{options.distribution}.log"
    owner = ["/usr/bin/chown", "-R", f"{user}:", PLACES[user]]
    rootfs.call([*rootfs.entered(root, "container", network=False), *owner], log)


def row(*words: str) -> str:
    return "{:<12}  {:<9}  {:<7}  {:<4}  {:>11}  {:>7}  {}".format(*words)


def run(options: argparse.Namespace) -> bool:
    options.folder.mkdir(parents=True, exist_ok=True)
    distribution = rootfs.DISTRIBUTIONS[options.distribution]
    log = options.folder / f"{distribution.name}.log"
    clone = options.folder / f"{distribution.name}.clone"
    rootfs.remove(clone)
    cloned(rootfs.ROOT, clone)
    root = rootfs.image(distribution, options.folder, clone, log, "check")
    if options.ccache:
        command = ["/usr/bin/apt-get", "install", "-y", "--no-install-recommends", "ccache"]
        if not rootfs.inner(root, "/usr/bin/ccache").exists():
            refresh = [*rootfs.entered(root, "container", network=True), "/usr/bin/apt-get", "update"]
            rootfs.call(refresh, log)
            rootfs.call([*rootfs.entered(root, "container", network=True), *command], log)
    print(row("distribution", "machine", "user", "lab", "points", "seconds", "level of the sandbox, lost tests"))
    full = True
    for user in PLACES:
        if (user == "root" and options.user) or (user != "root" and options.root):
            continue
        prepare(root, user, clone, options)
        for lab in filter(None, options.labs.split(",")):
            one = grade(root, Cell(user, lab), options)
            print(row(distribution.name, options.machine, user, lab, one.points, f"{one.seconds:.0f}", one.note), flush=True)
            full = full and one.full
    return full


def main(words: list[str], description: str) -> int:
    options = arguments(words, description)
    return rootfs.status("try", options, run)
