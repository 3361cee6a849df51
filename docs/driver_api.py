"""The page docs/driver_api.md: which functions of the driver API our libcuda.so.1 carries out, and which only say that
they do not. Read from the library itself: a name that no source defines is a weak function that returns 801."""
from __future__ import annotations

import subprocess
from pathlib import Path

ENTRY_POINTS = Path(__file__).resolve().parent.parent / "simulator/cuda_driver/entry_points.tsv"
LIBRARY = "libcuda.so.1"

HEAD = """# The CUDA driver API of the simulator

Written by `docs/update.py` from the symbols of the built library; do not edit.

`libcuda.so.1` exports every name of CUDA 13.0's. A name of the second table returns `CUDA_ERROR_NOT_SUPPORTED` (801) and
says so once on stderr; `cuGetProcAddress` does not find it. A form is the symbol that a version of `cuda.h` maps the name
to; forms for per-thread default streams (`_ptds`, `_ptsz`) are there for every form of the first table that has one.

What is carried out, but differs from a GPU, beside what [runtime_api.md](runtime_api.md) says:

- All contexts of a device share its state. A fault ends the device for the process; a new context does not heal it.
- PTX is compiled where it is loaded; an instruction that the simulator lacks is an error when it is reached.
- Cubins are refused: PTX, fat binaries with PTX, and what `cuLinkComplete` gives are loaded. JIT options but for the
  logs have no effect.
- `cuGetExportTable` is refused. A static CUDA runtime needs it where `gpusim run` could not replace that runtime: in a
  program without symbols, or in a library that a program opens itself.

NVRTC (`libnvrtc.so.11.2`, `.so.12`, `.so.13`) gives PTX and logs; machine code, LTO and OptiX IR are refused by name.
"""


def carried_out(library: Path) -> dict[str, bool]:
    """The exported names, and whether each is more than a stub."""
    listing = subprocess.run(["nm", "-D", "--defined-only", str(library)], check=True, capture_output=True, text=True)
    return {line.split()[-1]: line.split()[-2] == "T" for line in listing.stdout.splitlines()}


def page(library_dir: Path) -> str:
    """The whole page."""
    exported = carried_out(library_dir / LIBRARY)
    done: dict[str, list[str]] = {}
    missing: dict[str, list[str]] = {}
    for line in ENTRY_POINTS.read_text(encoding="ascii").splitlines():
        if line.startswith("cu"):
            name, _, symbol, _ = line.split("\t")
            (done if exported[symbol] else missing).setdefault(name, []).append(f"`{symbol}`")
    missing = {name: forms for name, forms in missing.items() if name not in done}
    head = "| name | forms |\n|---|---|\n"

    def rows(table: dict[str, list[str]]) -> str:
        return "".join(f"| `{name}` | {' '.join(forms)} |\n" for name, forms in sorted(table.items()))

    return (f"{HEAD}\n## Carried out ({len(done)})\n\n{head}{rows(done)}"
            f"\n## Refused by name ({len(missing)})\n\n{head}{rows(missing)}")
