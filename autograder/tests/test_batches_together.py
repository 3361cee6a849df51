"""Batches that work in one folder of results at the same time, hand-ins that change under them, and a disk that is full."""
import os
import shutil
import subprocess
import time

import pytest
from class_kit import GRADER, Class


@pytest.fixture
def klass(tmp_path):
    return Class(tmp_path)


def started(klass, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(klass.command(*words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env=klass.environment())


def grading(klass, folder, *more: str) -> subprocess.Popen[str]:
    return started(klass, "grade", str(folder), "--out", str(klass.out), "--lab", "lab3", "--grader", GRADER, "--cuda", "clang",
                   *more)


def until_graded(klass, count: int) -> None:
    end = time.monotonic() + 60
    while len(klass.graded()) < count and time.monotonic() < end:
        time.sleep(0.02)


def test_two_classes_in_one_folder_of_results_are_graded_each_by_its_own_plan(klass):
    for name in ("ann", "bob", "cid"):
        klass.add(name, f"sleep 0.6{len(name)}", name)
    other = klass.folder / "other"
    (other / "dan").mkdir(parents=True)
    (other / "dan" / "vecaddcpu.cpp").write_text("points 200\n", encoding="utf-8")
    first = grading(klass, klass.sub, "--jobs", "1")
    until_graded(klass, 1)
    second = grading(klass, other, "--jobs", "1")
    said = [one.communicate(timeout=120)[0] for one in (first, second)]
    assert (first.returncode, second.returncode) == (0, 0), said
    assert {name: record["status"] for name, record in klass.records().items()} == dict.fromkeys(("ann", "bob", "cid", "dan"), "ok")


def test_a_regrade_with_another_key_during_a_batch_never_mixes_their_scores(klass):
    klass.add("ann", "points 1000")
    assert klass.grade().returncode == 0
    for number in range(4):
        klass.add(f"s{number}", f"sleep 0.5{number}")
    key = klass.tmp / "key"
    key.write_text("k" * 40, encoding="utf-8")
    key.chmod(0o400)
    batch = grading(klass, klass.sub, "--jobs", "1")
    until_graded(klass, 2)
    regrade = started(klass, "regrade", str(klass.out), "--key-file", str(key), "--jobs", "1")
    said = [one.communicate(timeout=120)[0] for one in (batch, regrade)]
    assert regrade.returncode == 0 and batch.returncode in (0, 3), said
    if batch.returncode == 3:
        assert "could not be graded" in said[0]
    again = klass.grade("--key-file", str(key))
    assert again.returncode == 0 and len({record["seed_id"] for record in klass.records().values()}) == 1
    assert all(record["status"] == "ok" for record in klass.records().values())


def test_a_hand_in_that_becomes_a_link_while_it_is_graded_is_not_followed(klass):
    ann = klass.add("ann", "sleep 1.5")
    secret = klass.folder / "bob"
    secret.mkdir()
    (secret / "vecaddcpu.cpp").write_text("points 5000\n", encoding="utf-8")
    batch = grading(klass, klass.sub)
    until_graded(klass, 1)
    shutil.rmtree(ann)
    ann.symlink_to(secret)
    batch.communicate(timeout=120)
    assert klass.grade().returncode == 0
    record = klass.records()["ann"]
    assert record["total_millipoints"] == 0 and "symbolic link" in record["tests"][0]["detail_public"]


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_results_on_a_full_disk_are_one_sentence_and_the_next_batch_goes_on(klass):
    klass.add("ann", "points 1000")
    klass.add("bob", "points 2000", "x" * 3000)
    klass.out.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", str(klass.out)], check=True)
    try:
        done = klass.grade()
        assert done.returncode in (2, 3) and "Traceback" not in done.stderr and "No space left" in done.stdout + done.stderr
        subprocess.run(["mount", "-o", "remount,size=8m", str(klass.out)], check=True)
        assert klass.grade().returncode == 0
        assert {name: record["total_millipoints"] for name, record in klass.records().items()} == {"ann": 1000, "bob": 2000}
        assert not list(klass.out.glob("**/.*.part"))
    finally:
        subprocess.run(["umount", str(klass.out)], check=False)
