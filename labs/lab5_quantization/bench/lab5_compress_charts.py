"""Charts of E8 and P1 for `make lab5 bench`: roofline of the int8 products, and accuracy over the share that is pruned. A chart is a
function of runs: cases() says which, draw() makes the files."""
from collections.abc import Mapping
from pathlib import Path

import lab5_gpu as gpu
import matplotlib
from hpml_autograder.lab import Case, Run, values

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

STYLE = {"svg.hashsalt": "lab5", "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 10}
SHAPES = ("512,512,512", "512,512,512 fused")
METHODS = ("global", "layer", "random")
FRACTIONS = (0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9)
# int8 multiply-adds per clock of the whole GPU (simulator/gpus), and bytes of the second-level cache's sectors per clock.
PEAK_DP4A, PEAK_TENSOR = {"t4": 40 * 256, "a100": 108 * 256}, {"t4": 40 * 1024, "a100": 108 * 2048}
L1_BYTES = {"t4": 40 * 64, "a100": 108 * 64}  # loaded by all multiprocessors per clock


def product_cases() -> list[Case]:
    return [gpu.case(program, shape, on, 1) for program, gpus in gpu.GPUS.items() for on in gpus for shape in SHAPES]


def pruning_cases() -> list[Case]:
    return [Case("lab5_trainer", f"prune {{prune_library}} {{lab5_resnet8}} {method} {fraction} 0 64 1")
            for method in METHODS for fraction in FRACTIONS]


def cases() -> list[Case]:
    return product_cases() + pruning_cases()


def draw(runs: Mapping[Case, Run], folder: Path) -> list[Path]:
    """Writes int8_roofline and pruning as SVG and PNG. Runs that failed are left out; without any run no chart."""
    with matplotlib.rc_context(STYLE):
        charts = {"int8_roofline": (_roofline, gpu.GPUS), "pruning": (_pruning, ("lab5_trainer",))}
        return [path for name, (chart, programs) in charts.items() if any(case.program in programs for case in runs)
                for path in _save(chart(runs), folder, name)]


def _save(figure, folder: Path, name: str) -> list[Path]:
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    for path in paths:
        figure.savefig(path, metadata={"Date": None, "Creator": None} if path.suffix == ".svg" else {"Software": None})
    pyplot.close(figure)
    return paths


def _roofline(runs: Mapping[Case, Run]):
    """Multiply-adds per clock over multiply-adds per byte that the kernel loads and stores."""
    figure, both = pyplot.subplots(1, 2, figsize=(10, 4.5), layout="constrained", sharey=True)
    for axes, on in zip(both, ("t4", "a100")):
        intensity = [2.0**power for power in range(-1, 9)]
        for name, peaks, colour in (("dp4a", PEAK_DP4A, "tab:blue"), ("tensor cores", PEAK_TENSOR, "tab:red")):
            axes.plot(intensity, [min(peaks[on], x * L1_BYTES[on]) for x in intensity], color=colour, label=name)
        for case, run in runs.items():
            if case.gpu != on or run.metrics is None or not run.metrics.kernels or case.program not in gpu.GPUS:
                continue
            m, n, k, fused = gpu.shape_of(case)
            moved = 32 * (gpu.total(run.metrics, gpu.LOADS) + gpu.total(run.metrics, gpu.STORES))
            cycles = sum(kernel.cycles for kernel in run.metrics.kernels)
            axes.plot(m * n * k / moved, m * n * k / cycles, "s" if fused else "o",
                      color="tab:blue" if "dp4a" in case.program else "tab:red")
        axes.set(xscale="log", yscale="log", title=on, xlabel="multiply-adds per byte loaded or stored")
        axes.grid(True, color="#dfe3e8")
        axes.legend()
    both[0].set_ylabel("multiply-adds per clock (circle: int32 out, square: int8)")
    return figure


def _pruning(runs: Mapping[Case, Run]):
    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for method in METHODS:
        points = []
        for case, run in runs.items():
            words = case.args.split()
            if case.program == "lab5_trainer" and words[3] == method and run.state == "exit" and run.code == 0:
                points.append((100 * float(words[4]), 100 * values(run)[0]))
        axes.plot(*(zip(*sorted(points)) if points else ((), ())), "o-", label=method)
    axes.set(xlabel="pruned weights, %", ylabel="accuracy on 1000 test images, %", title="ResNet-8(16), pruned, not fine-tuned")
    axes.grid(True, color="#dfe3e8")
    axes.legend()
    return figure
