"""Quizzes whose answers are computed: templates, draws, validator, exporters, grader."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "common/gradebook"))  # hpml_gradebook, which labs use as well
