"""Every known-wrong answer says what it costs, in points that exist; a grading that differs is told line by line."""
import pytest
from hpml_autograder import collect, labspec, wrong_answer
from hpml_autograder.errors import UsageError
from hpml_autograder.paths import ROOT, LabDirs, find_lab
from hpml_autograder.verdict import Outcome, Verdict, accepted, wrong

LABS = [find_lab(path.parent.name.split("_")[0]) for path in sorted((ROOT / "labs").glob("lab*_*/lab.toml"))]
ANSWERS = [pytest.param(dirs, name, id=f"{dirs.lab.name}-{name}") for dirs in LABS for name in wrong_answer.names(dirs)]

GOOD = """schema = "hpml.bad/v1"
reason = "One too many."
[[change]]
file = "a.c"
old = "return 1;"
new = "return 2;"
[lost]
"A.one" = [500, "WA", "expected 1"]
"""


@pytest.mark.parametrize("dirs, name", ANSWERS)
def test_a_wrong_answer_changes_the_solution_and_names_tests_of_the_lab_and_their_points(dirs, name):
    spec = labspec.load(dirs.lab / "lab.toml")
    points = {test.id: test.max_millipoints for test in spec.test}
    answer = wrong_answer.load(dirs, name)
    solution = collect.collect(dirs.solution, spec.submit)
    assert answer.reason and answer.apply(solution) != solution
    for test, loss in answer.losses().items():
        assert loss.millipoints <= points[test] and (loss.millipoints > 0) == (points[test] > 0)
        assert Verdict(loss.verdict) and loss.words


def test_a_test_without_points_can_fail_but_costs_nothing():
    def one(name, points, kind="correct"):
        return labspec.Test(name, "X", kind, "public", points, "g")
    tests = [one("X.good", 0), one("X.bad", 0), one("X.busy", 0, "perf"), one("C.bad", 500)]
    outcomes = {"X.good": accepted(""), "X.bad": wrong("no"), "X.busy": Outcome(Verdict.INC), "C.bad": wrong("no")}
    found = wrong_answer.losses(tests, outcomes)
    assert {name: loss.millipoints for name, loss in found.items()} == {"X.bad": 0, "C.bad": 500}


def made(tmp_path, text):
    (tmp_path / "solution/bad").mkdir(parents=True)
    (tmp_path / "solution/bad/one.toml").write_text(text)
    return LabDirs(tmp_path / "lab", tmp_path / "solution")


def test_a_change_is_made_where_it_fits_once(tmp_path):
    answer = wrong_answer.load(made(tmp_path, GOOD), "one")
    files = [collect.Collected("a.c", collect.TAKEN, b"f() { return 1; }"), collect.Collected("b.c", collect.TAKEN)]
    assert [file.content for file in answer.apply(files)] == [b"f() { return 2; }", b""]


@pytest.mark.parametrize("content, words", [(b"return 3;", "stands 0 times"), (b"return 1; return 1;", "stands 2")])
def test_a_change_that_does_not_fit_is_an_error(tmp_path, content, words):
    answer = wrong_answer.load(made(tmp_path, GOOD), "one")
    with pytest.raises(UsageError, match=words):
        answer.apply([collect.Collected("a.c", collect.TAKEN, content)])


@pytest.mark.parametrize("old, new, words", [
    ("hpml.bad/v1", "hpml.bad/v9", "schema is"), ("reason", "raison", "did you mean 'reason'"),
    ("[500, \"WA\", \"expected 1\"]", "[500]", "millipoints, verdict, words"), ("[lost]", "[lost", "one.toml"),
    ("[[change]]", 'only_full = ["A.one"]\n[[change]]', "and not all"),
    ("[[change]]", 'only_full = ["A.no"]\n[[change]]', "some of the tests"),
    ("[[change]]", 'kept_with_nvcc = ["A.no"]\n[[change]]', "kept_with_nvcc must name"),
])
def test_a_damaged_file_is_named_with_the_reason(tmp_path, old, new, words):
    with pytest.raises(UsageError, match=words.replace("[", "\\[")):
        wrong_answer.load(made(tmp_path, GOOD.replace(old, new)), "one")


def test_the_quick_depth_leaves_out_what_takes_long_and_the_whole_grading_misses_it(tmp_path):
    declared = GOOD.replace("[[change]]", 'only_full = ["A.long"]\n[[change]]') + '"A.long" = [500, "WA", "expected 2"]\n'
    answer = wrong_answer.load(made(tmp_path, declared), "one")
    tests = [labspec.Test(f"A.{name}", "A", "correct", "public", 500, "any") for name in ("one", "long", "kept")]
    assert wrong_answer.shows_it(answer, tests) == ["A.one", "A.kept"]
    outcomes = {"A.one": wrong("expected 1"), "A.long": accepted(""), "A.kept": accepted("")}
    assert wrong_answer.surprises(answer, [tests[0], tests[2]], outcomes) == []
    assert len(wrong_answer.surprises(answer, tests, outcomes)) == 1


def test_what_costs_nothing_with_nvcc_must_cost_nothing_there(tmp_path):
    declared = GOOD.replace("[[change]]", 'kept_with_nvcc = ["A.one"]\n[[change]]')
    answer = wrong_answer.load(made(tmp_path, declared), "one")
    tests = [labspec.Test("A.one", "A", "correct", "public", 500, "any")]
    right, lost = {"A.one": accepted("")}, {"A.one": wrong("expected 1")}
    assert wrong_answer.surprises(answer, tests, lost) == wrong_answer.surprises(answer, tests, right, "nvcc") == []
    assert len(wrong_answer.surprises(answer, tests, right)) == len(wrong_answer.surprises(answer, tests, lost, "nvcc")) == 1


def test_an_unknown_name_lists_the_known_ones(tmp_path):
    with pytest.raises(UsageError, match="known wrong answers: one"):
        wrong_answer.load(made(tmp_path, GOOD), "two")


@pytest.mark.parametrize("outcome, found", [
    (Outcome(Verdict.WA, "expected 1, got 2"), 0), (Outcome(Verdict.WA, "other words"), 1),
    (Outcome(Verdict.RE, "expected 1"), 1), (accepted("looked at"), 1), (Outcome(Verdict.INC, "busy"), 0),
])
def test_a_grading_that_differs_from_the_declaration_is_told(tmp_path, outcome, found):
    answer = wrong_answer.load(made(tmp_path, GOOD), "one")
    kind = "perf" if outcome.verdict is Verdict.INC else "correct"
    tests = [labspec.Test("A.one", "A", kind, "public", 500, "any"),
             labspec.Test("A.two", "A", "correct", "public", 500, "any")]
    outcomes = {"A.one": outcome, "A.two": accepted("looked at")}
    assert len(wrong_answer.surprises(answer, tests, outcomes)) == found
    outcomes["A.two"] = Outcome(Verdict.WA, "wrong")
    assert len(wrong_answer.surprises(answer, tests, outcomes)) == found + 1
