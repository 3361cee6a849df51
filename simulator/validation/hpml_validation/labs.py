"""The reference solutions of the labs with CUDA programs, as programs that run on a real card: built from lab.toml's list
of sources, run at the course's sizes; what they print is kept."""
from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

from hpml_validation.programs import ROOT, RunError, compile_changed

LABS = ("lab3_cuda", "lab3x_cuda_extensions")
# Program -> the arguments of its runs. The handouts' tables; of the extensions one size each.
RUNS = {
    "vecadd00": ("500", "1000", "2000"), "vecadd01": ("500", "1000", "2000"),
    "matmult00": ("16", "32", "64"), "matmult01": ("8", "16", "32"),
    "vecaddgpu00": ("1 1 1", "1 256 1", "0 256 1", "0 256 100"), "vecaddgpu01": ("1 1 1", "1 256 1", "0 256 1", "0 256 100"),
    "convolution": ("",), "convolution4": ("",),
    "m1": ("512",), "m2": ("512",), "m3": ("512",), "m4": ("512",), "m5": ("512",), "m6": ("512",),
    "reduction": ("1048576",), "prefetch": ("1048576",), "streams": ("1048576",), "flash": ("512",),
}


def programs() -> dict[str, list[str]]:
    """Name -> words for the compiler's driver: sources, include folder, flags."""
    found = {}
    for lab in LABS:
        given, solved = ROOT / "labs" / lab / "src", ROOT / "solutions" / lab
        spec = tomllib.loads((ROOT / "labs" / lab / "lab.toml").read_text("utf-8"))
        for program in spec["program"]:
            if program["name"] in RUNS:
                sources = [solved / name for name in program.get("sources", [])]
                sources += [given / name for name in program["harness"]]
                found[program["name"]] = [*map(str, sources), "-I", str(given), *program.get("flags", [])]
    return found


def build(folder: Path, frontend: str, arch: str, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    words = programs()[name]
    compile_changed(words, [Path(word) for word in words if Path(word).is_file()], folder / name, frontend, arch)
    return folder / name


def run(folder: Path, frontend: str, arch: str, names: Iterable[str], execute: Callable[[Path, list[str]], str]
        ) -> tuple[dict[str, list[str]], dict[str, str]]:
    """What every program prints, by command, and what could not be built or run, and why."""
    printed, failed = {}, {}
    for name in names:
        try:
            program = build(folder, frontend, arch, name)
            for arguments in RUNS[name]:
                printed[f"{name} {arguments}".strip()] = execute(program, arguments.split()).splitlines()
        except RunError as error:
            failed[name] = str(error)
    return printed, failed
