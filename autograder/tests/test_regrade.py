"""After a change of the harness: is only what it touches graded again, and are old and new listed rightly?"""
import csv
import io
import os
import subprocess

import pytest
from class_kit import Class
from hpml_class import regrade, requests


@pytest.fixture
def klass(tmp_path):
    made = Class(tmp_path)
    made.add("ann", "points 1000")
    made.add("bob", "points 1000000")
    return made


def diff(klass):
    (path,) = klass.out.glob("regrade/*/diff.csv")
    return {row["id"]: row for row in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))}


def test_the_same_harness_grades_nothing_and_lists_nothing(klass):
    klass.grade()
    done = klass.hpml("regrade", str(klass.out))
    assert done.returncode == 0 and "0 of 2 hand-ins changed" in done.stdout and len(klass.graded()) == 2
    assert diff(klass) == {}


def test_a_changed_harness_lists_old_and_new(klass):
    klass.grade()
    before = klass.records()
    (klass.tmp / "harness").write_text("2", encoding="utf-8")  # its rule: 0.1 points more
    done = klass.hpml("regrade", str(klass.out))
    assert done.returncode == 0 and "1 of 2 hand-ins changed" in done.stdout and len(klass.graded()) == 4
    (row,) = diff(klass).values()
    assert (row["id"], row["old"], row["new"], row["change"]) == ("ann", "1.000", "1.100", "0.100")
    assert row["tests"].count(" -> ") == 1
    assert klass.records()["ann"]["harness"] != before["ann"]["harness"]
    page = next(klass.out.glob("regrade/*/diff.html")).read_text(encoding="utf-8")
    assert "1 gained, 0 lost, 1 as before" in page
    first = diff(klass)
    assert klass.hpml("regrade", str(klass.out)).returncode == 0
    assert diff(klass) == first and len(klass.graded()) == 4  # again: the same comparison, nothing graded


def test_a_regrade_that_fails_keeps_the_old_record(klass):
    once = klass.tmp / "flag"
    klass.add("cyd", f"once {once}")
    klass.grade()
    before = klass.records()
    once.unlink()
    (klass.tmp / "harness").write_text("2", encoding="utf-8")
    klass.add("ann", "infra")
    done = klass.hpml("regrade", str(klass.out))
    assert "ann: the disk is full" in done.stderr and klass.records()["ann"] == before["ann"]


def test_reading_requests_builds_nothing(klass):
    """Compilers that would fail stand first in PATH."""
    klass.grade()
    form = klass.out / "students/ann" / requests.FILE
    form.write_text(form.read_text(encoding="utf-8").replace('test = ""', 'test = "A1.table"').replace('reason = ""', 'reason = "look"'),
                    encoding="utf-8")
    broken = klass.tmp / "bin"
    broken.mkdir()
    for name in ("ninja", "cmake"):
        (broken / name).symlink_to("/bin/false")
    environment = {**klass.environment(), "PATH": f"{broken}:{os.environ['PATH']}"}
    del environment["HPML_BUILD_DIR"]
    done = subprocess.run(klass.command("regrade", str(klass.out), "--requests", str(klass.out)), env=environment,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("requests: 1: ") and done.stderr == "", done
    form.write_text(form.read_text(encoding="utf-8").replace('handin = "ann"', 'handin = "../ann"'), encoding="utf-8")
    done = subprocess.run(klass.command("regrade", str(klass.out), "--requests", str(klass.out)), env=environment,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "there is no hand-in '../ann'" in done.stderr
    listed = (klass.out / "regrade/requests.csv").read_text(encoding="utf-8")
    done = subprocess.run(klass.command("regrade", str(klass.out), "--requests", str(klass.tmp / "misspelt")), env=environment,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no regrade_request.toml" in done.stderr
    assert (klass.out / "regrade/requests.csv").read_text(encoding="utf-8") == listed


def test_without_results_it_says_what_to_run_first(tmp_path):
    klass = Class(tmp_path)
    done = klass.hpml("regrade", str(klass.out))
    assert done.returncode == 2 and "made by hpml batch or hpml grade" in done.stderr


def test_comparing_sorts_the_greatest_loss_first_and_names_new_and_gone():
    def brief(total, **tests):
        return {"total": total, "status": "ok", "tests": tests}
    changes = regrade.compare({"a": brief(5000, t=[5000, "AC"]), "b": brief(9000, t=[9000, "AC"]), "c": brief(1)},
                              {"a": brief(6000, t=[6000, "AC"]), "b": brief(1000, t=[1000, "PA"]), "d": brief(2)})
    assert [(change.id, change.difference, change.status) for change in changes] == [
        ("b", -8000, ""), ("c", -1, "gone"), ("d", 2, "new"), ("a", 1000, "")]
    assert changes[0].tests == ["t: 9 AC -> 1 PA"]
