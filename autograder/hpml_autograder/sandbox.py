"""Wraps a command in bubblewrap where that works; detected by trying, never by version."""
import functools
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path


@functools.cache
def bwrap_version() -> str | None:
    """Version of a bubblewrap that can really start a process here, or None."""
    program = shutil.which("bwrap", path="/usr/bin:/bin")
    if program is None:
        return None
    probe = [program, "--unshare-net", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
             "/bin/true"]
    try:
        if subprocess.run(probe, capture_output=True, timeout=10, check=False).returncode != 0:
            return None
        text = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    return text.split()[-1] if text.split() else None


def wrap(command: Sequence[str], work: Path, real_gpu: bool) -> list[str]:
    """Read-only file system except the work directory, no network, own process table; devices only for a real GPU."""
    if bwrap_version() is None:
        return list(command)
    return ["/usr/bin/bwrap", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent",
            "--ro-bind", "/", "/", "--proc", "/proc", "--dev-bind" if real_gpu else "--dev",
            *(["/dev"] if real_gpu else []), "/dev", "--bind", str(work), str(work), "--", *command]


def describe() -> dict[str, object]:
    """The record's sandbox block. Without another uid and a cgroup this is a self-test: level L0."""
    bwrap = bwrap_version()
    return {"level": "L0", "uid_drop": False, "bwrap": bwrap or "none", "cgroup": "none",
            "net": "none" if bwrap else "host"}
