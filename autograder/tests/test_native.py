"""Programs of this machine's processor: what is compiled once for all hand-ins, and what may be used on another processor."""
from hpml_autograder import given
from hpml_autograder.backends import Backends, Setup, native
from hpml_autograder.labspec import load
from hpml_autograder.paths import find_lab

DIRS = find_lab("lab6")
SPEC = load(DIRS.lab / "lab.toml")
BACKENDS = Backends(SPEC, Setup())


def test_harness_files_of_a_native_program_are_compiled_once_for_all():
    program = SPEC.find_program("search")
    assert given.Given(BACKENDS, DIRS).sources(program) == list(program.harness)


def test_a_program_for_this_processor_is_another_one_on_another_processor(monkeypatch):
    tuned, plain = SPEC.find_program("gru"), SPEC.find_program("search")
    backend = BACKENDS.of("gru")
    here = backend.dialect(tuned)
    monkeypatch.setattr(native, "processor", lambda: "flags : of another one")
    assert backend.dialect(tuned) != here and backend.dialect(plain) == ()
