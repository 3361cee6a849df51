"""The table of `chatbot latency` as bars: one group per batch size, the median as a bar, the 95th percentile as a mark."""
from dataclasses import dataclass

from hpml_autograder import drawing

LEFT, WIDTH, BAR, GAP = 170, 520, 22, 34


@dataclass(frozen=True)
class Row:
    name: str  # eager, exported, exported + fused
    batch: int
    median_ms: float
    p95_ms: float


def rows_of(table: str) -> list[Row]:
    """The rows behind the head line; columns are set apart by blanks, and a name may hold some."""
    words = [line.split() for line in table.splitlines()[1:] if line.strip()]
    return [Row(" ".join(one[:-4]), int(one[-4]), float(one[-2]), float(one[-1])) for one in words]


def chart(rows: list[Row]) -> str:
    """Each batch size has a scale of its own: 64 answers take longer than one."""
    shapes, y = [], 20.0
    for batch in dict.fromkeys(row.batch for row in rows):
        group = [row for row in rows if row.batch == batch]
        scale = WIDTH / max(max(row.p95_ms for row in group), 1e-9)
        shapes.append(drawing.text(LEFT, y + 12, f"batch {batch}: median (bar) and 95th percentile (line), ms"))
        for row in group:
            y += BAR + 8
            end = LEFT + row.p95_ms * scale
            shapes += [drawing.text(LEFT - 8, y + 16, row.name, "end"),
                       drawing.box(LEFT, y, row.median_ms * scale, BAR, drawing.BLUE),
                       drawing.arrow(end, y, end, y + BAR, drawing.RED),
                       drawing.text(end + 6, y + 16, f"{row.median_ms:.3g} / {row.p95_ms:.3g}")]
        y += BAR + GAP
    return drawing.svg(LEFT + WIDTH + 130, int(y), "Time of an answer", shapes)
