"""A grading that is killed, at any moment, goes on where it stopped and ends with the record it would have had."""
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hpml_autograder import pipeline, record, sandbox
from hpml_autograder.errors import InfraError
from hpml_autograder.ledger import Ledger
from hpml_autograder.paths import ROOT

strong = pytest.mark.skipif(sandbox.detect().level < "L3", reason="a score of record needs root and bubblewrap")
STAGES = ("collect", "stage", "build/vecaddcpu", "gate", "check", "score")
GRADE = """import sys
from pathlib import Path
from hpml_autograder import pipeline

pipeline.grade(pipeline.Request("lab3", solution=True, cuda="clang", only="B1.format", trusted=True),
               scratch=Path(sys.argv[1]))
"""


def request(**changes) -> pipeline.Request:
    return pipeline.Request("lab3", solution=True, cuda="clang", only="B1.format", trusted=True, **changes)


def sealed(graded: pipeline.Graded) -> str:
    return record.make_record(graded, {})["record_sha256"]


def start(folder: Path) -> subprocess.Popen:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "autograder")}
    return subprocess.Popen([sys.executable, "-c", GRADE, str(folder)], env=environment, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


@strong
def test_every_stage_leaves_a_file_with_a_schema(tmp_path):
    graded = pipeline.grade(request(), scratch=tmp_path / "grading")
    for stage in STAGES:
        table = json.loads((tmp_path / "grading" / "ledger" / f"{stage}.json").read_text(encoding="utf-8"))
        assert table["schema"] == f"hpml.{stage.split('/')[0]}/v1" and table["key"]
    runs = list((tmp_path / "grading" / "ledger" / "work").glob("*/run.json"))
    assert len(runs) == len(graded.runner.runs) > 0


@strong
def test_what_is_there_is_used_again(tmp_path, monkeypatch):
    first = pipeline.grade(request(), scratch=tmp_path / "grading")

    def never(*arguments, **more):
        raise AssertionError("it was compiled or run again")

    monkeypatch.setattr(sandbox, "run", never)
    assert sealed(pipeline.grade(request(), scratch=tmp_path / "grading")) == sealed(first)


@strong
def test_another_hand_in_or_key_uses_nothing_of_it(tmp_path):
    first = pipeline.grade(request(), scratch=tmp_path / "grading")
    other = pipeline.grade(request(key=b"another"), scratch=tmp_path / "grading")
    assert first.context.stage_key != other.context.stage_key
    assert all(run.wall_s > 0 for run in other.runner.runs.values())


@strong
def test_killing_the_grader_anywhere_loses_nothing(tmp_path):
    whole = sealed(pipeline.grade(request(), scratch=tmp_path / "whole"))
    chance = random.Random(7)
    for attempt in range(6):
        folder = tmp_path / f"killed{attempt}"
        for _ in range(2):
            process = start(folder)
            time.sleep(chance.uniform(0.2, 4))
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert sealed(pipeline.grade(request(), scratch=folder)) == whole


def test_a_stage_file_that_is_damaged_counts_as_absent(tmp_path):
    ledger = Ledger(tmp_path)
    ledger.put("gate", "key", {"violations": {}})
    assert ledger.get("gate", "key") is not None and ledger.get("gate", "other") is None
    for content in ("", "{", "[]", "{\"key\": 1}"):
        (tmp_path / "ledger" / "gate.json").write_text(content, encoding="utf-8")
        assert ledger.get("gate", "key") is None


def test_a_score_of_record_is_refused_without_a_sandbox(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "detect", lambda: sandbox.Protection(False, None, False, "none"))
    with pytest.raises(InfraError, match="a score of record of lab3 asks for sandbox level L3"):
        pipeline.grade(request(), scratch=tmp_path)
