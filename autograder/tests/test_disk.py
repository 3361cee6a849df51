"""Does a full disk end in exit code 3, never in a verdict?"""
import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from hpml_autograder import disk, pipeline, sandbox
from hpml_autograder.errors import InfraError
from hpml_autograder.paths import find_lab
from hpml_autograder.verdict import Verdict

MB = 1 << 20


@pytest.fixture
def small_disk(tmp_path):
    """small_disk(megabytes): the folder of a disk of that size."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(megabytes: int) -> Path:
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(folder)], check=False,
                              capture_output=True)
        if done.returncode != 0:
            pytest.skip("no right to mount a small disk")
        return folder
    yield mount
    subprocess.run(["umount", str(folder)], check=False, capture_output=True)


def test_what_fails_for_lack_of_disk_is_our_fault(small_disk, tmp_path, monkeypatch):
    """It holds what is checked beforehand, not what the program hands over."""
    monkeypatch.setattr(disk, "LEAST_BYTES", 4 * MB)
    folder = small_disk(6)
    request = pipeline.Request("lab3", find_lab("lab3").solution, cuda="clang", only="B1.correct.public")
    with pytest.raises(InfraError, match="the disk is full"):
        pipeline.grade(request, scratch=folder / "grading")
    assert any((folder / "grading").rglob("dump.bin")), "it was full before the program ran"


def test_a_disk_with_room_is_none_of_that(small_disk):
    request = pipeline.Request("lab3", find_lab("lab3").solution, cuda="clang", only="B1.correct.public")
    graded = pipeline.grade(request, scratch=small_disk(200) / "grading")
    assert {outcome.verdict for outcome in graded.outcomes.values()} == {Verdict.AC}


@pytest.mark.parametrize("state, full", [
    ({}, False), ({"f_bavail": 10}, True), ({"f_favail": 10}, True),
    ({"f_blocks": 0, "f_bavail": 0}, False), ({"f_files": 0, "f_favail": 0}, False)])
def test_bytes_and_names_are_counted_where_the_disk_does(state, full, tmp_path, monkeypatch):
    roomy = {"f_blocks": 1 << 30, "f_bavail": 1 << 29, "f_frsize": 4096, "f_files": 1 << 20, "f_favail": 1 << 19}
    monkeypatch.setattr(os, "statvfs", lambda path: SimpleNamespace(**(roomy | state)))
    if not full:
        disk.require_room(tmp_path / "not" / "there")
        return
    with pytest.raises(InfraError, match="the disk is full"):
        disk.require_room(tmp_path / "not" / "there")


def test_a_command_that_fills_the_disk_does_not_end_with_a_verdict(small_disk, monkeypatch):
    from hpml_autograder.process import ProcessLimits
    monkeypatch.setattr(disk, "LEAST_BYTES", MB)
    folder = small_disk(3)
    limits = ProcessLimits(wall_s=20, cpu_s=10, fsize_bytes=64 * MB, output_bytes=MB, memory_bytes=200 * MB, pids=20)
    with pytest.raises(InfraError, match="the disk is full"):
        sandbox.run(["/usr/bin/dd", "if=/dev/zero", f"of={folder}/much", "bs=64k"], sandbox.Jail(write_dirs=(folder,)), limits)
