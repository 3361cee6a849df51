"""Which sizes of a table are run, and which entries cannot come of the program whose times for the others were measured."""
from pathlib import Path

import lab3_answers_a as tables
import pytest
from hpml_autograder import labspec
from hpml_autograder.check import Context

LAB = Path(__file__).resolve().parents[1]
SPEC = labspec.load(LAB / "lab.toml")
TABLES = {test.id: test for test in SPEC.test if test.generator == "kernel_table"}


def context(key: bytes, full: bool = False) -> Context:
    return Context(SPEC, LAB / "src", {}, "t4", "clang", "sim", key, full)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_course_runs_every_size_of_a_given_program_and_one_more_of_a_students(name):
    test, public = TABLES[name], context(tables.PUBLIC_KEY)
    given = not SPEC.find_program(test.params["program"]).sources
    quick = list(test.shapes[:test.params["quick"]])
    of_courses = [tables.sizes_of(test, context(b"course %d" % number), given) for number in range(20)]
    if given:
        assert tables.sizes_of(test, public, given) == quick and of_courses == [list(test.shapes)] * 20
    else:
        assert all(sizes[:len(quick)] == quick for sizes in of_courses)
        drawn = {tuple(sizes[len(quick):]) for sizes in of_courses}
        assert drawn == ({(one,) for one in test.params["one_of"]} if "one_of" in test.params else {()})
    assert tables.sizes_of(test, context(b"course", full=True), given) == list(test.shapes)
