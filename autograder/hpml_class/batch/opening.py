"""From what an instructor has (directory, archive, git repository) to a directory that can be graded."""
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from hpml_autograder.archive import Refused, unpack
from hpml_autograder.labspec import LabSpec
from hpml_autograder.paths import LabDirs

from ..errors import InfraError, UsageError
from . import handins

CLONE_S = 300
GIT_URL = re.compile(r"(https?|ssh|git|file)://|[\w.-]+@[\w.-]+:")


def source_of(path: Path, scratch: Path, dirs: LabDirs, spec: LabSpec) -> Path:
    """The directory with the lab's files. Raises Refused when the hand-in itself breaks a rule."""
    if handins.is_archive(path):
        shutil.rmtree(scratch, ignore_errors=True)
        unpack(path, scratch)
        path = scratch
    elif not path.is_dir():
        raise InfraError(f"{path} is gone, or is neither a directory nor an archive")
    return handins.locate(path, dirs.lab, spec.submit.files)


def stamp(path: Path, dirs: LabDirs, spec: LabSpec) -> str:
    """Equal stamps: nothing that is collected has changed. Opens no archive."""
    digest = hashlib.sha256()
    if handins.is_archive(path):
        with open(path, "rb") as file:
            while data := file.read(1 << 20):
                digest.update(data)
        return digest.hexdigest()
    from hpml_autograder import collect, record
    place = handins.locate(path, dirs.lab, spec.submit.files)
    files = collect.collect(place, spec.submit)
    digest.update(record.submission_sha(files).encode() + "".join(file.note for file in files).encode())
    return digest.hexdigest()


def is_git_url(text: str) -> bool:
    return bool(GIT_URL.match(text))


def clone(url: str, into: Path) -> str:
    """Fetches the newest commit, and nothing of it is executed; the commit's id."""
    if into.exists():
        shutil.rmtree(into)
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(into.parent), "LC_ALL": "C",
                   "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
                   "GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file", "GIT_LFS_SKIP_SMUDGE": "1"}
    # Links become small files, which `collect` takes for what they are; hooks and submodules are never looked at.
    safe = ["-c", "core.symlinks=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never"]
    command = ["git", *safe, "clone", "--quiet", "--depth", "1", "--no-tags", "--single-branch", "--", url, str(into)]
    try:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=CLONE_S, check=False)
        if done.returncode != 0:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise UsageError(f"cannot clone {url}: {reason}")
        commit = subprocess.run(["git", *safe, "-C", str(into), "rev-parse", "HEAD"], env=environment,
                                capture_output=True, text=True, timeout=CLONE_S, check=False).stdout.strip()
    except FileNotFoundError as error:
        raise UsageError("git is not installed; it is needed to grade a git URL (apt-get install git)") from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"cannot clone {url}: no answer within {CLONE_S} s") from error
    shutil.rmtree(into / ".git", ignore_errors=True)
    return commit


__all__ = ["Refused", "clone", "is_git_url", "source_of", "stamp"]
