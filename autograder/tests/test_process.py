"""Whatever a program does, the grader gets an answer within the limits."""
import signal
import subprocess
import sys
from pathlib import Path

from hpml_autograder.process import ProcessLimits, run

ENV = {"PATH": "/usr/bin:/bin"}


def limits(wall_s: float = 20, output: int = 1000) -> ProcessLimits:
    return ProcessLimits(wall_s=wall_s, cpu_s=20, fsize_bytes=4096, output_bytes=output)


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
    assert run(["/nonexistent"], limits(), tmp_path, ENV).state == "cannot_start"


def test_undecodable_output_is_text_all_the_same(tmp_path):
    done = python(tmp_path, "import sys; sys.stdout.buffer.write(b'\\xff\\xfe')")
    assert done.stdout == "\ufffd\ufffd"


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
    done = subprocess.run([sys.executable, "-c", STOPPING], cwd=Path(__file__).resolve().parents[1], capture_output=True,
                          text=True, check=False, timeout=60)
    assert done.stdout == "stopped 0\nstopped 1\n", done.stderr
