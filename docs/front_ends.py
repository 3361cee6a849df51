"""The page docs/front_ends.md: what programs can use with clang and our headers, and what needs nvcc. Read from the
tree: the headers of simulator/include, and the programs of simulator/tests/programs, which every front end that can
build them builds and runs in `make check`."""
from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ROOT / "simulator/include"
PROGRAMS = ROOT / "simulator/tests/programs"
NVCC_ONLY = re.compile(r'^set\(nvcc_only_(\w+) "([^"]+)"\)$', re.MULTILINE)
PACKAGED = re.compile(r'^set\(packaged_(\w+) "([^"]+)" ([\w+-]+)\)$', re.MULTILINE)
NEEDS_GPU = re.compile(r"^set\(gpu_(\w+) (\w+) \d+\)$", re.MULTILINE)

HEAD = """# What compiles with which front end

Written by `docs/update.py --pages` from the headers and the test programs of the tree; do not edit.

A `.cu` file is compiled by clang against the headers of `simulator/include` where there is no CUDA Toolkit, and by nvcc
with NVIDIA's headers where there is one (`CUDA=clang|nvcc` chooses). The simulator runs what either makes. PTX in `asm`
works with both: a header that clang lacks is missing as source, not as instructions.
"""


def public_headers() -> list[str]:
    """The headers a program may include by CUDA's names; those that only serve others are left out."""
    found = [path.relative_to(HEADERS).as_posix() for path in HEADERS.rglob("*.h")]
    inner = ("hpml/", "hpml_", "bits/")
    words = [path.relative_to(HEADERS / "libraries").as_posix() for path in (HEADERS / "libraries/cuda").rglob("*")
             if path.is_file()]  # libcu++'s have no suffix
    return sorted([name for name in found if not name.startswith(inner)] + words)


def first_sentence(source: Path) -> str:
    """What a program says of itself: its first comment, to the first full stop."""
    lines = []
    for line in source.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").strip())
    text = re.split(r"[.](?:\s|$)", " ".join(lines), maxsplit=1)[0]
    return text.replace("|", "\\|")


def page() -> str:
    """The whole page."""
    build = (PROGRAMS / "CMakeLists.txt").read_text(encoding="utf-8")
    reasons = dict(NVCC_ONLY.findall(build))
    gpus = dict(NEEDS_GPU.findall(build))
    names = sorted(path.stem for path in PROGRAMS.glob("*.expected"))
    lines = [HEAD, "## Headers that both have", "", ", ".join(f"`{name}`" for name in public_headers()) + ".", "",
             "## What only nvcc builds", "", "| header or library | tested by | GPU |", "|---|---|---|"]
    for reason in sorted(set(reasons.values()), key=str.casefold):
        users = [name for name in names if reasons.get(name) == reason]
        tested_on = sorted({gpus.get(name, "t4") for name in users})
        lines.append(f"| {reason} | {' '.join(f'`{name}`' for name in users)} | {' '.join(tested_on)} |")
    packaged = PACKAGED.findall(build)
    lines += ["", "## What clang builds with a package of the distribution", "",
              "Install it and nothing else: the headers are found by themselves.", "",
              "| header or library | package | tested by |", "|---|---|---|"]
    lines += [f"| {header} | {package} | {' '.join(f'`{name}`' for name, *its in packaged if its == [header, package])} |"
              for header, package in dict.fromkeys((header, package) for _, header, package in packaged)]
    lines += ["", "Debian 12 has Thrust and CUB 1.17, Ubuntu 24.04 2.0, Debian 13 2.3. Debian 13 has libcu++ 2.3; that of Ubuntu",
              "24.04 (1.9) compiles in part (`cuda/std/complex` and waiting for an atomic do not); Debian 12 has none."]
    lines += ["", "## Programs that both build", "", "| program | what it tests | GPU |", "|---|---|---|"]
    lines += [f"| `{name}` | {first_sentence(PROGRAMS / f'{name}.cu')} | {gpus.get(name, 't4')} |"
              for name in names if name not in reasons]
    return "\n".join(lines) + "\n"
