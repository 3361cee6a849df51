"""C5's simulated column: the layers of a plan as CUDA kernels (gpu/resnet_gpu.cu) on the simulated GPU, joined by launch order."""
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hpml_autograder.lab import InfraError, choose_front_end, find_gpusim

LAB = Path(__file__).resolve().parents[1]
SOURCE = LAB / "gpu" / "resnet_gpu.cu"
REFERENCE = LAB / "reference" / "simulated.json"
SCHEMA = "hpml.lab2.simulated/v1"
FIGURES = ("peak", "bandwidth", "clock")  # of a GPU: FLOP/s in FP32, bytes/s, Hz
GPUS, BATCHES, NETWORK = ("t4", "v100", "a100"), (1, 16), "resnet18"
LONGEST_S = 3600

# layer, 1 for the backward pass, duration and start in microseconds, bytes between the GPU and its memory, resident warps over
# possible warps
Kernel = tuple[int, int, float, float, int, float]


def build(out: Path, cuda: str = "auto") -> Path:
    """The program, compiled for the simulated GPU (with nvcc also for a real one)."""
    program = out / "resnet_gpu"
    words = [sys.executable, str(LAB.parents[1] / "tools" / "cuda_compile.py"), "--frontend", choose_front_end(cuda), "-O", "2",
             "-o", str(program), str(SOURCE)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InfraError(f"{SOURCE.name} does not compile: {done.stderr.strip()[-300:]}")
    return program


@dataclass(frozen=True)
class Simulated:
    device: list[float]  # FIGURES
    kernels: list[Kernel]


def simulate(program: Path, plan: str, gpu: str, out: Path, threads: int = 2) -> Simulated:
    """One run of a plan: the GPU's figures, and each kernel with the plan's layer it belongs to."""
    plan_file, metrics = out / f"{gpu}.plan", out / f"{gpu}.metrics.json"
    plan_file.write_text(plan, encoding="utf-8")
    words = [str(find_gpusim()), "run", "--gpu", gpu, "--threads", str(threads), "--metrics", str(metrics), str(program),
             str(plan_file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LONGEST_S)
    if done.returncode != 0:
        raise InfraError(f"resnet_gpu did not end well on {gpu}: {done.stderr.strip()[-300:]}")
    kernels = json.loads(metrics.read_text(encoding="utf-8"))["kernels"]
    return Simulated(device_of(kernels), join(plan, done.stdout, kernels))


def device_of(kernels: Sequence[Mapping[str, Any]]) -> list[float]:
    longest = max(kernels, key=lambda kernel: kernel["duration_us"])
    roof = longest["roofline"]["ceilings"]
    return [roof["fp32_gflops"] * 1e9, roof["dram_gbs"] * 1e9, round(longest["cycles"] / longest["duration_us"]) * 1e6]


def join(plan: str, printed: str, kernels: Sequence[Mapping[str, Any]]) -> list[Kernel]:
    """printed: NAME PASS LAUNCHES US of each line of the plan, in order; kernels: of metrics.json, in launch order."""
    names = list(dict.fromkeys(line.split()[0] for line in plan.splitlines()))
    lines = [line.split() for line in printed.splitlines()]
    counts = [int(line[2]) for line in lines]
    if len(lines) != len(plan.splitlines()) or sum(counts) != len(kernels):
        raise InfraError(f"resnet_gpu says {sum(counts)} launches, the simulator counted {len(kernels)}")
    places = [(names.index(line[0]), int(line[1] != "forward")) for line, count in zip(lines, counts) for _ in range(count)]
    return [(*place, *figures(kernel, float(kernels[0]["start_us"]))) for place, kernel in zip(places, kernels)]


def figures(kernel: Mapping[str, Any], begin: float) -> tuple[float, float, int, float]:
    counters = kernel["metrics"]
    return (round(kernel["duration_us"], 3), round(kernel["start_us"] - begin, 3),
            int(counters["dram__bytes_read.sum"] + counters["dram__bytes_write.sum"]),
            round(counters["sm__warps_active.avg.pct_of_peak_sustained_active"] / 100, 4))


def text(found: Mapping[str, Mapping[int, Simulated]]) -> str:
    """The reference file: a line for each GPU and batch."""
    devices = {gpu: next(iter(batches.values())).device for gpu, batches in found.items()}
    parts = [f'  "{gpu}": {{' + ",\n    ".join(f'"{batch}": {json.dumps(one.kernels)}' for batch, one in batches.items()) + "}"
             for gpu, batches in found.items()]
    return (f'{{"schema": "{SCHEMA}", "network": "{NETWORK}",\n "devices": {json.dumps(devices)},\n "kernels": {{\n'
            + ",\n".join(parts) + "}}\n")


def read() -> dict[str, Any]:
    return json.loads(REFERENCE.read_text(encoding="utf-8"))
