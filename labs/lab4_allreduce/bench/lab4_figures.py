"""The handout's drawings, figures/*.svg: computed from the traffic table and the cost model, the same bytes everywhere.
Run by docs/update.py --pages; a test compares."""
import lab4_cost as cost
import lab4_table as table
from hpml_autograder.drawing import (BLUE, GRAY, GREEN, INK, ORANGE, PALE, PURPLE, RED, Axis, Plot, arrow, box, svg, text)

COLOURS = {"ps": RED, "tree": ORANGE, "ring": BLUE, "rd": GREEN, "rabenseifner": PURPLE}
SIDE = 34


def ring(ranks: int = 4) -> str:
    """What each rank's chunks contain after each step of the reduce-scatter, then of the all-gather."""
    held = [[{rank} for _ in range(ranks)] for rank in range(ranks)]
    shapes, steps = [], 2 * (ranks - 1)
    shapes += _ring_state(held, 0, "start")
    for step in range(steps):
        scatter = step < ranks - 1
        moves = [(rank, (rank - step if scatter else rank + 1 - (step - ranks + 1)) % ranks) for rank in range(ranks)]
        sent = {rank: (chunk, set(held[rank][chunk])) for rank, chunk in moves}
        for rank, (chunk, terms) in sent.items():
            target = held[(rank + 1) % ranks]
            target[chunk] = target[chunk] | terms if scatter else terms
        shapes += _ring_state(held, step + 1, f"{'scatter' if scatter else 'gather'} {step % (ranks - 1)}", sent)
    words = (f"Columns: chunks 0 to {ranks - 1}. Number: how many ranks' terms a chunk contains; green: all of them.",
             "Framed: sent in this step, to the rank below (from the last one to the first).")
    shapes += [text(20, 60 + ranks * (SIDE + 14) + 20 * line, sentence) for line, sentence in enumerate(words)]
    return svg(20 + (steps + 1) * (ranks * 22 + 20) + 60, 60 + ranks * (SIDE + 14) + 40, "The ring, step by step", shapes)


def _ring_state(held, step: int, title: str, sent=None) -> list[str]:
    ranks = len(held)
    left = 70 + step * (ranks * 22 + 20)
    shapes = [text(left + ranks * 11, 24, title, "middle")]
    for rank, chunks in enumerate(held):
        y = 40 + rank * (SIDE + 14)
        if step == 0:
            shapes.append(text(left - 8, y + 22, f"rank {rank}", "end"))
        for chunk, terms in enumerate(chunks):
            full = len(terms) == ranks
            shapes += [box(left + 22 * chunk, y, 22, SIDE, GREEN if full else BLUE if len(terms) > 1 else PALE),
                       text(left + 22 * chunk + 11, y + 22, str(len(terms)), "middle", "#fff" if len(terms) > 1 else INK)]
            if sent and sent[rank][0] == chunk:
                shapes.append(f'<rect x="{left + 22 * chunk + 2}" y="{y + 2}" width="18" height="{SIDE - 4}" fill="none" '
                              f'stroke="{INK}" stroke-width="2"/>')
    return shapes


def tree(ranks: int = 8) -> str:
    """Who sends to whom, and in which step, on the way up; the way down is its mirror."""
    shapes = [text(20, 24, "Reduce: step s joins ranks at distance 2^s; blue sends, green adds. Broadcast: the same lines, back.")]
    left, levels = 84, (ranks - 1).bit_length()
    for rank in range(ranks):
        x = left + 80 * rank
        shapes += [text(x, 56, str(rank), "middle"), arrow(x, 64, x, 90 + 60 * levels, "#dfe3e8")]
    for step in range(levels):
        y = 90 + 60 * step
        shapes.append(text(left - 20, y + 4, f"s = {step}", "end"))
        for rank in range(1, ranks):
            if rank & -rank == 1 << step:
                x, to = left + 80 * rank, left + 80 * (rank - (1 << step))
                shapes += [arrow(x, y, to + 8, y, BLUE), f'<circle cx="{x}" cy="{y}" r="6" fill="{BLUE}"/>',
                           f'<circle cx="{to}" cy="{y}" r="6" fill="{GREEN}"/>']
    return svg(80 * ranks + left, 100 + 60 * levels, "The binomial tree", shapes)


def double_tree(ranks: int = 8) -> str:
    """Both trees, places from left to right, leaves at the bottom; each place shows the rank that is there."""
    shapes, levels = [], (ranks - 1).bit_length()
    for tree in (0, 1):
        left = 50 + tree * (44 * ranks + 60)

        def at(place: int) -> tuple[int, int]:
            height = (place & -place).bit_length() - 1 if place else levels
            return left + 44 * place, 60 + 60 * (levels - height)
        shapes.append(text(left + 22 * (ranks - 1), 24, f"tree {tree}: half {tree} of the vector", "middle"))
        for place in range(1, ranks):
            (x, y), (to, above) = at(place), at(table.double_tree_parent(place, ranks))
            shapes.append(f'<line x1="{x}" y1="{y}" x2="{to}" y2="{above}" stroke="{GRAY}" stroke-width="2"/>')
        for place in range(ranks):
            x, y = at(place)
            rank, leaf = table.double_tree_rank(place, tree, ranks), bool(place % 2)
            shapes += [f'<circle cx="{x}" cy="{y}" r="15" fill="{PALE if leaf else BLUE}"/>',
                       text(x, y + 5, str(rank), "middle", INK if leaf else "#fff")]
    words = "Blue: ranks with children. Every rank but the roots 0 and 7 has three edges in one tree and one in the other."
    shapes.append(text(30, 60 * levels + 110, words))
    return svg(2 * 44 * ranks + 130, 60 * levels + 130, "The double binary tree", shapes)


def halving(power: int = 8) -> str:
    """The range of chunks that each rank keeps after each halving step, partner at distance 1 first."""
    log = power.bit_length() - 1
    shapes = [text(20, 24, "Coloured: chunks that a rank still adds up. Each step gives the other half to the partner.")]
    for step in range(log + 1):
        left = 80 + step * (power * 16 + 40)
        shapes.append(text(left + power * 8, 52, "start" if step == 0 else f"partner r xor {1 << (step - 1)}", "middle"))
        for rank in range(power):
            first, last = table.kept_ranges(rank, power, log)[step]
            y = 64 + 24 * rank
            if step == 0:
                shapes.append(text(left - 8, y + 15, f"rank {rank}", "end"))
            shapes += [box(left + 16 * chunk, y, 16, 20, (PURPLE if step == log else BLUE) if first <= chunk < last else PALE)
                       for chunk in range(power)]
    return svg(80 + (log + 1) * (power * 16 + 40), 84 + 24 * power, "Recursive halving", shapes)


def hot_link(ranks: int = 8, megabytes: int = 1) -> str:
    """Bytes that go over each rank's link, both directions together: parameter server and ring."""
    n = megabytes * 1000
    shapes = []
    for row, (name, title) in enumerate((("ps", "parameter server (server: rank 0)"), ("ring", "ring"))):
        out = [sum(size for _, size in table.sends(name, ranks, n, rank)) for rank in range(ranks)]
        into = [sum(size for sender in range(ranks) for peer, size in table.sends(name, ranks, n, sender) if peer == rank)
                for rank in range(ranks)]
        y = 190 + row * 210
        shapes.append(text(60, y - 150, title))
        for rank in range(ranks):
            total = out[rank] + into[rank]
            height = round(130 * total / (2 * n * (ranks - 1)), 1)
            hot = total == max(a + b for a, b in zip(out, into)) and name == "ps"
            shapes += [box(60 + 62 * rank, y - height, 46, height, RED if hot else BLUE),
                       text(83 + 62 * rank, y - height - 5, f"{total / n:.3g} N", "middle"),
                       text(83 + 62 * rank, y + 16, str(rank), "middle")]
    return svg(80 + 62 * ranks, 430, "Bytes over each rank's link", shapes)


def hierarchical(per_node: int = 4, nodes: int = 3) -> str:
    """Rings inside the nodes, and one ring across them for each local rank."""
    shapes = []
    for node in range(nodes):
        left = 30 + node * 220
        shapes.append(f'<rect x="{left}" y="40" width="190" height="{per_node * 44 + 20}" fill="none" stroke="{GRAY}"/>')
        shapes.append(text(left + 95, 30, f"node {node}", "middle"))
        for local in range(per_node):
            y = 70 + 44 * local
            shapes += [box(left + 60, y - 14, 70, 28, (BLUE, GREEN, ORANGE, PURPLE)[local % 4]),
                       text(left + 95, y + 5, f"rank {node * per_node + local}", "middle", "#fff")]
            if local + 1 < per_node:
                shapes.append(arrow(left + 95, y + 14, left + 95, y + 30, INK))
            if node + 1 < nodes:
                shapes.append(arrow(left + 130, y, left + 280, y, (BLUE, GREEN, ORANGE, PURPLE)[local % 4]))
    bottom = 40 + per_node * 44 + 50
    shapes.append(text(30, bottom, "1. reduce-scatter in each node; 2. all-reduce along each colour; 3. all-gather in each node"))
    return svg(30 + nodes * 220, bottom + 20, "Two levels", shapes)


def crossovers(ranks: int = 64) -> str:
    """The cost model of the graded network: which algorithm is the fastest for which size."""
    machine = cost.Machine()
    plot = Plot(Axis(4, 8 << 20, 90, 620, True), Axis(50e-6, 1, 380, 40, True))
    sizes = [4 * 2 ** (step / 2) for step in range(43)]
    shapes = plot.grid([(4.0**power, f"{4**power} B" if power < 5 else f"{4**power >> 10} KiB" if power < 10 else
                         f"{4**power >> 20} MiB") for power in range(1, 12, 2)],
                       [(1e-4, "0.1 ms"), (1e-3, "1 ms"), (1e-2, "10 ms"), (1e-1, "100 ms")])
    shapes += plot.names("size of the vector", f"time, P = {ranks}")
    for place, (name, colour) in enumerate(COLOURS.items()):
        points = [(size, cost.predict(name, ranks, size, machine)) for size in sizes]
        inside = [(x, y) for x, y in points if y <= 1]
        shapes += [plot.line(inside, colour), text(220 + 90 * place, 30, name, "start", colour)]
    return svg(680, 440, "Time against size", shapes)


FIGURES = {"ring.svg": ring, "tree.svg": tree, "double_tree.svg": double_tree, "halving.svg": halving,
           "hot_link.svg": hot_link, "hierarchical.svg": hierarchical, "crossovers.svg": crossovers}
