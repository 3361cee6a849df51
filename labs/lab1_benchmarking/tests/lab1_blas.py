"""Which kernel the installed OpenBLAS picks for this processor, and the environment that mends a wrong choice."""
import functools
import json
import subprocess

from hpml_autograder.errors import InfraError
from hpml_autograder.paths import build_dir

THREADS = (("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1"))


@functools.cache
def blas_report() -> dict:
    """`hpml-bench blas --json`: {"corename", "wanted", "mended", "says"}."""
    tool = build_dir() / "bin" / "hpml-bench"
    done = subprocess.run([tool, "blas", "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InfraError(f"{tool} blas: {done.stderr.strip()}")
    return json.loads(done.stdout)


def blas_environment() -> tuple[tuple[str, str], ...]:
    """One thread, and the core type where the library's own choice is not that of this processor."""
    return THREADS
