"""metrics.json as simulator/metrics reads it, and its launches put together per kernel."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hpml_metrics import document
from hpml_metrics.document import ApiCall, BadMetrics, Copy, Document

BadInput = BadMetrics  # one line: what, where, how to mend


class Launch(document.Launch):
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
    document: Document
    kernels: tuple[Kernel, ...]

    @property
    def launches(self) -> tuple[Launch, ...]:
        return self.document.kernels  # type: ignore[return-value]  (parse() makes them)

    @property
    def copies(self) -> tuple[Copy, ...]:
        """Fills and prefetches, too."""
        return self.document.copies + self.document.fills + self.document.prefetches

    @property
    def api(self) -> tuple[ApiCall, ...]:
        return self.document.api

    @property
    def unified(self) -> dict[str, Any]:
        return self.document.unified

    @property
    def gpu(self) -> str:
        return self.document.gpu

    @property
    def mode(self) -> str:
        return self.document.mode

    @property
    def end_us(self) -> float:
        return self.document.end_us or 0.0  # a replay does not know it

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


def by_kernel(launches: tuple[Launch, ...]) -> tuple[Kernel, ...]:
    """In the order of first launches."""
    groups: dict[tuple[Any, ...], list[Launch]] = {}
    for launch in launches:
        key = (launch.device, launch.name, launch.grid, launch.block, launch.shared_bytes)
        groups.setdefault(key, []).append(launch)
    return tuple(Kernel(number, tuple(group)) for number, group in enumerate(groups.values(), start=1))


def grouped(path: str, found: Document) -> Metrics:
    return Metrics(path, found, by_kernel(found.kernels))  # type: ignore[arg-type]  (they are of class Launch)


def read(path: str) -> Metrics:
    """Raises BadInput."""
    return grouped(path, document.load(Path(path), Launch))


def parse(path: str, data: Any) -> Metrics:
    """Raises BadInput."""
    return grouped(path, document.parse(data, Path(path), Launch))


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
