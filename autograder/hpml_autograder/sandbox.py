"""Runs one command that may be hostile: own user, own view of the file system, no network, limits. What of it works
here is found by trying, never by version, and said in the record."""
import contextlib
import fcntl
import functools
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import cgroup, disk, process
from .errors import InfraError

LEVELS = ("L0", "L1", "L2", "L3", "L4")
FIRST_UID = 20001
MOST_UIDS = 500
UID_LOCKS = Path("/run/lock/hpml-uids")
SYSTEM = (("--dir", "/etc"), ("--ro-bind", "/usr", "/usr"), ("--symlink", "usr/lib", "/lib"),
          ("--symlink", "usr/lib64", "/lib64"), ("--symlink", "usr/bin", "/bin"), ("--symlink", "usr/sbin", "/sbin"),
          ("--ro-bind-try", "/etc/alternatives", "/etc/alternatives"),
          ("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"))
# Profiles: what a kind of lab needs besides. Open MPI asks the machine for its topology.
PROFILES = {"default": (), "mpi": (("--ro-bind", "/sys", "/sys"), ("--ro-bind-try", "/etc/openmpi", "/etc/openmpi")),
            "gpu": (("--ro-bind", "/sys", "/sys"),)}
OURS = 0o755  # at most, of a file or folder that a sandbox has had
# Without bubblewrap. /proc of its own: programs look themselves up there by their number.
UNSHARE = ("/usr/bin/unshare", "--net", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc")
DROP = ("--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all")


@dataclass(frozen=True)
class Protection:
    """What can be put between student code and this machine."""
    uid_drop: bool
    bwrap: str | None   # version
    unshare: bool
    cgroup: str         # "v2", "v1", "none"

    @property
    def level(self) -> str:
        if not self.uid_drop:
            return "L0"
        if self.bwrap:
            return "L4" if self.cgroup != "none" else "L3"
        return "L2" if self.unshare else "L1"

    @property
    def network(self) -> str:
        return "none" if self.bwrap or self.unshare else "host"

    def describe(self) -> dict[str, object]:
        """The record's sandbox block."""
        return {"level": self.level, "uid_drop": self.uid_drop, "bwrap": self.bwrap or "none", "cgroup": self.cgroup,
                "net": self.network}

    def banner(self) -> str:
        if self.level == "L0":
            box = f"bubblewrap {self.bwrap}, but as your own user" if self.bwrap else "none"
            return f"sandbox: L0 ({box}): feedback only, no score of record"
        parts = ["own user", f"bubblewrap {self.bwrap}" if self.bwrap else "", f"cgroup {self.cgroup}"
                 if self.cgroup != "none" else ""]
        return f"sandbox: {self.level} ({', '.join(part for part in parts if part)})"


@dataclass(frozen=True)
class Jail:
    """What the command may see besides the system's programs and libraries; at the same paths as outside."""
    read: tuple[Path, ...] = ()
    write_files: tuple[Path, ...] = ()   # exist already: nothing can be put beside them
    write_dirs: tuple[Path, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    scratch_mb: int = 256
    profile: str = "default"
    real_gpu: bool = False


@functools.cache
def detect() -> Protection:
    root = os.geteuid() == 0
    setpriv = ["/usr/bin/setpriv", f"--reuid={FIRST_UID}", f"--regid={FIRST_UID}", *DROP, "--", "/bin/true"]
    uid_drop = root and _works(setpriv)
    bwrap = _version() if _works([*_bwrap(Jail(), uid_drop, Path("/scratch")), "--",
                                  *_setpriv(FIRST_UID if uid_drop else None), "/bin/true"]) else None
    unshare = root and _works([*UNSHARE, "/bin/true"])
    return Protection(uid_drop, bwrap, unshare, cgroup.hierarchy().version if root else "none")


def require(level: str, what: str) -> Protection:
    """Records need a sandbox: less than the lab asks for is the machine's fault, not the student's."""
    protection = detect()
    if LEVELS.index(protection.level) < LEVELS.index(level):
        raise InfraError(f"{what} asks for sandbox level {level}, this machine offers {protection.level} "
                         "(run as root with bubblewrap installed; --feedback grades without a score of record)")
    return protection


def run(command: Sequence[str], jail: Jail, limits: process.ProcessLimits, cwd: Path | None = None) -> process.Finished:
    """Never raises for what the command does; InfraError where there is no disk left for it to write to. cwd: inside;
    default an empty folder in memory."""
    protection = detect()
    written = (*jail.write_files, *jail.write_dirs)
    disk.require_room(*written)
    env = {"PATH": "/usr/local/cuda/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", **jail.env}
    with _uid(protection.uid_drop) as uid, _group(protection, limits) as group:
        for path in written:
            if uid is not None:
                os.chown(path, uid, uid)
        if protection.bwrap:
            inner_env = {"HOME": "/scratch", "TMPDIR": "/scratch", **env}
            wrapped = [*_bwrap(jail, protection.uid_drop, cwd or Path("/scratch")),
                       *(word for name, value in inner_env.items() for word in ("--setenv", name, value)), "--",
                       *_setpriv(uid), *command]
            outside, env = Path("/"), {"PATH": "/usr/bin:/bin"}
        else:
            here = jail.write_dirs[0] if jail.write_dirs else Path("/tmp")
            wrapped = [*(UNSHARE if uid is not None and protection.unshare else ()), *_setpriv(uid), *command]
            outside, env = cwd or here, {"HOME": str(here), "TMPDIR": str(here), **env}
        if group is not None:
            limits = replace(limits, memory_bytes=None)  # counted by the group, for the tree
        done = process.run(wrapped, limits, outside, env, group)
        if uid is not None:
            for path in written:
                os.chown(path, 0, 0)
                os.chmod(path, stat.S_IMODE(path.stat().st_mode) & OURS)
    disk.require_room(*written)
    return done


def _works(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _version() -> str | None:
    program = shutil.which("bwrap", path="/usr/bin:/bin")
    if program is None:
        return None
    text = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
    words = text.split()
    return words[-1] if words else None


def _setpriv(uid: int | None) -> list[str]:
    return [] if uid is None else ["/usr/bin/setpriv", f"--reuid={uid}", f"--regid={uid}", *DROP, "--"]


def _bwrap(jail: Jail, uid_drop: bool, cwd: Path) -> list[str]:
    """As root, bubblewrap sets the place up and setpriv drops to a real other user inside it, so that neither the
    checkout nor the hand-in need be readable for that user outside. Otherwise a user namespace is all there is."""
    words = ["/usr/bin/bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
             "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--clearenv"]
    if uid_drop:
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        words += ["--unshare-user", "--cap-drop", "ALL"]
    for part in (*SYSTEM, *PROFILES[jail.profile]):
        words += part
    words += ["--proc", "/proc", *(("--dev-bind", "/dev", "/dev") if jail.real_gpu else ("--dev", "/dev"))]
    if not jail.real_gpu:
        words += ["--size", str(16 << 20), "--perms", "1777", "--tmpfs", "/dev/shm"]
    words += ["--size", str(jail.scratch_mb << 20), "--perms", "1777", "--tmpfs", "/scratch",
              "--symlink", "scratch", "/tmp"]
    for folder in _folders((*jail.read, *jail.write_files, *jail.write_dirs)):
        words += ["--dir", folder]  # bubblewrap alone would make them for root only
    for path in jail.read:
        words += ["--ro-bind", str(path), str(path)]
    for path in (*jail.write_files, *jail.write_dirs):
        words += ["--bind", str(path), str(path)]
    return [*words, "--remount-ro", "/", "--chdir", str(cwd)]


def _folders(paths: Sequence[Path]) -> list[str]:
    """Every folder above them, outermost first."""
    return sorted({str(folder) for path in paths for folder in path.parents if folder != Path("/")})


@contextlib.contextmanager
def _uid(wanted: bool) -> Iterator[int | None]:
    """A user id that no other sandbox of this machine has at the moment: the limit on processes counts per user."""
    if not wanted:
        yield None
        return
    UID_LOCKS.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in range(MOST_UIDS):
        handle = os.open(UID_LOCKS / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            continue
        try:
            yield FIRST_UID + number
        finally:
            os.close(handle)
        return
    raise InfraError(f"more than {MOST_UIDS} sandboxes at a time")


@contextlib.contextmanager
def _group(protection: Protection, limits: process.ProcessLimits) -> Iterator[cgroup.Group | None]:
    if protection.cgroup == "none":
        yield None
        return
    # A few of the processes are ours: bubblewrap and its reaper.
    group = cgroup.Group(cgroup.hierarchy(), limits.memory_bytes, None if limits.pids is None else limits.pids + 4)
    try:
        yield group
    finally:
        group.kill()
        group.remove()
