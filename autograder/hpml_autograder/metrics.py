"""What the simulator wrote about one run: metrics.json as simulator/metrics reads it, with the grader's errors."""
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from . import untrusted
from .errors import InfraError
from .paths import ROOT

sys.path.append(str(ROOT / "simulator/metrics"))

from hpml_metrics import banks, document  # noqa: E402  (the path comes first)
from hpml_metrics.document import ApiCall, BadMetrics, BankConflict, Copy, LineAccess  # noqa: E402

Metrics = document.Document
MOST_BYTES = 4 << 20   # read at once, in some ten times the memory; of honest runs the largest have a tenth of it
KEPT_BYTES = 8 << 20   # of all runs of a grading, that stay in memory; others are read again when a judge asks
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
    untrusted.TooLong for one of a run that did more than any exercise asks for. The file must stay as long as the result: a
    hand-in has dozens of runs, which do not have to fit into memory together."""
    _kept.put(path, _read(path))
    return cast(Metrics, _Stored(path))


def _read(path: Path) -> tuple[Metrics, int]:
    """And the size of its file."""
    try:
        content = untrusted.read(path, MOST_BYTES)
        return document.loads(content, path, Kernel), len(content)
    except untrusted.TooLong:
        raise
    except untrusted.Refused as error:
        raise InfraError(str(error)) from error
    except BadMetrics as error:
        raise InfraError(str(error)) from error


class _Kept:
    """The documents that were asked for last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[Path, tuple[Metrics, int]] = {}  # in order of use

    def put(self, path: Path, document_and_size: tuple[Metrics, int]) -> None:
        with self._lock:
            self._found.pop(path, None)
            self._found[path] = document_and_size
            while len(self._found) > 1 and sum(size for _, size in self._found.values()) > KEPT_BYTES:
                del self._found[next(iter(self._found))]

    def get(self, path: Path) -> Metrics:
        found = self._found.get(path) or _read(path)
        self.put(path, found)
        return found[0]


_kept = _Kept()


@dataclass(frozen=True)
class _Stored:
    """Stands for the document in a file."""
    _path: Path

    def __getattr__(self, name: str) -> Any:
        return getattr(_kept.get(self._path), name)
