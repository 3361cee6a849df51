"""Does one directory give one record, and is what its score depends on known before?"""
import shutil
from dataclasses import replace
from pathlib import Path

from hpml_autograder import record, submission
from hpml_autograder.paths import find_lab
from hpml_autograder.submission import Order


def hand_in(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "vecaddcpu.cpp").write_text(text, encoding="utf-8")
    (folder / "notes.txt").write_text("not taken", encoding="utf-8")
    return folder


def test_the_identity_follows_the_collected_files_alone(tmp_path):
    first = submission.identify(Order("lab3", hand_in(tmp_path / "a", "int main() {}\n")))
    (tmp_path / "a" / "notes.txt").write_text("changed", encoding="utf-8")
    assert submission.identify(Order("lab3", tmp_path / "a")) == first
    other = submission.identify(Order("lab3", hand_in(tmp_path / "b", "int main() { return 0; }\n")))
    assert (other.harness, other.seed_id) == (first.harness, first.seed_id) and other.key != first.key


def test_the_identity_follows_key_and_target(tmp_path):
    order = Order("lab3", hand_in(tmp_path / "a", "int main() {}\n"), cuda="clang")
    keys = {submission.identify(one).key for one in (order, replace(order, key=b"secret"), replace(order, gpu="v100"),
                                                     replace(order, feedback=not order.feedback))}
    assert len(keys) == 4


def test_a_record_holds_the_identity_and_its_own_hash(tmp_path, monkeypatch):
    whole = submission.pipeline.grade
    monkeypatch.setattr(submission.pipeline, "grade",  # one test instead of all: the lab's own runs take a minute
                        lambda request, scratch: whole(replace(request, only="B1.build"), scratch=scratch))
    order = Order("lab3", hand_in(tmp_path / "a", "int main() { return 0; }\n"), cuda="clang")
    graded = submission.grade(order, tmp_path / "scratch")
    identity = submission.identify(order)
    assert graded["submission"]["sha256"] == identity.submission
    assert (graded["harness"]["sha"], graded["seed_id"]) == (identity.harness, identity.seed_id)
    assert record.seal({**graded, "volatile": {}})["record_sha256"] == graded["record_sha256"]
    assert record.seal({**graded, "total_millipoints": 20000})["record_sha256"] != graded["record_sha256"]


def test_the_harness_covers_what_decides_a_score(tmp_path):
    lab = tmp_path / "lab"
    shutil.copytree(find_lab("lab3").lab, lab)
    before = record.harness_sha(lab)
    record.harness_sha.cache_clear()
    (lab / "judges" / "checks.py").write_text("CHECKS = {'a': 1}\n", encoding="utf-8")
    assert record.harness_sha(lab) != before
