"""Tests import the package from its folder. `record()` and `metrics()` make metrics files with figures of one's own."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hpml_report.metrics import parse  # noqa: E402  (the path comes first)
from hpml_report.stalls import MEANING  # noqa: E402

CEILINGS = {"fp16_gflops": 2000.0, "fp32_gflops": 1000.0, "fp64_gflops": 500.0, "tensor_gflops": 8000.0,
            "dram_gbs": 100.0, "l2_gbs": 400.0, "l1_gbs": 1000.0}
ISSUE = "sm__throughput.avg.pct_of_peak_sustained_elapsed"


def make_record(name="add(float*)", us=10.0, flops=1000, dram=100_000, l2=200_000, l1=400_000, stalls=None, start=100.0,
                precision="fp32", **metrics):
    """One kernel: `flops` operations and the bytes at each level in `us` microseconds."""
    work = {"fp16": 0, "fp32": 0, "fp64": 0, precision: flops, "total": flops}
    moved = {level: count for level, count in (("dram", dram), ("l2", l2), ("l1", l1)) if count is not None}
    return {"name": name, "demangled": name, "grid": [8, 1, 1], "block": [256, 1, 1], "shared_bytes": 0,
            "registers": 16, "registers_estimated": False, "start_us": start, "duration_us": us,
            "cycles": round(us * 1000), "sampled": False,
            "sampled_fraction": 1.0, "estimated": False, "warp_instructions": 64, "thread_instructions": 2048,
            "stream": 0, "device": 0,
            "metrics": {ISSUE: 1.0, **metrics}, "lines": [],
            "stalls": {**dict.fromkeys(MEANING, 0), "selected": 100} if stalls is None else stalls,
            "roofline": {"flops": work, "bytes": moved, "ceilings": CEILINGS,
                         "arithmetic_intensity": {level: flops / count for level, count in moved.items() if count},
                         "achieved": {"gflops": flops / (us * 1e3),
                                      **{f"{level}_gbs": count / (us * 1e3) for level, count in moved.items()}}}}


def make_file(*kernels, **more):
    return {"schema": "gpusim/metrics/v1", "gpu": "t4", "mode": "auto", "kernels": list(kernels), "memcpy": [],
            "memset": [], "prefetch": [], "unified_memory": {}, "api": [], "api_calls": 0, "api_errors": 0,
            "faults": [], "leaks": [], "end_us": 200.0, "end": {"status": 0}, "simulator": {}, **more}


@pytest.fixture
def record():
    return make_record


@pytest.fixture
def metrics_file():
    return make_file


@pytest.fixture
def metrics():
    return lambda *kernels, **more: parse("m.json", make_file(*kernels, **more))
