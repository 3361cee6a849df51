"""Is a student release the tree that students may have, each time the same, and are leaks noticed?"""
import base64
import codecs
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hpml_autograder import labspec
from hpml_autograder.check import Context, judge_by_staff
from hpml_autograder.paths import ROOT, LabDirs, find_lab
from hpml_class.errors import UsageError
from hpml_class.release import leaked_answers, prove, tree, verify, written

TINY = Path(__file__).parent / "tiny_labs"
# The judges, stripped of keys, and the bench of a lab load, and there is a judge for every test.
LOAD = """import sys
from hpml_autograder import check, labspec, paths
lab = paths.find_lab(sys.argv[1]).lab
check.load_checks(lab, labspec.load(lab / "lab.toml"))
check.load_bench(lab)
"""
LABS = sorted(path.parent.name.split("_")[0] for path in (ROOT / "labs").glob("lab*_*/lab.toml"))


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    out = tmp_path_factory.mktemp("release") / "tree"
    tree.export(find_lab("lab3"), out)
    return out


@pytest.fixture
def copy(exported, tmp_path):
    shutil.copytree(exported, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.mark.parametrize("lab", LABS)
def test_nothing_of_staff_is_in_a_release_and_it_is_the_same_again(lab, tmp_path):
    tree.export(find_lab(lab), tmp_path / "one")
    tree.export(find_lab(lab), tmp_path / "two")
    assert verify.search(tmp_path / "one", find_lab(lab)) == []
    assert tree.tree_hash(tmp_path / "one") == tree.tree_hash(tmp_path / "two")
    spec = labspec.load(next((tmp_path / "one/labs").glob(f"{lab}_*/lab.toml")))
    assert spec.test and {test.visibility for test in spec.test} == {"public"}
    full = labspec.load(find_lab(lab).lab / "lab.toml")
    assert [test.id for test in spec.test] == [test.id for test in full.test if test.visibility == "public"]
    loaded = subprocess.run([sys.executable, "-B", "-c", LOAD, lab], env={**os.environ, "PYTHONPATH": str(tmp_path / "one/autograder")},
                            capture_output=True, text=True, check=False)
    assert loaded.returncode == 0, loaded.stderr


def test_the_tree_hash_sees_names_modes_and_contents(copy):
    before = tree.tree_hash(copy)
    (copy / "LICENSE").chmod(0o755)
    executable = tree.tree_hash(copy)
    (copy / "LICENSE").rename(copy / "LICENCE")
    renamed = tree.tree_hash(copy)
    (copy / "LICENCE").write_text("", encoding="utf-8")
    assert len({before, executable, renamed, tree.tree_hash(copy)}) == 4


@pytest.mark.parametrize("leak, words", [
    (lambda copy: shutil.copy(ROOT / "solutions/lab3_cuda/vecaddgpu00.cu", copy / "docs/notes.txt"), "canary"),
    (lambda copy: shutil.copytree(ROOT / "solutions/lab3_cuda", copy / "solutions/lab3_cuda"), "belongs to staff"),
    (lambda copy: (copy / "a.md").write_text("".join((ROOT / "solutions/lab3_cuda/vecaddgpu00.cu").read_text().split())),
     "function body"),
    (lambda copy: (copy / "docs/x.h").write_text(
        (ROOT / "solutions/lab3_cuda/vecaddgpu01.cu").read_text().replace(verify.canary(), "").replace(";", "; // x\n")),
     "function body"),
    (lambda copy: shutil.copy(ROOT / "labs/lab3_cuda/lab.toml", copy / "labs/lab3_cuda/lab.toml"), "which students do not get"),
    (lambda copy: shutil.copy(ROOT / "labs/lab3_cuda/judges/lab3_answers_a.py", copy / "labs/lab3_cuda/judges/lab3_answers_a.py"), "holds the answer to"),
    (lambda copy: (copy / "labs/lab3_cuda/src/notes.md").write_text("7 33 1 --n 4097"), "hidden shape")])
def test_a_leak_is_noticed(copy, leak, words):
    leak(copy)
    assert any(words in str(finding) for finding in verify.search(copy, find_lab("lab3")))


@pytest.mark.parametrize("leak", [
    'CAUSES = {"cause": "add_latency_chain"}', 'cause = "add_latency_chain"', "if table['cause'] == 'add_latency_chain':",
    '(("cause", "add_latency_chain"),)', '("add_latency_chain", ["cause"])',
    base64.b64encode(b"add_latency_chain").decode(), base64.b64encode(b'cause = "add_latency_chain"').decode(), b"add_latency_chain".hex(),
    hashlib.sha256(b"add_latency_chain").hexdigest().upper(), hashlib.md5(b"cause=add_latency_chain").hexdigest(),
    "add_latency_chain"[::-1], codecs.encode("add_latency_chain", "rot13"), str(list(b"add_latency_chain"))])
def test_a_key_of_a_written_answer_is_found_in_any_dress(leak):
    keys = [("cause", "add_latency_chain")]
    assert list(leaked_answers.leaks({"labs/x/judges/a.py": f"x = 1\n{leak}\n"}, keys, "labs/x/judges/"))


@pytest.mark.parametrize("text, leaks", [
    ("INTENSITY = 2 / 8  # FLOP per byte", 1), ("OPERATIONS, BYTES = 2, 8\nRATIO = OPERATIONS / BYTES\n", 1),
    ("constexpr double kIntensity = 2.0f / 8;  // FLOP", 1), ("  wanted: float = (1 + 1) / 2 ** 3", 1), ("TOTAL = 3 * 26_000 + 2128", 1),
    ("SIZES = 1, 512\nSTEPS = 20", 0), ("HUGE = 9 ** 9 ** 9", 0), ("HALF = 1 / 0", 0)])
def test_a_number_is_found_as_the_value_of_a_constant(text, leaks):
    keys = [("intensity", "0.25"), ("bytes", "80128"), ("steps", "20"), ("one", "1.0")]
    assert len(list(leaked_answers.leaks({"labs/x/bench/a.py": text}, keys, "labs/x/judges/"))) == leaks


@pytest.mark.parametrize("text", ["Sums wait for the\n  Add latency chain.", "It has 80,128 bytes.", "That is 80128 bytes"])
def test_a_handout_that_says_the_answer_is_a_leak(text):
    keys = [("cause", "add_latency_chain"), ("bytes", "80128")]
    assert len(list(leaked_answers.leaks({"labs/x/README.md": text}, keys, "labs/x/judges/"))) == 1
    assert list(leaked_answers.leaks({"labs/x/README.md": "1,80,128 and 180,128"}, keys, "labs/x/judges/")) == []


def test_words_to_choose_from_and_numbers_that_a_program_prints_are_no_leak():
    texts = {"labs/x/src/answers.toml": '# one of add_latency_chain, calls_blas\ncause = ""\n', "labs/x/judges/a.py": "N = 11173962\n"}
    keys = [("cause", "add_latency_chain"), ("count", "11173962")]
    assert list(leaked_answers.leaks(texts, keys, "labs/x/judges/", ["count"])) == []
    assert [what for _, what in leaked_answers.leaks(texts, keys, "labs/x/judges/")] == [
        "holds the answer to count, 11173962", "holds the answer to count as the value of N, 1.1174e+07"]


def test_values_of_constants_and_bodies_of_functions_are_left_out_with_their_comments():
    text = "A = 1\n\n# Because of 7.\nKEY: dict = {\n  'a': 7}\n\n\ndef f(x):\n    return x == 7\n\n\nB, C = 7, 8\n"
    assert written.stripped(text, ("KEY", "f", "B"), "a.py") == (
        "A = 1\n\nKEY = None  # graded by staff\n\n\ndef f(x):\n    raise NotImplementedError(\"graded by staff\")\n\n\n"
        "B = C = None  # graded by staff\n")
    with pytest.raises(UsageError, match="release.toml: a.py has no g"):
        written.stripped(text, ("g",), "a.py")


def test_a_students_grader_leaves_written_answers_to_staff(exported, tmp_path):
    spec = labspec.load(exported / "labs/lab3_cuda/lab.toml")
    tests = {test.id: test for test in spec.test if test.generator == "staff"}
    assert set(tests) == {"A1.analysis", "A5.rules", "C4.technique"}
    for src, verdict, words in ((exported / "labs/lab3_cuda/src", "WA", "no answer yet to rules"), (find_lab("lab3").solution, "INC", "graded by staff")):
        outcome = judge_by_staff(tests["A5.rules"], Context(spec, src, {}, "t4", "clang", "sim"), [])
        assert outcome.verdict.value == verdict and words in outcome.detail


def test_a_release_has_no_command_of_staff_and_no_detector_of_copies(exported):
    assert not list(exported.rglob("similarity*")) and not list(exported.rglob("regrade*"))
    done = subprocess.run([sys.executable, "-B", exported / "tools/hpml", "quiz", "make"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no command 'quiz'; there are test, submit-check, emit, model" in done.stderr
    done = subprocess.run(["make", "quizzes"], cwd=exported, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "No rule to make target 'quizzes'" in done.stderr


def with_tiny_lab(copy: Path, lab: str) -> LabDirs:
    """The tree with a lab of ten lines as well, which takes a second to grade: lab 3 would take a minute."""
    shutil.copytree(TINY / lab, copy / "labs" / lab)
    return LabDirs(copy / "labs" / lab, copy / "nothing")


def test_the_starter_scores_its_floor_in_the_exported_tree(copy, monkeypatch):
    monkeypatch.setenv("CUDA", "clang")
    assert prove.prove(copy, with_tiny_lab(copy, "lab93_cuda"), build=False, say=lambda text: None) == []


def test_a_starter_off_its_floor_is_a_finding(copy):
    lab = with_tiny_lab(copy, "lab91_native")
    toml = lab.lab / "lab.toml"
    toml.write_text(toml.read_text(encoding="utf-8").replace("floor_millipoints = 0", "floor_millipoints = 7"), encoding="utf-8")
    (finding,) = prove.prove(copy, lab, build=False, say=lambda text: None)
    assert "scores 0 millipoints; floor_millipoints says 7" in finding.what


def test_the_exported_tree_configures(copy):
    done = subprocess.run(["cmake", "--preset", "release"], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    help_text = subprocess.run(["make", "-s", "help"], cwd=copy, capture_output=True, text=True, check=True).stdout
    assert "make labN test" in help_text and "quizzes" not in help_text and "make grade" not in help_text


@pytest.mark.parametrize("path, pattern, matched", [
    ("a/b/c.py", "a/**", True), ("a/b/c.py", "a/*", False), ("a/test_x.py", "**/test_*.py", True),
    ("test_x.py", "**/test_*.py", True), ("a/btest_x.py", "**/test_*.py", False), ("a.b", "a?b", False)])
def test_patterns(path, pattern, matched):
    assert tree.matches(path, pattern) is matched


def test_bodies_are_found_without_comments_and_headers():
    text = "int f(int a) { // one\n  if (a) { return 1; }\n  return 2; }\nstruct S { int g() const { return 3; } };\n"
    assert verify.bodies(text, ".cpp") == ["if(a){return1;}return2;", "return3;"]
    assert verify.bodies("def f():\n    return 1  # x\n", ".py") == ["return1"]


@pytest.mark.parametrize("arguments, words", [
    (["--lab", "lab9"], "there is no lab 'lab9'"), ([], "which lab?"), (["--lab", "lab3", "--out", str(ROOT.parent)], "")])
def test_a_wrong_order_is_one_line(arguments, words):
    done = subprocess.run([sys.executable, str(ROOT / "tools/hpml"), "release", *arguments], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1


def words(value):
    """Of a solution's answers: those that are one of some choices."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {value} if isinstance(value, str) and re.fullmatch(r"[a-z][a-z0-9_]*", value) else {word for one in inner for word in words(one)}


@pytest.mark.parametrize("lab", sorted(path.parent.name for path in (ROOT / "solutions").glob("lab*/answers.toml")))
def test_the_order_of_choices_does_not_tell_the_right_one(lab):
    """Authors tend to list the right choice first, so the choices are listed in alphabetical order."""
    keys = words(tomllib.loads((ROOT / "solutions" / lab / "answers.toml").read_text(encoding="utf-8")))
    text = re.sub(r",\n# +", ", ", (ROOT / "labs" / lab / "src/answers.toml").read_text(encoding="utf-8"))
    lists = [found.replace('"', "").split(", ") for comment in re.findall("#.*", text)
             for found in re.findall(r'(?:"?[a-z][a-z0-9_]*"?, )+"?[a-z][a-z0-9_]*"?', comment)]
    assert [one for one in lists if keys & set(one) and one != sorted(one)] == []
