"""What a student's own repository can forge is feedback: no workflow takes a score from there, or gives it a secret."""
import re
from pathlib import Path

import pytest

WORKFLOWS = Path(__file__).resolve().parents[2] / ".github" / "workflows"
NAMES = sorted(path.name for path in WORKFLOWS.glob("*.yml"))


@pytest.mark.parametrize("name", NAMES)
def test_no_workflow_runs_foreign_code_with_rights(name):
    text = (WORKFLOWS / name).read_text(encoding="utf-8")
    assert "pull_request_target" not in text and "workflow_run" not in text
    assert re.search(r"^permissions:\n  contents: read\n", text, re.MULTILINE)
    for job in re.split(r"^  (?=\w+:\n    runs-on:)", text, flags=re.MULTILINE):
        if re.search(r":\s*write\b", job):  # it may publish what another job has made, and starts nothing of the tree
            assert not re.search(r"\brun:|actions/checkout|github\.event\.pull_request", job)
            assert "default_branch" in job
    for action in re.findall(r"uses:\s*(\S+)", text):
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action) or action.startswith("./"), action


@pytest.mark.parametrize("name", [name for name in NAMES if name != "score_of_record.yml"])
def test_a_workflow_that_students_start_has_no_secret(name):
    assert "secrets." not in (WORKFLOWS / name).read_text(encoding="utf-8")


def test_the_score_of_record_takes_nothing_from_a_students_repository():
    text = (WORKFLOWS / "score_of_record.yml").read_text(encoding="utf-8")
    events = text.split("\non:\n", 1)[1].split("\npermissions:", 1)[0]
    assert re.findall(r"^  (\w+):", events, re.MULTILINE) == ["workflow_dispatch"]
    assert "download-artifact" not in text and "actions/cache" not in text
    assert not [line for line in text.splitlines() if "${{ inputs" in line and "run:" in line]  # no word of a script
    assert text.count("uses: actions/checkout") == 1 and not re.search(r"^\s+repository:", text, re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_what_student_code_prints_reaches_no_command_file(name):
    for line in (WORKFLOWS / name).read_text(encoding="utf-8").splitlines():
        assert not re.search(r">>?\s*\"?\$\{?GITHUB_(ENV|PATH)", line)
