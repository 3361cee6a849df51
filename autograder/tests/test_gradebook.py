"""Does a spreadsheet or gradebook read exactly what was written, whatever students are called?"""
import csv
import io

import hpml_class  # noqa: F401 - says where hpml_gradebook lies
import hpml_gradebook as gradebook
import pytest


@pytest.mark.parametrize("name", ["O'Neill, Ana", "Müller \"Jo\"", "Þóra", "van der Berg, Jr."])
def test_a_name_is_read_back_as_it_was(name):
    assert list(csv.reader(io.StringIO(gradebook.table([[name, "1.5"]])))) == [[name, "1.5"]]


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\x00=1", "\u202e=1", "\uff1d1+1"])
def test_no_cell_begins_a_formula(text):
    assert gradebook.cell(text).startswith("'")


@pytest.mark.parametrize("text", ["x;=1+1", "x|=1", "x; \"=1", "x;@SUM(A1)", "x;-cmd"])
def test_no_cell_begins_a_formula_where_semicolons_part_cells(text):
    assert not gradebook.INNER.search(gradebook.cell(text))
    assert gradebook.cell("a; b-c; 5 = 5") == "a; b-c; 5 = 5"


@pytest.mark.parametrize("number", ["-1.250", "0", "12.5"])
def test_numbers_stay_numbers(number):
    assert gradebook.cell(number) == number


def test_platforms_get_logins_and_points():
    grades = [gradebook.Grade("ann", "3.5"), gradebook.Grade("=bob", "0")]
    head, possible, ann, bob = csv.reader(io.StringIO(gradebook.canvas("Lab 3", "100", grades)))
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 3"]
    assert possible == ["    Points Possible", "", "", "", "", "100"]
    assert ann == ["ann", "", "", "ann", "", "3.5"] and bob[3] == "'=bob"
    assert gradebook.moodle("Lab 3", grades) == "username,Lab 3\nann,3.5\n'=bob,0\n"
