"""The data that the harness of a lab gives its CUDA programs to compute with, as the lab describes it (DATA of
judges/checks.py).

A recording may tell more than the data: which kernel is launched, where a fill begins, what a parameter says. A host that
has computed the result can hand it over that way, a few bits at a time. So for a score of record the recorded work is done
again with other data in the place of the given: what the recording knows of the given result says nothing of the other."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .case import Case, Copy

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class Expected:
    """What the GPU's memory must hold: `values` in their type, in order; each within tolerance * the largest of them."""
    values: "numpy.ndarray"
    tolerance: float = 0.0
    after_last_launch: bool = False

    def is_in(self, copies: Sequence[Copy], launches: int) -> bool:
        """In one copy to the host, or in some that follow each other. launches: of the whole run."""
        least = launches if self.after_last_launch else 0
        paths = [copy.path for copy in copies if copy.launches_before >= least]
        return any(self._matches(b"".join(_read(paths[first:], self.values.nbytes))) for first in range(len(paths)))

    def _matches(self, content: bytes) -> bool:
        import numpy
        if len(content) != self.values.nbytes:
            return False
        got, wanted = numpy.frombuffer(content, self.values.dtype), self.values.reshape(-1)
        bound = self.tolerance * float(max(1.0, numpy.abs(wanted).max(initial=0))) if self.tolerance else 0.0
        return bool((numpy.abs(got - wanted) <= bound).all())  # NaN is no match


@dataclass(frozen=True)
class Data:
    """inputs: what an honest program of a case uploads; None: anything. other: the same case with data of the same shapes
    that a 64-bit seed decides; it must not hold a run of 64 zero bytes where the given data has none, nor the reverse.
    result: what comes of the data of a case. Without `other` a recording is done again with the given data only.
    repeats: whether the launches of a case are made twice, and the second time counts: what the first leaves is taken away."""
    inputs: Callable[[Case], list[bytes] | None] = lambda case: None
    other: Callable[[Case, int], Case] | None = None
    result: Callable[[Case], Expected] | None = None
    repeats: Callable[[Case], bool] = lambda case: False


def _read(paths: Sequence, count: int) -> list[bytes]:
    parts = []
    for path in paths:
        if count == 0:
            break
        with path.open("rb") as file:
            parts.append(file.read(count))
        count -= len(parts[-1])
    return parts
