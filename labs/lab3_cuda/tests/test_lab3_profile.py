"""Does the profile page put the student's counters beside the given kernel's, and say what is better?"""
from dataclasses import replace
from pathlib import Path

import lab3_profile as profile
from hpml_autograder.case import Case, Run
from hpml_autograder.metrics import Kernel, LineAccess, Metrics
from lab3_measure import LOADS
from lab3_profile_page import page


def side(program: str, sectors: float, lines: tuple[LineAccess, ...] = ()) -> profile.Side:
    values = {LOADS: sectors, "l1tex__t_sector_hit_rate.pct": sectors}
    return profile.Side(Case(program, "500"), Kernel("k", (1, 1, 1), (32, 1, 1), 1.0, False, values, lines))


def test_it_marks_only_counters_of_which_less_is_better():
    text = page("t4", [(side("vecadd01", 4), side("vecadd00", 32))], {"vecadd01 500": [0.2, 0.19]}, {}, Path())
    assert text.count("class=better") == 1 and "class=worse" not in text
    assert "The reference solution takes 0.19 ms" in text


def test_a_faster_kernel_has_nothing_in_red():
    more = side("vecadd01", 40)
    faster = replace(more, kernel=replace(more.kernel, duration_us=0.5))
    for own, red in ((more, 1), (faster, 0)):
        assert page("t4", [(own, side("vecadd00", 32))], {}, {}, Path()).count("class=worse") == red


def test_it_shows_the_source_beside_its_counters_and_links_the_report(tmp_path):
    (tmp_path / "k.cu").write_text("\n".join(f"line {number}" for number in range(1, 21)), encoding="utf-8")
    lines = (LineAccess("k.cu", 14, "global", "ld", 100, 3200, 400, 2000), LineAccess("k.cu", 15, "global", "st", 100, 400, 400, 4))
    text = page("t4", [(side("vecadd01", 32, lines), side("vecadd00", 32))], {}, {"vecadd01 500": "r.html"}, tmp_path)
    assert "<td class=code>line 14<td class=n>3,200<td class=n>2,800" in text and "line 15<td class=n>400<td class=n><td" in text
    assert "line 11" not in text and "line 12" in text and "href='r.html'" in text


def test_unified_memory_is_shown_cold_and_warm():
    cold, warm = (Kernel("k", (1, 1, 1), (32, 1, 1), us, False, {"gpusim__fault_time_us.sum": faults})
                  for us, faults in ((100.0, 98.0), (2.0, 0.0)))
    run = Run(Case("vecaddgpu01", "0 256 1"), "exit", metrics=Metrics("t4", (cold, warm), (), (), {}, ()))
    rows = profile.text_rows([(own, side("vecaddgpu00", 4)) for own in profile.sides(run.case, run, 60)])
    assert [row[0] for row in rows[1:]] == ["vecaddgpu01 0 256 1 (cold)", "vecaddgpu01 0 256 1 (warm)"]
    assert rows[1][2] == "page faults 98 %"


def test_a_run_that_did_not_end_well_says_so_and_not_that_it_launched_nothing():
    case = Case("vecadd01", "500")
    assert profile.side(case, Run(case, "timeout"), 60).problem == "`vecadd01 500` did not end within 60 s"
    assert "exit code 1" in profile.side(case, Run(case, "exit", 1), 60).problem
    assert "launched no kernel" in profile.side(case, Run(case, "exit", 0), 60).problem


def test_a_kernel_that_was_not_launched_is_said():
    text = page("t4", [(profile.side(Case("vecadd01", "500"), None, 60), side("vecadd00", 32))], {}, {}, Path())
    assert "vecadd01 does not compile" in text
