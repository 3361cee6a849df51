"""Which entries of a folder are hand-ins, and what of dead gradings is put away."""
import os
from pathlib import Path

from hpml_autograder.record import forged, seal
from hpml_autograder.seeds import PUBLIC_KEY
from hpml_class.batch import handins, worker


def test_nobodys_work_is_passed_over_for_its_name(tmp_path):
    for name in ("ann", "..dots", ".bea", ".git", ".ipynb_checkpoints"):
        (tmp_path / name).mkdir()
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    (tmp_path / "._ann.zip").write_text("", encoding="utf-8")
    found = handins.find(tmp_path)
    assert sorted(Path(one.path).name for one in found) == ["..dots", ".bea", "ann"]
    assert all(handins.is_safe(one.id) for one in found)


def test_scratch_of_results_that_are_gone_is_put_away_and_no_link_is_followed(tmp_path, monkeypatch):
    monkeypatch.setenv("HPML_SCRATCH", str(tmp_path))
    left = tmp_path / f"hpml-{os.getuid()}-12345"
    (left / "ann.999999999").mkdir(parents=True)
    other = tmp_path / "other"
    (other / "kept.999999999").mkdir(parents=True)
    (tmp_path / f"hpml-{os.getuid()}-678").symlink_to(other)
    busy = tmp_path / f"hpml-{os.getuid()}-9"
    (busy / f"bea.{os.getpid()}").mkdir(parents=True)
    worker.put_scratch_away()
    assert not left.exists() and (other / "kept.999999999").is_dir() and any(busy.iterdir())


def test_whether_a_score_may_stand_is_sealed():
    record = seal({"total_millipoints": 1, "standing": "feedback", "volatile": {}})
    assert seal({**record, "standing": "record"})["record_sha256"] != record["record_sha256"]
    assert seal({**record, "volatile": {"attempt": 2}})["record_sha256"] == record["record_sha256"]


def test_the_mac_of_a_record_takes_the_key_and_covers_what_the_hash_covers():
    own, other = b"k" * 32, b"l" * 32
    record = seal({"total_millipoints": 1, "volatile": {}}, own)
    assert forged(record, own) == "" and forged(record, None) == "" and forged(record, PUBLIC_KEY) == ""
    assert "another key" in forged(record, other)
    assert forged(seal({**record, "volatile": {"attempt": 2}}, own), own) == ""
    edited = {**record, "total_millipoints": 2}
    assert "does not have the hash" in forged(edited, own)
    assert "carries no MAC" in forged(seal(edited), own) and seal(edited)["record_mac"] == {"algorithm": "none"}
    assert "does not match" in forged(seal(edited) | {"record_mac": record["record_mac"]}, own)
    assert "does not match" in forged(record | {"record_mac": {**record["record_mac"], "value": "\ud800"}}, own)
