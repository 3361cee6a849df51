"""Is every platform told the record's points, no more and no less? Over 10,000 random records."""
import base64
import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest
import random_records
from hpml_class.emit import emit
from hpml_class.errors import NoScore

RECORDS = 10_000
IDENTITY = {"classroom": "hpml", "owner": "s1", "submission": "submit/1", "commit": "u", "release": "u", "review": "u",
            "datetime": "2026-11-20T12:00:00Z"}


def milli(points: float | str) -> int:
    """Points as written, decimal by decimal, in millipoints."""
    value = Fraction(str(points)) * 1000
    assert value.denominator == 1, f"{points} has more than three decimals"
    return int(value)


def net(record: dict) -> int:
    added = sum(test["millipoints"] for test in record["tests"])
    return max(0, added - record["late"]["deduction_millipoints"])


def capped(record: dict) -> int:
    return min(net(record), record["max_millipoints"])


def is_bonus(test: dict) -> bool:
    return test.get("bonus", False)


def check_gradescope(record, text):
    result = json.loads(text)
    assert milli(result["score"]) == net(record)
    scores = [test for test in result["tests"] if "score" in test]
    assert sum(milli(test["score"]) for test in scores) == record["total_millipoints"]
    assert len(result["tests"]) - len(scores) == sum(
        test["verdict"] == "INC" or is_bonus(test) and not test["millipoints"] for test in record["tests"])


def check_classroom50(record, text):
    result = json.loads(text)
    assert result["score"] == capped(record) // 10 and result["max-score"] == record["max_millipoints"] // 10
    assert sum(test["score"] for test in result["tests"]) == sum(
        test["millipoints"] for test in record["tests"] if not is_bonus(test)) // 10
    assert sum(test["max-score"] for test in result["tests"]) == result["max-score"] >= result["score"]
    assert all(0 <= test["score"] <= test["max-score"] for test in result["tests"])


def check_github_classroom(record, text):
    result = json.loads(base64.b64decode(text))
    assert sum(test["score"] for test in result["tests"]) == capped(record) // 1000
    assert result["max_score"] == record["max_millipoints"] // 1000


def check_junit(record, text):
    suite = ElementTree.fromstring(text)[0]
    points = [milli(case.find("properties/property[@name='hpml.points']").get("value")) for case in suite.iter("testcase")]
    assert points == [test["millipoints"] for test in record["tests"]]
    assert milli(suite.find("properties/property[@name='hpml.points']").get("value")) == net(record)
    for word in ("failure", "error", "skipped"):
        count = suite.get({"failure": "failures", "error": "errors", "skipped": "skipped"}[word])
        assert int(count) == len(list(suite.iter(word)))


def check_prairielearn(record, text):
    result = json.loads(text)
    if not result["gradable"]:
        assert net(record) == 0 or record["status"] == "infra_error"
        return
    assert round(result["score"] * record["max_millipoints"]) == capped(record)
    assert sum(milli(test["points"]) for test in result["tests"]) == record["total_millipoints"]


def check_autolab(record, text):
    assert text.count("\n") == 1
    assert sum(milli(points) for points in json.loads(text)["scores"].values()) == net(record)


def check_csv(record, text):
    (row,) = csv.DictReader(io.StringIO(text))
    exercises = sum(milli(value) for name, value in row.items() if name.startswith("E"))
    assert exercises + milli(row["late"]) == milli(row["total"]) == net(record)


def check_summary(record, text):
    head = text.splitlines()[0]
    told, most = head.split(": ")[1].removesuffix(" points").split(" of ")
    assert (milli(told), milli(most)) == (net(record), record["max_millipoints"])


CHECKS = {"gradescope": check_gradescope, "classroom50": check_classroom50, "github-classroom": check_github_classroom,
          "junit": check_junit, "prairielearn": check_prairielearn, "autolab": check_autolab, "csv": check_csv,
          "github-summary": check_summary}
# Where a platform would overwrite a score it has, a record of our own failure writes nothing.
WITHOUT_SCORE = ("gradescope", "classroom50", "autolab")


def check(name, record):
    held = record["status"] == "infra_error" and name in WITHOUT_SCORE
    if held or name == "classroom50" and record["max_millipoints"] < 10:
        with pytest.raises(NoScore):
            emit(name, record, "student", IDENTITY)
    else:
        CHECKS[name](record, emit(name, record, "student", IDENTITY))


def test_totals_are_the_records():
    for seed in range(RECORDS):
        record = random_records.make(seed)
        for name in CHECKS:
            try:
                check(name, record)
            except Exception as error:
                raise AssertionError(f"format {name}, record {seed}") from error
