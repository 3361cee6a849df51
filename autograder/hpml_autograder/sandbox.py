"""Runs one command that may be hostile: own user, own view of the file system, no network, limits. What of it works
here is found by trying, never by version, and said in the record."""
import contextlib
import fcntl
import functools
import os
import re
import select
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import allowance, cgroup, disk, mirror, process, syscalls
from .errors import InfraError, UsageError
from .mirror import Mirror
from .protection import LEVELS, Protection
from .supervisor import OUR_PROCESSES

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
DROP = ("--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--pdeathsig=KILL")
# A command's own folder for temporary files, also as the value of a variable; without bubblewrap another takes its place.
SCRATCH = "/scratch"
# The last of what is around a program says that it worked: until then no failure is the program's.
MARK = "hpml: all is set up"
BEGIN = ("/bin/sh", "-c", f'echo "{MARK}" >&2; exec "$@"', "sh")
KILLED = int(signal.SIGKILL)
LONGEST_END_S = 10  # from the end of bubblewrap to that of what it has started


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
    filtered: bool = False  # only the system calls that syscalls.py lists are allowed
    forks: bool = False     # the filter also lets it start copies of itself


@functools.cache
def detect() -> Protection:
    """What works here, or less: HPML_SANDBOX_LEVEL=L0...L4 is the most that is used of it."""
    allowance.require()
    most = os.environ.get("HPML_SANDBOX_LEVEL") or LEVELS[-1]
    if most not in LEVELS:
        raise UsageError(f"HPML_SANDBOX_LEVEL={most}: it takes one of {', '.join(LEVELS)}")
    root = os.geteuid() == 0
    uid_drop = root and _works([*_setpriv(FIRST_UID), "/bin/true"])
    bwrap = _version() if _works([*_bwrap(Jail(), uid_drop, Path(SCRATCH)), "--",
                                  *_setpriv(FIRST_UID if uid_drop else None), "/bin/true"]) else None
    unshare = root and _works([*UNSHARE, "/bin/true"])
    seccomp = bwrap is not None and syscalls.available()
    return Protection(uid_drop, bwrap, unshare, cgroup.hierarchy().version, seccomp).at_most(most)


def require(level: str, what: str) -> Protection:
    """Records need a sandbox: less than the lab asks for is the machine's fault, not the student's."""
    protection = detect()
    if LEVELS.index(protection.level) < LEVELS.index(level):
        raise InfraError(f"{what} asks for sandbox level {level}, this machine offers {protection.level} "
                         "(run as root with bubblewrap installed; --feedback grades without a score of record)")
    return protection


def run(command: Sequence[str], jail: Jail, limits: process.ProcessLimits, cwd: Path | None = None) -> process.Finished:
    """Never raises for what the command does; InfraError where this machine could not do its part: no disk left to write
    to, no more processes, a sandbox that does not start. cwd: inside; default an empty folder in memory."""
    protection = detect()
    written = (*jail.write_files, *jail.write_dirs)
    disk.require_room(*written)
    allowance.require_processes()
    _require_program(command[0])
    killed_before = allowance.kills_for_memory()
    with _uid(protection.uid_drop) as uid, _group(protection, limits) as group, _mirror(protection, jail) as copies, \
            _filter(protection, jail) as seccomp, _scratch(protection, uid) as scratch, _first_process() as told:
        for path in written:
            if uid is not None:
                os.chown(copies.path(path), uid, uid)
        inherited: tuple[int, ...] = ()
        if protection.bwrap:
            wrapped, outside, env = _boxed(command, jail, uid, cwd, copies, seccomp, told)
            inherited = (*seccomp, told)
        else:
            wrapped, outside, env = _unboxed(command, jail, uid, cwd, copies, protection.unshare, scratch)
        done = process.run(wrapped, limits, outside, env, group, f"{MARK}\n".encode(), inherited,
                           stays_together=protection.bwrap is not None)
        if uid is not None:
            for path in written:
                _make_ours(copies.path(path))
    if not done.begun:
        raise InfraError(f"the sandbox ({protection.level}) does not start: "
                         f"{done.stderr.strip()[-300:] or done.state}; nothing is graded")
    disk.require_room(*written)
    if (done.state, done.code) != ("exit", 0):
        allowance.require_processes()
        if KILLED in (done.code, done.code - 128) and allowance.kills_for_memory() > killed_before:
            raise InfraError("this machine ran out of memory, and its kernel has ended a command of the grader's; "
                             "nothing is graded: end other programs, or run fewer at a time (--jobs 1)")
    return replace(done, stdout=copies.outside(done.stdout), stderr=copies.outside(done.stderr))


def _boxed(command: Sequence[str], jail: Jail, uid: int | None, cwd: Path | None, copies: Mirror,
           seccomp: Sequence[int], told: int) -> tuple[list[str], Path, dict[str, str]]:
    """The whole command, where it starts, and its environment there; in bubblewrap paths are the same as outside."""
    env = {"HOME": SCRATCH, "TMPDIR": SCRATCH, **_environment(jail)}
    words = [*_bwrap(jail, uid is not None, cwd or Path(SCRATCH), copies), "--info-fd", str(told),
             *(word for descriptor in seccomp for word in ("--seccomp", str(descriptor))),
             *(word for name, value in env.items() for word in ("--setenv", name, value)), "--"]
    return [*words, *_setpriv(uid), *BEGIN, *command], Path("/"), {"PATH": "/usr/bin:/bin"}


def _unboxed(command: Sequence[str], jail: Jail, uid: int | None, cwd: Path | None, copies: Mirror,
             unshare: bool, scratch: Path) -> tuple[list[str], Path, dict[str, str]]:
    here = copies.path(jail.write_dirs[0]) if jail.write_dirs else scratch
    env = {"HOME": str(here), "TMPDIR": str(here),
           **{name: str(here) if value == SCRATCH else copies.inside(value) for name, value in _environment(jail).items()}}
    words = [*(UNSHARE if unshare else ()), *_setpriv(uid), *BEGIN, *map(copies.inside, command)]
    return words, copies.folder(cwd) if cwd else here, env


def _environment(jail: Jail) -> dict[str, str]:
    return {"PATH": "/usr/local/cuda/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", **jail.env}


def _mirror(protection: Protection, jail: Jail) -> contextlib.AbstractContextManager[Mirror]:
    """A user of its own may not enter every folder that we may."""
    if not protection.uid_drop:
        return contextlib.nullcontext(Mirror({}))
    return mirror.opened(jail.read, (*jail.write_files, *jail.write_dirs), tuple(_setpriv(FIRST_UID)),
                         whole_path=protection.bwrap is None)


@contextlib.contextmanager
def _scratch(protection: Protection, uid: int | None) -> Iterator[Path]:
    """The command's own folder for temporary files, which no other command sees and nothing outlives: in bubblewrap one in
    memory, else one of this machine's."""
    if protection.bwrap:
        yield Path(SCRATCH)
        return
    parent = Path(tempfile.gettempdir() if uid is None else "/tmp")
    _sweep_once(parent)
    place = Path(tempfile.mkdtemp(prefix=f"{mirror.PREFIX}{os.getpid()}-", dir=parent))
    try:
        if uid is not None:
            os.chown(place, uid, uid)
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)  # what a program has locked is swept when this process is gone


@functools.cache
def _sweep_once(parent: Path) -> None:
    mirror.sweep(parent)


@contextlib.contextmanager
def _filter(protection: Protection, jail: Jail) -> Iterator[tuple[int, ...]]:
    if not (jail.filtered and protection.seccomp):
        yield ()
        return
    descriptor = syscalls.open_filter(jail.forks)
    try:
        yield (descriptor,)
    finally:
        os.close(descriptor)


def _make_ours(path: Path) -> None:
    os.chown(path, 0, 0)
    os.chmod(path, stat.S_IMODE(path.stat().st_mode) & OURS)


def _require_program(name: str) -> None:
    if not os.access(name, os.X_OK):
        raise InfraError(f"{name} is missing: run `make setup`")


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


def _bwrap(jail: Jail, uid_drop: bool, cwd: Path, copies: Mirror = Mirror({})) -> list[str]:
    """As root, bubblewrap sets the place up and setpriv drops to a real other user inside it, so that neither the
    checkout nor the hand-in need be readable for that user outside. Otherwise a user namespace is all there is. Process 1
    is bubblewrap itself: its command line would tell which run of the grader this is."""
    words = ["/usr/bin/bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
             "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--clearenv"]
    if uid_drop:
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        words += ["--unshare-user", "--cap-drop", "ALL"]
    for part in (*SYSTEM, *PROFILES[jail.profile]):
        words += part
    words += ["--proc", "/proc", "--size", "4096", "--perms", "0555", "--tmpfs", "/proc/1"]
    words += ["--dev-bind", "/dev", "/dev"] if jail.real_gpu else ["--dev", "/dev"]
    if not jail.real_gpu:
        words += ["--size", str(16 << 20), "--perms", "1777", "--tmpfs", "/dev/shm"]
    words += ["--size", str(jail.scratch_mb << 20), "--perms", "1777", "--tmpfs", SCRATCH,
              "--symlink", SCRATCH.lstrip("/"), "/tmp"]
    for folder in _folders((*jail.read, *jail.write_files, *jail.write_dirs)):
        words += ["--dir", folder]  # bubblewrap alone would make them for root only
    for path in jail.read:
        words += ["--ro-bind", str(copies.path(path)), str(path)]
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
def _first_process() -> Iterator[int]:
    """Where bubblewrap writes which process is the first of its box. Bubblewrap itself ends before that one, which all others of the
    box end with: at the end we wait for it."""
    said, told = os.pipe()
    try:
        try:
            yield told
        finally:
            os.close(told)
        found = re.search(rb'"child-pid": (\d+)', os.read(said, 4096))
        if found:
            with contextlib.suppress(OSError):  # it has ended already
                handle = os.pidfd_open(int(found[1]))
                select.select([handle], [], [], LONGEST_END_S)
                os.close(handle)
    finally:
        os.close(said)


@contextlib.contextmanager
def _group(protection: Protection, limits: process.ProcessLimits) -> Iterator[cgroup.Group | None]:
    if protection.cgroup == "none":
        yield None
        return
    pids = None if limits.pids is None else limits.pids + OUR_PROCESSES
    group = cgroup.Group(cgroup.hierarchy(), limits.memory_bytes, pids)
    try:
        yield group
    finally:
        group.kill()
        group.remove()
