"""Only plain, small, named files leave a hand-in."""
import os

from hpml_autograder.collect import MISSING, REFUSED, TAKEN, collect
from hpml_autograder.labspec import Submit

SUBMIT = Submit(("a.cu",), 100)


def state(folder) -> str:
    return collect(folder, SUBMIT)[0].state


def test_a_plain_file_is_taken_with_its_bytes(tmp_path):
    (tmp_path / "a.cu").write_bytes(b"int x;\r\n")
    (tmp_path / "Makefile").write_text("all: cheat")
    taken = collect(tmp_path, SUBMIT)
    assert [(file.name, file.state, file.content) for file in taken] == [("a.cu", TAKEN, b"int x;\r\n")]


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    assert state(tmp_path) == MISSING


def test_links_fifos_folders_and_large_files_are_refused(tmp_path):
    path = tmp_path / "a.cu"
    os.symlink("/etc/passwd", path)
    assert state(tmp_path) == REFUSED
    path.unlink()
    os.mkfifo(path)
    assert state(tmp_path) == REFUSED
    path.unlink()
    path.mkdir()
    assert state(tmp_path) == REFUSED
    path.rmdir()
    path.write_bytes(b"x" * 101)
    assert state(tmp_path) == REFUSED


def test_a_name_that_only_looks_the_same_is_another_name(tmp_path):
    """A Cyrillic letter, a full-width one, a space or a zero-width joiner at the end, another case."""
    for name in ("\u0430.cu", "\uff41.cu", "a.cu ", "a.cu\u200d", "A.cu", "a.cu\n", "./a.cu.cu"):
        (tmp_path / name).write_text("int x;", encoding="utf-8")
    assert state(tmp_path) == MISSING
