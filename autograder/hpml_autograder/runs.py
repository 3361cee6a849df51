"""Runs as files: what a ledger keeps of them, and reads again."""
from pathlib import Path
from typing import Any

from . import metrics
from .case import Case, Copy, Run

DUMP, METRICS = "dump.bin", "metrics.json"


def to_table(run: Run, place: Path) -> dict[str, Any]:
    """A run as its file holds it; the metrics stay in theirs."""
    metrics_file = next((file for file in (place / "replay" / METRICS, place / METRICS) if file.is_file()), None)
    return {"case": str(run.case), "state": run.state, "code": run.code, "stdout": run.stdout, "stderr": run.stderr,
            "problem": run.problem, "wall_s": run.wall_s, "dump": run.dump is not None,
            "metrics": str(metrics_file.relative_to(place)) if run.metrics is not None and metrics_file else "",
            "results": None if run.results is None else [[copy.path.name, copy.launches_before] for copy in run.results],
            "other_data": run.other_data, "left_over": run.left_over, "run_again": run.run_again,
            "by_technique": run.by_technique}


def run_from(table: dict[str, Any], case: Case, place: Path) -> Run:
    results = table["results"]
    return Run(case, table["state"], table["code"], table["stdout"], table["stderr"],
               metrics.load(place / table["metrics"]) if table["metrics"] else None,
               place / DUMP if table["dump"] else None, table["problem"], table["wall_s"],
               None if results is None else tuple(Copy(place / "replay" / name, before) for name, before in results), table["other_data"],
               table["left_over"], table["by_technique"], table["run_again"])
