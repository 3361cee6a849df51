"""The page docs/runtime_api.md: which names of the CUDA runtime our libraries carry out, and which only say that they do
not. Read from the libraries themselves: a name that no source defines is a weak function that returns 801."""
from __future__ import annotations

import re
import subprocess
from pathlib import Path

LIBRARIES = {"11": "libcudart.so.11.0", "12": "libcudart.so.12", "13": "libcudart.so.13"}

HEAD = """# The CUDA runtime API of the simulator

Written by `docs/update.py` from the symbols of the built libraries; do not edit.

Every name that the real `libcudart.so` of CUDA 11, 12 and 13 exports is there, so that programs link. A name of the
second table returns `cudaErrorNotSupported` (801) and says so once on stderr.

What is carried out, but differs from a GPU:

- Kernels execute at the launch call, in host order; only *when* they ran is decided by the time line. Kernels of
  different streams overlap as far as their blocks, issue slots and bandwidth leave room. Stream priorities are kept and
  have no effect.
- A host function or callback runs when the host's clock passes it, or before the next work is executed.
- `cudaStreamAttachMemAsync` is checked and changes nothing.
- A stream that waits for a value in memory (`cuStreamWaitValue32`) holds the work behind the wait; all other work is
  carried out when it is issued.
- Texture and surface objects are there, texture references are not.
- Every device can use every other device's memory once `cudaDeviceEnablePeerAccess` was called; its cost to kernels is
  that of an access over the host link. Peer copies cost what a copy over the host link costs.
- The size of the printf buffer counts bytes of text, on a GPU bytes of packed arguments.
- The first `cudaProfilerStart` empties the lists of kernels and copies in `metrics.json`; `cudaProfilerStop` ends them.
"""


def symbols(library: Path) -> dict[str, bool]:
    """The exported CUDA names, and whether each is carried out."""
    listing = subprocess.run(["nm", "-D", "--defined-only", str(library)], check=True, capture_output=True, text=True)
    found = {}
    for line in listing.stdout.splitlines():
        kind, name = line.split()[-2:]
        name = name.split("@")[0]
        if kind in "TW" and re.match(r"(__)?cuda[A-Z]", name):
            found[name] = kind == "T"
    return found


def base_name(name: str) -> str:
    return re.sub(r"_pt[ds]{1}[sz]$", "", name)


def rows(table: dict[str, dict[str, bool]], wanted: bool) -> list[str]:
    """One row per name without its per-thread forms: in which libraries it is `wanted` (carried out, or not)."""
    names: dict[str, set[str]] = {}
    forms: dict[str, set[str]] = {}
    for major, found in table.items():
        for name, carried_out in found.items():
            if carried_out == wanted:
                names.setdefault(base_name(name), set()).add(major)
                if name != base_name(name):
                    forms.setdefault(base_name(name), set()).add(name[len(base_name(name)):])
    lines = []
    for name in sorted(names, key=lambda text: text.lstrip("_").lower()):
        extra = " ".join(f"`{form}`" for form in sorted(forms.get(name, set())))
        lines.append(f"| `{name}` | {extra} | {', '.join(sorted(names[name]))} |")
    return lines


def page(library_dir: Path) -> str:
    table = {major: symbols(library_dir / name) for major, name in LIBRARIES.items()}
    done, missing = rows(table, True), rows(table, False)
    head = "| name | per-thread forms | CUDA |\n|---|---|---|\n"
    return (f"{HEAD}\n## Carried out ({len(done)})\n\n{head}" + "\n".join(done) +
            f"\n\n## Refused by name ({len(missing)})\n\n{head}" + "\n".join(missing) + "\n")
