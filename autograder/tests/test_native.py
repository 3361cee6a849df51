"""Programs of this machine's processor: what is compiled once for all hand-ins, and what may be used on another processor."""
from pathlib import Path

from hpml_autograder import given
from hpml_autograder.backends import Backends, Setup, native
from hpml_autograder.backends.relay import ARCHIVE
from hpml_autograder.labspec import load
from hpml_autograder.paths import build_dir, find_lab
from hpml_autograder.staging import Stage

DIRS = find_lab("lab6")
SPEC = load(DIRS.lab / "lab.toml")
BACKENDS = Backends(SPEC, Setup())


def test_harness_files_of_a_native_program_are_compiled_once_for_all():
    program = SPEC.find_program("search")
    assert given.Given(BACKENDS, DIRS).sources(program) == list(program.harness)


def test_an_object_is_compiled_without_what_only_a_linker_takes():
    """The compiler would warn of each archive, and a student would take the warning for one of the program's."""
    spec = load(find_lab("lab4").lab / "lab.toml")
    backend, program = Backends(spec, Setup()).of("ring_relay"), spec.find_program("ring_relay")
    words = {name: backend.command(program, Stage(Path("/stage/src"), Path("/stage/work")), ["ring.cpp"], Path(name)).words
             for name in ("ring.o", "ring")}
    assert not any(word.endswith(".a") for word in words["ring.o"])
    assert words["ring"].index(str(build_dir() / ARCHIVE)) > words["ring"].index("ring.cpp")


def test_a_program_for_this_processor_is_another_one_on_another_processor(monkeypatch):
    tuned, plain = SPEC.find_program("gru"), SPEC.find_program("search")
    backend = BACKENDS.of("gru")
    here = backend.dialect(tuned)
    monkeypatch.setattr(native, "processor", lambda: "flags : of another one")
    assert backend.dialect(tuned) != here and backend.dialect(plain) == ()
