"""What another user may not read is copied to where it can, and what it then writes is taken back."""
import functools
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hpml_autograder import mirror, sandbox
from hpml_autograder.process import ProcessLimits
from hpml_autograder.protection import Protection

ENTER = tuple(sandbox._setpriv(sandbox.FIRST_UID))
pytestmark = pytest.mark.skipif(not sandbox.detect().uid_drop, reason="only root can become another user")


@pytest.fixture
def home(tmp_path) -> Path:
    """A private folder with a space in its name: a program, a neighbour it asks for, a folder to write to."""
    folder = tmp_path / "a home"
    (folder / "bin").mkdir(parents=True, mode=0o700)
    (folder / "out").mkdir()
    program = folder / "bin" / "program"
    program.write_text('#!/bin/sh\ncat "$(dirname "$0")/../data" > "$1/result"\necho "wrote $1/result"\n', encoding="utf-8")
    program.chmod(0o700)
    (folder / "data").write_text("first", encoding="utf-8")
    folder.chmod(0o700)
    return folder


@pytest.fixture(params=[False, True], ids=["without bubblewrap", "with bubblewrap"])
def boxed(request, monkeypatch) -> bool:
    version = sandbox.detect().bwrap
    if request.param and version is None:
        pytest.skip("bubblewrap does not work here")
    monkeypatch.setattr(sandbox, "detect", lambda: Protection(True, version if request.param else None, False, "none"))
    return request.param


def run(home: Path, out: Path | None = None):
    out = out or home / "out"
    jail = sandbox.Jail(read=(home / "bin" / "program", home / "data"), write_dirs=(out,))
    limits = ProcessLimits(wall_s=20, cpu_s=20, fsize_bytes=1 << 20, output_bytes=1 << 16, memory_bytes=1 << 30, pids=20)
    return sandbox.run([str(home / "bin" / "program"), str(out)], jail, limits, cwd=out)


def test_a_private_folder_is_worked_in_as_if_it_were_not(home, boxed):
    done = run(home)
    assert (done.state, done.code, done.stdout) == ("exit", 0, f"wrote {home}/out/result\n"), done
    assert (home / "out" / "result").read_text(encoding="utf-8") == "first"
    assert home.stat().st_mode & 0o777 == 0o700


def test_a_file_to_write_is_found_from_the_folder_it_lies_in(home, boxed):
    result = home / "out" / "result"
    result.touch()
    jail = sandbox.Jail(write_files=(result,))
    limits = ProcessLimits(wall_s=20, cpu_s=20, fsize_bytes=1 << 20, output_bytes=1 << 16, memory_bytes=1 << 30, pids=20)
    done = sandbox.run(["/bin/sh", "-c", "echo data > result; echo more > other"], jail, limits, cwd=home / "out")
    assert "other" in done.stderr and result.read_text(encoding="utf-8") == "data\n"
    assert sorted(path.name for path in (home / "out").iterdir()) == ["result"]


def test_a_file_that_has_changed_is_copied_again(home, boxed):
    run(home)
    (home / "data").write_text("second", encoding="utf-8")
    (home / "out" / "result").unlink()
    run(home)
    assert (home / "out" / "result").read_text(encoding="utf-8") == "second"


def test_commands_that_run_at_the_same_time_share_their_copies(home, boxed, monkeypatch):
    monkeypatch.setattr(mirror, "_base", functools.cache(mirror._base.__wrapped__))
    monkeypatch.setattr(mirror, "_copied", {})
    folders = [home / f"out{number}" for number in range(4)]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda folder: run(home, folder), folders))
    assert [one.code for one in done] == [0] * 4, done


def test_a_copy_may_be_read_and_written_by_several_at_a_time(home, monkeypatch):
    monkeypatch.setattr(sandbox, "detect", lambda: Protection(True, None, False, "none"))
    limits = ProcessLimits(wall_s=20, cpu_s=20, fsize_bytes=1 << 20, output_bytes=1 << 16, memory_bytes=1 << 30, pids=20)

    def reads(number: int):
        jail = sandbox.Jail(read=(home / "bin",), write_dirs=(home / "bin",) if number % 2 else ())
        return sandbox.run(["/bin/cat", str(home / "bin/program")], jail, limits, cwd=home / "bin")

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(reads, range(12)))
    assert [one.code for one in done] == [0] * 12, done


def test_a_file_is_included_by_its_path_from_a_private_folder(home, boxed):
    source, header, made = home / "data.c", home / "lib" / "one.h", home / "out" / "data.o"
    header.parent.mkdir()
    header.write_text("int one;\n", encoding="utf-8")
    source.write_text('#include "lib/one.h"\n', encoding="utf-8")
    made.touch()
    limits = ProcessLimits(wall_s=20, cpu_s=20, fsize_bytes=1 << 20, output_bytes=1 << 16, memory_bytes=1 << 30, pids=20)
    done = sandbox.run(["/usr/bin/cc", "-c", str(source), f"-I{home}", "-o", str(made)],
                       sandbox.Jail(read=(source, header.parent), write_files=(made,)), limits)
    assert done.code == 0 and made.stat().st_size > 0, done


def test_links_that_student_code_leaves_lead_nowhere(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("key", encoding="utf-8")
    folder, copy = tmp_path / "out", tmp_path / "copy"
    folder.mkdir()
    (copy / "sub").mkdir(parents=True)
    (copy / "link").symlink_to(secret)
    (copy / "sub" / "file").write_text("data", encoding="utf-8")
    os.mkfifo(copy / "pipe")
    mirror._take_back(copy, folder)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) == ["sub", "sub/file"]


@pytest.mark.parametrize("word, seen", [
    ("/a b/file", "/base/a b/file"), ("-I/a b", "-I/base/a b"), ("-I/a b/c", "-I/base/a b/c"), ("-I/", "-I/base/"), ("/a b/file.o", "/base/a b/file.o"),
    ("/a bc", "/a bc"), ("/a b.txt", "/a b.txt"), ("cat /a b/file; ls", "cat /base/a b/file; ls")])
def test_words_of_the_command_name_the_copies(word, seen):
    view = mirror.Mirror({Path("/a b"): Path("/base"), Path("/a b/file"): Path("/base")})
    assert view.inside(word) == seen and view.outside(seen) == word
