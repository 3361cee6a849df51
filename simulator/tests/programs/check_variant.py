#!/usr/bin/python3
"""Build every CUDA program of this folder once more with other options of nvcc, and check what each prints.

    check_variant.py GPUSIM PROGRAMS FLAGS [NAME...]

PROGRAMS is a file with one program a line, in columns with tabs: name, GPU, options of tools/cuda_compile.py, sources.
FLAGS is one word list for nvcc, for example "-rdc=true" or "-G -rdc=true". With names, only those programs. What a program
prints differently with them is in variants/NAMEFLAGS.expected.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
COMPILE = HERE.parents[2] / "tools" / "cuda_compile.py"


class Program(NamedTuple):
    name: str
    gpu: str
    options: list[str]
    sources: list[str]


def read_programs(path: str) -> list[Program]:
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line]
    return [Program(name, gpu, options.split(), sources.split()) for name, gpu, options, sources in rows]


def check(program: Program, gpusim: str, flags: str, folder: Path) -> str:
    """What is wrong with the program in this variant; empty where nothing is."""
    target = folder / program.name
    own = HERE / "variants" / f"{program.name}{flags}.expected"
    expected = own if own.is_file() else HERE / f"{program.name}.expected"
    environment = {**os.environ, "NVCC_APPEND_FLAGS": flags, "CUDA": "nvcc"}
    steps = [
        [sys.executable, str(COMPILE), "--frontend", "nvcc", *program.options, *program.sources, "-o", str(target)],
        [sys.executable, str(HERE / "run_program.py"), gpusim, str(target), str(expected), program.gpu],
    ]
    for step in steps:
        done = subprocess.run(step, check=False, capture_output=True, text=True, env=environment, cwd=HERE)
        if done.returncode != 0:
            return done.stdout + done.stderr
    target.unlink()
    return ""


def main(gpusim: str, programs_file: str, flags: str, *names: str) -> int:
    """0 when every program prints what it should."""
    gpusim = str(Path(gpusim).resolve())
    programs = [program for program in read_programs(programs_file) if not names or program.name in names]
    with tempfile.TemporaryDirectory(prefix="check_variant.") as folder, \
            ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = pool.map(lambda program: check(program, gpusim, flags, Path(folder)), programs)
        wrong = {program.name: text for program, text in zip(programs, results, strict=True) if text}
    for name, text in wrong.items():
        print(f"== {name} with {flags}\n{text}")
    print(f"{len(programs) - len(wrong)} of {len(programs)} programs are right with {flags}")
    return 1 if wrong or not programs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
