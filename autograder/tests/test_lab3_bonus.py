"""Lab 3 without its bonus: the file as it was given, and a hand-in without it, cost nothing and say so quietly."""
import shutil

import pytest
from hpml_autograder import table
from hpml_autograder.paths import find_lab
from hpml_autograder.score import NOT_ATTEMPTED

TEST = "C4.time"


@pytest.mark.parametrize("leave_out", [True, False])
def test_a_hand_in_without_the_bonus_reads_one_line(graded, tmp_path, leave_out):
    dirs = find_lab("lab3")
    source = tmp_path / "handin"
    shutil.copytree(dirs.solution, source)
    (source / "convolution4.cu").unlink()
    if not leave_out:
        shutil.copy(dirs.src / "convolution4.cu", source)
    result = graded("lab3", source=source, only=TEST)
    assert all(result.outcomes[test.id] is NOT_ATTEMPTED for test in result.bonuses) and result.bonuses
    assert {case.gpu for case in result.runner.runs} == {"t4"}, "C2 is timed for who has tried C4"
    text = table.render(result)
    assert [line.split() for line in text.splitlines() if "C4" in line] == [
        "C4 your own choice (bonus) - - - bonus, not attempted".split()]
    assert "convolution4.cu" not in text and "missing" not in text
