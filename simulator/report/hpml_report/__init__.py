"""Reports of what ran on the simulated GPU: pure functions of metrics.json (schema gpusim/metrics/v1)."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "metrics"))  # hpml_metrics, which reads metrics.json
