"""What is given is compiled and run once for all hand-ins, and never with anything of a student's in it."""
import shutil
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hpml_autograder import given, pipeline, sandbox
from hpml_autograder.backends import Backends, Setup
from hpml_autograder.case import Case, Run
from hpml_autograder.check import Check
from hpml_autograder.errors import InfraError
from hpml_autograder.harness import harness_sha
from hpml_autograder.labspec import load
from hpml_autograder.paths import LabDirs, find_lab

DIRS = find_lab("lab3")
SPEC = load(DIRS.lab / "lab.toml")
BACKENDS = Backends(SPEC, Setup(gpu="t4", cuda="clang"))
CASE = Case("vecadd00", "1", gpu="t4")


@pytest.fixture()
def commands(tmp_path, monkeypatch):
    """What is compiled and run, beginning with nothing that is there already."""
    monkeypatch.setattr(given, "kept_dir", lambda: tmp_path / "build")
    done, real = [], sandbox.run

    def counted(command, *arguments, **more):
        done.append(" ".join(map(str, command)))
        return real(command, *arguments, **more)

    monkeypatch.setattr(sandbox, "run", counted)
    return done


def a_run(tmp_path, name, **more):
    request = pipeline.Request("lab3", solution=True, cuda="clang", only="A1.analysis", **more)
    runner = pipeline.prepare(request, lambda text: None, tmp_path / name).runner
    return runner.run_all([CASE])[CASE]


def test_the_second_hand_in_only_links_what_the_first_has_compiled_and_runs_nothing_of_it(tmp_path, commands):
    first = a_run(tmp_path, "first")
    assert any(" run " in command for command in commands)
    assert sum("-c -o" in command for command in commands) == 4  # vecadd00 is made of four files
    commands.clear()
    second = a_run(tmp_path, "second")
    assert [command for command in commands if " run " in command or "-c -o" in command] == []
    assert second.metrics.kernels == first.metrics.kernels and second.stdout == first.stdout


def test_a_score_of_record_takes_them_too_and_needs_no_replay(tmp_path, commands):
    if sandbox.detect().level < "L3":
        pytest.skip("a score of record needs root and bubblewrap")
    plain = a_run(tmp_path, "plain")
    commands.clear()
    trusted = a_run(tmp_path, "trusted", trusted=True)
    assert [command for command in commands if " run " in command or " replay " in command] == []
    assert trusted.metrics.kernels == plain.metrics.kernels


def test_what_went_wrong_is_not_kept_and_what_is_damaged_is_made_again(tmp_path, commands):
    store = given.Given(BACKENDS, DIRS)
    good = a_run(tmp_path, "good")
    failed = store.keep(CASE, "key", lambda place: replace(good, code=1))
    assert failed.code == 1 and store.run(CASE, "key") is None
    kept = next(store.folder.glob("runs/*/ledger/run.json"))
    kept.write_text("{", encoding="utf-8")
    commands.clear()
    assert a_run(tmp_path, "again").metrics.kernels == good.metrics.kernels
    assert any(" run " in command for command in commands) and kept.stat().st_size > 1


def test_entries_belong_to_the_grader_and_nothing_half_made_stays(tmp_path, commands):
    a_run(tmp_path, "one")
    folder = tmp_path / "build"
    assert {path.stat().st_uid for path in folder.rglob("*")} == {tmp_path.stat().st_uid}
    assert not [path for path in folder.rglob(".*")]


def lab_with(tmp_path, **files):
    lab = tmp_path / "lab3_copy"
    shutil.copytree(DIRS.lab, lab)
    for name, text in files.items():
        (lab / "src" / name.replace("_DOT_", ".")).write_text(text, encoding="utf-8")
    return LabDirs(lab, DIRS.solution)


def test_a_harness_file_that_includes_a_students_is_not_given(tmp_path):
    program = SPEC.find_program("vecadd01")
    assert given.Given(BACKENDS, DIRS).sources(program) == list(program.harness)
    dirs = lab_with(tmp_path, timer_DOT_cu='#include "vecaddKernel01.cu"\n')
    assert given.Given(BACKENDS, dirs).sources(program) == ["vecadd.cu", "harness.cu"]


def test_a_given_file_that_does_not_compile_is_our_fault(tmp_path, commands):
    store = given.Given(BACKENDS, lab_with(tmp_path, timer_DOT_cu="int x = ;\n"))
    with pytest.raises(InfraError, match="timer.cu, which is given, does not compile: .*timer.cu:1:9: error"):
        for make in store.missing([SPEC.find_program("vecadd01")]):
            make()


def test_a_student_who_edits_in_the_lab_itself_changes_nothing_that_is_given(tmp_path):
    edited = lab_with(tmp_path / "a", convolution_DOT_cu="// mine\n").lab
    handed_in = frozenset(SPEC.submit.files)
    assert harness_sha(edited, handed_in) == harness_sha(lab_with(tmp_path / "b").lab, handed_in)
    assert harness_sha(edited) != harness_sha(tmp_path / "b" / "lab3_copy")
    harness_changed = lab_with(tmp_path / "c", timer_DOT_cu="// ours\n").lab
    assert harness_sha(edited, handed_in) != harness_sha(harness_changed, handed_in)


def test_old_folders_are_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr(given, "kept_dir", lambda: tmp_path)
    store = given.Given(BACKENDS, DIRS)
    for number in range(given.KEPT + 2):
        (store.folder.parent / f"old{number}").mkdir(parents=True)
    store.keep(CASE, "key", lambda place: Run(CASE, "exit", 1))
    assert len(list(store.folder.parent.iterdir())) == given.KEPT and store.folder.is_dir()


def test_one_run_serves_those_who_ask_for_its_result_and_those_who_do_not():
    tests = [test for test in SPEC.test if test.id in ("A4.correct.public", "A4.loads", "A4.table")]
    plans = {"A4.correct.public": [Case("matmult01", "16", dump=True)], "A4.loads": [Case("matmult01", "16")],
             "A4.table": [Case("matmult01", "16", gpu="v100")]}
    checks = {test.generator: Check(lambda test, context: plans[test.id], None) for test in tests}
    joined = pipeline.plans_of(tests, checks, SimpleNamespace(gpu="t4"))
    assert joined["A4.loads"] == joined["A4.correct.public"] == [Case("matmult01", "16", dump=True, gpu="t4")]
    assert joined["A4.table"] == [Case("matmult01", "16", gpu="v100")]
