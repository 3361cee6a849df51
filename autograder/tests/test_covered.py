"""Is what pays points for counters, times or cleanliness also compared with what is right? A program knows its arguments,
its environment and its GPU: where nobody compares, it need not compute."""
from dataclasses import replace

import pytest
from hpml_autograder import labspec
from hpml_autograder.check import Context, load_checks
from hpml_autograder.paths import find_lab, known_labs

# Generators that pay for the form of what is printed, or for times of which the counters show the work.
OTHER_EVIDENCE = {"lab3": {"time", "table", "conv_format"}}


def simulated(spec: labspec.LabSpec, name: str) -> bool:
    """Whether it is student code that the simulator counts. What others print is judged as it is."""
    program = spec.find_program(name)
    return bool(program.sources) and program.backend == "gpusim"


@pytest.mark.parametrize("lab", [lab for lab in known_labs() if labspec.load(find_lab(lab).lab / "lab.toml").uses("gpusim")])
def test_every_run_that_pays_is_compared(lab):
    dirs = find_lab(lab)
    spec = labspec.load(dirs.lab / "lab.toml")
    context = Context(spec, dirs.solution, {}, spec.gpu, "clang", "sim")
    checks = load_checks(dirs.lab, spec)
    planned = {test.id: [replace(case, check="", gpu=case.gpu or spec.gpu) for case in checks[test.generator].plan(test, context)
                         if simulated(spec, case.program)] for test in spec.test}
    compared = {case for test in spec.test for case in planned[test.id] if case.dump}  # who asks for a result looks at it
    open_ones = {test.id: case for test in spec.test if test.generator not in OTHER_EVIDENCE.get(lab, set())
                 for case in planned[test.id] if replace(case, dump=True) not in compared}
    assert open_ones == {}
