"""Is the list of what only FULL=1 runs true: does each entry name tests that exist, and does FULL=1 run them?"""
import os
import re
import subprocess
from pathlib import Path

import pytest
from hpml_check import depth, paths, steps

ROOT = Path(__file__).resolve().parents[2]


def test_every_entry_has_a_reason_of_some_words() -> None:
    for suite in depth.SUITES:
        for entry in depth.full_only(suite):
            assert len(entry.reason.split()) > 5, entry


def collected(files: list[str], full: bool) -> list[str]:
    """Names of tests as pytest gives them. A folder is named, because a file that is named is run whole at any depth."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "autograder"), depth.VARIABLE: "1" if full else "0"}
    ignored = [f"--ignore={path}" for folder in {str(Path(file).parent) for file in files}
               for path in (ROOT / folder).glob("test_*.py") if str(path.relative_to(ROOT)) not in files]
    folders = sorted({str(Path(file).parent) for file in files})
    done = subprocess.run([paths.PYTHON, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *ignored, *folders],
                          cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_every_entry_of_pytest_moves_tests_that_full_runs() -> None:
    entries = depth.full_only("pytest")
    files = sorted({entry.match.split("::")[0].replace("\\", "") for entry in entries})
    full, quick = collected(files, True), collected(files, False)
    assert set(quick) == {name for name in full if not depth.left_out(name, entries)}
    assert [entry.match for entry in entries if not any(entry.takes(name) for name in full)] == []


def test_every_entry_of_ctest_and_every_label_names_tests() -> None:
    build = ROOT / "build/release"
    if not (build / "CTestTestfile.cmake").is_file():
        pytest.skip("the C++ tests are not built")
    listed = subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"Test +#\d+: (\S+)", listed)
    assert [entry.match for entry in depth.full_only("ctest") if not any(entry.takes(name) for name in names)] == []
    labels = (ROOT / "simulator/tests/programs/CMakeLists.txt").read_text(encoding="utf-8")
    assert [entry.match for entry in depth.full_only("label") if f'({entry.match.removesuffix("$")} PARENT_SCOPE)' not in
            labels.replace("set(${variable} ", "(")] == []


def test_every_entry_of_steps_is_a_step_of_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(depth.VARIABLE, "1")
    full = [step.name for step in steps.steps()]
    monkeypatch.delenv(depth.VARIABLE)
    quick = [step.name for step in steps.steps()]
    entries = depth.full_only("step")
    assert quick == [name for name in full if not depth.left_out(name, entries)]
    assert [entry.match for entry in entries if not any(entry.takes(name) for name in full)] == []


def test_an_entry_without_a_reason_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth, "LIST", tmp_path / "full_only.toml")
    depth.LIST.write_text('[[pytest]]\nmatch = "x"\nreason = ""\n', encoding="utf-8")
    with pytest.raises(ValueError, match="needs both"):
        depth.full_only("pytest")


def test_the_nightly_workflow_runs_full() -> None:
    assert "FULL=1" in (ROOT / ".github/workflows/nightly.yml").read_text(encoding="utf-8")
