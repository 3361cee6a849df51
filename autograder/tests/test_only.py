"""One test alone compiles what it needs, and nothing else."""
from hpml_autograder import labspec, programs
from hpml_autograder.assignment import select
from hpml_autograder.case import Case
from hpml_autograder.paths import find_lab

SPEC, LAB1 = (labspec.load(find_lab(lab).lab / "lab.toml") for lab in ("lab3", "lab1"))


def programs_for(only: str | None) -> list[str]:
    tests = select(SPEC, only)
    return programs.programs_of(SPEC, tests, {test.id: [] for test in tests})


def test_a_test_names_its_programs():
    assert programs_for("A2.time") == ["vecadd00", "vecadd01"]
    assert programs_for("A5.rules") == []


def test_all_tests_compile_all_programs():
    assert programs_for(None) == [program.name for program in SPEC.program]


def test_a_program_that_only_a_run_names_is_compiled_too():
    (test,) = select(LAB1, "C1.ones")[-1:]
    plan = [Case("lab1_worker", "calls {dp1_kernel} dp")]
    assert programs.programs_of(LAB1, [test], {test.id: plan}) == ["dp1", "dp1_kernel", "lab1_worker"]
