"""The handout's drawings, figures/*.svg: computed from addresses, written as text, the same bytes everywhere.
Run by docs/update.py --pages; a test compares."""
from hpml_autograder.drawing import BLUE, GREEN, PALE, RED, arrow, box, svg, text

WARP, SECTOR, FLOAT = 32, 32, 4


def sectors(stride: int) -> list[int]:
    """Of the loads of a warp whose lanes are `stride` floats apart."""
    return sorted({lane * stride * FLOAT // SECTOR for lane in range(WARP)})


def _warp(top: int, stride: int, title: str, colour: str) -> list[str]:
    """Threads above, memory below; a stroke from each thread to the sector that it needs."""
    touched = sectors(stride)
    step = 640 / len(touched) if len(touched) > 4 else 40
    shapes = [text(20, top - 8, title)]
    shapes += [box(20 + 20 * lane, top, 20, 18, BLUE) for lane in range(WARP)]
    shapes += [box(20 + step * place, top + 60, step, 18, colour) for place in range(len(touched))]
    for lane in range(WARP):
        place = touched.index(lane * stride * FLOAT // SECTOR)
        inside = (lane * stride * FLOAT % SECTOR + FLOAT / 2) / SECTOR if len(touched) <= 4 else 0.5
        shapes.append(arrow(30 + 20 * lane, top + 18, 20 + step * (place + inside), top + 60, "#8a8f98"))
    return [*shapes, text(20, top + 96, f"{len(touched)} sectors of {SECTOR} bytes for {WARP * FLOAT} bytes that are "
                                        "needed")]


def coalescing() -> str:
    return svg(680, 300, "Sectors that one load of a warp touches", [
        *_warp(40, 500, "vecadd00, V = 500: the 32 threads of a warp, 500 floats apart", RED),
        *_warp(190, 1, "vecadd01: the 32 threads of a warp, side by side", GREEN)])


def _matrix(x: float, y: float, n: int, side: float, name: str) -> list[str]:
    return [box(x + side * column, y + side * row, side, side, PALE) for row in range(n) for column in range(n)] + [
        text(x + n * side / 2, y - 8, name, "middle")]


def tiles(n: int = 512, tile: int = 32) -> str:
    """Which parts of A and B one block needs, and how often each element is loaded."""
    side, count, row, column = 18, 8, 2, 5
    shapes = [shape for x, y, name in ((60, 230, "A"), (260, 50, "B"), (260, 230, "C"))
              for shape in _matrix(x, y, count, side, name)]
    shapes += [box(60 + side * k, 230 + side * row, side, side, BLUE) for k in range(count)]
    shapes += [box(260 + side * column, 50 + side * k, side, side, GREEN) for k in range(count)]
    shapes.append(box(260 + side * column, 230 + side * row, side, side, RED))
    words = ("A block owns a tile of C (red). For it, it loads a row of",
             "tiles of A (blue) and a column of tiles of B (green),", "one pair at a time, into shared memory.", "",
             f"n = {n}: without tiles each element is loaded {n} times,",
             f"with tiles of {tile} x {tile} only {n // tile} times.")
    shapes += [text(430, 70 + 20 * line, sentence) for line, sentence in enumerate(words)]
    return svg(840, 400, "Tiles of a matrix product", shapes)


def halo(block: int = 16, filter_size: int = 3) -> str:
    """The input tile of a convolution: outputs of the block, and the rim that the filter reaches."""
    side, rim = 16, (filter_size - 1) // 2
    whole = block + 2 * rim
    shapes = [box(20 + side * x, 30 + side * y, side, side,
                  BLUE if rim <= x < whole - rim and rim <= y < whole - rim else RED)
              for y in range(whole) for x in range(whole)]
    words = (f"{block} x {block} threads compute {block} x {block} outputs (blue).",
             f"A filter of {filter_size} x {filter_size} reaches {rim} further: the rim (red).", "",
             f"Into shared memory: {whole} x {whole} = {whole * whole} inputs per channel,",
             f"more than there are threads ({block * block}): some load twice.", "",
             f"Without a tile the block loads {block * block} x {filter_size * filter_size} = "
             f"{block * block * filter_size * filter_size}.")
    shapes += [text(340, 80 + 20 * line, sentence) for line, sentence in enumerate(words)]
    return svg(780, 40 + side * whole + 10, "The input tile of a convolution", shapes)


FIGURES = {"coalescing.svg": coalescing, "tiles.svg": tiles, "halo.svg": halo}
