"""Runs of a series, and what they have left."""
from collections.abc import Sequence
from typing import Any

import lab4_waiting as waiting
from hpml_autograder.lab import Case, Run, Runner
from lab4_observation import Observation


def observed(runner: Runner, cases: Sequence[Case]) -> list[Observation | None]:
    """None of a case that cannot run or did not end well."""
    wanted = [runner.resolve(case) for case in cases]
    runs = runner.run_all([case for case in wanted if runner.can_run(case)])
    return [_observation(runs[case]) if case in runs else None for case in wanted]


def _observation(run: Run) -> Observation | None:
    return None if run.dump is None or run.state != "exit" or run.code else waiting.load(run.dump)


def records(runner: Runner, cases: Sequence[Case]) -> list[dict[int, dict[int, dict[str, Any]]] | None]:
    """By cell and rank."""
    return [found and {cell: found.all_json(cell) for cell in sorted({cell for cell, _, _ in found.records})}
            for found in observed(runner, cases)]


def seconds(by_rank: dict[int, dict[str, Any]]) -> float:
    return max(one["end"] for one in by_rank.values()) - min(one["begin"] for one in by_rank.values())
