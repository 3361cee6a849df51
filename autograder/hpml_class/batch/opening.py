"""From what an instructor has (directory, archive, git repository) to a directory that can be graded."""
import contextlib
import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess
from pathlib import Path

from hpml_autograder.archive import Caps, Refused, unpack
from hpml_autograder.labspec import LabSpec
from hpml_autograder.paths import LabDirs

from ..emit.escape import one_line
from ..errors import InfraError, UsageError
from . import handins

CLONE_S = 300
CLONE_CPU_S = 120
CLONE_MEMORY = 2 << 30
CAPS = Caps()
MOST_FILES = 20_000       # of a repository, which may be the course's own with a student's work in it
MOST_LISTED = 4 << 20     # bytes of the list of them
LIMITS = (signal.SIGXFSZ, signal.SIGXCPU)
TOO_LARGE = re.compile("File too large|signal 25|signal 24|out of memory|malloc|mmap failed|Cannot allocate memory", re.IGNORECASE)
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
    """Fetches the newest commit, and nothing of it is executed; the commit's id. Raises Refused for a repository that is too
    large, before its files are written."""
    if into.exists():
        shutil.rmtree(into)
    try:
        _git(url, into.parent, "-c", "fetch.unpackLimit=1", "clone", "--quiet", "--no-checkout", "--depth", "1", "--no-tags",
             "--single-branch", "--", url, str(into))
        _measure(url, into)
        _git(url, into, "checkout", "--quiet", "HEAD", "--", ".")
        return _git(url, into, "rev-parse", "HEAD")
    except BaseException:
        shutil.rmtree(into, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(into / ".git", ignore_errors=True)


def _measure(url: str, repository: Path) -> None:
    """A tree that names itself often has more files than any disk: it is read as far as is allowed."""
    listing = _start(repository, "ls-tree", "-r", "-l", "-z", "HEAD")
    assert listing.stdout is not None
    try:
        entries = listing.stdout.read(MOST_LISTED + 1).split(b"\0")[:-1]
    finally:
        _end(listing)
    sizes = [int(size) for entry in entries if (size := entry.split(b"\t")[0].split()[-1]).isdigit()]
    for what, found, most in (("files", len(entries), MOST_FILES), ("bytes", sum(sizes), CAPS.total_bytes)):
        if found > most:
            raise Refused(f"{url}: the repository has more than {most} {what}")


def _git(url: str, place: Path, *words: str) -> str:
    done = _start(place, *words)
    try:
        out, said = done.communicate(timeout=CLONE_S)
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"cannot clone {url}: no answer within {CLONE_S} s") from error
    finally:
        _end(done)
    reason = (said.decode("utf-8", "replace").strip().splitlines() or ["no reason given"])[-1]
    if TOO_LARGE.search(said.decode("utf-8", "replace")) or -done.returncode in LIMITS:
        raise Refused(f"{url}: the repository is larger than {CAPS.total_bytes >> 20} MiB")
    if done.returncode != 0:
        raise UsageError(f"cannot clone {url}: {one_line(reason)}")
    return out.decode("utf-8", "replace").strip()


def _start(place: Path, *words: str) -> subprocess.Popen[bytes]:
    """Git and what it starts, with limits: a pack may be short and unpack to anything."""
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(place.parent), "LC_ALL": "C",
                   "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
                   "GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file", "GIT_LFS_SKIP_SMUDGE": "1"}
    # Links become small files, which `collect` takes for what they are; hooks and submodules are never looked at.
    safe = ["-c", "core.symlinks=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never",
            "-c", f"core.bigFileThreshold={CAPS.file_bytes}", "-c", "pack.threads=1", "-c", "gc.auto=0"]
    place.mkdir(parents=True, exist_ok=True)
    try:
        return subprocess.Popen(["git", *safe, *words], cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True, preexec_fn=_limit)
    except FileNotFoundError as error:
        raise UsageError("git is not installed; it is needed to grade a git URL (apt-get install git)") from error


def _end(child: subprocess.Popen[bytes]) -> None:
    """With all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for stream in (child.stdout, child.stderr):
        if stream is not None:
            stream.close()


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (CAPS.total_bytes, CAPS.total_bytes))
    resource.setrlimit(resource.RLIMIT_AS, (CLONE_MEMORY, CLONE_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CLONE_CPU_S, CLONE_CPU_S))


__all__ = ["Refused", "clone", "is_git_url", "source_of", "stamp"]
