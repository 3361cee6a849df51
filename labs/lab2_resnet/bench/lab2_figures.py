"""The handout's drawings, figures/*.svg: computed, the same bytes everywhere.
Run by docs/update.py --pages; a test compares."""
from hpml_autograder import drawing
from lab2_drawings import DRAWINGS

BATCHES, LOAD, TRAIN = 5, 4.0, 1.5  # of each batch, in units of the drawing
LEFT, WIDTH, BAR, PIXELS = 110, 800, 16, 23.0

Span = tuple[float, float]


def schedule(workers: int) -> tuple[list[Span], list[Span]]:
    """When each batch is loaded and trained: workers take batches in turn; training takes them in order."""
    free, trained, loads, trains = [0.0] * max(1, workers), 0.0, [], []
    for batch in range(BATCHES):
        worker = batch % len(free)
        start = trained if workers == 0 else free[worker]
        free[worker] = start + LOAD
        loads.append((start, start + LOAD))
        begin = max(trained, start + LOAD)
        trained = begin + TRAIN
        trains.append((begin, trained))
    return loads, trains


def workers_svg() -> str:
    shapes, y = [], 30
    for workers in (0, 1, 4):
        loads, trains = schedule(workers)
        rows = max(1, workers)
        shapes.append(drawing.text(10, y + 13, f"{workers} worker{'' if workers == 1 else 's'}"))
        for batch, (start, end) in enumerate(loads):
            shapes += bar(start, end, y + (batch % rows) * (BAR + 3), drawing.BLUE, str(batch))
        for batch, (start, end) in enumerate(trains):
            shapes += bar(start, end, y + rows * (BAR + 3), drawing.GREEN, str(batch))
        y += (rows + 1) * (BAR + 3)
        shapes.append(drawing.text(LEFT + trains[-1][1] * PIXELS + 8, y - 8, f"{trains[-1][1]:g}", colour=drawing.GRAY))
        y += 22
    shapes += [*bar(0, 1, 6, drawing.BLUE, ""), drawing.text(LEFT + 30, 19, "load"), *bar(4, 5, 6, drawing.GREEN, ""),
               drawing.text(LEFT + 122, 19, "train; the number is the batch")]
    return drawing.svg(WIDTH, y, "Loading and training over time with 0, 1 and 4 workers", shapes)


def bar(start: float, end: float, y: float, colour: str, word: str) -> list[str]:
    x0, x1 = LEFT + start * PIXELS, LEFT + end * PIXELS
    return [drawing.box(x0, y, x1 - x0, BAR, colour), drawing.text((x0 + x1) / 2, y + 13, word, "middle", "#fff")]


FIGURES = {"workers.svg": workers_svg, **DRAWINGS}
