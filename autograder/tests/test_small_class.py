"""A class graded for real, by the command an instructor uses: real archives, compilers, sandbox, simulator and replay. The
lab is one that this checkout has never seen: a folder is all that a new lab takes."""
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
import small_class
from hpml_autograder import sandbox
from hpml_autograder.paths import build_dir

pytestmark = [pytest.mark.skipif(sandbox.detect().level < "L3", reason="a score of record needs root and bubblewrap"),
              pytest.mark.skipif(not (build_dir() / "bin/gpusim").is_file(), reason="the simulator is not built")]
KILLED = ("does_not_compile", "forbidden", "honest")  # which are graded soonest
KILLED_AFTER = 1
TIME_LIMIT_S = 3600  # of a batch


class School:
    def __init__(self, folder: Path, kinds: list[str] = small_class.A_CLASS) -> None:
        self.folder, self.build = folder, small_class.checkout(folder / "checkout")
        self.sub, self.tmp = folder / "sub", folder / "tmp"
        self.sub.mkdir()
        self.tmp.mkdir()
        self.points = small_class.write(self.sub, kinds)

    def start(self, sub: Path, out: Path) -> subprocess.Popen:
        environment = {**os.environ, "HPML_BUILD_DIR": str(self.build), "TMPDIR": str(self.tmp), "HPML_SCRATCH": str(self.tmp)}
        command = [self.folder / "checkout/tools/hpml", "batch", sub, "--out", out, "--cuda", "clang", "--jobs", "2",
                   "--lab", "lab8"]
        return subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True, start_new_session=True)

    def batch(self, sub: Path, out: Path) -> None:
        child = self.start(sub, out)
        _, said = child.communicate(timeout=TIME_LIMIT_S)
        assert child.returncode == 0, said


def records(out: Path) -> dict[str, dict]:
    found = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in out.glob("students/*/record.json")}
    for record in found.values():
        del record["volatile"]
    return found


def store(out: Path) -> dict[str, tuple[int, int]]:
    """What is in the store, and whether it is still the same file."""
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (out / ".graded").glob("*.json")}


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    return School(tmp_path_factory.mktemp("school"))


@pytest.fixture(scope="module")
def graded(school) -> Path:
    school.batch(school.sub, school.folder / "out")
    return school.folder / "out"


def test_everybody_gets_the_points_of_what_was_handed_in(school, graded):
    found = records(graded)
    assert {name: record["total_millipoints"] for name, record in found.items()} == school.points
    assert {(record["status"], record["standing"], record["metrics_trust"]) for record in found.values()} == {
        ("ok", "record", "replay")}
    assert list(school.tmp.iterdir()) == []


def test_a_batch_that_is_killed_goes_on_and_grades_nobody_twice(school, graded):
    """Its whole process group, in the middle of compiling and running."""
    sub, out = school.folder / "some", school.folder / "killed"
    sub.mkdir()
    for path in (path for kind in KILLED for path in school.sub.glob(f"s*_{kind}*")):
        (shutil.copytree if path.is_dir() else shutil.copy)(path, sub / path.name)
    child = school.start(sub, out)
    while len(store(out)) < KILLED_AFTER:
        assert child.poll() is None
        time.sleep(0.02)
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate()
    before = store(out)
    school.batch(sub, out)
    assert {name: state for name, state in store(out).items() if name in before} == before
    again = records(out)
    assert len(again) == len(KILLED) and again == {name: record for name, record in records(graded).items() if name in again}
    assert list(school.tmp.iterdir()) == []


def test_five_hundred_students_get_the_points_of_what_they_handed_in(tmp_path):
    school = School(tmp_path, small_class.many(500))
    school.batch(school.sub, tmp_path / "out")
    assert {name: record["total_millipoints"] for name, record in records(tmp_path / "out").items()} == school.points
