"""What the simulator wrote about one run, as typed views. The form of the file is ../gpusim.metrics.v1.json."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "gpusim/metrics/v1"
FLOPS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"


class BadMetrics(Exception):
    """The file is not what its schema says, or lacks a counter. One line: what, where, how to mend."""


@dataclass(frozen=True)
class BankConflict:
    """One request for shared memory whose lanes meet in a bank."""
    bytes: int                      # of each lane's access
    words: tuple[int | None, ...]   # by lane: the 4-byte word at which it begins; None: the lane is inactive


@dataclass(frozen=True)
class LineAccess:
    """What the instructions of one source line asked of one memory."""
    file: str
    line: int
    space: str  # global, shared, local
    op: str     # ld, st, atom
    requests: int
    parts: int  # sectors of 32 bytes; shared: passes through the banks
    ideal: int  # if all bytes lay side by side; shared: without conflicts
    stride: int | None  # bytes between neighbouring threads, where it is always the same
    conflict: BankConflict | None = None

    @property
    def excess(self) -> int:
        return self.parts - self.ideal

    @property
    def bytes_per_thread(self) -> int:
        """Of global memory, when all 32 threads of every warp take part; else less, rounded."""
        return round(self.ideal / self.requests) if self.space != "shared" else 0


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel."""
    name: str  # as people write it
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    duration_us: float
    sampled: bool
    metrics: dict[str, float]  # by the names of ../counters.tsv
    lines: tuple[LineAccess, ...] = ()
    library: bool = False  # of a library (cuDNN, cuBLAS, ...): modelled from its work, no code was executed
    start_us: float = 0.0
    cycles: int = 0
    sampled_fraction: float = 1.0
    estimated: bool = False  # nothing was timed
    registers: int = 0
    shared_bytes: int = 0
    warp_instructions: int = 0
    thread_instructions: int = 0
    stream: int = 0
    device: int = 0
    stalls: dict[str, float] = field(default_factory=dict)
    roofline: dict[str, dict[str, float]] = field(default_factory=dict)

    def known(self, counter: str) -> float | None:
        """None where it was not counted: a missing number, never a zero."""
        value = self.metrics.get(counter)
        return None if value is None else float(value)

    def metric(self, counter: str) -> float:
        """Raises BadMetrics where it was not counted."""
        if counter not in self.metrics:
            raise BadMetrics(f"metrics.json has no metric '{counter}' for kernel {self.name}")
        return self.metrics[counter]

    def executed(self, *operations: str) -> float:
        """How often threads executed these operations: fadd, fmul, ffma, dadd, dmul, dfma, ..."""
        return sum(self.metric(FLOPS.format(name)) for name in operations)


@dataclass(frozen=True)
class ApiCall:
    name: str
    duration_us: float
    result: str  # "cudaSuccess", "cudaErrorInvalidValue", ...
    start_us: float = 0.0
    detail: str = ""  # the kernel of a launch, the direction of a copy

    @property
    def failed(self) -> bool:
        return self.result not in ("cudaSuccess", "cudaErrorNotReady")


@dataclass(frozen=True)
class Copy:
    """A copy, a fill or a prefetch."""
    kind: str  # HtoD, DtoH, DtoD, HtoH, memset, prefetch
    bytes: int
    duration_us: float = 0.0
    start_us: float | None = None  # a replay does not know it
    stream: int = 0
    device: int = 0


@dataclass(frozen=True)
class Document:
    gpu: str  # names with commas between, by device
    kernels: tuple[Launch, ...]
    copies: tuple[Copy, ...]
    api: tuple[ApiCall, ...]
    unified: dict[str, Any]
    leaks: tuple[int, ...]  # bytes of each allocation that was never freed
    file: Path | None = field(default=None, compare=False)  # where it was read
    mode: str = "auto"
    fills: tuple[Copy, ...] = ()
    prefetches: tuple[Copy, ...] = ()
    faults: tuple[str, ...] = ()  # of kernels that were ended by one
    end_us: float | None = None   # a replay does not know it

    def calls(self, name: str) -> list[ApiCall]:
        return [call for call in self.api if call.name == name]

    def total(self, counter: str) -> float:
        return sum(kernel.metric(counter) for kernel in self.kernels)

    def executed(self, *operations: str) -> float:
        return sum(kernel.executed(*operations) for kernel in self.kernels)


def load(path: Path, launch: type[Launch] = Launch) -> Document:
    """Raises BadMetrics. Launches are objects of `launch`, a subclass with views of the reader's own."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error.strerror) from None
    return loads(content, path, launch)


def loads(content: bytes, path: Path, launch: type[Launch] = Launch) -> Document:
    """The content of a metrics file; path: where it was read. Raises BadMetrics."""
    try:
        table = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise _unreadable(path, "not a text file") from None
    except json.JSONDecodeError as error:
        raise BadMetrics(f"{path}:{error.lineno}:{error.colno}: is not JSON: {error.msg}; "
                         "write it again with `gpusim run --metrics FILE`") from None
    return parse(table, path, launch)


def _unreadable(path: Path, why: str | None) -> BadMetrics:
    return BadMetrics(f"{path}: cannot be read: {why}; metrics files are written by `gpusim run --metrics FILE`")


def parse(table: Any, path: Path | None = None, launch: type[Launch] = Launch) -> Document:
    """Raises BadMetrics."""
    where = str(path) if path else "metrics.json"
    again = "write the file again with `gpusim run --metrics FILE`"
    schema = table.get("schema") if isinstance(table, dict) else None
    if schema != SCHEMA:
        raise BadMetrics(f"{where}: schema is {schema!r}, expected {SCHEMA!r}: not a file of `gpusim run --metrics`")
    try:
        return _document(table, path, launch)
    except KeyError as error:
        raise BadMetrics(f"{where}: lacks {error}: {again}") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise BadMetrics(f"{where}: has a value of the wrong kind ({error}): {again}") from None


def _document(table: dict[str, Any], path: Path | None, launch: type[Launch]) -> Document:
    end_us = table.get("end_us")
    return Document(
        gpu=str(table["gpu"]), mode=str(table["mode"]), kernels=tuple(_launch(k, launch) for k in table["kernels"]),
        copies=tuple(map(_copy, table["memcpy"])), fills=tuple(map(_copy, table["memset"])),
        prefetches=tuple(map(_copy, table["prefetch"])), api=tuple(map(_call, table["api"])),
        unified=dict(table["unified_memory"]), faults=tuple(map(str, table["faults"])),
        leaks=tuple(int(leak["bytes"]) for leak in table["leaks"]), end_us=None if end_us is None else float(end_us),
        file=path)


def _launch(entry: dict[str, Any], launch: type[Launch]) -> Launch:
    library = bool(entry.get("library", False))  # of which no code ran: it has no lines, and nothing was sampled
    return launch(
        name=str(entry["demangled"]), grid=_triple(entry["grid"]), block=_triple(entry["block"]),
        start_us=float(entry["start_us"]), duration_us=float(entry["duration_us"]), cycles=int(entry["cycles"]),
        sampled=bool(entry["sampled"]), sampled_fraction=1.0 if library else float(entry["sampled_fraction"]),
        estimated=bool(entry["estimated"]), registers=int(entry["registers"]), shared_bytes=int(entry["shared_bytes"]),
        warp_instructions=int(entry["warp_instructions"]), thread_instructions=int(entry["thread_instructions"]),
        stream=int(entry["stream"]), device=int(entry["device"]), metrics=dict(entry["metrics"]),
        stalls=dict(entry["stalls"]), roofline={part: dict(values) for part, values in entry["roofline"].items()},
        lines=() if library else tuple(map(_line, entry["lines"])), library=library)


def _line(entry: dict[str, Any]) -> LineAccess:
    parts = "wavefronts" if entry["space"] == "shared" else "sectors"
    stride = entry["lane_stride_bytes"]
    return LineAccess(str(entry["file"]), int(entry["line"]), str(entry["space"]), str(entry["op"]),
                      int(entry["requests"]), int(entry[parts]), int(entry[f"ideal_{parts}"]),
                      None if stride is None else int(stride), _conflict(entry.get("bank_conflict")))


def _conflict(entry: dict[str, Any] | None) -> BankConflict | None:
    if entry is None:
        return None
    return BankConflict(int(entry["bytes"]), tuple(None if word is None else int(word) for word in entry["words"]))


def _copy(entry: dict[str, Any]) -> Copy:
    start_us = entry.get("start_us")
    return Copy(str(entry["kind"]), int(entry["bytes"]), float(entry["duration_us"]),
                None if start_us is None else float(start_us), int(entry.get("stream", 0)), int(entry.get("device", 0)))


def _call(entry: dict[str, Any]) -> ApiCall:
    return ApiCall(str(entry["name"]), float(entry["duration_us"]), str(entry["result"]), float(entry["start_us"]),
                   str(entry.get("detail", "")))


def _triple(values: list[int]) -> tuple[int, int, int]:
    x, y, z = values
    return int(x), int(y), int(z)
