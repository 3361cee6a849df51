"""Every known-wrong answer says what it loses, in points that exist."""
import tomllib
from pathlib import Path

import pytest
from hpml_autograder import labspec

ROOT = Path(__file__).resolve().parents[2]

BAD = sorted((ROOT / "solutions").glob("lab*/bad/*/"))


@pytest.mark.parametrize("folder", BAD, ids=lambda path: path.name)
def test_expected_toml_names_tests_of_the_lab_and_their_points(folder):
    spec = labspec.load(ROOT / "labs" / folder.parent.parent.name / "lab.toml")
    points = {test.id: test.max_millipoints for test in spec.test}
    expected = tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))
    assert expected["schema"] == "hpml.bad/v1" and expected["reason"] and expected["lost"]
    for test, (lost, _, words) in expected["lost"].items():
        assert 0 < lost <= points[test] and words
    assert {path.name for path in folder.iterdir()} - {"expected.toml"} <= set(spec.submit.files)
