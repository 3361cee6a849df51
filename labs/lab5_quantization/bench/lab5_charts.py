"""Charts of `make lab5 bench`, as SVG and PNG, and a page that shows them."""
import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lab5_onnx
import lab5_peers
import matplotlib

matplotlib.use("Agg")
import numpy as np  # noqa: E402
from lab5_data import DATA, dequantize, narrow, qparams, quantize, sqnr  # noqa: E402
from matplotlib import pyplot  # noqa: E402

STYLE = {"svg.hashsalt": "lab5", "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 10}
FIRST = 3 * 3 * 3 * 16 + 4 * 16   # values before group1.block0.conv1
SHAPE = (3 * 3 * 16, 16)
BITS = range(2, 9)
Found = dict[str, Any]


def weights() -> np.ndarray:
    """Of group1.block0.conv1: rows of output channels."""
    return np.fromfile(DATA / "resnet8.f32", np.float32)[FIRST:FIRST + SHAPE[0] * SHAPE[1]].reshape(SHAPE)


def text_of(found: Found) -> str:
    rows = found["accuracy"]["rows"]
    names = [name for name in rows[-1] if name != "bits"]
    lines = [f"float: {found['accuracy']['float']:.1f} %"]
    for row in rows:
        cells = [f"{name} {row[name]:.1f}" for name in names if name in row]
        lines.append(f"{row['bits']} bits: " + ", ".join(cells))
    lines += [f"{row['what']} at level {row['level']}: {100 * row['ratio']:.1f} % of the processor's own rate"
              + ("" if row["valid"] else " (the machine was busy)") for row in found["kernels"]]
    lines += [part.text_of(found[name]) for name, part in (("peers", lab5_peers), ("onnx", lab5_onnx)) if name in found]
    return "\n".join(lines)


def draw(found: Found, directory: Path, others: Sequence[Path] = ()) -> list[Path]:
    """others: drawings that the page shows as well."""
    with matplotlib.rc_context(STYLE):
        charts = {"accuracy": accuracy(found), "sqnr": sqnr_over_bits(), "weights": histogram(),
                  "activations": activations(found), "sensitivity": sensitivity(found), "front": front(found),
                  "kernels": kernels(found)}
        paths = []
        for name, figure in charts.items():
            for kind in ("svg", "png"):
                paths.append(directory / f"{name}.{kind}")
                figure.savefig(paths[-1], metadata={"Date": None, "Creator": None} if kind == "svg" else {"Software": None})
            pyplot.close(figure)
    page = directory / "lab5.html"
    page.write_text("<!doctype html><meta charset=utf-8><title>Lab 5</title><h1>Lab 5: quantization</h1>"
                    + f"<pre style='white-space: pre-wrap'>{html.escape(text_of(found))}</pre>"
                    + "".join(path.read_text(encoding="utf-8").split("?>", 1)[-1]
                              for path in (*(directory / f"{name}.svg" for name in charts), *others)),
                    encoding="utf-8")
    return [*paths, page]


def axes_of(x: str, y: str, title: str):
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    axes.set(xlabel=x, ylabel=y, title=title)
    axes.grid(True, color="#dfe3e8")
    axes.set_axisbelow(True)
    return figure, axes


def accuracy(found: Found):
    figure, axes = axes_of("bits", "accuracy, %", "ResNet-8 on 1000 test images")
    rows = found["accuracy"]["rows"]
    for name in [name for name in rows[-1] if name != "bits"]:
        points = [(row["bits"], row[name]) for row in rows if name in row]
        axes.plot(*zip(*points), "o-", label=name)
    axes.axhline(found["accuracy"]["float"], color="black", linewidth=1, label="float")
    axes.legend()
    return figure


def quantised(w: np.ndarray, bits: int, per_channel: bool) -> np.ndarray:
    most = np.abs(w).max(axis=0) if per_channel else [np.abs(w).max()]
    scales = np.array([qparams(-m, m, narrow(bits))[0] for m in most], np.float32)
    return dequantize(quantize(w, scales, 0, *narrow(bits)[:2]), scales, 0)


def sqnr_over_bits():
    figure, axes = axes_of("bits", "SQNR, dB", "Weights of group1.block0.conv1")
    for per_channel, name in ((False, "per tensor"), (True, "per channel")):
        axes.plot(BITS, [sqnr(weights(), quantised(weights(), bits, per_channel)) for bits in BITS], "o-", label=name)
    axes.plot(BITS, [20 * np.log10(2 ** bits - 1) for bits in BITS], "--", color="gray", label="even signal, all levels")
    axes.legend()
    return figure


def histogram():
    figure, axes = axes_of("weight", "number", "group1.block0.conv1: where limits cut")
    w = weights().ravel()
    axes.hist(w, 80, color="tab:blue")
    for at, name, style in ((np.abs(w).max(), "largest |w|", "-"), (3 * w.std(), "3 sigma", "--"),
                            (np.percentile(np.abs(w), 99), "99 %", ":")):
        axes.axvline(at, color="tab:red", linestyle=style, label=name)
        axes.axvline(-at, color="tab:red", linestyle=style)
    axes.legend()
    return figure


def activations(found: Found):
    """Of one layer over the calibration images, with the limits that observers choose."""
    seen = found["accuracy"]["activation"]
    figure, axes = axes_of("activation", "number", f"{seen['name']}, 256 images: where observers cut")
    edges = np.linspace(seen["lo"], seen["hi"], len(seen["counts"]) + 1)
    axes.stairs(seen["counts"], edges, fill=True, color="tab:blue")
    for (name, at), style in zip(seen["clips"].items(), ("-", "--", ":", "-.")):
        axes.axvline(at, color="tab:red", linestyle=style, label=f"{name}: {at:.2f}")
    axes.set_yscale("log")
    axes.legend()
    return figure


def sensitivity(found: Found):
    layers, whole = found["accuracy"]["layers"], found["accuracy"]["float"]
    figure, axes = axes_of("convolution, in the order of the network (0: the stem)", "accuracy that is lost, points",
                           f"2 bits in one convolution, all others in float ({whole:.1f} %)")
    for shift, what in ((-0.2, "weights"), (0.2, "activations")):
        axes.bar([row["layer"] + shift for row in layers], [whole - row[what] for row in layers], 0.4, label=what)
    axes.axhline(0, color="black", linewidth=1)
    axes.set_xticks([row["layer"] for row in layers])
    axes.legend(loc="upper left")
    return figure


def model_bytes(bits: int) -> float:
    """Of ResNet-8: these bits per weight but for the stem and the last layer, which stay in float, and a float scale and an
    int32 bias per channel; 0 bits: all in float."""
    weights, stem, last, channels = 76_720, 432, 650, 336
    if bits == 0:
        return 4 * (weights + last + channels)
    return (weights - stem) * bits / 8 + 4 * (stem + last) + 8 * channels


def front(found: Found):
    """Accuracy over size, and which points no other one beats in one and equals in the other."""
    figure, axes = axes_of("size, KiB", "accuracy, %", "ResNet-8: what accuracy costs")
    table = found["accuracy"]
    points = [(model_bytes(0) / 1024, table["float"])]
    axes.plot(*points[0], "s", color="black", label="float")
    for name in ("W tensor", "W channel", "W channel, MSE", "QAT"):
        own = [(model_bytes(row["bits"]) / 1024, row[name]) for row in table["rows"] if name in row]
        axes.plot(*zip(*own), "o", label="after training" if name == "QAT" else name)
        points += own
    for bits in sorted({row["bits"] for row in table["rows"]}):
        axes.annotate(f"{bits} bits", (model_bytes(bits) / 1024, 4), ha="center")
    best = [p for p in sorted(set(points)) if not any(q != p and q[0] <= p[0] and q[1] >= p[1] for q in points)]
    axes.plot(*zip(*best), "-", color="gray", linewidth=1, label="front")
    axes.set_xscale("log", base=2)
    axes.set_xticks(ticks := [32, 64, 128, 256], [str(tick) for tick in ticks])
    axes.set_ylim(0, 100)
    axes.legend(loc="lower right")
    return figure


def kernels(found: Found):
    figure, axes = axes_of("", "% of the processor's own rate at the level", "Products of bytes")
    rows = found["kernels"]
    axes.bar([f"{row['what']}\n{row['level']}" for row in rows], [100 * row["ratio"] for row in rows])
    return figure
