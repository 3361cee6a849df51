import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
for folder in ("autograder", "labs/lab6_chatbot/judges", "labs/lab6_chatbot/bench"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))
