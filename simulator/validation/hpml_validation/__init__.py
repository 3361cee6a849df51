"""Runs the microbenchmarks of this room and compares them with published measurements."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "metrics"))  # hpml_metrics, which reads metrics.json
