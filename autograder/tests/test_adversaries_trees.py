"""Hand-ins that are strange as folders, graded as scores of record: no points, a reason, nothing of other files."""
import os
import shutil
import socket
from pathlib import Path

import pytest
from hpml_autograder import pipeline, sandbox
from hpml_autograder.paths import find_lab
from hpml_autograder.verdict import Verdict

pytestmark = pytest.mark.skipif(sandbox.detect().level < "L3", reason="a score of record needs root and bubblewrap")
FILES = {"lab1": ("dp1.c", "C1.build", "C1.ones"), "lab3": ("vecaddcpu.cpp", "B1.build", "B1.correct.public")}


def graded(lab: str, folder: Path, scratch: Path, test: str | None) -> pipeline.Graded:
    return pipeline.grade(pipeline.Request(lab, folder, cuda="clang", only=test, trusted=True), scratch=scratch)


def link(path: Path) -> None:
    path.symlink_to("/etc/shadow")


def link_to_the_solution(path: Path) -> None:
    path.symlink_to(find_lab("lab1" if path.suffix == ".c" else "lab3").solution / path.name)


def hard_link(path: Path) -> None:
    (path.parent.parent / "other").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    os.link(path.parent.parent / "other", path)


def open_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def device(path: Path) -> None:
    os.mknod(path, 0o600 | 0o020000, os.makedev(1, 5))  # /dev/zero: without an end


def setuid(path: Path) -> None:
    path.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    path.chmod(0o4755)


def too_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)


@pytest.mark.parametrize("make", [link, link_to_the_solution, hard_link, os.mkfifo, open_socket, device, setuid,
                                  too_large, Path.mkdir], ids=lambda make: make.__name__)
@pytest.mark.parametrize("lab", FILES)
def test_what_is_no_plain_file_is_refused_and_told(lab, make, tmp_path):
    name, build, correct = FILES[lab]
    folder = tmp_path / "hand-in"
    shutil.copytree(find_lab(lab).solution, folder)
    (folder / name).unlink()
    make(folder / name)
    result = graded(lab, folder, tmp_path / "scratch", correct)
    assert {test: outcome.verdict for test, outcome in result.outcomes.items()} == {
        build: Verdict.PV, correct: Verdict.SK}
    assert name in result.outcomes[build].detail and "root:" not in result.outcomes[build].detail
    assert result.total == 0


@pytest.mark.parametrize("lab", FILES)
def test_an_empty_hand_in_gets_nothing_not_the_starters_points(lab, tmp_path):
    (tmp_path / "hand-in").mkdir()
    (tmp_path / "hand-in/README").write_text("please", encoding="utf-8")
    result = graded(lab, tmp_path / "hand-in", tmp_path / "scratch", None)
    assert result.total == 0 and {outcome.verdict for outcome in result.outcomes.values()} == {Verdict.SK}


def test_a_refused_file_is_not_a_missing_one(tmp_path):
    from hpml_autograder import submission
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "dp2.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    link(tmp_path / "a/dp1.c")
    keys = {submission.identify(submission.Order("lab1", tmp_path / name)).key for name in ("a", "b")}
    assert len(keys) == 2
