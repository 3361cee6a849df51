"""Charts of X1, X3 and X4: how the error of sums grows, a law fitted to measured times, a profiler against the truth."""
import math
from collections.abc import Sequence
from pathlib import Path

import lab1_data as data
import matplotlib
from lab1_charts import STYLE, save
from lab1_scaling import Samples, Scaling
from matplotlib import pyplot

Z = 1.959963984540054
SIZES = [2**power for power in range(10, 23, 2)]


def sum_errors(word: str, sizes: Sequence[int]) -> dict[str, list[float]]:
    """Relative errors; what is exact counts as half a last place, so that a logarithm can show it."""
    found: dict[str, list[float]] = {"naive": [], "pairwise": []}
    for n in sizes:
        exact = data.exact(data.Data(word), n).value
        for name, algorithm in (("naive", data.sequential), ("pairwise", data.pairwise)):
            found[name].append(max(abs(algorithm(data.Data(word), n) - exact) / exact, 2.0**-25))
    return found


def draw_sums(directory: Path) -> list[Path]:
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(7, 4.4), layout="constrained")
        for name, errors in sum_errors("tenths", SIZES).items():
            axes.plot(SIZES, errors, marker="o", label=name)
        axes.axhline(2.0**-24, color="gray", linestyle="--", label="one rounding, 2^-24")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set(xlabel="N", ylabel="relative error", title="0.1f added N times: the error of the order")
        axes.grid(True, alpha=0.3)
        axes.legend(fontsize=8)
        return save(figure, directory, "lab1_sums")


def draw_scaling(scaling: Scaling, directory: Path) -> list[Path]:
    serial, parallel = scaling.fit()
    threads = [count for count, _ in scaling.times]
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(7, 4.4), layout="constrained")
        axes.plot(threads, [1e3 * seconds for _, seconds in scaling.times], marker="o", linestyle="none", label="measured")
        curve = [1 + step * (threads[-1] - 1) / 99 for step in range(100)]
        axes.plot(curve, [1e3 * (serial + parallel / p) for p in curve],
                  label=f"fit: {1e3 * serial:.3g} ms + {1e3 * parallel:.3g} ms / P")
        axes.set(xlabel="threads P", ylabel="critical path, ms of processor time", ylim=(0, None),
                 title=f"Amdahl's law: F = {parallel / (serial + parallel):.3f}")
        axes.grid(True, alpha=0.3)
        axes.legend(fontsize=8)
        return save(figure, directory, "lab1_scaling")


def draw_samples(samples: Samples, directory: Path) -> list[Path]:
    pairs = [(total, hits / total) for total, hits in zip(samples.totals, samples.hits) if total >= 5]
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(7, 4.4), layout="constrained")
        axes.plot([total for total, _ in pairs], [share for _, share in pairs], marker=".", label="share of the samples")
        half = [Z * math.sqrt(samples.truth * (1 - samples.truth) / total) for total, _ in pairs]
        axes.fill_between([total for total, _ in pairs], [max(0, samples.truth - width) for width in half],
                          [min(1, samples.truth + width) for width in half], alpha=0.2, label="95 % of independent samples")
        axes.axhline(samples.truth, color="black", linewidth=0.8, label=f"share of the time: {samples.truth:.3f}")
        axes.set(xlabel="samples", ylabel="share of `hot`", ylim=(0, 1), title="A profiler that samples, against the truth")
        axes.grid(True, alpha=0.3)
        axes.legend(fontsize=8)
        return save(figure, directory, "lab1_sampling")
