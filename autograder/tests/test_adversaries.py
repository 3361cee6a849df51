"""Each hostile hand-in: zero forged points, the expected verdict, the grader alive, nothing left behind."""
import pytest
from hpml_autograder import adversaries, sandbox

strong = pytest.mark.skipif(sandbox.detect().level < "L3", reason="a score of record needs root and bubblewrap")


@pytest.mark.parametrize("folder", adversaries.folders(), ids=lambda path: path.name)
def test_every_attack_names_tests_that_exist_and_is_not_the_solution(folder, tmp_path):
    from hpml_autograder import labspec, pipeline
    from hpml_autograder.paths import find_lab
    attack = adversaries.load(folder)
    spec = labspec.load(find_lab(attack.lab).lab / "lab.toml")
    tests = {test.id: test.max_millipoints for test in pipeline.select(spec, attack.test)}
    assert set(attack.verdicts) <= set(tests) and attack.points <= sum(tests.values()) and attack.reason
    assert all(path.name in (*spec.submit.files, "attack.toml", "partb.cpp", "Makefile", "CMakeLists.txt")
               for path in folder.iterdir())
    handed_in = adversaries.hand_in(folder, attack, tmp_path / "hand-in")
    solution = find_lab(attack.lab).solution
    assert any(not (solution / path.name).is_file() or path.read_bytes() != (solution / path.name).read_bytes()
               for path in handed_in.iterdir())


@strong
@pytest.mark.parametrize("folder", adversaries.folders(), ids=lambda path: path.name)
def test_the_attack_is_repelled(folder):
    result = adversaries.run(folder, "clang")
    assert result.problems == (), result.verdicts
