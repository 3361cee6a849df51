"""Python sources are read in the grader's own process: none may stop it."""
import ast

import lab1_policy as policy
import pytest


@pytest.mark.parametrize("text", ["x = 1" + " + 1" * 20000, "x = " + "-" * 60000 + "1", "x = a" + ".b" * 30000, "x = (", "\0", "é = '",
                                  "x = f" + "()" * 30000])
def test_a_source_that_cannot_be_read_holds_nothing(text, tmp_path):
    path = tmp_path / "dp4.py"
    path.write_text(text, encoding="latin-1")
    assert policy.read_python(path).body == []


def test_any_other_is_read(tmp_path):
    path = tmp_path / "dp4.py"
    path.write_text("def dp(N, A, B):\n    return 0\n", encoding="utf-8")
    assert isinstance(policy.read_python(path).body[0], ast.FunctionDef)
