"""The data that the harness of a lab gives its CUDA programs to compute with, as the lab describes it (DATA of
judges/checks.py).

A recording may tell more than the data: which kernel is launched, where a fill begins, what a parameter says. A host that
has computed the result can hand it over that way, a few bits at a time. So for a score of record the recorded work is done
again with other data in the place of the given: what the recording knows of the given result says nothing of the other."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
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
        import numpy
        least = launches if self.after_last_launch else 0
        paths = [copy.path for copy in copies if copy.launches_before >= least]
        largest = float(max(1.0, numpy.abs(self.values).max(initial=0))) if self.tolerance else 0.0
        return any(self._begins_at(paths, first, self.tolerance * largest) for first in range(len(paths)))

    def _begins_at(self, paths: Sequence[Path], at: int, bound: float) -> bool:
        """Looks no further than to the first copy that differs: a program may make very many small ones."""
        import numpy
        left, rest = self.values.reshape(-1), b""  # rest: of a value that a copy has cut
        while left.size and at < len(paths):
            with paths[at].open("rb") as file:
                part = rest + file.read(left.nbytes - len(rest))
            whole = len(part) // left.itemsize
            rest = part[whole * left.itemsize:]
            if whole and not _near(numpy.frombuffer(part, left.dtype, whole), left[:whole], bound):
                return False
            left, at = left[whole:], at + 1
        return not left.size


@dataclass(frozen=True)
class Changed:
    """What the GPU's memory must hold where a way of numbers is changed: `count` floats that are `right`, in one copy to the host or
    in some that follow each other."""
    count: int
    right: Callable[["numpy.ndarray"], bool]

    def is_in(self, copies: Sequence[Copy], launches: int) -> bool:
        import numpy
        needed = self.count * numpy.dtype(numpy.float32).itemsize
        for first in range(len(copies)):
            content = b""
            for copy in copies[first:]:
                with copy.path.open("rb") as file:
                    content += file.read(needed - len(content))
                if len(content) >= needed:
                    break
            if len(content) == needed and self.right(numpy.frombuffer(content, numpy.float32)):
                return True
        return False


def _near(got: "numpy.ndarray", wanted: "numpy.ndarray", bound: float) -> bool:
    """NaN is no match. A difference of small integers would not fit their type."""
    import numpy
    return bool((got == wanted if not bound else numpy.abs(got.astype(float) - wanted) <= bound).all())


@dataclass(frozen=True)
class Data:
    """inputs: what an honest program of a case uploads; None: anything. other: the same case with data of the same shapes
    that a 64-bit seed decides; it must not hold a run of 64 zero bytes where the given data has none, nor the reverse.
    result: what comes of the data of a case. Without `other` a recording is done again with the given data only.
    repeats: whether the launches of a case are made twice, and the second time counts: what the first leaves is taken away.
    technique: what `gpusim replay` changes of the way that the result of a case must have taken (("--perturb", "shared:KEY")), and
    what the GPU's memory must hold then; None: any way will do. Its second argument is a seed that the program never hears of. Counters
    cannot tell instructions that are executed for show."""
    inputs: Callable[[Case], list[bytes] | None] = lambda case: None
    other: Callable[[Case, int], Case] | None = None
    result: Callable[[Case], Expected] | None = None
    repeats: Callable[[Case], bool] = lambda case: False
    technique: Callable[[Case, int], "tuple[tuple[str, str], Expected | Changed] | None"] = lambda case, seed: None
