"""Files of folders that student code could write to."""
import os
import stat

import pytest
from hpml_autograder import collect, dependencies, untrusted
from hpml_autograder.labspec import Program, Submit
from hpml_autograder.ledger import write_atomically
from hpml_autograder.staging import Stage


def test_a_file_is_read_up_to_its_bound(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    assert untrusted.read(tmp_path / "file", 5) == b"12345"
    with pytest.raises(untrusted.TooLong):
        untrusted.read(tmp_path / "file", 4)


@pytest.mark.parametrize("make", [
    lambda path: path.symlink_to("/etc/shadow"), os.mkfifo, lambda path: path.mkdir(), lambda path: None,
    lambda path: path.symlink_to("/dev/zero")], ids=["link", "pipe", "folder", "nothing", "device"])
def test_what_is_no_file_is_refused_at_once(tmp_path, make):
    make(tmp_path / "file")
    with pytest.raises(untrusted.Refused):
        untrusted.read(tmp_path / "file", 100)


def test_writing_follows_no_link_that_was_put_in_the_way(tmp_path):
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    for name in ("run.json", "run.json.tmp"):
        (tmp_path / name).symlink_to(tmp_path / "precious")
    write_atomically(tmp_path / "run.json", "theirs")
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "run.json").read_text(encoding="utf-8") == "theirs" and not (tmp_path / "run.json").is_symlink()


@pytest.mark.parametrize("name", ["/proc/kmsg", "/proc/1/environ", "../../outside.h", "x" * 300, "pipe.h", "a\0b", "."])
def test_an_include_leads_nowhere_outside_the_staged_files(tmp_path, name):
    src = tmp_path / "stage" / "src"
    src.mkdir(parents=True)
    (tmp_path / "outside.h").write_text("#include \"student.cpp\"\n", encoding="utf-8")
    os.mkfifo(tmp_path / "stage" / "pipe.h")
    (src / "student.cpp").write_text(f'#include "{name}"\n#include "own.h"\n', encoding="utf-8")
    (src / "own.h").write_text("", encoding="utf-8")
    program = Program("program", "native", ("student.cpp",), ())
    assert dependencies.files_of(program, Stage(src, tmp_path)) == [src / "own.h", src / "student.cpp"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_refused_without_being_opened(tmp_path):
    """Of this one there is no driver: opening it would fail with other words."""
    os.mknod(tmp_path / "a.cu", stat.S_IFCHR | 0o666, os.makedev(0xFFE, 0xFFFFE))
    with pytest.raises(untrusted.Refused, match="a.cu is not a regular file"):
        untrusted.read(tmp_path / "a.cu", 10)
    assert collect.collect(tmp_path, Submit(("a.cu",), 10))[0].note == "a.cu is not a regular file"
