"""Makes the modules of the judges and of the grader known to the tests."""
import sys
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent
for folder in (LAB / "judges", LAB / "bench", LAB / "staff", LAB.parent.parent / "autograder"):
    sys.path.insert(0, str(folder))
