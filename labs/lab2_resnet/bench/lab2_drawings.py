"""Drawings of the handout but for the loader's: one function each, from the same rules as the judges'."""
import math

import lab2_models as models
import lab2_optimize as optimize
import lab2_optimizers as optimizers
import numpy
from hpml_autograder.drawing import (BLUE, GRAY, GREEN, GRID, INK, ORANGE, PALE, PURPLE, RED, Axis, Plot, arrow, box, svg, text)

COLOURS = dict(zip(optimizers.KINDS, (BLUE, GREEN, ORANGE, PURPLE, RED)))


def frame(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="none" stroke="{colour}" stroke-width="3"/>'


def step() -> str:
    """One training step: what each pass of a layer reads and writes."""
    names, shapes = ("conv", "batch norm", "relu", "linear", "loss"), []
    for i, name in enumerate(names):
        x = 70 + 140 * i
        shapes += [box(x, 40, 100, 34, BLUE), text(x + 50, 62, name, "middle", "#fff"), text(x + 118, 54, "&#8594;", "middle")]
        if i < 4:
            shapes += [box(x, 104, 100, 34, ORANGE), text(x + 50, 126, name, "middle", "#fff"), text(x + 120, 126, "&#8592;", "middle")]
            shapes.append(text(x + 50, 92, "x, w" if name in ("conv", "linear") else "x", "middle", GRAY))
        if name in ("conv", "batch norm", "linear"):
            shapes += [text(x + 50, 158, "&#8595; gradient", "middle", GRAY), box(x, 168, 100, 34, GREEN),
                       text(x + 50, 190, "optimizer", "middle", "#fff")]
    shapes += [text(10, 62, "forward"), text(10, 126, "back"), text(10, 190, "update"),
               text(70, 24, "A backward pass needs what the forward pass read (gray), so activations stay in memory until then.")]
    return svg(780, 216, "One step of training: forward, backward, update", shapes)


def window(side: int = 5, kernel: int = 3, stride: int = 2, pad: int = 1) -> str:
    """Windows of a convolution over an image with padding: taps in the padding are zero."""
    cell, left, top, out = 30, 40, 46, (side + 2 * pad - kernel) // stride + 1
    shapes = [text(left, 30, f"{side} x {side} image, padding {pad}, stride {stride}: windows of {kernel} x {kernel}")]
    for i in range(side + 2 * pad):
        for j in range(side + 2 * pad):
            inside = pad <= i < side + pad and pad <= j < side + pad
            shapes.append(box(left + j * cell, top + i * cell, cell, cell, BLUE if inside else PALE))
    for (oh, ow), colour in (((0, 0), RED), ((1, 2), ORANGE)):
        x, y = left + ow * stride * cell, top + oh * stride * cell
        shapes.append(frame(x + 2, y + 2, kernel * cell - 4, kernel * cell - 4, colour))
        ox, oy = 400 + ow * cell, top + 40 + oh * cell
        shapes += [arrow(x + kernel * cell, y + kernel * cell / 2, ox, oy + cell / 2, colour)]
        taps = sum(pad <= oh * stride + i < side + pad and pad <= ow * stride + j < side + pad for i in range(kernel) for j in range(kernel))
        shapes.append(text(520, top + 60 + 30 * oh, f"{taps} of {kernel * kernel} taps are in the image", colour=colour))
    for i in range(out):
        for j in range(out):
            shapes.append(box(400 + j * cell, top + 40 + i * cell, cell, cell, GREEN))
    shapes.append(text(400, top + 32, "output"))
    return svg(760, 300, "Two windows of a convolution and the outputs they make", shapes)


def batch_norm() -> str:
    """Values of a batch before and after, and two wrong gradients beside the right one, by finite differences."""
    x = numpy.array([1.0, 2.0, 2.5, 3.0, 5.5])
    dy = numpy.array([0.2, -0.5, 0.9, -0.1, 0.4])
    mean, sigma = x.mean(), math.sqrt(x.var() + 1e-5)
    xhat = (x - mean) / sigma
    right = (dy - dy.mean() - xhat * (dy * xhat).mean()) / sigma
    plot = Plot(Axis(-2, 6, 60, 420), Axis(0, 3, 190, 40))
    shapes = [text(60, 22, "A channel of a batch"), text(450, 22, "dx of each value: right; two terms left out (red)")]
    for row, (values, word, colour) in enumerate(((x, "x", BLUE), (xhat, "normalised", GREEN))):
        y = 2 - row
        shapes += [arrow(plot.x(-2), plot.y(y), plot.x(6), plot.y(y), GRID), text(60, plot.y(y) - 14, word, colour=colour),
                   *(plot.mark(float(value), y, colour) for value in values)]
    shapes += [text(plot.x(value), plot.y(0) + 2, f"{value}", "middle") for value in range(-2, 7, 2)]
    bars = Axis(-0.6, 0.6, 190, 40)
    shapes.append(arrow(500, bars(0), 760, bars(0), GRAY))
    for i, (good, bad) in enumerate(zip(right, dy / sigma)):
        for k, (value, colour) in enumerate(((good, GREEN), (bad, RED))):
            y0, y1 = sorted((bars(0), bars(float(value))))
            shapes.append(box(505 + 50 * i + 18 * k, y0, 17, max(1, y1 - y0), colour))
    return svg(780, 220, "Batch normalisation and its gradient", shapes)


def optimizer_paths() -> str:
    """The golden path of the handout: theta_0 over 20 steps."""
    words = optimizers.GIVEN.split()
    plot = Plot(Axis(0, 20, 60, 560), Axis(-0.2, 1.0, 270, 30))
    shapes = plot.grid([(t, str(t)) for t in range(0, 21, 5)], [(0.1 * i, f"{0.1 * i:.1f}") for i in range(-2, 11, 2)])
    shapes += plot.names("step", "theta[0], which should come to 0.5")
    for place, kind in enumerate(optimizers.KINDS):
        path = [1.0, *optimizers.path(kind, numpy.float64, words)[:20, 0]]
        shapes += [plot.line([(t, float(value)) for t, value in enumerate(path)], COLOURS[kind]),
                   box(590, 40 + 24 * place, 14, 14, COLOURS[kind]), text(612, 52 + 24 * place, kind)]
    return svg(720, 320, "Five optimizers on the same parabola", shapes)


def queued() -> str:
    """Where the clocks must stand when a device works on its own."""
    shapes, left, scale = [], 90, 60
    spans = {"host": [(0, 2, "load", BLUE), (2, 2.3, "", GRAY), (2.3, 6, "synchronize", PALE), (6, 8, "load", BLUE)],
             "device": [(2.2, 6, "train_step, update", ORANGE)]}
    for row, (name, parts) in enumerate(spans.items()):
        y = 40 + 44 * row
        shapes.append(text(10, y + 22, name))
        for start, end, word, colour in parts:
            shapes += [box(left + start * scale, y, (end - start) * scale, 32, colour),
                       text(left + (start + end) / 2 * scale, y + 21, word, "middle", INK if colour == PALE else "#fff")]
    for at, word, colour in ((2, "batch in hand", GREEN), (2.3, "calls return", RED), (6, "device done", GREEN)):
        shapes += [arrow(left + at * scale, 30, left + at * scale, 138, colour)]
        shapes.append(text(left + at * scale + (4 if at != 2 else -4), 154 if at != 2.3 else 170, word, "start" if at != 2 else "end", colour))
    shapes.append(text(left, 22, "train = green to green. A clock at the red line sees no training at all."))
    return svg(620, 184, "Calls return before the device is done", shapes)


def roof() -> str:
    """PALEO's sum and the roofline's maximum for one layer's work at several intensities."""
    peak, bandwidth = 192e9, 18.4e9
    plot = Plot(Axis(0.25, 512, 70, 560, True), Axis(2, 256, 270, 30, True))
    at = [2.0 ** (i / 2) for i in range(-4, 19)]
    bound = [(x, min(peak, x * bandwidth) / 1e9) for x in at]
    paleo = [(x, x / (x / peak + 1 / bandwidth) / 1e9) for x in at]
    shapes = plot.grid([(2.0 ** i, f"{2.0 ** i:g}") for i in range(-2, 10, 2)], [(2.0 ** i, f"{2 ** i}") for i in range(1, 9)])
    shapes += plot.names("FLOP per byte", "GFLOP/s")
    shapes += [plot.line([(x, y) for x, y in points if 2 <= y <= 256], colour) for points, colour in ((bound, INK), (paleo, BLUE))]
    shapes += [plot.word(4, 12, "black, roofline: the longer of the two times"), plot.word(4, 8, "blue, PALEO: their sum", BLUE)]
    for x, name in ((0.3, "relu"), (90.0, "convolution")):
        shapes.append(plot.word(x, 3, name, GRAY))
    return svg(640, 320, "Roofline and PALEO on one core of 192 GFLOP/s and 18.4 GB/s", shapes)


def fusing() -> str:
    """A basic block before and after fusing, by the judge's own rule."""
    nodes = optimize.chain(shortcut=False, batch_norm=True)
    groups, shapes = optimize.groups_of(nodes), [text(20, 24, "before: every node is a kernel; after: a frame is one kernel")]
    for place, word in enumerate(nodes):
        op, x = word.split(":")[0], 20 + 62 * place
        group = next(i for i, members in enumerate(groups) if place in members)
        shapes += [box(x, 50, 58, 30, (BLUE, GREEN, ORANGE, PURPLE, RED, GRAY)[group % 6]),
                   text(x + 29, 69, op.replace("batch_norm", "norm").replace("avg_pool", "pool"), "middle", "#fff")]
    for members in groups:
        if len(members) > 1:
            shapes.append(frame(17 + 62 * members[0], 46, 62 * len(members), 38, INK))
    return svg(40 + 62 * len(nodes), 104, "A basic block: what runs as one kernel", shapes)


def self_time() -> str:
    """Nested spans of one thread, and what remains of each."""
    spans, shapes = [("step", 0, 10, 0), ("conv1", 0.5, 4.5, 1), ("norm1", 5, 7, 1), ("conv2", 7, 9.5, 1)], []
    for name, start, end, depth in spans:
        inside = sum(e - s for _, s, e, d in spans if d == depth + 1 and start <= s and e <= end)
        x, width = 20 + 68 * start, 68 * (end - start)
        shapes += [box(x, 36 + 36 * depth, width, 32, (GRAY, BLUE)[depth]),
                   text(x + width / 2, 57 + 36 * depth, f"{name}: {end - start:g}, self {end - start - inside:g}", "middle", "#fff")]
    shapes.append(text(20, 24, "ms of each span and of itself. Self times add up to the step; whole times count the layers twice."))
    return svg(740, 120, "Spans inside a span", shapes)


def reached() -> str:
    """Three runs and the first evaluation at the threshold."""
    curves = ((.17, .39, .79, .76, .85, .83), (.2, .5, .7, .78, .79, .84), (.15, .3, .5, .6, .66, .7))
    plot = Plot(Axis(0, 12000, 60, 560), Axis(0, 1, 250, 30))
    shapes = plot.grid([(2000 * i, f"{2000 * i}") for i in range(7)], [(0.2 * i, f"{0.2 * i:.1f}") for i in range(6)])
    shapes += [*plot.names("samples", "validation accuracy"), plot.line([(0, 0.75), (12000, 0.75)], INK, "5 4")]
    for curve, colour in zip(curves, (BLUE, GREEN, ORANGE)):
        points = [(2000 * (i + 1), value) for i, value in enumerate(curve)]
        summary = models.tta(["0.75", ",".join(map(str, curve)) + "@2000"])[0]
        shapes.append(plot.line(points, colour))
        if summary[1]:
            shapes.append(plot.mark(summary[6], dict(points)[int(summary[6])], colour))
    shapes += [text(580, 60, "blue: 6000, though it"), text(580, 78, "falls below again"), text(580, 106, "green: 8000"),
               text(580, 134, "orange: censored")]
    return svg(740, 300, "Time to an accuracy of 0.75: the first evaluation counts", shapes)


def busy() -> str:
    """Two streams whose kernels overlap, and three numbers of each window, by the judge's own calculation."""
    kernels = ((0, 0, 60, 0.25), (1, 40, 50, 1.0), (0, 140, 30, 0.5))
    rows = models.utilisation(["100", "200", "1000", *(f"{start}:{length}:0:{occupancy}" for _, start, length, occupancy in kernels)])
    shapes = []
    for stream, start, length, occupancy in kernels:
        shapes += [box(90 + 3 * start, 40 + 36 * stream, 3 * length, 30, (BLUE, ORANGE)[stream]),
                   text(90 + 3 * (start + length / 2), 60 + 36 * stream, f"{100 * occupancy:g} %", "middle", "#fff")]
    shapes += [text(10, 60, "stream 1"), text(10, 96, "stream 2"), text(90, 24, "in a kernel: its occupancy")]
    for i, (gpu, _, occupancy) in enumerate(rows):
        shapes += [arrow(90 + 300 * i, 34, 90 + 300 * i, 118, GRAY),
                   text(240 + 300 * i, 138, f"busy {100 * gpu:.0f} %, mean occupancy {100 * occupancy:.0f} %", "middle")]
    shapes += [arrow(690, 34, 690, 118, GRAY), text(90, 160, "The sum of the first window's kernels is 110 us of 100: overlaps count once.")]
    return svg(720, 172, "GPU utilisation of two windows of 100 us", shapes)


DRAWINGS = {"step.svg": step, "window.svg": window, "batch_norm.svg": batch_norm, "optimizers.svg": optimizer_paths,
            "queued.svg": queued, "roof.svg": roof, "fusing.svg": fusing, "self_time.svg": self_time, "reached.svg": reached,
            "busy.svg": busy}
