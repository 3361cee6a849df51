"""What measurements must know of this machine, from `hpml-bench` of the build directory."""
import functools
import json
import re
import subprocess
from typing import Any

from .errors import InfraError
from .paths import ROOT, build_dir

ONE_THREAD = (("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1"))


def hpml_bench(*words: str) -> dict[str, Any]:
    """The JSON that `hpml-bench WORDS` prints. InfraError if it is not built or fails."""
    tool = build_dir() / "bin" / "hpml-bench"
    try:
        done = subprocess.run([str(tool), *words], capture_output=True, text=True, check=False)
    except OSError as error:
        raise InfraError(f"{tool}: {error.strerror}: run `tools/build.sh hpml-bench`") from error
    if done.returncode != 0:
        raise InfraError(f"{tool} {' '.join(words)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


@functools.cache
def machine_report() -> dict[str, Any]:
    """Processor, caches, instruction sets, load, kernel, compiler: what a measurement is published with."""
    return hpml_bench("machine")


@functools.cache
def blas_report() -> dict[str, Any]:
    """Which kernels the installed BLAS picks for this processor: {"corename", "says", "mend", "libraries"}."""
    return hpml_bench("blas")


def blas_environment() -> tuple[tuple[str, str], ...]:
    """One thread, and the core type where OpenBLAS's own choice is not that of this processor."""
    mend = blas_report()["mend"]
    return (*ONE_THREAD, ("OPENBLAS_CORETYPE", mend)) if mend else ONE_THREAD


@functools.cache
def compiler_version(front_end: str) -> str:
    """Of the compiler that CUDA programs get, such as "clang 14.0.6": counters may differ between versions as well. The name
    alone where it tells none."""
    chosen = subprocess.run(["/usr/bin/python3", str(ROOT / "tools/cuda_compile.py"), "--print-frontend", "--frontend", front_end],
                            capture_output=True, text=True, check=False).stdout.strip()
    if not chosen:
        return front_end
    name, path = chosen.split(" ", 1)
    text = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"\b(?:version|V)\s*(\d+\.\d[\d.]*)", text)
    return f"{name} {version[1]}" if version else name
