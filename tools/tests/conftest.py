"""The tools are scripts, not a package: tests import them from their folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
