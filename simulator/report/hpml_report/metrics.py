"""metrics.json as typed views, and its launches put together per kernel."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "gpusim/metrics/v1"


class BadInput(Exception):
    """One line: what, where, how to mend."""


@dataclass(frozen=True)
class Launch:
    name: str  # as people write it
    grid: tuple[int, ...]
    block: tuple[int, ...]
    start_us: float
    duration_us: float
    cycles: float
    sampled: bool
    estimated: bool
    registers: int
    shared_bytes: int
    warp_instructions: int
    stream: int
    device: int
    metrics: dict[str, float]
    stalls: dict[str, float]
    roofline: dict[str, dict[str, float]]
    lines: tuple[dict[str, Any], ...] = ()  # memory accesses by source line

    def metric(self, name: str) -> float | None:
        """None where the mode did not model it: a missing number, never a zero."""
        value = self.metrics.get(name)
        return None if value is None else float(value)

    @property
    def short_name(self) -> str:
        """Without return type, arguments and namespaces: `matmul<16>`."""
        head = outside_brackets(self.name)
        words = head.split(" ")
        return words[-1] if words[-1] else head


@dataclass(frozen=True)
class Kernel:
    """The launches of one kernel with one configuration. Its figures are those of `typical`."""
    number: int
    launches: tuple[Launch, ...]

    @property
    def typical(self) -> Launch:
        """The launch of median duration (the lower one of two), so that the figures belong together."""
        ordered = sorted(self.launches, key=lambda launch: launch.duration_us)
        return ordered[(len(ordered) - 1) // 2]

    @property
    def total_us(self) -> float:
        return sum(launch.duration_us for launch in self.launches)

    @property
    def label(self) -> str:
        return f"{self.number} {self.typical.short_name}"


@dataclass(frozen=True)
class Metrics:
    path: str
    gpu: str
    mode: str
    launches: tuple[Launch, ...]
    copies: tuple[dict[str, Any], ...]
    api: tuple[dict[str, Any], ...]
    unified: dict[str, Any]
    faults: tuple[str, ...]
    end_us: float
    kernels: tuple[Kernel, ...] = field(default=())

    def gpu_of(self, device: int) -> str:
        names = self.gpu.split(",")
        return names[device] if device < len(names) else self.gpu


def outside_brackets(name: str) -> str:
    """`void f<int, (E)0>(float*)` -> `void f<int, (E)0>`, with plain blanks only outside of <>."""
    depth, text = 0, ""
    for letter in name.replace("(anonymous namespace)::", ""):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0:
            break
        text += "\u00a0" if letter == " " and depth > 0 else letter
    return text.strip()


def read_launch(entry: dict[str, Any]) -> Launch:
    return Launch(
        name=entry.get("demangled") or entry["name"], grid=tuple(entry["grid"]), block=tuple(entry["block"]),
        start_us=float(entry["start_us"]), duration_us=float(entry["duration_us"]), cycles=float(entry["cycles"]),
        sampled=bool(entry["sampled"]), estimated=bool(entry.get("estimated", False)),
        registers=int(entry["registers"]), shared_bytes=int(entry["shared_bytes"]),
        warp_instructions=int(entry["warp_instructions"]), stream=int(entry.get("stream", 0)),
        device=int(entry.get("device", 0)), metrics=dict(entry["metrics"]), stalls=dict(entry["stalls"]),
        roofline={part: dict(table) for part, table in entry["roofline"].items()},
        lines=tuple(entry.get("lines", ())))


def by_kernel(launches: list[Launch]) -> tuple[Kernel, ...]:
    """In the order of first launches."""
    groups: dict[tuple[Any, ...], list[Launch]] = {}
    for launch in launches:
        key = (launch.device, launch.name, launch.grid, launch.block, launch.shared_bytes)
        groups.setdefault(key, []).append(launch)
    return tuple(Kernel(number, tuple(group)) for number, group in enumerate(groups.values(), start=1))


def read(path: str) -> Metrics:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'not a text file'}; "
                       "metrics files are written by `gpusim run --metrics FILE`") from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}:{error.lineno}:{error.colno}: is not JSON: {error.msg}; "
                       "write it again with `gpusim run --metrics FILE`") from None
    return parse(path, data)


def parse(path: str, data: Any) -> Metrics:
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        raise BadInput(f"{path}: schema is {schema!r}, expected {SCHEMA!r}: not a file of `gpusim run --metrics`")
    try:
        launches = [read_launch(entry) for entry in data["kernels"]]
        return Metrics(path=path, gpu=data["gpu"], mode=data["mode"], launches=tuple(launches),
                       copies=tuple(data.get("memcpy", [])) + tuple(data.get("memset", []))
                       + tuple(data.get("prefetch", [])),
                       api=tuple(data.get("api", [])), unified=dict(data.get("unified_memory", {})),
                       faults=tuple(data.get("faults", [])), end_us=float(data.get("end_us", 0.0)),
                       kernels=by_kernel(launches))
    except KeyError as error:
        raise BadInput(f"{path}: a kernel lacks {error}: "
                       "write the file again with `gpusim run --metrics FILE`") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"{path}: has a value of the wrong kind ({error}): "
                       "write the file again with `gpusim run --metrics FILE`") from None


def need_kernels(metrics: Metrics) -> None:
    if not metrics.kernels:
        raise BadInput(f"{metrics.path}: has no kernels: the program launched none, or recorded none between "
                       "cudaProfilerStart and cudaProfilerStop")


def check_metric(metrics: Metrics, name: str) -> None:
    """A name that no kernel has is an error that lists near ones."""
    known = sorted({known for launch in metrics.launches for known in launch.metrics})
    if name in known:
        return
    words = name.lower()
    near = difflib.get_close_matches(name, known, n=4, cutoff=0.6)
    near = near or [other for other in known if words in other.lower()][:4]
    hint = f"did you mean {', '.join(near)}?" if near else "`gpusim profile FILE --metric list` names them all"
    raise BadInput(f"--metric: no metric '{name}' in {metrics.path}; {hint}")
