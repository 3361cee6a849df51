"""Drawings of the class report as SVG text that follows the page's colours."""
from collections.abc import Sequence

from ..emit.escape import markup
from ..marks import short

BINS = 10


def bins(values: Sequence[int], most: int, count: int = BINS) -> list[int]:
    """How many values lie in each tenth of 0..most; the last tenth holds the full score."""
    found = [0] * count
    for value in values:
        found[min(count - 1, max(0, value * count // max(1, most)))] += 1
    return found


def histogram(values: Sequence[int], most: int, name: str, width: int = 320, height: int = 130) -> str:
    heights = bins(values, most)
    top = max(heights, default=0) or 1
    left, bottom, above = 8, 22, 16
    step = (width - 2 * left) / len(heights)
    room = height - bottom - above
    parts = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{markup(name)}: distribution of points">']
    for index, number in enumerate(heights):
        tall = room * number / top
        x, y = left + index * step + 2, above + room - tall
        low, high = most * index // len(heights), most * (index + 1) // len(heights)
        above_all = index == len(heights) - 1 and max(values, default=0) > most
        span = f"{short(low)} points and more" if above_all else f"{short(low)} to {short(high)} points"
        parts.append(f'<rect class="bar" x="{x:.1f}" y="{y:.1f}" width="{step - 4:.1f}" height="{max(tall, 0):.1f}" rx="2">'
                     f"<title>{span}: {number}</title></rect>")
        if number:
            parts.append(f'<text class="count" x="{x + step / 2 - 2:.1f}" y="{y - 4:.1f}">{number}</text>')
    base = above + room
    parts.append(f'<line class="axis" x1="{left}" y1="{base}" x2="{width - left}" y2="{base}"/>')
    for share, anchor in ((0, "start"), (0.5, "middle"), (1, "end")):
        x = left + share * (width - 2 * left)
        parts.append(f'<text class="tick" x="{x:.0f}" y="{height - 7}" text-anchor="{anchor}">'
                     f"{short(round(most * share))}</text>")
    return "".join(parts) + "</svg>"


def share_bar(counts: dict[str, int]) -> str:
    """One line per test: how many got which kind of verdict, as a stacked bar."""
    total = sum(counts.values()) or 1
    groups = (("good", ("AC",)), ("part", ("PA",)), ("wait", ("INC", "XX")), ("skip", ("SK",)), ("bad", ()))
    named = {verdict for _, verdicts in groups for verdict in verdicts}
    parts, x = [], 0.0
    for style, verdicts in groups:
        number = sum(count for verdict, count in counts.items()
                     if verdict in verdicts or not verdicts and verdict not in named)
        if number:
            wide = 100 * number / total
            parts.append(f'<rect class="{style}" x="{x:.2f}" y="0" width="{wide:.2f}" height="10"/>')
            x += wide
    label = ", ".join(f"{verdict} {count}" for verdict, count in sorted(counts.items()))
    return (f'<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{label}">'
            f"<title>{label}</title>{''.join(parts)}</svg>")
