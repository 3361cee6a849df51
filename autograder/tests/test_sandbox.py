"""What student code cannot do inside the sandbox, tried at whatever level this machine offers."""
import errno
import os
import tempfile
from pathlib import Path

import pytest
from hpml_autograder import allowance, cgroup, sandbox, syscalls
from hpml_autograder.errors import InfraError
from hpml_autograder.process import ProcessLimits

ROOT = os.geteuid() == 0
boxed = pytest.mark.skipif(sandbox.detect().bwrap is None, reason="bubblewrap does not work here")
dropped = pytest.mark.skipif(sandbox.detect().level < "L3", reason="needs root and bubblewrap")
counted = pytest.mark.skipif(sandbox.detect().level < "L4", reason="needs a control group")


def shell(text: str, wall_s: float = 10, **jail):
    limits = ProcessLimits(wall_s=wall_s, cpu_s=10, fsize_bytes=1 << 20, output_bytes=1 << 16, memory_bytes=200 << 20,
                           pids=40)
    return sandbox.run(["/bin/bash", "-c", text], sandbox.Jail(**jail), limits)


def groups() -> set[Path]:
    return {path for root in cgroup.hierarchy().roots for path in root.glob(f"{cgroup.PREFIX}{os.getpid()}-*")}


@boxed
def test_nothing_of_the_checkout_or_of_the_users_of_this_machine_is_there(tmp_path):
    (tmp_path / "secret").write_text("expected", encoding="utf-8")
    done = shell(f"cat {tmp_path}/secret; cat {__file__}; cat /etc/shadow; ls /root /home")
    assert done.code != 0 and done.stdout == ""


@boxed
def test_no_process_that_can_be_seen_tells_which_run_this_is():
    done = shell("cat /proc/1/cmdline /proc/1/task/1/cmdline /proc/1/mountinfo; ls /proc/1")
    assert done.stdout == ""


@boxed
def test_there_is_no_network_not_even_to_this_machine():
    code = "import socket; socket.create_connection(('127.0.0.1', 22), 2)"
    assert shell(f'/usr/bin/python3 -c "{code}"').code != 0
    assert shell("cat /proc/net/dev").stdout.count(":") == 1  # the loopback device of an own name space


@boxed
def test_what_was_started_in_the_background_is_dead_afterwards():
    mark = f"31.{os.getpid()}"
    assert shell(f"(setsid sleep {mark} > /dev/null 2>&1 &); (nohup sleep {mark} &) ; exit 0").state == "exit"
    alive = [path for path in Path("/proc").glob("[0-9]*/cmdline") if mark.encode() in _read(path)]
    assert alive == []


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@dropped
def test_it_runs_as_a_user_of_its_own_without_any_right():
    status = shell("cat /proc/self/status").stdout
    words = {line.split(":")[0]: line.split(":")[1].split() for line in status.splitlines()}
    assert int(words["Uid"][0]) >= sandbox.FIRST_UID and len(set(words["Uid"])) == 1
    assert all(int(words[name][0], 16) == 0 for name in ("CapPrm", "CapEff", "CapBnd", "CapInh", "CapAmb"))
    assert words["NoNewPrivs"] == ["1"]


@dropped
def test_a_fork_bomb_stops_at_the_limit():
    done = shell("f() { f | f & }; f; sleep 1; echo $(ls -d /proc/[0-9]* | wc -l)", wall_s=5)
    assert done.wall_s < 8
    numbers = [int(word) for word in done.stdout.split() if word.isdigit()]
    assert all(number <= 50 for number in numbers)


@counted
def test_memory_is_limited_over_all_processes_and_named():
    grab = "/usr/bin/python3 -c 'x = bytearray(90 << 20); import time; time.sleep(5)'"
    assert shell(f"{grab} & {grab} & {grab} & wait").state == "memory"


@pytest.mark.parametrize("level", ["L4", "L3", "L2", "L1", "L0"])
def test_memory_is_limited_on_every_level(level, monkeypatch):
    protection = sandbox.detect().at_most(level)
    monkeypatch.setattr(sandbox, "detect", lambda: protection)
    done = shell("/usr/bin/python3 -c 'import time; x = bytearray(400 << 20); time.sleep(9); print(1)'")
    assert (done.state, done.stdout) == ("memory", "")
    assert shell("/usr/bin/python3 -c 'import mmap; x = mmap.mmap(-1, 8 << 30); print(1)'").stdout == "1\n"


@boxed
def test_scratch_is_limited_and_gone():
    done = shell("for i in 1 2 3 4 5; do head -c 900000 /dev/zero > /scratch/$i; done; ls -l /scratch/5", scratch_mb=3)
    assert "No space left" in done.stderr
    assert shell("ls -A /scratch").stdout == ""


@pytest.mark.parametrize("level", ["L4", "L1", "L0"])
def test_a_commands_temporary_files_are_its_own_and_gone_afterwards(level, monkeypatch):
    protection = sandbox.detect().at_most(level)
    monkeypatch.setattr(sandbox, "detect", lambda: protection)
    before = sorted(Path(tempfile.gettempdir()).glob("hpml-*"))
    for _ in range(2):
        done = shell('ls -A "$TMPDIR"; mkdir -p "$TMPDIR/a folder" && touch "$HOME/a folder/x" && ls -A "$TMPDIR"; pwd')
        assert (done.code, done.stdout.splitlines()[0]) == (0, "a folder"), done
    assert sorted(Path(tempfile.gettempdir()).glob("hpml-*")) == before


def test_a_file_to_write_keeps_its_owner_and_nothing_can_be_put_beside_it(tmp_path):
    file = tmp_path / "out"
    file.touch()
    shell(f"echo data > {file}; echo more > {tmp_path}/other", write_files=(file,))
    assert file.read_text(encoding="utf-8") == "data\n"
    assert file.stat().st_uid == os.geteuid()
    if sandbox.detect().bwrap:
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


@dropped
def test_a_file_that_is_taken_back_has_no_more_rights_than_ours(tmp_path):
    file, folder = tmp_path / "out", tmp_path / "folder"
    file.touch()
    folder.mkdir()
    shell(f"cp /bin/true {file}; chmod 6777 {file}; chmod 3777 {folder}", write_files=(file,), write_dirs=(folder,))
    for path in (file, folder):
        assert path.stat().st_uid == 0 and path.stat().st_mode & 0o7022 == 0


def test_no_control_group_is_left():
    shell("sleep 100 & exit 0")
    assert groups() == set()


@dropped
def test_without_bubblewrap_a_process_still_finds_itself_and_nobody_else(monkeypatch):
    if not sandbox.detect().unshare:
        pytest.skip("name spaces of its own do not work here")
    monkeypatch.setattr(sandbox, "detect", lambda: sandbox.Protection(True, None, True, "none"))
    done = shell("read pid rest < /proc/self/stat; test -d /proc/$$ && ls -d /proc/[0-9]* | wc -l")
    assert done.code == 0 and int(done.stdout) <= 4


@pytest.mark.parametrize("protection, level", [
    (sandbox.Protection(True, "0.8.0", True, "v1"), "L4"), (sandbox.Protection(True, "0.8.0", True, "none"), "L3"),
    (sandbox.Protection(True, None, True, "v2"), "L2"), (sandbox.Protection(True, None, False, "none"), "L1"),
    (sandbox.Protection(False, "0.8.0", False, "none"), "L0")])
def test_the_ladder_names_what_there_is(protection, level):
    assert protection.level == level and level in protection.banner()
    assert "protect" in protection.banner() or "feedback only" in protection.banner()


@pytest.mark.parametrize("most, level", [("L4", "L4"), ("L3", "L3"), ("L2", "L2"), ("L1", "L1"), ("L0", "L0")])
def test_a_level_that_is_asked_for_only_takes_away(most, level):
    everything = sandbox.Protection(True, "0.8.0", True, "v1")
    assert everything.at_most(most).level == level
    little = sandbox.Protection(False, "0.8.0", False, "none")
    assert little.at_most(most).level == "L0" and (little.at_most(most).bwrap is None) == (most < "L3")


def test_a_program_of_ours_that_is_missing_is_the_machines_fault():
    with pytest.raises(InfraError, match="/usr/bin/no-objdump is missing: run `make setup`"):
        sandbox.run(["/usr/bin/no-objdump"], sandbox.Jail(), ProcessLimits(10, 10, 1 << 20, 1 << 16))


def test_a_sandbox_that_does_not_start_is_the_machines_fault(monkeypatch):
    monkeypatch.setattr(sandbox, "detect", lambda: sandbox.Protection(False, None, False, "none"))
    monkeypatch.setattr(sandbox, "BEGIN", ("/bin/sh", "-c", "echo fork: no process >&2; exit 1", "sh"))
    with pytest.raises(InfraError, match="the sandbox .L0. does not start: fork: no process; nothing is graded"):
        shell("exit 0")


def test_who_is_killed_for_want_of_memory_of_the_machine_is_not_to_blame(monkeypatch):
    counts = iter((4, 5))
    monkeypatch.setattr(allowance, "kills_for_memory", lambda: next(counts))
    with pytest.raises(InfraError, match="ran out of memory"):
        shell("kill -9 $$")


def test_a_lower_level_than_asked_for_is_the_machines_fault(monkeypatch):
    monkeypatch.setattr(sandbox, "detect", lambda: sandbox.Protection(False, None, False, "none"))
    with pytest.raises(InfraError, match="asks for sandbox level L3, this machine offers L0"):
        sandbox.require("L3", "lab3")


filtered = pytest.mark.skipif(not sandbox.detect().seccomp, reason="no bubblewrap, or no python3-seccomp")
ASK_FOR_EVERYTHING = """
import ctypes, errno, os, sys
call = ctypes.CDLL(None, use_errno=True).syscall
sys.stdout.reconfigure(line_buffering=True)
for number in map(int, sys.argv[1:]):
    ctypes.set_errno(0)
    if call(number, -1, -1, -1, -1, -1, -1) != -1 or ctypes.get_errno() != errno.ENOSYS:
        print(number)
"""


@filtered
def test_what_is_not_on_the_list_does_not_exist_whatever_its_number():
    import seccomp
    listed = {seccomp.resolve_syscall(seccomp.Arch(), name) for name in syscalls.ALLOWED}
    others = [str(number) for number in range(460) if number not in listed]
    clone = seccomp.resolve_syscall(seccomp.Arch(), "clone")  # with all flags set it is a thread, which the kernel refuses
    done = run_filtered("/usr/bin/python3", "-c", ASK_FOR_EVERYTHING, *others)
    assert [int(word) for word in done.stdout.split()] == [clone], done


@filtered
@pytest.mark.parametrize("asked", [
    "os.fork()", "os.posix_spawn('/bin/true', ['true'], {})", "__import__('socket').socket()", "os.symlink('/etc', 'x')",
    "os.link('/usr/bin/true', 'x')", "os.mkfifo('x')", "os.kill(1, 9)", "os.setns(0, 0) if hasattr(os, 'setns') else os.fork()"])
def test_a_program_of_student_code_gets_nothing_that_it_could_leave_behind(asked):
    done = run_filtered("/usr/bin/python3", "-c", f"import os\ntry:\n    {asked}\nexcept OSError as error:\n    print(error.errno)")
    assert done.stdout.strip() == str(errno.ENOSYS), done


@filtered
def test_a_program_that_may_start_copies_of_itself_still_leaves_nothing():
    tried = "import os, socket\npid = os.fork()\nif pid == 0: os._exit(7)\nprint(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n" \
            "try: socket.socket()\nexcept OSError as error: print(error.errno)"
    done = run_filtered("/usr/bin/python3", "-c", tried, forks=True)
    assert done.stdout.split() == ["7", str(errno.ENOSYS)], done


@filtered
def test_threads_files_and_time_are_there():
    done = run_filtered("/usr/bin/python3", "-c", "import threading, time, tempfile\nt = threading.Thread(target=time.sleep, "
                        "args=(0.01,))\nt.start()\nt.join()\nwith tempfile.TemporaryFile() as f:\n    f.write(b'x')\nprint('done')")
    assert (done.state, done.stdout.strip()) == ("exit", "done"), done


def run_filtered(*command: str, forks: bool = False):
    limits = ProcessLimits(wall_s=20, cpu_s=10, fsize_bytes=1 << 20, output_bytes=1 << 16, memory_bytes=200 << 20, pids=40)
    return sandbox.run(command, sandbox.Jail(filtered=True, forks=forks), limits)
