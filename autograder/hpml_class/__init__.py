"""What happens around grading: batches, records for each audience and platform, class report, release, regrade."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "common/gradebook"))  # hpml_gradebook, which quizzes use as well
