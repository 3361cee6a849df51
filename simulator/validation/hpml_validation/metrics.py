"""Results that a real card shows only to a profiler: read from metrics.json, one function per program."""
from __future__ import annotations

from hpml_metrics.document import Document

Results = dict[str, tuple[float, str]]


def launch(run: Document) -> Results:
    """Mean duration of the kernels, and mean time from the call to the start, of launches on an idle device."""
    kernels = run.kernels[1:]
    calls = run.calls("cudaLaunchKernel")[1:]
    waits = [kernel.start_us - call.start_us for kernel, call in zip(kernels, calls)]
    return {"null_duration": (sum(kernel.duration_us for kernel in kernels) / len(kernels), "us"),
            "call_to_start": (sum(waits) / len(waits), "us")}


def managed(run: Document) -> Results:
    unified = run.unified
    groups = max(unified["fault_groups"], 1)
    return {"fault_groups": (unified["fault_groups"], "count"), "cpu_faults": (unified["cpu_faults"], "count"),
            "fault_ms": (unified["fault_us"] / 1e3, "ms"), "h2d_count": (unified["host_to_device_copies"], "count"),
            "h2d_mib": (unified["host_to_device_bytes"] / 2**20, "MiB"),
            "h2d_ms": (unified["host_to_device_us"] / 1e3, "ms"),
            "group_us": ((unified["fault_us"] - unified["host_to_device_us"]) / groups, "us")}


WORDS = {"launch": launch, "managed": managed}
