"""Figures with axes: roofline, microprocessor trends, schedules of learning rate and survival."""
import math

from .axes import Axis, Plot
from .drawing import COLOURS, DASHES, FAINT, INK, MARKERS, Drawing


def roofline(peak: float, bandwidth: float, points: list) -> Drawing:
    """points: [[intensity, performance], ...] become P1, P2, ..."""
    peak, bandwidth = float(peak), float(bandwidth)
    pairs = [(float(x), float(y)) for x, y in points]
    ridge = peak / bandwidth
    xs, ys = [x for x, _ in pairs] + [ridge], [y for _, y in pairs] + [peak]
    x_low, x_high = min(xs) / 2.5, max(xs) * 2.5
    x = Axis(x_low, x_high, True, "Arithmetic intensity (FLOP/byte)")
    y = Axis(min([*ys, bandwidth * x_low]) / 1.3, max(ys) * 1.8, True, "Performance (GFLOP/s)")
    drawing = Drawing(380, 280)
    plot = Plot(drawing, x, y)
    corner, right = plot.at(ridge, peak), plot.at(x.high, peak)
    start = plot.at(x_low, bandwidth * x_low)
    drawing.line(plot.at(ridge, y.low), corner, colour=FAINT, dash=(3, 3))
    drawing.line(start, corner, right, colour=INK, width=2)
    drawing.words(right[0] - 4, right[1] + 13, "CPU peak FLOPS", size=9, anchor="end")
    # Above the slope: as high as the line is where the words end.
    slope = (corner[1] - start[1]) / (corner[0] - start[0])
    drawing.words(start[0] + 6, max(plot.top + 10, start[1] + slope * 96), "DRAM peak BW", size=9, anchor="start")
    for number, (px, py) in enumerate(pairs):
        ax, ay = plot.at(px, py)
        drawing.marker(ax, ay, MARKERS[number % len(MARKERS)], COLOURS[number % len(COLOURS)])
        drawing.words(ax + 7, ay + 4, f"P{number + 1}", size=10, anchor="start", bold=True)
    return drawing


def _trend_curves() -> list[tuple[str, list[tuple[float, float]]]]:
    """Stylised from the published collection; year to value."""
    years = [1971 + i * 0.5 for i in range(89)]
    transistors = [(t, 2.3 * 2 ** ((t - 1971) / 2)) for t in years]
    thread = [(t, 60 * 1.5 ** (t - 1990) if t < 2003 else 60 * 1.5**13 * (6e4 / (60 * 1.5**13)) ** ((t - 2003) / 12))
              for t in years if t >= 1990]
    clock = [(t, 0.7 * (3000 / 0.7) ** min(1.0, (t - 1971) / 33)) for t in years]
    power = [(t, 0.5 * 200 ** min(1.0, (t - 1971) / 32) * (1.4 ** ((t - 2003) / 12) if t > 2003 else 1)) for t in years]
    cores = [(t, 1.0 if t <= 2005 else 40 ** ((t - 2005) / 10)) for t in years]
    return [("transistors (thousands)", transistors), ("single-thread performance (SpecINT × 10³)", thread),
            ("frequency (MHz)", clock), ("typical power (W)", power), ("logical cores", cores)]


def trends(letters: bool = True) -> Drawing:
    """Five curves over the years 1970 to 2020, each named by a letter in the picture and by its quantity nowhere."""
    drawing = Drawing(380, 316)
    plot = Plot(drawing, Axis(1970, 2020, False, "Year"), Axis(0.3, 2e7, True, "Value (each curve in its own unit)"),
                bottom=62, right=24)
    for number, (name, points) in enumerate(_trend_curves()):
        places = [plot.at(year, value) for year, value in points]
        drawing.line(*places, colour=COLOURS[number], width=1.6, dash=DASHES[number])
        for place in places[:: len(places) // 6]:
            drawing.marker(*place, MARKERS[number], COLOURS[number], 2.5)
        end = places[-1]
        drawing.words(end[0] + 5, end[1] + 4, "ABCDE"[number] if letters else name, size=11, anchor="start", bold=True,
                      colour=COLOURS[number])
    for line, text in enumerate(("Stylised after data by Horowitz, Labonte, Shacham, Olukotun,",
                                 "Hammond, Batten; 2010-2015 by Rupp")):
        drawing.words(10, 299 + 11 * line, text, size=8, anchor="start", colour=FAINT)
    return drawing


def decay_curves(rate: float, decays: list, steps: int) -> Drawing:
    """Learning rate over time for several decay constants; curves named A, B, ... in the order given."""
    drawing = Drawing(370, 260)
    plot = Plot(drawing, Axis(0, float(steps), False, "Iteration t"), Axis(0, float(rate), False, "Learning rate"))
    for number, decay in enumerate(decays):
        points = [plot.at(t, float(rate) / (1 + float(decay) * t)) for t in
                  (steps * i / 60 for i in range(61))]
        drawing.line(*[(px, py) for px, py in points], colour=COLOURS[number], width=1.6, dash=DASHES[number])
        px, py = points[40]
        drawing.marker(px, py, MARKERS[number], COLOURS[number])
        drawing.words(px + 2, py - 7, "ABCDE"[number], size=11, bold=True, colour=COLOURS[number])
    return drawing


def survival(layers: int, last: float) -> Drawing:
    """Stochastic depth: survival probability over the layer."""
    drawing = Drawing(370, 230)
    plot = Plot(drawing, Axis(0, float(layers), False, "Block i"), Axis(0, 1, False, "Survival probability"))
    drawing.line(plot.at(0, 1), plot.at(layers, float(last)), colour=COLOURS[0], width=1.8)
    for layer in range(0, layers + 1, max(1, math.ceil(layers / 12))):
        drawing.marker(*plot.at(layer, 1 - layer / layers * (1 - float(last))), "circle", COLOURS[0], 2.5)
    return drawing
