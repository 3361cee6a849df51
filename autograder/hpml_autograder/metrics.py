"""What the simulator wrote about one run: metrics.json, schema gpusim/metrics/v1, as typed views."""
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .errors import InfraError

SCHEMA = "gpusim/metrics/v1"


@dataclass(frozen=True)
class LineAccess:
    """What the instructions of one source line asked of one memory."""
    file: str
    line: int
    space: str  # global, shared, local
    op: str     # ld, st, atom
    requests: int
    parts: int  # sectors; shared: passes through the banks
    ideal: int  # if all bytes lay side by side; shared: without conflicts
    stride: int | None  # bytes between neighbouring threads, where it is always the same

    @property
    def excess(self) -> int:
        return self.parts - self.ideal

    @property
    def bytes_per_thread(self) -> int:
        """Of global memory, when all 32 threads of every warp take part; else less, rounded."""
        return round(self.ideal / self.requests) if self.space != "shared" else 0


@dataclass(frozen=True)
class Kernel:
    name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    duration_us: float
    sampled: bool
    metrics: dict[str, float]
    lines: tuple[LineAccess, ...] = ()
    library: bool = False  # of cuDNN or cuBLAS

    def metric(self, name: str) -> float:
        if name not in self.metrics:
            raise InfraError(f"metrics.json has no metric '{name}' for kernel {self.name}")
        return self.metrics[name]

    def executed(self, *operations: str) -> float:
        """How often threads executed these operations: fadd, fmul, ffma, dadd, dmul, dfma, ..."""
        return sum(self.metric(f"smsp__sass_thread_inst_executed_op_{name}_pred_on.sum") for name in operations)


@dataclass(frozen=True)
class ApiCall:
    name: str
    duration_us: float
    result: str  # "cudaSuccess", "cudaErrorInvalidValue", ...
    start_us: float = 0.0

    @property
    def failed(self) -> bool:
        return self.result not in ("cudaSuccess", "cudaErrorNotReady")


@dataclass(frozen=True)
class Copy:
    kind: str  # HtoD, DtoH, DtoD, HtoH
    bytes: int
    duration_us: float = 0.0


@dataclass(frozen=True)
class Metrics:
    gpu: str
    kernels: tuple[Kernel, ...]
    copies: tuple[Copy, ...]
    api: tuple[ApiCall, ...]
    unified: dict[str, Any]
    leaks: tuple[int, ...]  # bytes of each allocation that was never freed
    file: Path | None = field(default=None, compare=False)  # where it was read

    def calls(self, name: str) -> list[ApiCall]:
        return [call for call in self.api if call.name == name]

    def total(self, metric: str) -> float:
        return sum(kernel.metric(metric) for kernel in self.kernels)

    def executed(self, *operations: str) -> float:
        return sum(kernel.executed(*operations) for kernel in self.kernels)


def parse(table: dict[str, Any]) -> Metrics:
    """Raises InfraError when the file is not what the contract says."""
    try:
        if table["schema"] != SCHEMA:
            raise InfraError(f"metrics.json has schema '{table['schema']}', expected '{SCHEMA}'")
        kernels = tuple(Kernel(k.get("demangled", k["name"]), _triple(k["grid"]), _triple(k["block"]),
                               float(k["duration_us"]), bool(k["sampled"]), dict(k["metrics"]),
                               tuple(_line(entry) for entry in k.get("lines", [])),
                               bool(k.get("library", False)))
                        for k in table["kernels"])
        copies = tuple(Copy(c["kind"], int(c["bytes"]), float(c["duration_us"])) for c in table["memcpy"])
        api = tuple(ApiCall(a["name"], float(a["duration_us"]), str(a["result"]), float(a["start_us"]))
                    for a in table["api"])
        leaks = tuple(int(leak["bytes"]) for leak in table.get("leaks", []))
        return Metrics(str(table["gpu"]), kernels, copies, api, dict(table["unified_memory"]), leaks)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InfraError(f"metrics.json is not as its schema says: {error!r}") from error


def load(path: Path) -> Metrics:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InfraError(f"cannot read {path.name}: {error}") from error
    if not isinstance(table, dict):
        raise InfraError(f"{path.name} holds no object")
    return replace(parse(table), file=path)


def _line(entry: dict[str, Any]) -> LineAccess:
    parts = "wavefronts" if entry["space"] == "shared" else "sectors"
    stride = entry["lane_stride_bytes"]
    return LineAccess(str(entry["file"]), int(entry["line"]), str(entry["space"]), str(entry["op"]),
                      int(entry["requests"]), int(entry[parts]), int(entry[f"ideal_{parts}"]),
                      None if stride is None else int(stride))


def _triple(values: list[int]) -> tuple[int, int, int]:
    x, y, z = values
    return int(x), int(y), int(z)
