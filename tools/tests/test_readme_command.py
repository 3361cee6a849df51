"""The README's first command does what the README says it does."""
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("more, points", [("TEST=A1", 5), ("", 100)], ids=["of_one_exercise", "of_the_whole_lab"])
def test_first_command_of_the_readme_gives_full_marks(more: str, points: int) -> None:
    command = re.search(r"^    (make lab3 test .*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert command is not None, "the README shows no `make lab3 test` command"
    # As a person would: not as a part of the `make check` that runs this test.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    done = subprocess.run([*command.group(1).split(), *more.split()], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert f"Total: {points} of {points} points" in done.stdout
