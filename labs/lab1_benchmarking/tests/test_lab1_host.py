"""What can come of a kernel in a process of its own: of C by lab1_worker, of Python by dp_worker.py."""
import errno
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hpml_autograder import syscalls
from hpml_autograder.case import Case, Run
from hpml_autograder.paths import build_dir
from hpml_autograder.verdict import Verdict
from hpml_autograder.worker_runs import missing, numbers, worker_trouble

LOOP = "float r = 0; for (long i = 0; i < n; i++) r += a[i] * b[i]; return r;"
DP_WORKER = Path(__file__).resolve().parents[1] / "src/harness/dp_worker.py"


class Context:
    class spec:
        class limits:
            wall_s = 60


def ended(program: str, done: subprocess.CompletedProcess) -> Run:
    state = ("exit", done.returncode) if done.returncode >= 0 else ("signal", -done.returncode)
    return Run(Case(program, "calls"), *state, done.stdout, done.stderr)


def ask(tmp_path, body: str, *words: str, before: str = "") -> Run:
    (tmp_path / "k.c").write_text(f"#define _GNU_SOURCE\n#include <stdlib.h>\n#include <unistd.h>\n{before}\n"
                                  f"float dp(long n, const float *a, const float *b) {{ {body} }}\n", encoding="utf-8")
    library = str(tmp_path / "k.so")
    subprocess.run(["/usr/bin/cc", "-O1", "-shared", "-fPIC", "-o", library, tmp_path / "k.c"], check=True)
    command, *rest = words or ("calls", "ones", "1,7,1000")
    return ended("lab1_worker", subprocess.run([build_dir() / "bin/lab1_worker", command, library, "dp", *rest], capture_output=True,
                                text=True, check=False, timeout=60))


def test_results_come_one_per_size(tmp_path):
    run = ask(tmp_path, LOOP)
    assert worker_trouble(run, Context) is None and missing(run, "123", "") is None
    assert numbers(run) == [[1.0], [7.0], [1000.0]]


@pytest.mark.parametrize("body, verdict, words", [
    ("if (n == 7) exit(0); return n;", Verdict.RE, "instead of returning"),
    ("if (n == 7) return a[n]; return n;", Verdict.SG, "SIGSEGV"),
    ("long one = 1; for (int fd = 3; fd < 9; fd++) one += write(fd, &one, 8); return n + one;", Verdict.PV, ""),
    ("if (n == 7) abort(); return n;", Verdict.SG, "SIGABRT"),
])
def test_who_does_not_return_has_no_result(tmp_path, body, verdict, words):
    run = ask(tmp_path, body)
    outcome = worker_trouble(run, Context)
    assert outcome.verdict is verdict and words in outcome.detail and missing(run, "123", "").verdict is Verdict.RE


READS_ITS_WORDS = """int file = open("/proc/self/cmdline", 0); char text[4096]; long count = read(file, text, sizeof text);
  close(file); float sum = count; for (long i = 0; i < count; i++) sum += text[i] * (i + 1); return sum;"""


def test_a_kernel_cannot_read_which_run_it_is_in(tmp_path):
    first, second = (numbers(ask(tmp_path, READS_ITS_WORDS, "calls", data, sizes, before="#include <fcntl.h>"))
                     for data, sizes in (("ones", "1"), ("probe", "1000")))
    assert first == second and first[0][0] > 0


@pytest.mark.skipif(not syscalls.available(), reason="needs python3-seccomp")
def test_student_code_in_a_worker_asks_the_kernel_for_what_is_listed_only(tmp_path, monkeypatch):
    (tmp_path / "filter").write_bytes(syscalls.program())
    monkeypatch.setenv("HPML_FILTER", str(tmp_path / "filter"))
    run = ask(tmp_path, "long r = syscall(SYS_socket, 1, 1, 0); return r == -1 ? errno : r;",
              before="#include <errno.h>\n#include <sys/syscall.h>")
    assert numbers(run) == [[errno.ENOSYS]] * 3


def test_what_is_printed_there_is_printed_nowhere(tmp_path):
    run = ask(tmp_path, "write(1, \"9\\n\", 2); return n;")
    assert numbers(run) == [[1.0], [7.0], [1000.0]]


def test_vectors_change_before_every_timed_call(tmp_path):
    pair = ("pair", "ours", "dp", "4096")
    assert json.loads(ask(tmp_path, LOOP, *pair).stdout)["ratio"] > 0
    run = ask(tmp_path, "static float r; static int known; if (known++) return r; " + LOOP.replace("float r", "r"), *pair)
    assert worker_trouble(run, Context).verdict is Verdict.WA and "that was timed" in run.stderr


def ask_python(tmp_path, body: str, sizes: str = "1,7,300000") -> Run:
    (tmp_path / "dp9.py").write_text(f"import numpy as np\n\n\ndef dp(N, A, B):\n    {body}\n", encoding="utf-8")
    return ended("dp_worker", subprocess.run([sys.executable, DP_WORKER, tmp_path / "dp9.py", "ones", sizes], capture_output=True,
                                text=True, check=False, timeout=60, env={"OPENBLAS_NUM_THREADS": "1"}))


def test_a_python_kernels_results_memory_and_time_are_seen_from_outside(tmp_path):
    lean = numbers(ask_python(tmp_path, "return np.dot(A, B)", "3000000"))[0]
    wasteful = numbers(ask_python(tmp_path, "return (A * B).sum(dtype=np.float64)", "3000000"))[0]
    assert lean[0] == wasteful[0] == 3000000.0
    assert lean[1] < 1 << 20 < 11 << 20 < wasteful[1]
    assert lean[2] > 0


@pytest.mark.parametrize("body, verdict", [
    ("raise SystemExit(0)", Verdict.RE), ("return 1 / 0", Verdict.RE), ("import os; os._exit(0)", Verdict.RE),
    ("import os; os.kill(os.getpid(), 11)", Verdict.SG)])
def test_a_python_kernel_that_does_not_return_has_no_result(tmp_path, body, verdict):
    run = ask_python(tmp_path, body)
    outcome = worker_trouble(run, Context) or missing(run, "123", "")
    assert outcome.verdict is verdict
