"""Does the comparison of automatic with cycle mode say what the two have measured?"""
import re

import pytest
from sampling import KINDS, ROOT, Sampled, table


def test_the_error_is_that_of_the_automatic_time():
    rows = [Sampled("even", 4e6, 0.5, 100.0, 103.0), Sampled("odd", 3e6, 0.7, 200.0, 150.0),
            Sampled("exact", 1e6, 1.0, 50.0, 50.0), Sampled("near", 5e6, 0.4, 10.0, 10.1)]
    lines = table(rows).splitlines()
    assert [line.split()[-1] for line in lines[1:4]] == ["+3.00%", "-25.00%", "+0.00%"]
    assert lines[-1] == "absolute error: mean 7.25 %, median 2.00 %, worst 25.00 %"


@pytest.mark.parametrize("program", KINDS)
def test_every_kind_of_the_program_is_compared(program):
    source = (ROOT / "simulator/validation/programs" / f"{program}.cu").read_text("utf-8")
    assert set(KINDS[program]) == set(re.findall(r'is\("(\w+)"\)', source))
