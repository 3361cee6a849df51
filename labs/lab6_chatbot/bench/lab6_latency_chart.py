"""The table of `chatbot latency` as bars: a row of panels per batch size, one panel for each part of an answer. The median is a
bar, the 95th percentile a mark."""
from dataclasses import dataclass

from hpml_autograder import drawing

PARTS = ("encoder", "decoder step", "sentence")
LEFT, WIDTH, ROOM, BAR, GAP = 130, 150, 100, 22, 40
MEDIANS = 0.6  # part of a panel that the longest median fills


@dataclass(frozen=True)
class Row:
    name: str  # eager, exported, exported + fused
    batch: int
    times_ms: tuple[tuple[float, float], ...]  # median and 95th percentile of each part


def rows_of(table: str) -> list[Row]:
    """The rows behind the head line; columns are set apart by blanks, and a name may hold some."""
    rows, columns = [], 2 * len(PARTS)
    for words in (line.split() for line in table.splitlines()[1:] if line.strip()):
        times = [float(word) for word in words[-columns:]]
        rows.append(Row(" ".join(words[:-columns - 2]), int(words[-columns - 2]), tuple(zip(times[::2], times[1::2]))))
    return rows


def chart(rows: list[Row]) -> str:
    """Each panel has a scale of its own: a sentence takes longer than a step, 64 answers longer than one."""
    shapes, y = [], 16.0
    for batch in dict.fromkeys(row.batch for row in rows):
        group = [row for row in rows if row.batch == batch]
        shapes.append(drawing.text(LEFT - 8, y + 12, f"batch {batch}", "end"))
        for part, name in enumerate(PARTS):
            x = LEFT + part * (WIDTH + ROOM)
            scale = MEDIANS * WIDTH / max(max(row.times_ms[part][0] for row in group), 1e-9)
            shapes.append(drawing.text(x, y + 12, f"{name}, ms"))
            for i, row in enumerate(group):
                median, p95 = row.times_ms[part]
                top, end = y + 22 + i * (BAR + 8), x + min(p95 * scale, WIDTH)  # a disturbed run must not hide the bars
                shapes += [drawing.box(x, top, median * scale, BAR, drawing.BLUE),
                           drawing.arrow(end, top - 2, end, top + BAR + 2, drawing.RED),
                           drawing.text(end + 6, top + 16, f"{median:.3g} / {p95:.3g}")]
        shapes += [drawing.text(LEFT - 8, y + 38 + i * (BAR + 8), row.name, "end") for i, row in enumerate(group)]
        y += 22 + len(group) * (BAR + 8) + GAP
    shapes.append(drawing.text(LEFT, y - 10, "bar: median; red line: 95th percentile, at the edge if it lies beyond", colour=drawing.GRAY))
    return drawing.svg(LEFT + len(PARTS) * (WIDTH + ROOM), int(y), "Time of an answer and its parts", shapes)
