"""Where things lie."""
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
ROOT = TOOLS.parent
LOGS = ROOT / "build/check"
PYTHON = "/usr/bin/python3"
