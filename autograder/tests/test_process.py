"""Whatever a program does, the grader gets an answer within the limits."""
import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hpml_autograder.process import ProcessLimits, run

ENV = {"PATH": "/usr/bin:/bin"}
AUTOGRADER = Path(__file__).resolve().parents[1]


def limits(wall_s: float = 20, output: int = 1000, memory_mb: int | None = None, pids: int | None = None) -> ProcessLimits:
    return ProcessLimits(wall_s=wall_s, cpu_s=20, fsize_bytes=4096, output_bytes=output, pids=pids,
                         memory_bytes=None if memory_mb is None else memory_mb << 20)


def running(word: str) -> list[Path]:
    """Processes with this word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found += [path] if word in path.read_text(encoding="utf-8", errors="replace").split("\0") else []
    return found


def python(tmp_path, code: str, **more):
    return run([sys.executable, "-c", code], limits(**more), tmp_path, ENV)


def test_output_and_exit_code_come_back(tmp_path):
    done = python(tmp_path, "import sys; print('hi'); print('no', file=sys.stderr); sys.exit(4)")
    assert (done.state, done.code, done.stdout, done.stderr) == ("exit", 4, "hi\n", "no\n")


def test_a_hang_is_a_timeout_even_with_signals_blocked_and_a_child(tmp_path):
    code = "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); os.fork(); time.sleep(1000)"
    assert python(tmp_path, code, wall_s=1).state == "timeout"


def test_endless_output_is_stopped_and_cut(tmp_path):
    done = run(["yes"], limits(), tmp_path, ENV)
    assert done.state == "output" and len(done.stdout) == 1000


def test_endless_stderr_keeps_only_its_end(tmp_path):
    done = python(tmp_path, "import sys\nfor i in range(100000): print(i, file=sys.stderr)")
    assert done.state == "exit" and done.stderr.endswith("99999\n") and len(done.stderr) <= 16 * 1024


def test_a_crash_names_its_signal(tmp_path):
    done = python(tmp_path, "import os; os.abort()")
    assert (done.state, done.code) == ("signal", signal.SIGABRT)


def test_a_file_larger_than_allowed_cannot_be_written(tmp_path):
    python(tmp_path, "open('big', 'wb').write(b'x' * 100000)")
    assert (tmp_path / "big").stat().st_size <= 4096


def test_a_program_that_is_not_there_is_no_traceback(tmp_path):
    done = run(["/nonexistent"], limits(), tmp_path, ENV)
    assert done.state == "cannot_start" and not done.begun


def test_undecodable_output_is_text_all_the_same(tmp_path):
    done = python(tmp_path, "import sys; sys.stdout.buffer.write(b'\\xff\\xfe')")
    assert done.stdout == "\ufffd\ufffd"


def test_what_it_leaves_in_the_background_ends_with_it(tmp_path):
    word = f"31.{os.getpid()}"
    done = run(["/bin/sh", "-c", f"(setsid sleep {word} > /dev/null 2>&1 &); sleep {word} & exit 5"], limits(), tmp_path, ENV)
    assert (done.state, done.code) == ("exit", 5) and done.wall_s < 10
    assert running(word) == []


@pytest.mark.parametrize("children", [1, 3])
def test_memory_is_counted_over_all_it_has_started(tmp_path, children):
    take = f"import time; x = bytearray({300 // children} << 20); time.sleep(20)"
    code = (f"import subprocess, sys; all = [subprocess.Popen([sys.executable, '-c', {take!r}]) for _ in range({children})]; "
            "all[0].wait()")
    assert python(tmp_path, code, memory_mb=200).state == "memory"
    assert python(tmp_path, code.replace("sleep(20)", "sleep(0.2)"), memory_mb=600).state == "exit"


def test_memory_that_is_reserved_and_never_touched_does_not_count(tmp_path):
    code = "import mmap; a = mmap.mmap(-1, 8 << 30); b = mmap.mmap(-1, 8 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); print(1)"
    assert python(tmp_path, code, memory_mb=100).stdout == "1\n"


def test_a_page_that_is_mapped_twice_counts_once(tmp_path):
    code = ("import mmap, os, time; a = mmap.mmap(-1, 150 << 20); child = os.fork()\n"
            "for at in range(0, len(a), 1 << 20): a[at:at + (1 << 20)] = b'1' * (1 << 20)\n"
            "if child == 0: time.sleep(1); os._exit(0)\n"
            "os.wait(); print(1)")
    assert python(tmp_path, code, memory_mb=230).stdout == "1\n"


def test_more_processes_than_it_may_have_end_it_and_are_named(tmp_path):
    done = run(["/bin/sh", "-c", "for i in $(seq 60); do sleep 20 & done; wait"], limits(pids=40), tmp_path, ENV)
    assert (done.state, done.code) == ("signal", signal.SIGKILL)
    assert done.stderr.endswith("stopped: more than 40 processes and threads\n")


def test_the_mark_tells_whether_the_program_was_reached(tmp_path):
    reached = run(["/bin/sh", "-c", "echo warning >&2; echo MARK >&2; echo own >&2; exit 1"], limits(), tmp_path, ENV,
                  mark=b"MARK\n")
    assert reached.begun and reached.stderr == "warning\nown\n"
    refused = run(["/bin/sh", "-c", "echo no name space >&2; exit 1"], limits(), tmp_path, ENV, mark=b"MARK\n")
    assert not refused.begun and refused.stderr == "no name space\n"


def test_a_limit_of_the_shell_that_is_too_low_is_the_machines_fault(tmp_path):
    code = ("from hpml_autograder import process; from pathlib import Path; "
            "process.run(['/bin/true'], process.ProcessLimits(10, 10, 1 << 20, 100), Path('/'), {})")
    becomes = ["/usr/bin/setpriv", "--bounding-set=-all", "--reuid=30017", "--"] if os.geteuid() == 0 else []
    command = ["/usr/bin/prlimit", "--fsize=4096", *becomes, "/usr/bin/python3", "-c", code]
    done = subprocess.run(command, cwd=AUTOGRADER, capture_output=True, text=True, check=False, timeout=60)
    assert "InfraError: this shell allows 4 KB in a file (ulimit -H -f), the grader needs 1024" in done.stderr


def test_a_command_that_stays_together_is_a_child_of_ours_within_its_limits(tmp_path):
    done = run(["/bin/sh", "-c", "echo $PPID; ulimit -t; ulimit -c; cat; exit 3"], limits(), tmp_path, ENV, stays_together=True)
    assert (done.state, done.code, done.stdout) == ("exit", 3, f"{os.getpid()}\n20\n0\n")


def test_a_command_whose_limits_cannot_be_set_does_not_begin(tmp_path, monkeypatch):
    def refused(*_):
        raise PermissionError(1, "Operation not permitted")
    monkeypatch.setattr(resource, "prlimit", refused)
    done = run(["/bin/touch", str(tmp_path / "here")], limits(), tmp_path, ENV, stays_together=True)
    assert (done.state, done.begun) == ("cannot_start", False) and "Operation not permitted" in done.stderr
    assert not (tmp_path / "here").exists()


ALONE = "process.run(['/bin/sleep', '{}'], process.ProcessLimits(100, 100, 100, 100), Path('/'), {{}})"
BOXED = "sandbox.run(['/bin/sleep', '{}'], sandbox.Jail(), process.ProcessLimits(100, 100, 100, 100))"


@pytest.mark.parametrize("call", [ALONE, BOXED])
def test_a_grader_that_is_killed_leaves_nothing_running(tmp_path, call):
    word = f"32.{os.getpid()}"
    code = f"from hpml_autograder import process, sandbox; from pathlib import Path; {call.format(word)}"
    with subprocess.Popen([sys.executable, "-c", code], cwd=AUTOGRADER) as grader:
        until = time.monotonic() + 20
        while not running(word) and time.monotonic() < until:
            time.sleep(0.05)
        assert running(word)
        grader.kill()
    while running(word) and time.monotonic() < until:
        time.sleep(0.05)
    assert running(word) == []


STOPPING = """
import pathlib, sys, threading, time
from hpml_autograder import process
limits = process.ProcessLimits(1000, 1000, 4096, 1000)
threading.Timer(0.2, process.stop).start()
for turn in range(2):
    try:
        process.run(["/usr/bin/sleep", "1000"], limits, pathlib.Path("/"), {})
    except process.Stopped:
        print("stopped", turn)
"""


def test_who_is_told_to_stop_ends_its_command_and_begins_no_other():
    done = subprocess.run([sys.executable, "-c", STOPPING], cwd=AUTOGRADER, capture_output=True,
                          text=True, check=False, timeout=60)
    assert done.stdout == "stopped 0\nstopped 1\n", done.stderr


def test_programs_can_be_started_while_another_thread_multiplies_matrices() -> None:
    code = ("import os, hpml_autograder, numpy as np\n"
            "a = np.ones((600, 600))\na @ a\nprint(len(os.listdir('/proc/self/task')))")
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "4"})
    assert done.stdout == "1\n"  # no thread of OpenBLAS, which a fork would end under the product
