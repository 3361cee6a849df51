"""The page's two pictures, as SVG: measured against published, and the mean error of each family."""
from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

from hpml_validation.report import Row, by_family, mean  # noqa: E402
from hpml_validation.targets import Targets  # noqa: E402

# The same bytes for the same numbers.
matplotlib.rcParams.update({"svg.hashsalt": "hpml", "svg.fonttype": "none", "font.size": 8})
UNCHANGING = {"Date": None, "Creator": None}
MARKERS = "osD^v<>ph*"


def scatter(targets: Targets, rows: list[Row], path: Path) -> None:
    figure, axes = pyplot.subplots(figsize=(9, 7))
    colours = pyplot.get_cmap("tab20")
    for number, (_, title, mine) in enumerate(by_family(targets, rows)):
        axes.plot([row.target.value for row in mine], [max(row.measured, 1e-3) for row in mine], linestyle="",
                  marker=MARKERS[number % len(MARKERS)], color=colours(number % 20), markersize=4, alpha=0.8, label=title)
    low = min(row.target.value for row in rows) / 2
    high = max(row.target.value for row in rows) * 2
    axes.plot([low, high], [low, high], color="black", linewidth=0.8)
    for factor in (0.8, 1.2):
        axes.plot([low, high], [low * factor, high * factor], color="grey", linewidth=0.6, linestyle="--")
    axes.set(xscale="log", yscale="log", xlim=(low, high), xlabel="published, in the row's unit",
             ylabel="measured on the simulated GPU", title="Lines: equal, and 20 % off")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=7)
    save(figure, path)


def bars(targets: Targets, rows: list[Row], path: Path) -> None:
    families = [(title, mean(mine)) for _, title, mine in by_family(targets, rows)]
    figure, axes = pyplot.subplots(figsize=(8, 0.24 * len(families) + 1))
    places = range(len(families))
    axes.barh(places, [of.error for _, of in families], color="#4477aa")
    for place, (_, of) in zip(places, families):
        axes.text(of.error, place, f" {of.error:.1f} %  ({of.rows} rows)", va="center", fontsize=7)
    axes.set_yticks(list(places), [title for title, _ in families])
    axes.invert_yaxis()
    axes.axvline(20, color="grey", linewidth=0.6, linestyle="--")
    axes.set_xlim(0, 1.25 * max(of.error for _, of in families))
    axes.set_xlabel("mean absolute error, percent (dashed: 20)")
    save(figure, path)


def save(figure: pyplot.Figure, path: Path) -> None:
    figure.savefig(path, bbox_inches="tight", metadata=UNCHANGING)
    pyplot.close(figure)


def draw(targets: Targets, rows: list[Row], folder: Path) -> list[Path]:
    pictures = [(scatter, folder / "validation_scatter.svg"), (bars, folder / "validation_families.svg")]
    for picture, path in pictures:
        picture(targets, rows, path)
    return [path for _, path in pictures]
