"""A lab with `once = true`: one object of a file for all programs, with the file's own flags, made again when it changes."""
from dataclasses import replace

import pytest
from hpml_autograder import build, elf, gate, labspec
from hpml_autograder.backends import Backends, Setup
from hpml_autograder.known import Known
from hpml_autograder.labspec import Program
from hpml_autograder.ledger import Ledger
from hpml_autograder.objects import Objects
from hpml_autograder.paths import find_lab
from hpml_autograder.staged import Staged
from hpml_autograder.staging import Stage

INT_BYTES = 4
PROGRAMS = (Program("first", "native", ("shared.cpp",), flags=("-DWORD=1",)),
            Program("second", "native", ("shared.cpp", "other.cpp"), flags=("-DWORD=2",)))


@pytest.fixture
def objects(tmp_path, monkeypatch):
    lab = labspec.load(find_lab("lab1").lab / "lab.toml")
    once = replace(lab.build, once=True, std="c++20", flags=("-O1",), file_flags={"shared.cpp": ("-DWORD=3",)})
    for folder in ("src", "work"):
        (tmp_path / folder).mkdir()
    stage = Stage(tmp_path / "src", tmp_path / "work")
    (stage.src / "shared.cpp").write_text("extern \"C\" int fork();\nint shared[WORD];\nint start() { return fork(); }\n")
    (stage.src / "other.cpp").write_text("int other[2];\n")
    monkeypatch.setattr(build, "compiled", [], raising=False)
    real = build.build_object
    monkeypatch.setattr(build, "build_object", lambda *words: build.compiled.append(words[-1].name) or real(*words))
    return Objects(Backends(replace(lab, program=PROGRAMS, build=once), Setup()),
                   Staged(stage, Ledger(tmp_path), "key"), Known())


def make(objects):
    for one in objects.missing(PROGRAMS):
        one()
    return [objects.of(program) for program in PROGRAMS]


def test_a_file_is_compiled_once_for_two_programs_with_its_own_flags(objects):
    first, second = make(objects)
    assert sorted(build.compiled) == ["other.o", "shared.o"] and first["shared.cpp"] == second["shared.cpp"]
    assert [symbol.size for symbol in elf.read(first["shared.cpp"].path).symbols if symbol.name == "shared"] == [3 * INT_BYTES]


def test_back_ends_do_not_share_an_object(objects):
    """Each has a compiler of its own, and headers."""
    programs = (PROGRAMS[0], replace(PROGRAMS[0], name="other", backend="smpi"))
    objects = replace(objects, backends=Backends(replace(objects.backends.spec, program=programs), Setup()))
    for one in objects.missing(programs):
        one()
    first, other = (objects.of(program)["shared.cpp"].path for program in programs)
    assert first != other and first.is_file() and other.is_file()


def test_the_next_grading_compiles_what_has_changed(objects):
    make(objects)
    (objects.staged.place.src / "other.cpp").write_text("int other[4];\n")
    build.compiled.clear()
    make(replace(objects, known=Known()))
    assert build.compiled == ["other.o"]


def test_an_object_that_was_touched_is_compiled_again(objects):
    first, _ = make(objects)
    first["shared.cpp"].path.write_bytes(b"")
    build.compiled.clear()
    make(replace(objects, known=Known()))
    assert build.compiled == ["shared.o"]


def test_the_gate_looks_at_objects_that_programs_share(objects):
    stage, spec = objects.staged.place, objects.backends.spec
    for program, compiled in zip(PROGRAMS, make(objects)):
        built = build.Built(program.name, None)
        found = gate.check(spec, program, built, stage, {name: one.path for name, one in compiled.items()})
        assert [str(one) for one in found] == ["shared.cpp: it calls 'fork', which this lab does not allow"]
