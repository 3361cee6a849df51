"""A printed time, judged while the machine is disturbed on purpose: right or inconclusive, never wrong."""
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import lab1_measured as measured
import pytest
from hpml_autograder import measuring
from hpml_autograder.paths import build_dir
from hpml_autograder.verdict import Verdict

ROOT = Path(__file__).resolve().parents[3]
FLAGS = ("-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O3", "-ffp-contract=off", f"-I{ROOT}/labs/lab1_benchmarking/src")
N, REPS = 1000000, 20  # as C1.time asks
MEAN = "const double T = sum /"
PULSE_S = 0.03
Process = subprocess.Popen
pytestmark = pytest.mark.alone


@pytest.fixture(scope="module", params=["right", "three times its time"])
def program(request, tmp_path_factory) -> tuple[str, Path, Path]:
    source = ROOT / "solutions/lab1_benchmarking/dp1.c"
    if not source.exists():
        pytest.skip("a student release has no solution to measure")
    folder, text = tmp_path_factory.mktemp("dp1"), source.read_text(encoding="utf-8")
    assert text.count(MEAN) == 1
    changed = text if request.param == "right" else text.replace(MEAN, f"{MEAN.removesuffix('sum /')}3.0 * sum /")
    (folder / "dp1.c").write_text(changed, encoding="utf-8")
    for name, more in (("dp1", ()), ("dp1.so", ("-shared", "-fPIC", "-Dmain=student_main"))):
        subprocess.run(["cc", *FLAGS, *more, folder / "dp1.c", "-o", folder / name, "-lm"], check=True)
    return request.param, folder / "dp1", folder / "dp1.so"


def nothing(process: Process) -> None:
    process.wait()


def stops(process: Process) -> None:
    """The whole group stands still for half of the time."""
    while process.poll() is None:
        for number in (signal.SIGSTOP, signal.SIGCONT):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            time.sleep(PULSE_S)


@contextlib.contextmanager
def spinners() -> Iterator[None]:
    running = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


def crowd(process: Process) -> None:
    with spinners():
        process.wait()


def quota(process: Process) -> None:
    """A group that may use a fifth of one processor."""
    for top, limits in ((Path("/sys/fs/cgroup/cpu"), {"cpu.cfs_period_us": "50000", "cpu.cfs_quota_us": "10000"}),
                        (Path("/sys/fs/cgroup"), {"cpu.max": "10000 50000"})):
        group = top / f"hpml-lab1-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            for name, value in {**limits, "cgroup.procs": str(process.pid)}.items():
                (group / name).write_text(value, encoding="ascii")
            process.wait()
            return
        except OSError:
            continue
        finally:
            process.wait()
            group.rmdir()
    pytest.skip("this machine lets us make no control group with a quota")


@pytest.mark.parametrize("disturb", [nothing, stops, crowd, quota], ids=lambda disturb: disturb.__name__)
def test_a_disturbed_time_is_right_or_inconclusive(program, disturb: Callable[[Process], None], monkeypatch, tmp_path):
    what, own, kernel = program
    tool = build_dir() / "bin/lab1_worker"
    if not tool.exists():
        pytest.skip("lab1_worker is not built: tools/build.sh lab1_worker")
    monkeypatch.setattr(measured, "failure", lambda run, context: None)
    monkeypatch.setattr(measuring, "crowded", lambda: "")  # the load average is a help, no more
    command = [tool, "beside", "dot", str(N), kernel, "dp", own, str(N), str(REPS)]
    with (tmp_path / "out").open("w+", encoding="utf-8") as out:
        process = subprocess.Popen(command, stdout=out, start_new_session=True)
        try:
            disturb(process)
        finally:
            process.kill()
            process.wait()
        out.seek(0)
        run = SimpleNamespace(stdout=out.read())
    outcome = measured.beside(measured.time_scale)(None, None, [run])
    assert outcome.verdict in ({Verdict.AC, Verdict.INC} if what == "right" else {Verdict.WA, Verdict.INC}), outcome
