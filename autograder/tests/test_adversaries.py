"""Each hostile hand-in: zero forged points, the expected verdict, the grader alive, nothing left behind."""
import re
from pathlib import Path

import pytest
from hpml_autograder import adversaries, labspec, sandbox
from hpml_autograder.assignment import select
from hpml_autograder.paths import find_lab
from machine_kit import refuses_the_clock

# What an attack hands in besides the lab's files, in vain.
NOT_TAKEN = ("partb.cpp", "Makefile", "CMakeLists.txt", "lab1.py", "lab1.h", "dp_worker.py", "numpy.py")
strong = pytest.mark.skipif(sandbox.detect().level < "L3", reason="a score of record needs root and bubblewrap")


@pytest.mark.parametrize("folder", adversaries.folders(), ids=lambda path: path.name)
def test_every_attack_names_tests_that_exist_and_is_not_the_solution(folder, tmp_path):
    attack = adversaries.load(folder)
    spec = labspec.load(find_lab(attack.lab).lab / "lab.toml")
    tests = {test.id: test.max_millipoints for test in select(spec, attack.test)}
    assert set(attack.verdicts) <= set(tests) and attack.points <= sum(tests.values()) and attack.reason
    assert all(str(path.relative_to(folder)) in (*spec.submit.files, "attack.toml", *NOT_TAKEN)
               for path in folder.rglob("*") if path.is_file())
    handed_in = adversaries.hand_in(folder, attack, tmp_path / "hand-in")
    solution = find_lab(attack.lab).solution
    ours = {name: (solution / name).read_bytes() for name in spec.submit.files if (solution / name).is_file()}
    assert any(path.read_bytes() != ours.get(str(path.relative_to(handed_in))) for path in handed_in.rglob("*") if path.is_file())


def first_of_each() -> list[Path]:
    """The first attack of each number of the catalogue for each lab."""
    found: dict[tuple[str, str], Path] = {}
    for folder in adversaries.folders():
        attack = adversaries.load(folder)
        found.setdefault((re.match(r"A\d+", attack.attack)[0], attack.lab), folder)
    return list(found.values())


def is_measured(attack: adversaries.Attack) -> bool:
    """Whether what it must not get is a ratio of times, which a busy machine blurs."""
    spec = labspec.load(find_lab(attack.lab).lab / "lab.toml")
    return any(spec.measures(test) for test in spec.test if test.id in attack.verdicts)


def one_by_one(folders: list[Path]) -> list:
    """pytest grades each attack in any free process; one that aims at a measured ratio, in the step where nothing else runs."""
    return [pytest.param(folder, id=folder.name, marks=[
        pytest.mark.xdist_group(folder.name), *[pytest.mark.alone] * is_measured(adversaries.load(folder))]) for folder in folders]


NEEDS = {"refused clock": (refuses_the_clock, "this machine lets every process read the processor's clock")}


def needed(attack: adversaries.Attack) -> None:
    """Skips where the machine lacks what repels the attack."""
    if attack.needs is not None:
        has, lacking = NEEDS[attack.needs]
        if not has():
            pytest.skip(lacking)


@strong
@pytest.mark.parametrize("folder", one_by_one(first_of_each()))
def test_the_attack_is_repelled(folder):
    needed(adversaries.load(folder))
    result = adversaries.run(folder, "clang")
    assert result.problems == (), result.verdicts


@strong
@pytest.mark.parametrize("folder", one_by_one([one for one in adversaries.folders() if one not in first_of_each()]))
def test_every_variant_of_an_attack_is_repelled(folder):
    needed(adversaries.load(folder))
    result = adversaries.run(folder, "clang")
    assert result.problems == (), result.verdicts


def test_the_catalogue_says_where_every_attack_is():
    readme = (adversaries.FOLDER / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bA\d{2,3}\b", readme))
    there = {adversaries.load(folder).attack for folder in adversaries.folders()}
    assert {f"A{number:02}" for number in range(1, 63)} | there == named
    rows = [row.split("|")[1:] for row in readme.splitlines() if row.startswith("| A")]
    folders = {name for row in rows for names, where in (row[0:2], row[2:4]) if "folders" in where
               for name in names.split()}
    assert folders == there
    for path in re.findall(r"`(tests/\w+\.py)`", readme):
        assert (adversaries.FOLDER.parent / path).is_file()
