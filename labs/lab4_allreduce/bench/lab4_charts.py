"""One chart for each CSV file of `make lab4 bench`. The same file gives the same bytes."""
import csv
from collections.abc import Callable, Iterable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import NullLocator  # noqa: E402

STYLE = {"svg.hashsalt": "lab4", "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 10}
COLOURS = {"ps": "tab:red", "tree": "tab:orange", "ring": "tab:blue", "rd": "tab:green", "rabenseifner": "tab:purple",
           "hier": "tab:brown"}
# Line and points of an algorithm. Some take the same time, such as server and ring for small vectors, or ring and rabenseifner on
# few ranks: the earlier of the two has the broader line and the larger, open points, so that both are seen.
BROAD = {"linewidth": 6, "alpha": 0.35}, {"markersize": 10, "fillstyle": "none"}
MIDDLE = {"linewidth": 3, "alpha": 0.5}, {"markersize": 6.5, "fillstyle": "none"}
NARROW = {"linewidth": 1}, {"markersize": 3.5}
DRAWN = {"ps": BROAD, "tree": BROAD, "ring": MIDDLE}
ONE_NAME = 0.02  # losses that are nearer have one name in the chart
Table = list[dict[str, str]]


def draw(name: str, source: Path, directory: Path) -> list[Path]:
    with source.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    with matplotlib.rc_context(STYLE):
        return [_save(figure, directory, f"{name}{suffix}") for suffix, figure in CHARTS[name](table)]


def _save(figure, directory: Path, name: str) -> Path:
    path = directory / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    return path


def _axes(x: str, y: str, title: str, logarithmic: str = "xy"):
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    axes.set(xlabel=x, ylabel=y, title=title, xscale="log" if "x" in logarithmic else "linear",
             yscale="log" if "y" in logarithmic else "linear")
    axes.grid(True, color="#dfe3e8")
    axes.set_axisbelow(True)
    return figure, axes


def _of(table: Table, **wanted: str) -> Table:
    return [row for row in table if all(row[name] == value for name, value in wanted.items())]


def _values(rows: Iterable[dict[str, str]], column: str) -> list[float]:
    return [float(row[column]) for row in rows]


def _names(table: Table, column: str) -> list[str]:
    return list(dict.fromkeys(row[column] for row in table))


def _measured_and_theory(axes, rows: Table, x: str, label: str, colour: str) -> None:
    """Circles: simulated. Line: the cost model."""
    line, points = DRAWN.get(label, NARROW)
    axes.plot(_values(rows, x), _values(rows, "theory_seconds"), color=colour, **line)
    simulated = [row for row in rows if row["seconds"]]
    axes.plot(_values(simulated, x), _values(simulated, "seconds"), "o", color=colour, label=label, **points)


def _ticks(axis, values: Iterable[float]) -> None:
    """At these values of a logarithmic axis, and nowhere else."""
    shown = sorted(set(values))
    axis.set_ticks(shown, [f"{value:g}" for value in shown])
    axis.set_minor_locator(NullLocator())


def size(table: Table):
    figure, axes = _axes("bytes", "seconds", "64 ranks: simulated (points), cost model (lines)")
    bus, beside = _axes("bytes", "bus bandwidth, GB/s", "64 ranks: 2 (P-1)/P N / t", "x")
    for name in _names(table, "algorithm"):
        rows = _of(table, algorithm=name)
        _measured_and_theory(axes, rows, "bytes", name, COLOURS[name])
        beside.plot(_values(rows, "bytes"), [value / 1e9 for value in _values(rows, "busbw_bytes_per_s")], "o-",
                    color=COLOURS[name], markersize=4, label=name)
    beside.axhline(1.25, color="black", linestyle="--", linewidth=0.8, label="1 / beta")
    for one in (axes, beside):
        one.legend()
    return [("", figure), ("_busbw", bus)]


def ranks(table: Table):
    figures = []
    for count, words in (("4", "4 bytes"), (str(4 << 20), "4 MiB")):
        figure, axes = _axes("ranks", "seconds", f"{words}: simulated (points), cost model (lines)")
        for name in _names(table, "algorithm"):
            _measured_and_theory(axes, _of(table, algorithm=name, bytes=count), "ranks", name, COLOURS[name])
        _ticks(axes.xaxis, _values(table, "ranks"))
        axes.legend()
        figures.append((f"_{count}", figure))
    figure, axes = _axes("ranks", "time of the server / time of the ring", "4 MiB: parameter server against ring")
    server, ring = (_of(table, algorithm=name, bytes=str(4 << 20)) for name in ("ps", "ring"))
    if server and ring:
        both = [(float(one["ranks"]), float(one["theory_seconds"]) / float(other["theory_seconds"]),
                 float(one["seconds"]) / float(other["seconds"]) if one["seconds"] and other["seconds"] else None)
                for one, other in zip(server, ring)]
        axes.plot([x for x, _, _ in both], [y for _, y, _ in both], label="cost model")
        axes.plot([x for x, _, _ in both], [x for x, _, _ in both], "--", color="gray", label="P, without latency")
        axes.plot([x for x, _, y in both if y], [y for _, _, y in both if y], "o", label="simulated")
        _ticks(axes.xaxis, [x for x, _, _ in both])
        axes.legend()
    return [*figures, ("_ratio", figure)]


def agreement(table: Table):
    figure, axes = _axes("seconds of the model", "relative difference", "Relay against SMPI (filled) and against the model (open)", "x")
    for name in _names(table, "algorithm"):
        rows = _of(table, algorithm=name)
        theory, relay, smpi = (_values(rows, f"{which}_seconds") for which in ("theory", "relay", "smpi"))
        axes.plot(theory, [one / other - 1 for one, other in zip(relay, smpi)], "o", color=COLOURS[name], label=name)
        axes.plot(theory, [one / other - 1 for one, other in zip(relay, theory)], "o", color=COLOURS[name], fillstyle="none")
    for limit in (-5e-3, 5e-3):
        axes.axhline(limit, color="black", linestyle="--", linewidth=0.8)
    axes.legend(title="dashed: 0.5 %")
    return [("", figure)]


def matrix(table: Table):
    names = _names(table, "algorithm")
    figure, grid = pyplot.subplots(1, len(names), figsize=(3 * len(names), 3.8), layout="constrained", squeeze=False)
    figure.suptitle("Bytes from rank to rank: white none, the darkest cells of each algorithm its largest number")
    for axes, name in zip(grid[0], names):
        rows = _of(table, algorithm=name)
        count = 1 + max(int(max(row["from"], row["to"], key=int)) for row in rows)
        cells = [[0.0] * count for _ in range(count)]
        for row in rows:
            cells[int(row["from"])][int(row["to"])] = float(row["bytes"])
        axes.imshow(cells, cmap="Blues")
        axes.set(title=name, xlabel="to", ylabel="from")
    return [("", figure)]


def topology(table: Table):
    networks, names = _names(table, "network"), _names(table, "algorithm")
    figure, axes = _axes("", "milliseconds", "4 MiB on 64 ranks: simulated (bars), cost model where there is one (black lines)", "y")
    for place, name in enumerate(names):
        rows = _of(table, algorithm=name)
        where = [networks.index(row["network"]) + 0.15 * (place - len(names) / 2) for row in rows]
        axes.bar(where, [1e3 * value for value in _values(rows, "seconds")], 0.14, color=COLOURS[name], label=name)
        for x, row in zip(where, rows):
            if row["theory_seconds"]:
                axes.plot([x - 0.07, x + 0.07], [1e3 * float(row["theory_seconds"])] * 2, color="black")
    axes.set_xticks(range(len(networks)), networks, rotation=20)
    axes.legend()
    return [("", figure)]


def buckets(table: Table):
    figure, axes = _axes("bucket, MiB", "milliseconds", "A backward pass: 50 layers of 1 MiB, 1 ms each, 8 ranks", "x")
    rows = _of(table, overlap="1")
    axes.plot(_values(rows, "bucket_MiB"), [1e3 * value for value in _values(rows, "seconds")], "o", label="simulated")
    axes.plot(_values(rows, "bucket_MiB"), [1e3 * value for value in _values(rows, "theory_seconds")], label="prediction")
    axes.set_xticks(_values(rows, "bucket_MiB"), _names(rows, "bucket_MiB"))
    axes.minorticks_off()
    for row in _of(table, overlap="0"):
        axes.axhline(1e3 * float(row["seconds"]), color="gray", linestyle="--", label="without overlap")
    axes.legend()
    return [("", figure)]


def server(table: Table):
    figure, axes = _axes("workers", "samples per second", "An asynchronous server at 12.5 MB/s")
    axes.plot(_values(table, "workers"), _values(table, "samples_per_s"), "o", label="simulated")
    axes.plot(_values(table, "workers"), _values(table, "theory_samples_per_s"), label="theory")
    _ticks(axes.xaxis, _values(table, "workers"))
    _ticks(axes.yaxis, (2500, 5000, 10000, 20000, 40000))
    axes.legend()
    return [("", figure)]


def staleness(table: Table):
    figure, axes = _axes("staleness", "pushes", "Staleness of 1800 pushes, 8 workers", "y")
    for factor, colour in zip(_names(table, "slow_factor"), ("tab:blue", "tab:red")):
        rows = _of(table, slow_factor=factor)
        axes.bar(_values(rows, "staleness"), _values(rows, "pushes"), color=colour, alpha=0.6,
                 label="equal workers" if factor == "1" else f"one worker {factor} times slower")
    for mean in sorted({row["theory_mean"] for row in table if row["theory_mean"]}):
        axes.axvline(float(mean), color="black", linestyle="--", linewidth=1, label=f"mean of equal workers in theory: {float(mean):.2f}")
    axes.legend()
    return [("", figure)]


def losses(table: Table):
    figure, axes = _axes("simulated seconds", "validation loss", "8 workers, learning rate 0.1", "x")
    for name in _names(table, "training"):
        rows = _of(table, training=name)
        axes.plot(_values(rows, "seconds"), _values(rows, "loss"), "o-", markersize=4, label=name)
    axes.legend()
    return [("", figure)]


def compressors(table: Table):
    figure, axes = _axes("bytes per gradient", "loss after 300 steps", "Compression, with (filled) and without error feedback (open)", "x")
    named: dict[tuple[str, str], float] = {}  # loss beside which a compressor's name stands
    for row in table:
        size, loss, which = float(row["payload_bytes"]), float(row["loss"]), (row["compressor"], row["fraction"])
        filled = row["error_feedback"] != "0"
        axes.plot(size, loss, "o", color="tab:blue", markersize=5 if filled else 10, fillstyle="full" if filled else "none")
        if abs(loss - named.get(which, 0.0)) > ONE_NAME:
            named[which] = loss
            words = " ".join(which) if which[0] == "top_k" else which[0]
            axes.annotate(words, (size, loss), textcoords="offset points", xytext=(0, 9), ha="center")
    axes.margins(0.12)
    return [("", figure)]


def namespaces(table: Table):
    figure, axes = _axes("", "milliseconds", "1 MiB on 4 ranks over shaped links: measured (bars), N beta alone (lines)", "")
    for place, row in enumerate(table):
        theory = 1e3 * float(row["theory_seconds"])
        axes.bar(place, 1e3 * float(row["seconds"]), 0.6, color=COLOURS[row["algorithm"]])
        axes.plot([place - 0.4, place + 0.4], [theory, theory], color="black")
    axes.set_xticks(range(len(table)), [row["algorithm"] for row in table])
    return [("", figure)]


CHARTS: dict[str, Callable] = {"size": size, "ranks": ranks, "agreement": agreement, "matrix": matrix, "topology": topology, "buckets": buckets,
                               "server": server, "staleness": staleness, "losses": losses, "compressors": compressors, "namespaces": namespaces}
