"""One test alone compiles what it needs, and nothing else."""
from hpml_autograder import labspec, programs
from hpml_autograder.assignment import select
from hpml_autograder.build import Built
from hpml_autograder.paths import find_lab

SPEC = labspec.load(find_lab("lab3").lab / "lab.toml")


def test_a_test_names_its_programs():
    assert programs.programs_of(SPEC, select(SPEC, "A2.time")) == ["vecadd00", "vecadd01"]
    assert programs.programs_of(SPEC, select(SPEC, "A5.rules")) == []


def test_all_tests_compile_all_programs():
    assert programs.programs_of(SPEC, select(SPEC, None)) == [program.name for program in SPEC.program]


def test_a_program_is_compiled_once_when_it_is_asked_for():
    compiled = []

    def compile_one(name):
        compiled.append(name)
        return Built(name, None, "", "")

    made = programs.Programs(compile_one)
    assert not list(made)
    assert made["a"] is made["a"] and compiled == ["a"] == list(made)
