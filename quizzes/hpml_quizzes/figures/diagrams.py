"""Figures made of boxes and arrows."""
import math

from .drawing import COLOURS, FAINT, INK, Drawing

_FILLS = ("#dbe9f4", "#f6e3d0", "#d9efe7", "#ecdfe8", "#e6e6e6")


def line_of_memory(line_bytes: int, element_bytes: int, used: list) -> Drawing:
    """One memory transaction cut into elements, with their first bytes; those that threads ask for are marked."""
    cells = line_bytes // element_bytes
    width = 46.0 if cells <= 8 else 24.0
    drawing = Drawing(cells * width + 20, 84)
    for cell in range(cells):
        asked = cell in used
        x = 10 + cell * width
        drawing.box(x, 34, width, 26, fill=_FILLS[0] if asked else "#ffffff")
        drawing.words(x + width / 2, 74, str(cell * element_bytes), size=8)
        if asked:
            drawing.words(x + width / 2, 51, "●", size=9)
            drawing.words(x + width / 2, 12, f"t{used.index(cell)}", size=8)
            drawing.line((x + width / 2, 16), (x + width / 2, 32), arrow=True)
    return drawing


def learners(times: list, unit: str = "s") -> Drawing:
    """Gantt chart: one row per learner, one bar per mini-batch with its duration."""
    total = max(sum(float(t) for t in row) for row in times)
    scale = 310 / total
    drawing = Drawing(380, 46 + 30 * len(times))
    for row, batches in enumerate(times):
        y, x = 12 + 30 * row, 58.0
        drawing.words(10, y + 14, f"L{row + 1}", size=10, anchor="start", bold=True)
        for number, duration in enumerate(batches):
            width = float(duration) * scale
            drawing.box(x, y, width, 20, fill=_FILLS[number % len(_FILLS)])
            drawing.words(x + width / 2, y + 14, f"{float(duration):g}", size=8)
            x += width
    bottom = 16 + 30 * len(times)
    drawing.line((58, bottom), (372, bottom), arrow=True)
    drawing.words(370, bottom + 16, f"time ({unit})", size=9, anchor="end")
    return drawing


def pushes(times: list) -> Drawing:
    """A server's time line above those of the learners; an arrow for each gradient that arrives."""
    last = max(float(t) for row in times for t in row) * 1.1
    drawing = Drawing(380, 66 + 40 * len(times))
    drawing.words(8, 28, "server", size=9, anchor="start", bold=True)
    drawing.line((76, 24), (372, 24), arrow=True)
    for row, arrivals in enumerate(times):
        y = 70 + 40 * row
        drawing.words(8, y + 4, f"learner {row + 1}", size=9, anchor="start", bold=True)
        drawing.line((76, y), (372, y), arrow=True, colour=FAINT)
        for arrival in arrivals:
            x = 76 + float(arrival) / last * 286
            drawing.line((x - 6, y), (x, 27), arrow=True, colour=COLOURS[row], dash=(() if row == 0 else (5, 2)))
            drawing.words(x, y + 13, f"{float(arrival):g}", size=8)
    drawing.words(370, 52 + 40 * len(times) + 10, "time (s)", size=9, anchor="end")
    return drawing


def ring(processes: int) -> Drawing:
    """Processes in a circle, each sending to the next."""
    count = min(int(processes), 8)
    radius, centre = 72.0, (120.0, 100.0)
    drawing = Drawing(240, 200)
    places = [(centre[0] + radius * math.sin(2 * math.pi * i / count),
               centre[1] - radius * math.cos(2 * math.pi * i / count)) for i in range(count)]
    for i, (x, y) in enumerate(places):
        tx, ty = places[(i + 1) % count]
        length = math.hypot(tx - x, ty - y)
        ux, uy = (tx - x) / length * 17, (ty - y) / length * 17
        drawing.line((x + ux, y + uy), (tx - ux, ty - uy), arrow=True)
    for i, (x, y) in enumerate(places):
        drawing.box(x - 14, y - 11, 28, 22, fill=_FILLS[0])
        drawing.words(x, y + 4, f"P{i}" if i < count - 1 or processes == count else "…", size=10)
    return drawing


def pipeline(stages: int, batches: int) -> Drawing:
    """Which micro-batch is in which stage at which step."""
    cell = min(30.0, 300 / (stages + batches - 1))
    drawing = Drawing(70 + cell * (stages + batches - 1), 30 + 24 * stages)
    for stage in range(stages):
        y = 8 + 24 * stage
        drawing.words(8, y + 15, f"stage {stage + 1}", size=9, anchor="start")
        for step in range(stages + batches - 1):
            batch = step - stage
            busy = 0 <= batch < batches
            drawing.box(62 + cell * step, y, cell, 20, fill=_FILLS[batch % 5] if busy else "#ffffff",
                        colour=INK if busy else "#bbbbbb")
            if busy:
                drawing.words(62 + cell * step + cell / 2, y + 14, str(batch + 1), size=9)
    drawing.words(62, 24 * stages + 24, "steps →", size=9, anchor="start")
    return drawing


def chain(labels: list, skip: bool = False) -> Drawing:
    """Layers one after the other, with a shortcut around the inner ones when `skip`. A "/" in a label breaks the line."""
    width, gap, top = 72.0, 20.0, 40.0 if skip else 10.0
    drawing = Drawing(20 + len(labels) * (width + gap) - gap, top + 44)
    for number, label in enumerate(labels):
        x = 10 + number * (width + gap)
        drawing.box(x, top, width, 34, fill=_FILLS[number % len(_FILLS)])
        lines = str(label).split("/")
        for row, word in enumerate(lines):
            drawing.words(x + width / 2, top + 21 - 6 * (len(lines) - 1) + 12 * row, word, size=9)
        if number + 1 < len(labels):
            drawing.line((x + width, top + 17), (x + width + gap, top + 17), arrow=True)
    if skip:
        first, last = 10 + width / 2, 10 + (len(labels) - 1) * (width + gap) + width / 2
        drawing.line((first, top), (first, 18), (last, 18), (last, top), arrow=True, dash=(5, 3))
        drawing.words((first + last) / 2, 13, "identity", size=9)
    return drawing
