"""Figures of the reference solution, written by `hpml_autograder reference lab4`."""
import json
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "reference" / "training.json"


def losses() -> dict[str, float]:
    """By remedy."""
    return json.loads(FILE.read_text(encoding="utf-8"))["losses"]
