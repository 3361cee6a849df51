"""The handout's drawings, figures/*.svg: computed, not measured, so that they are the same bytes everywhere.
Run by docs/update.py --pages; a test compares."""
import lab1_data as data
import numpy as np
from hpml_autograder.drawing import BLUE, GRAY, GREEN, INK, ORANGE, PURPLE, RED, Axis, Plot, svg, text
from lab1_answers import BANDWIDTH_GBS, INTENSITY, PEAK_GFLOPS, roof, saturated
from lab1_gemm import intensity
from lab1_laws import LAWS

GHZ, ADD_CYCLES = 3.0, 4            # of the processor in the first drawing: an addition waits so long for the one before
MATRIX = 512
LARGE = 300_000_000


def chained(products: int) -> float:
    """GFLOP/s of a loop whose every addition waits for the one before and brings so many products with it."""
    return min(roof(INTENSITY), 2 * products * GHZ / ADD_CYCLES)


def roofline() -> str:
    plot = Plot(Axis(2**-5, 2**6, 90, 650, True), Axis(0.5, 512, 370, 40, True))
    ridge = PEAK_GFLOPS / BANDWIDTH_GBS
    shapes = plot.grid([(2.0**power, f"1/{2**-power}" if power < 0 else f"{2**power}") for power in range(-5, 7)],
                       [(value, f"{value:g}") for value in (1, 2, 5, 10, 20, 50, 100, 200)])
    shapes += plot.names("arithmetic intensity, FLOP per byte", "GFLOP/s")
    shapes += [plot.line([(2**-5, roof(2**-5)), (ridge, PEAK_GFLOPS), (2**6, PEAK_GFLOPS)], INK),
               plot.word(2**-3, roof(2**-3), f"{BANDWIDTH_GBS:g} GB/s", anchor="end", shift=(-10, -4)),
               plot.word(2**5, PEAK_GFLOPS, f"{PEAK_GFLOPS:g} GFLOP/s", anchor="middle", shift=(0, -8))]
    for products, words, colour in ((1, "C1: one product per addition", RED), (4, "C2: four products", ORANGE),
                                    (64, "C3, C5: many sums side by side", BLUE)):
        shapes += [plot.mark(INTENSITY, chained(products), colour),
                   plot.word(INTENSITY, chained(products), words, colour, shift=(11, 8 if products == 4 else 2))]
    for name, block in (("tiles of 16", 16), ("tiles of 64", 64)):
        x = intensity("blocked", MATRIX, block)
        shapes += [plot.mark(x, roof(x), PURPLE), plot.word(x, roof(x), f"X2: {name}", PURPLE, shift=(10, 18))]
    return svg(680, 420, "The roofline of the machine of Q2", shapes)


def saturation() -> str:
    """Ones, added up in floats: with so many products in each addition the sum stops at that many times 2^24."""
    plot = Plot(Axis(0, LARGE, 90, 600), Axis(0, LARGE, 370, 40))
    ticks = [(step * 1e8, f"{step}e8" if step else "0") for step in range(4)]
    shapes = [*plot.grid(ticks, ticks), *plot.names("N", "R"), plot.line([(0, 0), (LARGE, LARGE)], GRAY, "6 4"),
              plot.word(LARGE, LARGE, "exact", GRAY)]
    for step, colour in ((1, RED), (4, ORANGE), (8, GREEN), (16, BLUE)):
        top = saturated(step, LARGE)
        shapes += [plot.line([(0, 0), (top, top), (LARGE, top)], colour),
                   plot.word(LARGE, top, f"{step} x 2^24", colour)]
    return svg(680, 420, "A sum of ones in floats stops growing", [
        *shapes, text(110, 60, "products per addition (or sums side by side): 1, 4, 8, 16")])


def harmonic(n: int, backward: bool = False, kind: type = np.float32) -> float:
    """1 + 1/2 + ... + 1/n, one after the other, from the first or from the last."""
    terms = np.float32(1) / np.arange(1, n + 1, dtype=np.float32) if kind is np.float32 else 1 / np.arange(1, n + 1)
    return float(np.cumsum(terms[::-1] if backward else terms, dtype=kind)[-1])


def series() -> str:
    last = 10**7
    sizes = [round(10**(power / 4)) for power in range(12, 29)]
    plot = Plot(Axis(10**3, last, 70, 500, True), Axis(7, 17, 370, 40))
    shapes = plot.grid([(10**power, f"10^{power}") for power in range(3, 8)],
                       [(value, str(value)) for value in range(7, 18, 2)])
    shapes += plot.names("N", "1 + 1/2 + ... + 1/N")
    ways = (("float, from the first", RED, {}, 4), ("float, from the last", BLUE, {"backward": True}, 16),
            ("double", GRAY, {"kind": np.float64}, -8))
    for name, colour, how, shift in ways:
        shapes += [plot.line([(n, harmonic(n, **how)) for n in sizes], colour, "6 4" if name == "double" else ""),
                   plot.word(last, harmonic(last, **how), f"{name}: {harmonic(last, **how):.9g}", colour,
                             shift=(8, shift))]
    tenths = [f"{data.sequential(data.Data('tenths'), n):.9g}" for n in (10**6, last)]
    return svg(760, 450, "The harmonic series in floats", [
        *shapes, text(70, 434, f"0.1f added 10^6 times, one after the other: {tenths[0]}; 10^7 times: {tenths[1]}.")])


def scaling() -> str:
    """Amdahl's law, and what a cost that grows with the processors makes of it."""
    part, cost = 0.99, 0.0001
    plot = Plot(Axis(1, 1024, 70, 520, True), Axis(1, 128, 370, 40, True))
    counts = [2**(step / 8) for step in range(81)]
    shapes = plot.grid([(2.0**power, str(2**power)) for power in range(0, 11, 2)],
                       [(2.0**power, str(2**power)) for power in range(8)])
    shapes += plot.names("processors P", "speed-up")
    shapes.append(plot.line([(1, 1), (128, 128)], GRAY, "6 4"))
    for f, colour in ((0.5, RED), (0.9, ORANGE), (0.95, GREEN), (part, BLUE)):
        shapes += [plot.line([(p, LAWS["amdahl"](f, p)) for p in counts], colour),
                   plot.word(1024, LAWS["amdahl"](f, 1024), f"F = {f:g}", colour)]

    def overhead(p: float) -> float:
        return 1 / (1 / LAWS["amdahl"](part, p) + cost * p)
    best = LAWS["overhead"](part, cost)
    shapes += [plot.line([(p, overhead(p)) for p in counts], PURPLE), plot.mark(best, overhead(best), PURPLE),
               plot.word(best, overhead(best), f"F = {part:g}, and {cost:g} P", PURPLE, shift=(14, -4))]
    return svg(680, 420, "Amdahl's law", shapes)


FIGURES = {"roofline.svg": roofline, "saturation.svg": saturation, "series.svg": series, "scaling.svg": scaling}
