"""The charts of `make lab2 bench` and `make lab2 profile`: one SVG and one PNG each."""
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from lab2_runs import Layer, Roof, Training, is_conv  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402

matplotlib.rcParams.update({"svg.hashsalt": "lab2", "font.size": 10, "axes.grid": True, "grid.color": "#dfe3e8",
                            "axes.axisbelow": True})
BLUE, GREEN, RED, ORANGE, PURPLE = "#5b84c4", "#5aa469", "#d9705f", "#c98a2b", "#8a63b0"


def chart(out: Path, name: str, paint: Callable[..., None], size: tuple[float, float] = (10, 4), columns: int = 1) -> list[Path]:
    figure, panels = pyplot.subplots(1, columns, figsize=size, squeeze=False)
    paint(*panels[0])
    figure.tight_layout()
    paths = [out / f"{name}.{kind}" for kind in ("svg", "png")]
    for path in paths:
        figure.savefig(path)
    pyplot.close(figure)
    return paths


def workers(curve: Mapping[int, float], model: Callable[[int], float]) -> Callable[..., None]:
    def paint(axes) -> None:
        names = [str(count) for count in curve]
        axes.plot(names, list(curve.values()), "o-", color=BLUE, label="measured")
        axes.plot(names, [model(count) for count in curve], "--", color=RED, label="model")
        axes.set(xlabel="workers", ylabel="seconds per epoch", ylim=(0, None), title="C3, C4: an epoch of a slow storage and a simulated K80")
        axes.legend()
    return paint


def curves(trainings: Mapping[str, Training], title: str) -> Callable[..., None]:
    """Loss of each step (a mean over 8) and accuracy of each epoch."""
    def paint(left, right) -> None:
        for name, one in trainings.items():
            smooth = [sum(one.losses[max(0, i - 7):i + 1]) / len(one.losses[max(0, i - 7):i + 1]) for i in range(len(one.losses))]
            left.plot(range(1, len(smooth) + 1), smooth, label=name)
            right.plot(range(1, len(one.accuracy) + 1), one.accuracy, "o-", label=name)
        left.set(xlabel="step", ylabel="training loss", title=title, ylim=(0, 4))
        right.set(xlabel="epoch", ylabel="validation top-1", ylim=(0, 1), title="validation accuracy")
        right.xaxis.set_major_locator(MaxNLocator(integer=True))
        left.legend()
    return paint


def row_of(name: str) -> str:
    """A convolution has a row of its own; "group1.block0.norm2" counts to "norm, all"."""
    return name if is_conv(name) else name.split(".")[-1].removeprefix("projection_").rstrip("0123456789") + ", all"


def layer_times(layers: Sequence[Layer]) -> Callable[..., None]:
    """Forward and backward time of each convolution in the order of the network, then of all other layers by kind."""
    def paint(axes) -> None:
        names = list(dict.fromkeys(row_of(layer.name) for layer in [*filter(lambda one: is_conv(one.name), layers), *layers]))
        left = [0.0] * len(names)
        for backward, colour, label in ((False, BLUE, "forward"), (True, ORANGE, "backward")):
            own = [sum(1e3 * layer.seconds for layer in layers if row_of(layer.name) == name and layer.backward is backward) for name in names]
            axes.barh(names, own, left=left, color=colour, label=label)
            left = [a + b for a, b in zip(left, own)]
        axes.set(xlabel="ms of a step", title="P1: where a step of ResNet-18 spends its time")
        axes.tick_params(axis="y", labelsize=9)
        axes.invert_yaxis()
        axes.margins(y=0.01)
        axes.legend(loc="lower right")
    return paint


def roofline(layers: Sequence[Layer], roof: Roof) -> Callable[..., None]:
    def paint(axes) -> None:
        intensities = [2.0 ** (i / 4) for i in range(-16, 45)]
        axes.loglog(intensities, [min(roof.peak, x * roof.bandwidth) / 1e9 for x in intensities], color="#222", label="roof of one core")
        groups = {"convolution, forward": (BLUE, "o", lambda l: is_conv(l.name) and not l.backward),
                  "convolution, backward": (ORANGE, "s", lambda l: is_conv(l.name) and l.backward),
                  "other layers": (GREEN, "^", lambda l: not is_conv(l.name))}
        for label, (colour, mark, chosen) in groups.items():
            own = [layer for layer in layers if chosen(layer) and layer.flop and layer.seconds]
            axes.loglog([one.flop / one.bytes for one in own], [one.gflops for one in own], mark, color=colour, label=label, alpha=0.8)
        axes.set(xlabel="FLOP per byte", ylabel="GFLOP/s", title="P1, P2: layers of ResNet-18 under the roof of one core")
        axes.legend(loc="lower right")
    return paint


def predicted(layers: Sequence[Layer], ppp: float, roof: Roof) -> Callable[..., None]:
    """Measured against predicted forward times of the convolutions, with PPP 1 and with the fitted one."""
    def paint(axes) -> None:
        own = [layer for layer in layers if is_conv(layer.name) and not layer.backward]
        measured = [1e3 * layer.seconds for layer in own]
        fitted = [1e3 * (layer.flop / (roof.peak * ppp) + layer.bytes / roof.bandwidth) for layer in own]
        axes.plot([1e3 * layer.paleo for layer in own], measured, "o", color=BLUE, label="PPP 1")
        axes.plot(fitted, measured, "s", color=GREEN, label=f"PPP {ppp:.2f}, fitted")
        most = 1.1 * max(*measured, *fitted)
        axes.plot([0, most], [0, most], color="#222", linewidth=1, label="measured = predicted")
        for layer, x, y in sorted(zip(own, fitted, measured), key=lambda one: -abs(one[1] - one[2]))[:1]:
            axes.annotate(f"worst: {layer.name}", (x, y), ha="right", fontsize=8, xytext=(-7, -3), textcoords="offset points")
        axes.set(xlabel="predicted ms", ylabel="measured ms", title="P3: PALEO, forward pass, batch 32", xlim=(0, most), ylim=(0, most))
        axes.legend()
    return paint


def strip(samples: Sequence[float], mean: float, low: float, high: float, censored: int, threshold: float) -> Callable[..., None]:
    def paint(axes) -> None:
        axes.plot(samples, [1 + 0.03 * (i - (len(samples) - 1) / 2) for i in range(len(samples))], "o", color=BLUE, label="one seed each")
        axes.errorbar([mean], [0.9], xerr=[[mean - low], [high - mean]], fmt="s", color=RED, capsize=5, elinewidth=2,
                      label="mean, 95 % bootstrap interval")
        axes.set(xlabel=f"samples until the validation accuracy is {threshold:.2f}", ylim=(0.82, 1.25), yticks=[], xlim=(0, 1.1 * max(samples)),
                 title=f"T1: time to accuracy; {censored} of {len(samples) + censored} seeds never reach it")
        axes.legend(loc="upper left")
    return paint


def windows(series: Mapping[str, Sequence[Sequence[float]]], step_us: Mapping[str, float]) -> Callable[..., None]:
    """GPU, memory and occupancy over one simulated step, one panel for each batch size."""
    def paint(*panels) -> None:
        for panel, (name, rows) in zip(panels, series.items()):
            times = [(i + 0.5) * step_us[name] / len(rows) / 1e3 for i in range(len(rows))]
            for index, (label, colour) in enumerate((("GPU busy", BLUE), ("memory busy", ORANGE), ("occupancy", GREEN))):
                panel.plot(times, [100 * row[index] for row in rows], color=colour, label=label)
            panel.set(xlabel="ms of the simulated step", ylabel="%", ylim=(0, 105), title=f"U1: {name}")
        panels[0].legend(loc="center right", bbox_to_anchor=(1, 0.6))
    return paint


def three_columns(rows: Mapping[str, Sequence[float]]) -> Callable[..., None]:
    """rows: name -> (PALEO, bound, simulated) in ms."""
    def paint(axes) -> None:
        places = range(len(rows))
        for index, (label, colour) in enumerate((("PALEO, PPP 1", BLUE), ("bound of the roofline", GREEN), ("simulated", ORANGE))):
            axes.bar([place + 0.27 * (index - 1) for place in places], [row[index] for row in rows.values()], 0.26, color=colour, label=label)
        axes.set_xticks(list(places), list(rows))
        axes.set(ylabel="ms of a forward and a backward pass", yscale="log", title="C5: ResNet-18 on simulated GPUs")
        axes.set_ylim(top=4 * max(max(row) for row in rows.values()))
        axes.legend(loc="upper center", ncol=3)
    return paint
