#!/usr/bin/python3
"""What `gpusim roofline` and `gpusim profile` run; see hpml_report/cli.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from hpml_report.cli import main  # noqa: E402  (the path comes first)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
