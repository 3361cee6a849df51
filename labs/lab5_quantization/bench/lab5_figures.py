"""The handout's drawings, figures/*.svg: computed, the same bytes everywhere.
Run by docs/update.py --pages; a test compares."""
import math

import numpy as np
from hpml_autograder import drawing
from lab5_data import dequantize, qparams, quantize, sqnr, unsigned

LO, HI = -1.0, 2.0
FOUR = np.array([-0.75, 0.13, 0.5, 1.62], np.float32)
BITS = (4, 3, 2)
LEFT, WIDTH = 90, 620


def place(x: float) -> float:
    return LEFT + WIDTH * (x - LO) / (HI - LO)


def level(q: int, scale: np.float32, zero: int) -> float:
    return place(float(dequantize(np.array(q), scale, zero)))


def number_line() -> str:
    """The levels of a range in 4, 3 and 2 bits, and where four numbers go."""
    shapes = []
    for row, bits in enumerate(BITS):
        y = 60 + 120 * row
        qmin, qmax, _ = kind = unsigned(bits)
        scale, zero = qparams(LO, HI, kind)
        shapes += [drawing.text(LEFT - 30, y + 5, f"{bits} bits", "end"), drawing.arrow(level(qmin, scale, zero), y, level(qmax, scale, zero), y, drawing.INK)]
        for q in range(qmin, qmax + 1):
            x = level(q, scale, zero)
            colour = drawing.RED if q == zero else drawing.INK
            shapes += [drawing.arrow(x, y - 6, x, y + 6, colour), drawing.text(x, y + 22, str(q), "middle", colour)]
        for x, q in zip(FOUR, quantize(FOUR, scale, zero, qmin, qmax)):
            back = float(dequantize(q, scale, zero))
            shapes += [drawing.arrow(place(float(x)), y - 28, place(back), y - 7, drawing.BLUE),
                       drawing.text(place(float(x)), y - 33, f"{x:g} → {back:.3g}", "middle", drawing.BLUE)]
        shapes.append(drawing.text(LEFT, y + 44, f"scale 3 / {qmax} = {scale:.3g}, zero {zero}; SQNR of the four "
                                   f"{sqnr(FOUR, dequantize(quantize(FOUR, scale, zero, qmin, qmax), scale, zero)):.1f} dB",
                                   colour=drawing.GRAY))
    return drawing.svg(LEFT + WIDTH + 60, 350, "Four numbers on the levels of 4, 3 and 2 bits; red: the integer of 0", shapes)


def polyline(points: list[tuple[float, float]], colour: str) -> str:
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.5"/>'


def lost_bits() -> str:
    """A wave over its whole range, in fewer and fewer bits, with its error."""
    wave = np.sin(np.linspace(0, 2 * math.pi, 400)).astype(np.float32)
    shapes, height = [], 70
    for row, bits in enumerate((8, *BITS)):
        y = 50 + 100 * row
        qmin, qmax, _ = kind = unsigned(bits)
        scale, zero = qparams(-1, 1, kind)
        back = dequantize(quantize(wave, scale, zero, qmin, qmax), scale, zero)
        across = [90 + i for i in range(wave.size)]
        shapes += [drawing.text(80, y + 5, f"{bits} bits", "end"),
                   polyline([(x, y - v * height / 2) for x, v in zip(across, wave)], drawing.GRID),
                   polyline([(x, y - v * height / 2) for x, v in zip(across, back)], drawing.BLUE),
                   polyline([(x + 430, y - v * height / 2) for x, v in zip(across, wave - back)], drawing.RED),
                   drawing.text(930, y + 5, f"{sqnr(wave, back):.1f} dB, {qmax + 1} levels")]
    shapes += [drawing.text(290, 438, "blue: what comes back", "middle", drawing.BLUE),
               drawing.text(720, 438, "red: what is lost, in the same scale", "middle", drawing.RED)]
    return drawing.svg(1100, 450, "A wave in 8, 4, 3 and 2 bits", shapes)


FIGURES = {"number_line.svg": number_line, "lost_bits.svg": lost_bits}
