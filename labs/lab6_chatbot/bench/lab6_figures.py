"""The handout's drawings, figures/*.svg: computed, the same bytes everywhere.
Run by docs/update.py --pages; a test compares."""
from hpml_autograder import drawing

QUESTION, ANSWER = ["where", "is", "the", "fagigo", "?", "EOS"], ["it", "is", "in", "the", "kubedu", ".", "EOS"]
CELL, GAP, HEIGHT, LEFT = 62, 6, 24, 130
ROWS = {"words": 330, "embedding": 290, "layer 0, forward": 240, "layer 0, reverse": 206, "layer 1, forward": 156,
        "layer 1, reverse": 122, "sum: keys": 80}
DECODER = {"words in": 330, "embedding": 290, "GRU layer 0": 240, "GRU layer 1": 190, "attention": 130, "concat, tanh": 96,
           "output": 62, "words out": 26}


def cells(words: list[str], left: float, y: float, fill: str, colour: str) -> list[str]:
    shapes = []
    for i, word in enumerate(words):
        x = left + i * (CELL + GAP)
        shapes += [drawing.box(x, y, CELL, HEIGHT, fill), drawing.text(x + CELL / 2, y + 17, word, "middle", colour)]
    return shapes


def along(count: int, left: float, y: float, backwards: bool = False) -> list[str]:
    """Arrows from each cell to the next one in time."""
    shapes = []
    for i in range(count - 1):
        x = left + i * (CELL + GAP) + CELL
        ends = (x + GAP + 6, x - 6) if backwards else (x - 6, x + GAP + 6)
        shapes.append(drawing.arrow(ends[0], y + HEIGHT / 2, ends[1], y + HEIGHT / 2, drawing.RED))
    return shapes


def loop_svg() -> str:
    right = LEFT + len(QUESTION) * (CELL + GAP) + 50
    names = right + len(ANSWER) * (CELL + GAP) + 2
    shapes = [drawing.text(LEFT, 16, "encoder: the whole question at once"),
              drawing.text(right, 16, "decoder: one step for each word of the reply")]
    for name, y in ROWS.items():
        shapes.append(drawing.text(LEFT - 8, y + 17, name, "end"))
        gru = name.startswith("layer")
        fill = drawing.PALE if name == "words" else drawing.GREEN if gru else drawing.BLUE
        shapes += cells(QUESTION if name == "words" else [""] * len(QUESTION), LEFT, y, fill, drawing.INK)
        shapes += along(len(QUESTION), LEFT, y, "reverse" in name) if gru else []
    inputs = ["SOS", *ANSWER[:-1]]
    for name, y in DECODER.items():
        shapes.append(drawing.text(names, y + 17, name))
        plain = name.startswith("words")
        fill = drawing.PALE if plain else drawing.GREEN if name.startswith("GRU") else drawing.BLUE
        shapes += cells(inputs if name == "words in" else ANSWER if plain else [""] * len(ANSWER), right, y, fill, drawing.INK)
        shapes += along(len(ANSWER), right, y) if name.startswith("GRU") else []
    for i in range(len(ANSWER) - 1):  # the word that was chosen is read by the next step
        x = right + i * (CELL + GAP) + CELL / 2
        shapes.append(drawing.arrow(x + CELL / 2 + 1, 50, x + CELL / 2 + GAP, 330, drawing.GRAY))
    end = LEFT + len(QUESTION) * (CELL + GAP) - GAP
    shapes += [drawing.arrow(end, 252, right, 252, drawing.RED), drawing.arrow(end, 218, right, 204, drawing.RED),
               drawing.arrow(end, 92, right, 142, drawing.BLUE),
               drawing.text(LEFT, 378, "red: states. Both initial states of the decoder come from layer 0 of the encoder. "
                            "Grey: each chosen word is read by the next step, until EOS.", colour=drawing.GRAY)]
    return drawing.svg(int(names + 100), 390, "From the question to the reply", shapes)


FIGURES = {"loop.svg": loop_svg}
