"""Answers of answers.toml: computed keys."""
from collections.abc import Callable, Sequence
from typing import Any

from hpml_autograder.lab import Context, Outcome, Run, Test, accepted, read_table, wrong
from lab5_resnet import load

SCHEMA = "hpml.lab5.answers/v1"
FLOAT_BYTES = 4


def keys() -> dict[str, Any]:
    """Of the exercises E1 to E7."""
    net = load()
    folded = FLOAT_BYTES * sum(node.q.size + node.bias.size for node in net.nodes)
    return {
        "e3_one_outlier_in_million": "min_max",  # tests/test_lab5_numbers.py computes all three
        "e3_one_outlier_in_100000_total": "mse",
        "e3_one_outlier_in_100000_inliers": "kl",
        "e5_bytes": net.bytes,
        "e5_ratio": round(folded / net.bytes, 2),
        "e6_largest_pair": 255 * 127 * 2,
        "e6_safe_k": (2 ** 31 - 1) // (255 * 128),
    }


def question(*names: str) -> Callable[[Test, Context, Sequence[Run]], Outcome]:
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        table = read_table(context.src, SCHEMA)
        if isinstance(table, str):
            return wrong(table, ", ".join(names))
        for name in names:
            got = table.get(name)
            if type(got) not in (int, float, str) or got != keys()[name]:
                return wrong(f"{name}: {str(got)[:60]!r} is not right", ", ".join(names))
        return accepted(", ".join(names))
    return judge
