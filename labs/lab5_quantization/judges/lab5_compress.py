"""What the judges of P1 to P4, E8 and X share: seeded numbers, and the results that a given main program leaves."""
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong
from hpml_autograder.splitmix import GAMMA, outputs
from lab5_data import UNTOUCHED

HEADER = struct.Struct("<QQQ")  # length of the name, bytes of an element, number of elements
Results = dict[str, np.ndarray]
# A finding: a sentence that says what is wrong with some results, or "".
Finder = Callable[[Results, Sequence[str]], str]


def bits(seed: int, which: int, count: int) -> np.ndarray:
    """Numbers 0 to count - 1 of a stream: random_bits() of src/gpu/device.h and src/harness/compress_check.hpp."""
    return outputs(seed * GAMMA + which * 0xD1B54A32D192ED03, count)


def normal(seed: int, which: int, count: int, scale: float = 1.0) -> np.ndarray:
    """Nearly normal: sums of twelve uniform numbers, exact in double."""
    uniform = (bits(seed, which, 12 * count) >> np.uint64(40)).astype(np.float64) / (1 << 24)
    return ((uniform.reshape(count, 12).sum(axis=1) - 6) * scale).astype(np.float32)


def seeded(test: Test, context: Context, iteration: int) -> int:
    """1 for public data in feedback, else a hidden seed. Tests of an exercise share it, and so their runs."""
    if test.params.get("data") != "seeded" and not context.for_record:
        return 1
    return context.seed(replace(test, id=test.exercise), iteration) & 0xFFFFFFFF


def plan(test: Test, context: Context) -> list[Case]:
    return [Case(test.params["program"], f"{shape} {seeded(test, context, iteration)}", dump=True)
            for iteration, shape in enumerate(test.shapes)]


def read(path: Path) -> Results:
    """Raises ValueError when the file is cut off or holds what no harness writes."""
    data, at, found = path.read_bytes(), 0, {}
    kinds = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.float64}
    while at < len(data):
        if at + HEADER.size > len(data):
            raise ValueError("cut off")
        name_bytes, width, count = HEADER.unpack_from(data, at)
        at += HEADER.size
        end = at + name_bytes + width * count
        if end > len(data) or width not in kinds:
            raise ValueError("cut off")
        name = data[at:at + name_bytes].decode("ascii", "replace")
        found[name] = np.frombuffer(data, kinds[width], count, at + name_bytes)
        at = end
    return found


class Missing(Exception):
    """A result that is absent, or not of the expected size."""


def take(results: Results, name: str, count: int, kind: type = np.float32) -> np.ndarray:
    """One result as numbers of this kind. Raises Missing."""
    if name not in results:
        raise Missing(f"there is no result `{name}`")
    array = results[name]
    if array.size != count:
        raise Missing(f"`{name}` has {array.size} values, expected {count}")
    return array.view(kind) if array.dtype.itemsize == np.dtype(kind).itemsize and array.dtype != kind else array


def number(results: Results, name: str) -> float:
    return float(take(results, name, 1, np.float64)[0])


def differs(name: str, got: np.ndarray, expected: np.ndarray, tolerance: float = 0.0, before: float = np.nan) -> str:
    """The first element that is off by more than the tolerance, as a sentence; "" when there is none. before: what the given
    program has put there."""
    bad = ~(np.abs(got.astype(np.float64) - expected) <= tolerance)
    if not bad.any():
        return ""
    first = int(np.argmax(bad))
    return (f"{name}: {int(bad.sum())} of {expected.size} wrong; first [{first}]: expected {expected[first] + 0:.9g}, "
            f"got {got[first]:.9g}{UNTOUCHED if got[first] == before else ''}")


def judge(checked: str, find: Finder) -> Callable[[Test, Context, Sequence[Run]], Outcome]:
    """A judge that applies one finding to every run; the finding gets the results and the words of the arguments."""
    def judged(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        for run in runs:
            problem = trouble(run, context.spec.limits.wall_s)
            if problem:
                return problem
            try:
                sentence = find(read(run.dump), run.case.args.split()) if run.dump else "no results were written"
            except Missing as error:
                sentence = str(error)
            except ValueError:
                sentence = "the file of results is cut off"
            if sentence:
                return wrong(f"`{run.case}`: {sentence}", checked)
        return accepted(checked)
    return judged
