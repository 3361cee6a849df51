"""Whose data a hand-in is graded on: in a score of record its own, the same whenever it is graded again; in a student's own test the
public data. What is chosen for a course, and the runs of given programs, are the same for all."""
import shutil
from dataclasses import replace

import pytest
from hpml_autograder import pipeline, seeds
from hpml_autograder.backends import Backends, Setup
from hpml_autograder.backends.gpusim import Gpusim
from hpml_autograder.case import Case
from hpml_autograder.check import Context, load_checks, load_data
from hpml_autograder.judging import plans_of
from hpml_autograder.labspec import load
from hpml_autograder.paths import find_lab, known_labs

ONE, OTHER = "1" * 64, "2" * 64  # two hand-ins


def contexts(lab, key=b"a course"):
    """Of a lab's solution, as if it were these hand-ins."""
    dirs = find_lab(lab)
    spec = load(dirs.lab / "lab.toml")
    made = Context(spec, dirs.solution, {}, spec.gpu, "clang", "sim", key)
    return [replace(made, scope=scope) for scope in (ONE, OTHER, seeds.COURSE)]


@pytest.mark.parametrize("lab", known_labs())
def test_whatever_a_course_hides_is_another_for_every_hand_in(lab):
    checks = load_checks(find_lab(lab).lab, contexts(lab)[0].spec)
    one, other, course = (plans_of(context.spec.test, checks, context) for context in contexts(lab))
    other_course = plans_of(contexts(lab)[0].spec.test, checks, contexts(lab, b"another course")[0])
    hidden = {name for name in one if one[name] != other_course[name]}
    assert hidden and {name for name in hidden if one[name] == other[name]} == set()
    assert {name for name in one if one[name] != course[name]} == hidden  # what students see stays as it is


def prepared(tmp_path, monkeypatch, text, **more):
    """The context of a hand-in with this text; nothing is built."""
    monkeypatch.setattr(pipeline, "build_programs", lambda *_: {})
    folder = tmp_path / "mine"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "vecaddcpu.cpp").write_text(text, encoding="utf-8")
    request = pipeline.Request("lab3", source=folder, cuda="clang", only="B1.build", feedback=True, **more)
    return pipeline.prepare(request, lambda text: None, tmp_path / "scratch").context


def test_a_record_has_the_data_of_its_content_and_a_students_own_test_the_public_data(tmp_path, monkeypatch):
    first, again, other = (prepared(tmp_path, monkeypatch, text, trusted=True, key=b"a course") for text in ("// 1", "// 1", "// 2"))
    assert first.scope == again.scope != other.scope and first.for_record
    keyless = prepared(tmp_path, monkeypatch, "// 1", trusted=True)
    assert keyless.scope == first.scope  # also without a course key no answer fits two hand-ins
    assert {prepared(tmp_path, monkeypatch, text).scope for text in ("// 1", "// 2")} == {seeds.COURSE}


def test_choices_and_given_programs_are_the_same_for_a_whole_course():
    one, other, _ = contexts("lab3")
    test = one.spec.test[0]
    assert one.course_seed(test) == other.course_seed(test) != contexts("lab3", b"another course")[0].course_seed(test)
    assert one.seed(test, 0) != other.seed(test, 0) and one.seed(test, 0) != one.seed(test, 1)
    assert one.run_seed("matmult00 16") == other.run_seed("matmult00 16")
    assert one.run_seed("matmult01 16") != other.run_seed("matmult01 16")


def test_the_data_that_a_replay_puts_in_the_place_of_the_given_is_the_hand_ins():
    lab = find_lab("lab3").lab
    spec = load(lab / "lab.toml")
    backends = Backends(spec, Setup(gpu="t4", cuda="clang"))
    gpusim = next(one for one in backends.all() if isinstance(one, Gpusim))
    twins = []
    for scope in (ONE, OTHER, ONE):
        backends.take_data(load_data(lab, spec), b"a course", scope)
        twins.append(gpusim._twin(Case("matmult01", "16", dump=True, gpu="t4")))
    assert twins[0] == twins[2] != twins[1]


def test_in_a_score_of_record_the_given_seeds_are_drawn_and_the_shapes_stay():
    spec = load(find_lab("lab6").lab / "lab.toml")
    clip, loss = (next(test for test in spec.test if test.id == name) for name in ("M3.clip", "M3.loss"))

    def shapes(test, scope):
        return Context(spec, find_lab("lab6").solution, {}, "", "", "sim", b"key", scope=scope).shapes(test, 1)

    assert shapes(clip, seeds.COURSE) == list(clip.shapes)
    one, other = shapes(clip, "one hand-in"), shapes(clip, "another")
    assert all(a != b for a, b in zip(one, clip.shapes)) and one != other
    assert [shape.split()[:1] + shape.split()[2:] for shape in one] == [shape.split()[:1] + shape.split()[2:] for shape in clip.shapes]
    assert shapes(loss, "one hand-in")[0].split()[1] == one[0].split()[1]  # tests of an exercise share their runs


@pytest.mark.parametrize("lab, name", [("lab2", "K1.forward"), ("lab2", "C7.backward"), ("lab5", "E2.channel"), ("lab5", "P1.magnitude.public"),
                                       ("lab6", "M1.backward"), ("lab6", "M2.forward"), ("lab6", "M3.padding")])
def test_results_of_the_given_data_are_asked_of_students_only(lab, name):
    checks = load_checks(find_lab(lab).lab, contexts(lab)[0].spec)
    one, other, course = (set(plans_of([next(test for test in context.spec.test if test.id == name)], checks, context)[name]) for context in contexts(lab))
    assert not one & course and not one & other
