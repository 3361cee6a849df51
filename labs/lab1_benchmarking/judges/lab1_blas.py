"""Which kernel the installed OpenBLAS picks for this processor, and the environment that mends a wrong choice."""
import functools
import json
import subprocess
from typing import Any

from hpml_autograder.lab import InfraError, build_dir

ONE_THREAD = (("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1"))


@functools.cache
def blas_report() -> dict[str, Any]:
    """`hpml-bench blas`: {"corename", "says", "mend", "libraries"}."""
    tool = build_dir() / "bin" / "hpml-bench"
    try:
        done = subprocess.run([str(tool), "blas"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise InfraError(f"{tool}: {error.strerror}: run `make lab1`") from error
    if done.returncode != 0:
        raise InfraError(f"{tool} blas: {done.stderr.strip()}")
    return json.loads(done.stdout)


def blas_environment() -> tuple[tuple[str, str], ...]:
    """One thread, and the core type where the library's own choice is not that of this processor."""
    mend = blas_report()["mend"]
    return (*ONE_THREAD, ("OPENBLAS_CORETYPE", mend)) if mend else ONE_THREAD
