"""What becomes of the package for students in a fresh root file system."""
import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import rootfs

sys.path.insert(0, str(rootfs.ROOT / "autograder"))
from hpml_autograder.paths import find_lab, known_labs  # noqa: E402
from hpml_class.release import package, tree  # noqa: E402

APT = ["/usr/bin/env", "DEBIAN_FRONTEND=noninteractive", "/usr/bin/apt-get", "-q", "-y"]
INSTALL = [*APT, "install", "--no-install-recommends"]
HOME = "/home/student"
OLD_VERSION = "2000.01.01.0000"
ONLY_OLD, ONLY_NEW = "lib/only_in_the_old_one", "share/gpusim/gpus/t4.toml"


class Machine:
    """A root file system and the log of what is done in it."""

    def __init__(self, root: Path, log: Path) -> None:
        self.root, self.log = root, log

    def run(self, command: list[str], *, network: bool = True, user: str = "root") -> float:
        """Seconds. Raises RuntimeError when the command fails."""
        as_user = [] if user == "root" else ["/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--"]
        start = time.monotonic()
        rootfs.call([*rootfs.entered(self.root, "container", network=network), *as_user, *command], self.log)
        return time.monotonic() - start

    def packages(self) -> dict[str, int]:
        """Those that are installed or have left configuration, with their size in KiB."""
        words = [*rootfs.entered(self.root, "container", network=False), "/usr/bin/dpkg-query", "-W", "-f=${Package} ${Installed-Size}\n"]
        lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
        return {line.split()[0]: int(line.split()[1]) for line in lines if len(line.split()) == 2}

    def own(self) -> list[str]:
        """Paths that the package alone can have made."""
        found = [path for folder in ("usr", "etc", "var/lib", "opt") for pattern in ("*hpml*", "*gpusim*")
                 for path in (self.root / folder).rglob(pattern)]
        return sorted(str(path.relative_to(self.root)) for path in found)


def older(deb: Path, scratch: Path) -> Path:
    """The same package by a lower version, with another file and without one."""
    folder, made = scratch / "old", scratch / f"{package.PACKAGE}_{OLD_VERSION}.deb"
    subprocess.run(["dpkg-deb", "-R", deb, folder], check=True)
    control = folder / "DEBIAN/control"
    lines = control.read_text(encoding="utf-8").splitlines()
    control.write_text("".join(f"Version: {OLD_VERSION}\n" if line.startswith("Version:") else f"{line}\n" for line in lines), encoding="utf-8")
    (folder / package.FOLDER / ONLY_OLD).write_text("old\n", encoding="utf-8")
    (folder / package.FOLDER / ONLY_NEW).unlink()
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", folder, made], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(folder)
    return made


def release(lab: str, machine: Machine) -> None:
    """A student's tree, in the student's home folder."""
    tree.export(find_lab(lab), rootfs.inner(machine.root, f"{HOME}/{lab}"))
    machine.run(["/usr/bin/chown", "-R", "student:", HOME], network=False)


def solve(lab: str, machine: Machine) -> None:
    """The solution's files in place of the student's."""
    dirs = find_lab(lab)
    for path in (rootfs.inner(machine.root, f"{HOME}/{lab}") / "labs" / dirs.lab.name / "src").iterdir():
        if (dirs.solution / path.name).is_file():
            shutil.copy2(dirs.solution / path.name, path)


def graded(lab: str, machine: Machine) -> tuple[float, str]:
    """Seconds, and what was lost. The answers' keys stay with staff: a test that they grade loses nothing here."""
    place = rootfs.inner(machine.root, f"{HOME}/{lab}")
    start = time.monotonic()
    command = ["/usr/bin/env", f"HOME={HOME}", "/usr/bin/make", "-C", f"{HOME}/{lab}", lab, "test"]
    words = [*rootfs.entered(machine.root, "container", network=False), "/usr/bin/setpriv", "--reuid=student", "--regid=student",
             "--init-groups", "--", *command]
    with open(machine.log, "ab") as out:
        status = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False).returncode
    seconds = time.monotonic() - start
    record = place / f"build/results/{lab}.json"
    if not record.is_file():
        return seconds, f"make {lab} test ended with status {status}; see {machine.log}"
    lost = [f"{test['id']} {test['verdict']}" for test in json.loads(record.read_text(encoding="utf-8"))["tests"]
            if test["verdict"] not in ("AC", "INC")]
    return seconds, ", ".join(lost)


def life(deb: Path, lab: str, machine: Machine, scratch: Path, wrong: Callable[[str], None]) -> None:
    """From a fresh machine to a purged package; `wrong` is told what is not as it should be."""
    before = machine.packages()
    place = machine.root / package.FOLDER
    inside = "/tmp/packages"
    rootfs.inner(machine.root, inside).mkdir()
    old = older(deb, scratch)
    for path in (old, deb):
        shutil.copy2(path, rootfs.inner(machine.root, inside))
    machine.run([*APT, "update"])
    package_s = machine.run([*INSTALL, f"{inside}/{old.name}"])
    if not (place / ONLY_OLD).exists() or (place / ONLY_NEW).exists():
        wrong("the old package's files are not its own")
    upgrade_s = machine.run([*INSTALL, f"{inside}/{deb.name}"])
    if (place / ONLY_OLD).exists() or not (place / ONLY_NEW).exists():
        wrong("after the upgrade a file of the old version is left, or one of the new version is missing")
    machine.run(["/usr/sbin/useradd", "--create-home", "student"], network=False)
    release(lab, machine)
    compilers_s = machine.run([f"{HOME}/{lab}/tools/bootstrap", lab])
    new = {name: size for name, size in machine.packages().items() if name not in before}
    first_s, _ = graded(lab, machine)
    solve(lab, machine)
    test_s, lost = graded(lab, machine)
    if lost:
        wrong(f"{lab}: {lost}")
    largest = sorted(new, key=lambda name: -new[name])[:6]
    print(f"{lab}: {sum(new.values()) * 1024 / 1e6:.0f} MB in {len(new)} packages, of them {package.PACKAGE} {new[package.PACKAGE] * 1024 / 1e6:.0f} MB; "
          f"the largest: {', '.join(f'{name} {new[name] * 1024 / 1e6:.0f}' for name in largest)}")
    print(f"{lab}: package {package_s:.0f} s, its upgrade {upgrade_s:.0f} s, what the lab needs besides {compilers_s:.0f} s, "
          f"first make {lab} test {first_s:.0f} s, with the solution {test_s:.0f} s")
    metrics = f"{HOME}/{lab}/metrics.json"
    ptx = rootfs.inner(machine.root, f"{HOME}/{lab}/k.ptx")
    ptx.write_text(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() {\n  ret;\n}\n", encoding="ascii")
    launch = ["/usr/bin/gpusim", "launch", f"{HOME}/{lab}/k.ptx", "--kernel", "k", "--grid", "1", "--block", "32", "--metrics", metrics]
    machine.run(launch, network=False)
    machine.run(["/usr/bin/gpusim", "profile", metrics], network=False)  # as root, who may write beside the program
    machine.run([*APT, "remove", package.PACKAGE], network=False)
    if left := machine.own():
        wrong(f"after the removal there is still {', '.join(left[:5])}")
    machine.run(["/usr/bin/dpkg", "--purge", package.PACKAGE], network=False)
    if package.PACKAGE in machine.packages():
        wrong("after the purge dpkg still knows the package")


def run(options: argparse.Namespace) -> bool:
    distribution, folder = rootfs.DISTRIBUTIONS[options.distribution], options.folder
    scratch = folder / f"{distribution.name}-package"
    rootfs.remove(scratch)
    scratch.mkdir(parents=True)
    log = folder / f"{distribution.name}-package.log"
    log.unlink(missing_ok=True)
    deb = options.deb
    if deb is None:
        rootfs.call([rootfs.ROOT / "tools/hpml", "package", "--out", scratch], log)
        (deb,) = scratch.glob("*.deb")
    machine = Machine(scratch / "root", log)
    rootfs.call(["/usr/bin/cp", "-a", rootfs.base(distribution, folder, log), machine.root], log)
    problems: list[str] = []
    life(deb.resolve(), options.lab, machine, scratch, problems.append)
    for problem in problems:
        print(f"tools/platforms/package: {problem}", file=sys.stderr)
    rootfs.remove(scratch)
    return not problems


def main(words: list[str], description: str) -> int:
    parser = argparse.ArgumentParser(prog="tools/platforms/package", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("distribution", choices=rootfs.DISTRIBUTIONS, help="whose root file system")
    parser.add_argument("--lab", choices=known_labs(), default="lab3", help="whose release is graded (default: %(default)s)")
    parser.add_argument("--deb", type=Path, metavar="FILE", help="the package (default: `hpml package` makes it)")
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/hpml-platforms"), metavar="DIR",
                        help="where root file systems lie (default: %(default)s)")
    parser.add_argument("--possible", action="store_true", help="only say on stderr why this machine cannot, if it cannot")
    options = parser.parse_args(words)
    return rootfs.status("package", options, run)
