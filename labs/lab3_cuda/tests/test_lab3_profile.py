"""Does the profile page put the student's counters beside the given kernel's, and say what is better?"""
import lab3_profile as profile
from hpml_autograder.case import Case
from hpml_autograder.metrics import Kernel, LineAccess


def side(program: str, sectors: float, lines: tuple[LineAccess, ...] = ()) -> profile.Side:
    values = {profile.LOADS: sectors, "l1tex__t_sector_hit_rate.pct": sectors}
    return profile.Side(Case(program, "500"), Kernel("k", (1, 1, 1), (32, 1, 1), 1.0, False, values, lines))


def test_it_marks_only_counters_of_which_less_is_better():
    text = profile.page("t4", [(side("vecadd01", 4), side("vecadd00", 32))], {"vecadd01 500": [0.2, 0.19]}, {})
    assert text.count("class=better") == 1 and "class=worse" not in text
    assert "The reference solution takes 0.19 ms" in text


def test_it_names_the_line_and_links_the_report():
    line = LineAccess("k.cu", 14, "global", "ld", 100, 3200, 400, 2000)
    text = profile.page("t4", [(side("vecadd01", 32, (line,)), side("vecadd00", 32))], {}, {"vecadd01 500": "r.html"})
    assert "k.cu, line 14: 32 sectors per load" in text and "href='r.html'" in text


def test_a_kernel_that_was_not_launched_is_said():
    text = profile.page("t4", [(profile.side(Case("vecadd01", "500"), None), side("vecadd00", 32))], {}, {})
    assert "vecadd01 does not compile" in text
