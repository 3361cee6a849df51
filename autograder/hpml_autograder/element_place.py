"""Where in the GPU's memory an element of a result lies, and which launches come before it is read: found by doing a run
again and comparing what it copies back with the result that it hands over."""
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .first_wrong import FirstWrong
from .paths import find_gpusim

LIMIT_S = 300  # of the run, and of doing it again


@dataclass(frozen=True)
class ElementPlace:
    address: int
    bytes: int
    launch: int  # the last one before the copy
    value: str   # of this run


@dataclass(frozen=True)
class Copied:
    """Bytes that the program could read of the GPU's memory."""
    content: bytes
    address: int
    width: int  # of a row
    pitch: int
    launches: int  # before it

    def address_of(self, offset: int) -> int:
        return self.address + offset // self.width * self.pitch + offset % self.width


def find(program: Path, wrong: FirstWrong, scratch: Path) -> ElementPlace | None:
    """None: the run does not end well, or its result is no copy of the GPU's memory."""
    import numpy
    recording, dump, report, metrics = (scratch / name for name in ("recording", "dump.bin", "report.json", "metrics.json"))
    gpusim, device = str(find_gpusim()), ["--gpu", wrong.gpu, "--mode", "functional"]
    env = os.environ | wrong.env | {"HPML_DUMP": str(dump)}
    for command in ([gpusim, "run", *device, "--record", str(recording), "--", str(program), *wrong.args.split()],
                    [gpusim, "replay", str(recording), *device, "--program", str(program), "--outputs", str(scratch),
                     "--report", str(report), "--metrics", str(metrics)]):
        try:
            subprocess.run(command, env=env, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           stdin=subprocess.DEVNULL, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return None
    if not all(file.is_file() for file in (dump, report, metrics)):
        return None
    launches = len(json.loads(metrics.read_text(encoding="utf-8"))["kernels"])
    copies = [_copied(entry, scratch, launches) for entry in json.loads(report.read_text(encoding="utf-8"))["transfers"]
              if "file" in entry]
    dtype = numpy.dtype(wrong.dtype)
    result = dump.read_bytes()
    offset = wrong.index * dtype.itemsize
    place = _place_of(result, offset, copies)
    if place is None or offset + dtype.itemsize > len(result) or place[1] < 1:
        return None
    value = numpy.frombuffer(result, dtype, 1, offset)[0]
    return ElementPlace(place[0], dtype.itemsize, place[1], f"{value:g}")


def _copied(entry: dict[str, Any], scratch: Path, launches: int) -> Copied:
    content = (scratch / Path(entry["file"]).name).read_bytes()
    width = entry.get("width") or max(len(content), 1)
    return Copied(content, entry["address"], width, entry.get("pitch") or width, entry.get("launches_before", launches))


def _place_of(result: bytes, offset: int, copies: Sequence[Copied]) -> tuple[int, int] | None:
    """Address and launches of a byte of the result: in the last copy that holds it whole, or in the last that follow each
    other and together begin with it."""
    for copy in reversed(copies):
        at = copy.content.find(result)
        if at >= 0:
            return copy.address_of(at + offset), copy.launches
    for first in reversed(range(len(copies))):
        done, found = 0, None
        for copy in copies[first:]:
            part = copy.content[:len(result) - done]
            if not part or part != result[done:done + len(part)]:
                break
            if done <= offset < done + len(part):
                found = copy.address_of(offset - done), copy.launches
            done += len(part)
            if done == len(result):
                return found
    return None
