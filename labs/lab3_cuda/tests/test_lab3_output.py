"""The output format is the handout's, no more and no less."""
from types import SimpleNamespace

import lab3_conv
import pytest
from hpml_autograder.lab import Case, Run, Verdict
from lab3_output import checksum, format_problem, time_ms

GOOD = """K: 100 million, Grid size: 390625, Block size: 256
Unified Memory Allocation Time : 0.061000 millisec
Execution Time             : 252.000000 millisec
Execution Time (warm)      : 4.710900 millisec
Total Time                 : 300.000000 millisec
Checksum: 151049901696 604199592432
"""


def test_the_handouts_example_passes_and_its_numbers_are_read():
    assert format_problem("vecaddgpu01", GOOD) == ""
    assert time_ms(GOOD, "Execution Time") == 252.0
    assert time_ms(GOOD, "Execution Time (warm)") == 4.7109
    assert checksum(GOOD) == (151049901696, 604199592432)


@pytest.mark.parametrize("old, new, where", [
    ("millisec\nChecksum", "ms\nChecksum", "line 5"),
    ("Checksum: ", "Checksum : ", "line 6"),
    ("K: 100", "K=100", "line 1"),
    ("252.000000", "252", "line 3"),
    ("Checksum: 151049901696 604199592432\n", "", "line 6 is missing"),
    ("Checksum", "PASS\nChecksum", "line 6"),
    ("604199592432\n", "604199592432\nTest PASSED\n", "got 7"),
])
def test_a_deviation_names_its_line(old, new, where):
    assert old in GOOD
    assert where in format_problem("vecaddgpu01", GOOD.replace(old, new, 1))


@pytest.mark.parametrize("line, words", [("nan,0.000", "line 2: the sum of O is no number"), ("1,nan", "among them '1,nan'")])
def test_a_convolution_that_wrote_too_little_is_told_so(line, words):
    run = Run(Case("conv", "0"), "exit", stdout=f"12,1.000\n{line}\n12,1.000\n")
    context = SimpleNamespace(spec=SimpleNamespace(limits=SimpleNamespace(wall_s=60)))
    outcome = lab3_conv.judge_format(None, context, [run])
    assert outcome.verdict is Verdict.WA and words in outcome.detail
