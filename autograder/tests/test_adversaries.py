"""Each hostile hand-in: zero forged points, the expected verdict, the grader alive, nothing left behind."""
import pytest
from hpml_autograder import adversaries, sandbox

strong = pytest.mark.skipif(sandbox.detect().level < "L3", reason="a score of record needs root and bubblewrap")


@pytest.mark.parametrize("folder", adversaries.folders(), ids=lambda path: path.name)
def test_every_attack_names_tests_that_exist(folder):
    from hpml_autograder import labspec, pipeline
    from hpml_autograder.paths import find_lab
    attack = adversaries.load(folder)
    spec = labspec.load(find_lab(attack.lab).lab / "lab.toml")
    tests = {test.id: test.max_millipoints for test in pipeline.select(spec, attack.test)}
    assert set(attack.verdicts) <= set(tests) and attack.points <= sum(tests.values()) and attack.reason
    assert all(path.name in (*spec.submit.files, "attack.toml", "partb.cpp", "Makefile", "CMakeLists.txt")
               for path in folder.iterdir())


@strong
@pytest.mark.parametrize("folder", adversaries.folders(), ids=lambda path: path.name)
def test_the_attack_is_repelled(folder):
    result = adversaries.run(folder, "clang")
    assert result.problems == (), result.verdicts
