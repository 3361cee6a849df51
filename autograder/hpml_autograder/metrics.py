"""What the simulator wrote about one run: metrics.json as simulator/metrics reads it, with the grader's errors."""
import sys
from pathlib import Path
from typing import Any

from . import untrusted
from .errors import InfraError
from .paths import ROOT

sys.path.append(str(ROOT / "simulator/metrics"))

from hpml_metrics import banks, document  # noqa: E402  (the path comes first)
from hpml_metrics.document import ApiCall, BadMetrics, BankConflict, Copy, LineAccess  # noqa: E402

Metrics = document.Document
MOST_BYTES = 16 << 20  # read at once, in some ten times the memory
__all__ = ["ApiCall", "BankConflict", "Copy", "Kernel", "LineAccess", "Metrics", "banks", "load", "parse"]


class Kernel(document.Launch):
    def metric(self, counter: str) -> float:
        """Raises InfraError: a judge that asks for what is not counted is our fault, not the student's."""
        try:
            return super().metric(counter)
        except BadMetrics as error:
            raise InfraError(str(error)) from error


def parse(table: dict[str, Any]) -> Metrics:
    """Raises InfraError when the file is not what the contract says."""
    try:
        return document.parse(table, launch=Kernel)
    except BadMetrics as error:
        raise InfraError(str(error)) from error


def load(path: Path) -> Metrics:
    """Raises InfraError when the file cannot be read, is not what the contract says, or is no file but a link or a pipe;
    untrusted.TooLong for one of a run that did more than any exercise asks for."""
    try:
        return document.loads(untrusted.read(path, MOST_BYTES), path, Kernel)
    except untrusted.TooLong:
        raise
    except untrusted.Refused as error:
        raise InfraError(str(error)) from error
    except BadMetrics as error:
        raise InfraError(str(error)) from error
