"""Does a score of record ask for something that the hand-in could not know? A test with the same inputs for every hand-in pays for a
table of their answers. Feedback (no key) may have given inputs only."""
import pytest
from hpml_autograder import labspec
from hpml_autograder.check import Context, load_checks
from hpml_autograder.paths import find_lab, known_labs

KEYS = (b"k" * 32, b"j" * 32)
NO_INPUT = "reads what was compiled; there is no input"
REPLAYED = "judged on the replay of its GPU work, whose data are drawn (Context.run_seed)"
TRAINED = "a training in the grader's process: its functions are called thousands of times, and the grader computes loss and accuracy"
TIMED = "sleeps of the grader's loader and device, whose lengths are new in each run"
CAPABILITY = "the answer is a property of the GPU: whether it has the instruction"

# test -> why the same plan for every hand-in pays for no table
EXCEPTIONS = {
    "lab1": {"C1.policy": NO_INPUT, "C2.policy": NO_INPUT},
    "lab2": {"C1.train": TRAINED, "C7.without": TRAINED, "C2.sums": TIMED, "C2.loader": TIMED, "C2.device": TIMED,
             "C6.state": "asks for five constants"},
    "lab3": {"B1.format": "the form of the lines; B1.correct.public, which it requires, looks at their numbers",
             "C1.format": "the form of the lines; it pays whatever their numbers are, so nobody needs a table",
             **{f"C{i}.correct.asymmetric": REPLAYED for i in (1, 2, 3, 4)}},
    "lab3x": {f"{exercise}.correct": REPLAYED for exercise in ("M1", "M2", "M3", "M4", "M5", "M6", "R", "I", "W", "P", "S", "F")},
    "lab5": {"E7.train": TRAINED, "E7.convert": TRAINED, "P1.tuned": TRAINED, "P1.half": TRAINED, "P1.untrained": TRAINED,
             "P2.gain": TRAINED, "P2.noise": TRAINED, "E8.dp4a.refused": CAPABILITY, "E8.mma.refused": CAPABILITY},
}


def paying(spec: labspec.LabSpec) -> list[labspec.Test]:
    """Those that pay for a result or for how it was made. Times (perf) are measured, and programs only compiled."""
    return [test for test in spec.test if test.max_millipoints > 0 and test.kind in ("correct", "policy")]


@pytest.mark.parametrize("lab", known_labs())
def test_every_hand_in_gets_inputs_of_its_own(lab):
    dirs = find_lab(lab)
    spec = labspec.load(dirs.lab / "lab.toml")
    checks = load_checks(dirs.lab, spec)
    contexts = [Context(spec, dirs.solution, {}, spec.gpu, "clang", "sim", key=key, scope=key.hex()) for key in KEYS]

    def is_equal(test: labspec.Test) -> bool:
        one, other = (checks[test.generator].plan(test, context) for context in contexts)
        return one == other
    assert {test.id for test in paying(spec) if is_equal(test)} == set(EXCEPTIONS.get(lab, {}))


@pytest.mark.parametrize("lab", known_labs())
def test_feedback_is_the_same_for_everybody(lab):
    """Without a key, a test plans the same inputs each time."""
    dirs = find_lab(lab)
    spec = labspec.load(dirs.lab / "lab.toml")
    checks = load_checks(dirs.lab, spec)
    context = Context(spec, dirs.solution, {}, spec.gpu, "clang", "sim")
    for test in paying(spec):
        assert checks[test.generator].plan(test, context) == checks[test.generator].plan(test, context), test.id
