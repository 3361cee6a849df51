"""Do the workflows hold to what keeps CI safe (autograder specification, section 15), and does feedback.sh report rightly?"""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def without_publishing(text: str) -> str:
    """Without the rights of a job that publishes pages and does nothing else: no script, no checkout, one action."""
    job = re.search(r"^  publish:\n(?:(?:    .*)?\n)+", text, re.MULTILINE)
    if job is None:
        return text
    assert re.findall(r"- (?:uses: (\S+)@|(run))", job[0]) == [("actions/deploy-pages", "")]
    assert "if: github.ref_name == github.event.repository.default_branch\n" in job[0]
    return text.replace("    permissions:\n      pages: write\n      id-token: write\n", "")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_pinned_read_only_and_ends(path):
    text = path.read_text(encoding="utf-8")
    for action in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), f"{action}: pin it by commit"
    assert "permissions:\n  contents: read\n" in text and "write" not in re.sub(r"#.*", "", without_publishing(text))
    assert "pull_request_target" not in text
    assert text.count("persist-credentials: false") == text.count("actions/checkout@")
    jobs = re.findall(r"^  \w+:\n    runs-on:", text, re.MULTILINE)
    assert jobs and text.count("timeout-minutes:") == len(jobs)
    # An expression inside a script would paste somebody's words into a shell.
    scripts = re.findall(r"run: (?:\|\n(?:          .*\n|\n)+|.*\n)", text)
    assert scripts and not any("${{" in script for script in scripts)


def test_students_workflow_knows_no_secret():
    assert "secrets" not in (ROOT / ".github/workflows/autograde.yml").read_text(encoding="utf-8")


@pytest.fixture
def tree(tmp_path):
    """A checkout whose grader is a stand-in that copies a record and prints hostile words."""
    for folder in ("tools", "labs/lab9_x", "build"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "tools/feedback.sh", tmp_path / "tools")
    (tmp_path / "labs/lab9_x/lab.toml").touch()
    (tmp_path / "tools/hpml").write_text("#!/bin/bash\necho \"hpml $*\"\n", encoding="utf-8")
    (tmp_path / "tools/hpml").chmod(0o755)
    return tmp_path


def feedback(tree: Path, script: str) -> subprocess.CompletedProcess[str]:
    (tree / "tools/lab.sh").write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
    (tree / "tools/lab.sh").chmod(0o755)
    environment = {**os.environ, "GITHUB_STEP_SUMMARY": str(tree / "summary")}
    return subprocess.run([tree / "tools/feedback.sh"], env=environment, capture_output=True, text=True, check=False)


RECORD = 'mkdir -p build/results; echo \'"max_millipoints": 100\' >build/results/lab9.json; echo "::error::forged"'


def test_feedback_fences_a_students_words_and_writes_all_three(tree):
    done = feedback(tree, RECORD)
    assert done.returncode == 0
    stop, token = re.search(r"^(::stop-commands::(\w{32}))$", done.stdout, re.MULTILINE).groups()
    assert done.stdout.index(stop) < done.stdout.index("::error::forged") < done.stdout.index(f"::{token}::")
    assert "hpml emit github-annotations build/results/lab9.json" in done.stdout
    assert "hpml emit github-summary" in (tree / "summary").read_text(encoding="utf-8")


@pytest.mark.parametrize("script, status, words", [
    (f"{RECORD}; exit 1", 1, ""), (f"{RECORD}; exit 3", 3, ""), ("true", 3, "left no record"),
    (RECORD.replace("100", "0"), 3, "no points to give")])
def test_what_went_wrong_is_in_the_exit_code(tree, script, status, words):
    done = feedback(tree, script)
    assert done.returncode == status and words in done.stdout
