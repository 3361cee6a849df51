"""Is the recorded session of docs/debugger.md what the debugger says today?"""
import re
import sys

import pytest
from debug_sessions import GPUSIM, ROOT

sys.path.insert(0, str(ROOT / "docs"))

import debugger  # noqa: E402

RECORDED_WITH = "14"  # clang: another one makes other PTX, and so other numbers of states


def test_the_recorded_session_is_true():
    if not GPUSIM.exists():
        pytest.skip(f"{GPUSIM} is not built")
    shown = debugger.BLOCK.search(debugger.PAGE.read_text(encoding="utf-8"))[0].split("\n", 1)[1].rsplit("\n", 1)[0] + "\n"
    said = debugger.block()
    if debugger.clang_version() == RECORDED_WITH:
        assert said == shown, "run docs/debugger.py"
    else:
        commands = re.compile(r"^\(gpusim\) .*$", re.MULTILINE)
        assert commands.findall(said) == commands.findall(shown)
