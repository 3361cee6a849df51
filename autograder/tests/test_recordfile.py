"""Is a file that is no record refused with one line?"""
import copy
import json
import random

import pytest
import random_records
from hpml_class import recordfile
from hpml_class.errors import UsageError


def test_a_record_is_read(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(random_records.make(5)), encoding="utf-8")
    assert recordfile.load(path)["lab"] == "lab3"


@pytest.mark.parametrize("content, words", [
    (b"", "not JSON"), (b"[1]", "no record of schema"), (b"{\"schema\": \"other\"}", "'other'"), (b"\xff\xfe", "not UTF-8"),
    (b"[" * 100_000, "not JSON"), (b"{\"schema\": \"hpml.grade/v1\"}", "missing field 'lab'")])
def test_what_is_no_record_is_refused(tmp_path, content, words):
    path = tmp_path / "record.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=words):
        recordfile.load(path)


def test_edited_points_are_noticed():
    record = random_records.make(1)
    record["total_millipoints"] += 10
    with pytest.raises(UsageError, match="it was edited"):
        recordfile.check(record, "x")


def damaged(draw: random.Random, record: dict) -> dict:
    """One random field of the record, at any depth, replaced or removed."""
    record = copy.deepcopy(record)
    place = record
    while True:
        key = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if isinstance(place[key], (dict, list)) and place[key] and draw.random() < 0.7:
            place = place[key]
            continue
        if isinstance(place, dict) and draw.random() < 0.5:
            del place[key]
        else:
            place[key] = draw.choice((None, -1, "x", [], {}, True, 1e300))
        return record


def test_damaged_records_are_refused_or_still_records():
    for seed in range(3000):
        draw = random.Random(seed)
        try:
            recordfile.check(damaged(draw, random_records.make(seed % 50)), "x")
        except UsageError as error:
            assert "\n" not in str(error)
