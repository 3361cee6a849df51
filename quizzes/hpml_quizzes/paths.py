"""Where things lie."""
import os
from pathlib import Path

ROOM = Path(__file__).resolve().parent.parent
ROOT = ROOM.parent
BANK = ROOM / "bank"
SETS = ROOM / "sets"
OUTPUT = ROOT / "build/quizzes"
PAPER = ROOT / "build/paper"


def build_dir() -> Path:
    return Path(os.environ.get("HPML_BUILD_DIR", ROOT / "build/release"))


def relative(path: Path) -> str:
    """For messages: relative to where the user stands when that is shorter to read."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
