"""Are the recorded session of docs/debugger.md, and the pictures of it, what the debugger says today?"""
import re
import sys
from xml.etree import ElementTree

import pytest
from debug_sessions import GPUSIM, ROOT

sys.path.insert(0, str(ROOT / "docs"))

import debugger  # noqa: E402
from hpml_docs import terminal  # noqa: E402

RECORDED_WITH = "14"  # clang: another one makes other PTX, and so other numbers of states


def test_the_recorded_session_is_true():
    if not GPUSIM.exists():
        pytest.skip(f"{GPUSIM} is not built")
    shown = debugger.BLOCK.search(debugger.PAGE.read_text(encoding="utf-8"))[0].split("\n", 1)[1].rsplit("\n", 1)[0] + "\n"
    session = debugger.record()
    said = debugger.block(session)
    if debugger.clang_version() == RECORDED_WITH:
        assert said == shown, "run docs/debugger.py"
        for name, picture in debugger.pictures(session).items():
            assert (debugger.FIGURES / name).read_text(encoding="utf-8") == picture, "run docs/debugger.py"
    else:
        commands = re.compile(r"^\(gpusim\) .*$", re.MULTILINE)
        assert commands.findall(said) == commands.findall(shown)


def boxes(*lines: str) -> list[tuple[str, float]]:
    """Colours and columns of what stands out, the background left out."""
    found = ElementTree.fromstring(terminal.drawing(lines, "a < b")).iter("{http://www.w3.org/2000/svg}rect")
    return [(one.get("fill"), round((float(one.get("x")) - terminal.MARGIN) / terminal.ADVANCE)) for one in list(found)[1:]]


def test_lanes_and_touched_banks_stand_out_and_subscripts_do_not():
    active, gone, touched = (terminal.MARKS[kind] for kind in "#.[")
    assert boxes("   1 " + "#" * 31 + ".  a.cu:3") == [*((active, 5 + lane) for lane in range(31)), (gone, 36)]
    assert boxes("   0 [1] 2 [3]") == [(touched, at) for at in (5, 6, 7, 11, 12, 13)]
    assert boxes("20  part[i] = 1;", "(gpusim) print a[1]", "[ ]: the next access") == []


def test_a_heading_stands_over_its_banks():
    lines = re.search(r"^bank .*\n.*\n", debugger.PAGE.read_text(encoding="utf-8"), re.MULTILINE)[0].splitlines()
    values = [match.start() + 1 for match in re.finditer(r"[\[ ]\d[\] ]", lines[1][4:])]
    headings = {int(match[0]): match.start() - 4 for match in re.finditer(r"\d+", lines[0])}
    assert len(headings) == 8 and all(values[bank] == place for bank, place in headings.items())
