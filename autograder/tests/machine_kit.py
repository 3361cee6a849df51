"""Machines that lack something, made out of this one: a copy of what grading needs, in a folder with spaces and umlauts,
and commands that take things away before they start the grader."""
import ctypes
import json
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("autograder/hpml_autograder", "common", "labs/lab3_cuda", "simulator/include", "simulator/gpus", "simulator/metrics",
         "simulator/report", "solutions/lab3_cuda", "tools/cuda_compile.py", "tools/shared_objects.py")
PRODUCTS = ("bin/gpusim", "lib")
USER = 30017  # nobody else's on this machine
AS_USER = ("/usr/bin/setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--")
# What Docker leaves root in a container.
CONTAINER_RIGHTS = ("chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "net_bind_service",
                    "net_raw", "sys_chroot", "mknod", "audit_write", "setfcap")
CONTAINER = ("/usr/bin/setpriv", "--bounding-set=-all," + ",".join(f"+{name}" for name in CONTAINER_RIGHTS), "--",
             "/usr/bin/python3", __file__)
NO_NAMESPACES = ("/usr/bin/python3", __file__)


def shell(text: str) -> tuple[str, ...]:
    """A command that does something first, as root with a view of the file systems that is its own."""
    return "/usr/bin/unshare", "--mount", "/bin/sh", "-c", f'set -e; {text}; exec "$@"', "sh"


NO_CGROUPS = shell("mount -t tmpfs none /sys/fs/cgroup")
SMALL_SHM = shell("mount -t tmpfs -o size=64m none /dev/shm")
NO_NETWORK = ("/usr/bin/unshare", "--net")
READ_ONLY = shell('mount --bind "$TREE" "$TREE"; mount -o remount,bind,ro "$TREE"')
READ_ONLY_BUT_BUILD = shell('mount --bind "$TREE" "$TREE"; mount --bind "$TREE/build" "$TREE/build"; '
                            'mount -o remount,bind,ro "$TREE"')


@dataclass(frozen=True)
class Answer:
    code: int
    verdicts: dict[str, str]
    stdout: str
    stderr: str

    @property
    def full_marks(self) -> bool:
        return self.code == 0 and set(self.verdicts.values()) == {"AC"}

    @property
    def sentence(self) -> str:
        """Why nothing was graded; empty: it was, or more than one line was needed to say it."""
        said = [line for line in self.stderr.splitlines() if not line.startswith("  ")]  # progress
        return said[0] if self.code == 3 and len(said) == 1 and not self.verdicts else ""


@dataclass(frozen=True)
class Machine:
    tree: Path
    before: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)

    def grade(self, test: str) -> Answer:
        """One test of lab 3's solution, compiled and run again."""
        return self.run("test", "lab3", "--solution", "--cuda", "clang", "--fresh", "--test", test)

    def run(self, *words: str) -> Answer:
        record = self.tree / "build/results/lab3.json"
        record.unlink(missing_ok=True)
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.tree), "PYTHONPATH": str(self.tree / "autograder"),
                       "TREE": str(self.tree), **self.environment}
        command = [*self.before, "/usr/bin/python3", "-B", "-m", "hpml_autograder", *words]
        done = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False, timeout=600)
        tests = json.loads(record.read_text(encoding="utf-8"))["tests"] if record.exists() else []
        return Answer(done.returncode, {one["id"]: one["verdict"] for one in tests}, done.stdout, done.stderr)


@contextmanager
def tree_of(uid: int, build: Path) -> Iterator[Path]:
    """A checkout and its build folder, as another user's or ours; not below pytest's folder, which is private."""
    top = Path(tempfile.mkdtemp(prefix="hpml-machine-"))
    try:
        top.chmod(0o755)
        tree = top / "private" / "HPML Übung 3"
        for part in PARTS:
            _copy(ROOT / part, tree / part)
        for part in PRODUCTS:
            _copy(build / part, tree / "build/release" / part)
        _copy(tree / "simulator/gpus", tree / "build/release/share/gpusim/gpus")
        for path in (top, *top.rglob("*")):
            os.chown(path, uid, uid, follow_symlinks=False)
        yield tree
    finally:
        shutil.rmtree(top)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, target)


@contextmanager
def private(tree: Path, files: bool = False) -> Iterator[None]:
    """The tree in a folder that its owner alone may enter; files: and with files that its owner alone may read."""
    home = tree.parent
    paths = [home, *(path for path in tree.rglob("*") if files and not path.is_symlink())]
    modes = {path: path.stat().st_mode & 0o7777 for path in paths}
    try:
        for path, mode in modes.items():
            path.chmod(mode & 0o700)
        yield
    finally:
        for path, mode in modes.items():
            if path.exists():
                path.chmod(mode)


@contextmanager
def running(count: int, before: Sequence[str]) -> Iterator[None]:
    """So many processes in the background."""
    script = f"for i in $(seq {count}); do sleep 600 & done; echo ready; wait"
    with subprocess.Popen([*before, "/bin/sh", "-c", script], stdout=subprocess.PIPE, start_new_session=True) as shells:
        try:
            assert shells.stdout is not None and shells.stdout.readline() == b"ready\n"
            yield
        finally:
            os.killpg(shells.pid, 9)


# The system calls that make or enter a name space, or mount: unshare, setns, mount; clone; clone3.
CALLS = {"x86_64": (0xC000003E, (272, 308, 165), 56, 435), "aarch64": (0xC00000B7, (97, 268, 40), 220, 435)}
NEW_NAMESPACES = 0x7E020080
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, REFUSE, UNKNOWN = 0x7FFF0000, 0x00050001, 0x00050026  # EPERM; ENOSYS, after which clone is tried
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2


def forbid_namespaces() -> None:
    """As the profile does that containers have unless they are told otherwise."""
    machine, refused, clone, clone3 = CALLS[platform.machine()]
    program = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, machine), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, 0)]
    for number in refused:
        program += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE)]
    program += [(EQUAL, 0, 1, clone3), (RETURN, 0, 0, UNKNOWN), (EQUAL, 0, 3, clone), (LOAD, 0, 0, 16),
                (ANY_BIT, 0, 1, NEW_NAMESPACES), (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    head = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or prctl(PR_SET_SECCOMP, FILTER, ctypes.c_char_p(head), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def refuses_the_clock() -> bool:
    """Whether this machine stops a process that may not read the processor's clock; some hypervisors let it."""
    program = ("import ctypes, mmap\n"
               "ctypes.CDLL(None).prctl(26, 2, 0, 0, 0)  # PR_SET_TSC, PR_TSC_SIGSEGV\n"
               "page = mmap.mmap(-1, 4096, prot=7)\n"
               "page.write(bytes.fromhex('0f31c3'))  # rdtsc; ret\n"
               "ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()\n")
    return platform.machine() != "x86_64" or subprocess.run(["/usr/bin/python3", "-c", program], check=False).returncode != 0


if __name__ == "__main__":
    forbid_namespaces()
    os.execv(sys.argv[1], sys.argv[1:])
