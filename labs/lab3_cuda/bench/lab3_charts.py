"""The two log-log charts of B-Q4. The same numbers give the same bytes: fixed hash salt, no date, no version."""
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from lab3_answers import KS, SHAPES  # noqa: E402
from lab3_series import PartB  # noqa: E402

MARKERS = {"1x1": "o", "1x256": "s", "Nx256": "^"}
LABELS = {"1x1": "1 block x 1 thread", "1x256": "1 block x 256 threads", "Nx256": "n/256 blocks x 256 threads"}
TITLES = {"explicit": "Vector addition with cudaMalloc and cudaMemcpy",
          "managed": "Vector addition with unified memory (cold)"}


def draw(result: PartB, directory: Path) -> list[Path]:
    directory.mkdir(parents=True, exist_ok=True)
    return [path for name in result.tables for path in _draw_one(result, name, directory)]


def _draw_one(result: PartB, name: str, directory: Path) -> list[Path]:
    style = {"svg.hashsalt": "lab3", "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 10}
    with matplotlib.rc_context(style):
        figure, axes = pyplot.subplots(figsize=(7, 4.8), layout="constrained")
        axes.plot(KS, result.cpu, marker="D", color="black", linestyle="--",
                  label="CPU, 1 core (measured on this host)")
        for shape in SHAPES:
            axes.plot(KS, result.tables[name][shape], marker=MARKERS[shape],
                      label=f"{LABELS[shape]} (simulated {result.gpu})")
        axes.set(xscale="log", yscale="log", xlabel="K (million elements)", ylabel="execution time (ms)",
                 title=TITLES[name])
        axes.set_xticks(KS, [str(k) for k in KS])
        axes.minorticks_off()
        axes.grid(True, which="major", alpha=0.3)
        axes.legend(fontsize=8)
        paths = [directory / f"lab3_partB_{name}.svg", directory / f"lab3_partB_{name}.png"]
        figure.savefig(paths[0], metadata={"Date": None, "Creator": None})
        figure.savefig(paths[1], dpi=110, metadata={"Software": None})
        pyplot.close(figure)
    return paths
