"""A distribution in a folder: made by debootstrap, filled by the Dockerfile's steps, entered by bubblewrap.

    base     what the Dockerfile begins with, by debootstrap; kept
    image    base and every step of one stage of the Dockerfile; made again when a file that decides what is installed has changed
"""
import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import dockerfile

ROOT = Path(__file__).resolve().parents[2]
DEBOOTSTRAP = "/usr/sbin/debootstrap"
# What Docker leaves root in a container that is not told otherwise.
CONTAINER_RIGHTS = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP", "NET_BIND_SERVICE",
                    "NET_RAW", "SYS_CHROOT", "MKNOD", "AUDIT_WRITE", "SETFCAP")


@dataclass(frozen=True)
class Distribution:
    name: str
    suite: str


DISTRIBUTIONS = {entry.name: entry for entry in (
    Distribution("debian12", "bookworm"),
    Distribution("debian13", "trixie"),
)}


def missing(distribution: Distribution) -> str:
    """Why its root file system cannot be made on this machine; empty: it can."""
    if os.geteuid() != 0:
        return "making a root file system needs root"
    lacking = [tool for tool in ("debootstrap", "bwrap", "git") if shutil.which(tool, path=os.defpath + ":/usr/sbin") is None]
    if lacking:
        return f"not installed: {', '.join(lacking)}"
    with tempfile.TemporaryDirectory() as folder:  # debootstrap knows its distribution's mirror
        asked = subprocess.run([DEBOOTSTRAP, "--print-debs", distribution.suite, f"{folder}/root"], capture_output=True, text=True,
                               check=False)
    said = [line for line in (asked.stdout + asked.stderr).splitlines() if line.startswith("E: ")]
    return "" if asked.returncode == 0 else f"debootstrap {distribution.suite}: {' '.join(said) or f'status {asked.returncode}'}"


def status(command: str, options: argparse.Namespace, run: Callable[[argparse.Namespace], bool]) -> int:
    """Exit code of tools/platforms/COMMAND: 0 all as it should be, 1 not so, 3 this machine cannot (one line on stderr says why).
    --possible: only whether it can."""
    if lacking := missing(DISTRIBUTIONS[options.distribution]):
        print(f"tools/platforms/{command}: {lacking}", file=sys.stderr)
        return 3
    if options.possible:
        return 0
    try:
        return 0 if run(options) else 1
    except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
        print(f"tools/platforms/{command}: {error}", file=sys.stderr)
        return 3


def call(command: list[str | os.PathLike[str]], log: Path) -> None:
    """Raises RuntimeError with the end of the log when the command fails."""
    with open(log, "ab") as out:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False)
    if done.returncode != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
        raise RuntimeError(f"{' '.join(map(str, command))[:200]}: status {done.returncode}; end of {log}:\n{tail}")


def entered(root: Path, machine: str, *, network: bool, shares: dict[Path, str] | None = None) -> list[str]:
    """Words before a command that runs it in the root file system; its processes end with it.

    machine: "container": what Docker leaves root, no control groups; "whole": all rights and the control groups of this
    machine; "chroot": as container, but entered by chroot.
    """
    words = ["/usr/bin/bwrap", "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    words += [] if network else ["--unshare-net"]
    inside = "/mnt" if machine == "chroot" else ""
    words += ["--bind", "/", "/", "--bind", str(root), inside] if inside else ["--bind", str(root), "/"]
    words += ["--proc", f"{inside}/proc", "--dev", f"{inside}/dev", "--tmpfs", f"{inside}/run"]
    words += ["--perms", "1777", "--size", str(64 << 20), "--tmpfs", f"{inside}/dev/shm"]
    if machine == "whole":
        words += ["--ro-bind", "/sys", "/sys", "--bind", "/sys/fs/cgroup", "/sys/fs/cgroup", "--cap-add", "ALL"]
    else:
        words += ["--ro-bind", "/sys", f"{inside}/sys", "--tmpfs", f"{inside}/sys/fs/cgroup"]
        words += ["--cap-drop", "ALL", *(word for right in CONTAINER_RIGHTS for word in ("--cap-add", f"CAP_{right}"))]
    for source, target in (shares or {}).items():
        words += ["--bind", str(source), f"{inside}{target}"]
    words += ["--clearenv", "--setenv", "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
              "--setenv", "LANG", "C.UTF-8", "--"]
    return [*words, "/usr/sbin/chroot", inside] if inside else words


def base(distribution: Distribution, folder: Path, log: Path) -> Path:
    root = folder / f"base-{distribution.suite}"
    if not root.exists():
        new = root.with_suffix(".new")
        remove(new)
        call([DEBOOTSTRAP, "--variant=minbase", distribution.suite, new], log)
        new.rename(root)
    return root


def image(distribution: Distribution, folder: Path, clone: Path, log: Path, stage: str) -> Path:
    """The root file system after the steps of a stage, `clone` being the folder that docker build would be given."""
    root, stamp = (folder / f"{distribution.name}-{stage or 'image'}{suffix}" for suffix in ("", ".stamp"))
    wanted = fingerprint(clone)
    if root.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return root
    stages = dockerfile.stages(dockerfile.parse((clone / "Dockerfile").read_text(encoding="utf-8")))
    begin, *steps = stages[stage]
    before = begin.stage()[0]
    start = image(distribution, folder, clone, log, before) if before in stages else base(distribution, folder, log)
    others = {name: image(distribution, folder, clone, log, name) for name in stages_copied(steps)}
    stamp.unlink(missing_ok=True)
    remove(root)
    call(["/usr/bin/cp", "-a", start, root], log)
    where = next((step.text for step in reversed(stages.get(before, [])) if step.word == "WORKDIR"), "/")
    for step in steps:
        if step.word == "WORKDIR":
            where = step.text
            inner(root, where).mkdir(parents=True, exist_ok=True)
        elif step.word == "RUN":
            call([*entered(root, "container", network=True), "/bin/sh", "-c", f"cd {where} && {step.text}"], log)
        elif step.word == "COPY":
            copy(step, others.get(step.copied()[2].get("from", ""), clone), root, where, log)
    stamp.write_text(wanted, encoding="ascii")
    return root


def stages_copied(steps: list[dockerfile.Step]) -> list[str]:
    """From which other stages these steps copy."""
    named = (step.copied()[2].get("from", "") for step in steps if step.word == "COPY")
    return list(dict.fromkeys(filter(None, named)))


def fingerprint(clone: Path) -> str:
    """Of the files that decide what is installed."""
    deciding = [clone / "Dockerfile", clone / "tools/bootstrap", *sorted(clone.glob("labs/*/lab.toml"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in deciding)).hexdigest()


def inner(root: Path, path: str) -> Path:
    return root / path.lstrip("/")


def copy(step: dockerfile.Step, source_root: Path, root: Path, where: str, log: Path) -> None:
    sources, target, options = step.copied()
    place = inner(root, target if target.startswith("/") else f"{where}/{target}")
    for source in sources:
        place.parent.mkdir(parents=True, exist_ok=True)
        path = inner(source_root, source)
        if path.is_dir():
            call(["/usr/bin/cp", "-a", "--no-preserve=ownership", f"{path}/.", place], log)
        else:
            call(["/usr/bin/cp", "--no-preserve=ownership", path, place], log)
    if owner := options.get("chown"):
        chown = ["/usr/bin/chown", "-R", f"{owner}:", f"/{place.relative_to(root)}"]
        call([*entered(root, "container", network=False), *chown], log)


def remove(root: Path) -> None:
    subprocess.run(["/usr/bin/rm", "-rf", "--one-file-system", root], check=True)
