"""Does lab.toml say what it means, or say clearly what is wrong with it?"""
from pathlib import Path

import pytest
from hpml_autograder import labspec
from hpml_autograder.errors import UsageError
from hpml_autograder.paths import find_lab, known_labs

LAB3 = (find_lab("lab3").lab / "lab.toml").read_text(encoding="utf-8")


def load(tmp_path: Path, text: str) -> labspec.LabSpec:
    path = tmp_path / "lab.toml"
    path.write_text(text, encoding="utf-8")
    return labspec.load(path)


def test_lab3_pays_100_points_and_a_bonus_and_every_exercise_pays_its_share(tmp_path):
    spec = load(tmp_path, LAB3)
    shares = {exercise.id: sum(test.max_millipoints for test in spec.test if test.exercise == exercise.id)
              for exercise in spec.exercise}
    assert shares == {"A1": 5000, "A2": 10000, "A3": 8000, "A4": 12000, "A5": 5000, "B1": 4000, "B2": 6000, "B3": 6000,
                      "B4": 4000, "C1": 15000, "C2": 15000, "C3": 10000, "C4": 10000}
    assert [exercise.id for exercise in spec.exercise if exercise.bonus] == ["C4"]


@pytest.mark.parametrize("old, new, message", [
    ("wall_s = ", "wal_s = ", "unknown key 'wal_s'; did you mean 'wall_s'?"),
    ("total_millipoints = 100000", "total_millipoints = 99000", "tests add up to 100000"),
    ('id = "B1.format"', 'id = "B1.build"', "occurs twice"),
    ('title = "CPU addition"', "", "missing key 'title'"),
    ("max_bytes = 65536", 'max_bytes = "64 KiB"', "expected int"),
    ('requires = ["B1.build"]', 'requires = ["B1.bild"]', "requires 'B1.bild'"),
    ('kind = "build"', 'kind = "bild"', "unknown kind 'bild'"),
    ('schema = "hpml.lab/v1"', 'schema = "hpml.lab/v2"', "schema is 'hpml.lab/v2'"),
    ('[submit]', '[submit', "lab.toml"),
])
def test_a_mistake_in_lab_toml_names_itself(tmp_path, old, new, message):
    assert old in LAB3
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        load(tmp_path, LAB3.replace(old, new, 1))


@pytest.mark.parametrize("name", known_labs())
def test_every_lab_names_the_compilers_of_its_programs(name):
    """Where a package has compiled what a lab needs, nothing else installs them."""
    spec = labspec.load(find_lab(name).lab / "lab.toml")
    kinds = {program.backend for program in spec.program}
    assert "clang" in spec.apt or "gpusim" not in kinds
    assert {"clang", "g++"}.intersection(spec.apt) and ("g++" in spec.apt or not kinds & {"mpi", "smpi", "relay"})
