"""Do the files around the grader give each platform its results where it looks for them?"""
import json
import os
import shutil
import subprocess

import pytest
from class_kit import GRADER, Class
from hpml_autograder.paths import ROOT

PLATFORMS = ROOT / "autograder/platforms"


@pytest.fixture
def klass(tmp_path):
    return Class(tmp_path)


def run(klass, command, **environment) -> subprocess.CompletedProcess[str]:
    options = f"--grader {GRADER} --cuda clang"
    return subprocess.run(command, env={**klass.environment(), "HPML_GRADE_OPTIONS": options, **environment}, check=False,
                          cwd=klass.folder, capture_output=True, text=True)


@pytest.mark.parametrize("line, status, score", [("points 1500", 0, 1.5), ("infra", 3, None)])
def test_gradescope_finds_its_results_and_no_score_where_there_is_none(klass, line, status, score):
    base = klass.folder / "autograder"
    for name in ("source", "results"):
        (base / name).mkdir(parents=True)
    os.symlink(ROOT, base / "source/hpml")
    (base / "source/LAB").write_text("lab3\n", encoding="utf-8")
    shutil.move(klass.add("submission", line), base / "submission")
    done = run(klass, [PLATFORMS / "gradescope/run_autograder"], AUTOGRADER=str(base))
    assert done.returncode == status, done.stderr
    results = base / "results/results.json"
    assert (json.loads(results.read_text(encoding="utf-8"))["score"] if score else results.exists()) == (score or False)
    assert (base / "results").stat().st_mode & 0o007 == 0


def test_autolab_reads_its_scores_from_the_last_line(klass):
    os.symlink(ROOT, klass.folder / "hpml")
    klass.add("handin", "points 1500")
    done = run(klass, ["make", "-s", "-f", PLATFORMS / "autolab/Makefile", "LAB=lab3", "HANDIN=sub/handin"])
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert sum(json.loads(line)["scores"].values()) == 1.5
    klass.add("handin", "infra")
    shutil.rmtree(klass.folder / "results")
    done = run(klass, ["make", "-s", "-f", PLATFORMS / "autolab/Makefile", "LAB=lab3", "HANDIN=sub/handin"])
    assert done.returncode != 0 and done.stdout == ""


def test_prairielearn_finds_its_results(klass):
    base = klass.folder / "grade"
    base.mkdir()
    shutil.move(klass.add("student", "points 1000000"), base / "student")
    done = run(klass, [PLATFORMS / "prairielearn/run.sh"], GRADE=str(base), LAB="lab3")
    assert done.returncode == 0, done.stderr
    assert json.loads((base / "results/results.json").read_text(encoding="utf-8"))["score"] == 1.0
    options = json.loads((PLATFORMS / "prairielearn/info.json").read_text(encoding="utf-8"))["externalGradingOptions"]
    assert options["timeout"] <= 600 and options["enableNetworking"] is False
