"""alike.html: for pairs of hand-ins that share much, their programs side by side with the lines they share marked. For staff."""
import html
from collections.abc import Mapping, Sequence

from ..emit.escape import plain
from ..similarity import Pair, shared_lines
from .page import head

MOST_PAIRS = 25
MOST_LINES = 1500
STYLE = """<style>main{max-width:none}.two{display:grid;grid-template-columns:1fr 1fr;gap:10px}
.two pre{overflow-x:auto;font-size:.78rem;line-height:1.35;background:var(--card);border:1px solid var(--line);padding:6px;margin:0}
mark{background:#e7b40055;color:inherit;display:block}.two span{display:block;min-height:1.35em}</style>"""

Sources = Mapping[str, str]  # file -> text


def render(title: str, found: Sequence[Pair], sources: Mapping[str, Sources], starter: Sources) -> str:
    """sources: of every hand-in of `found[:MOST_PAIRS]`."""
    parts = [_pair(pair, sources.get(pair.first, {}), sources.get(pair.second, {}), starter, place == 0)
             for place, pair in enumerate(found[:MOST_PAIRS])]
    if not found:
        parts = ['<p>No two hand-ins share more than chance and the starter explain. Code that most hand-ins have does not count.</p>']
    more = f"<p>{len(found) - MOST_PAIRS} more pairs are in summary.json.</p>" if len(found) > MOST_PAIRS else ""
    return head(f"{title}: alike") + STYLE + (
        '<p class="note">Marked lines stand in both programs, whatever their names and comments; lines of the starter are not '
        "marked. A hint to read them, never a verdict.</p>" + "\n".join(parts) + more + "\n</main></body></html>\n")


def _pair(pair: Pair, first: Sources, second: Sources, starter: Sources, is_first: bool) -> str:
    both = [name for name in first if name in second]
    columns, marked = [], {pair.first: [0, 0], pair.second: [0, 0]}
    for name in both:
        lines = shared_lines(first[name], second[name], starter.get(name, ""))
        for who, own, at in ((pair.first, first[name], lines[0]), (pair.second, second[name], lines[1])):
            marked[who][0] += len(at)
            marked[who][1] += sum(bool(line.strip()) for line in own.splitlines())
        if lines[0]:
            columns.append(f"<h3>{html.escape(name)}</h3><div class=\"two\">{_program(first[name], lines[0])}"
                           f"{_program(second[name], lines[1])}</div>")
    shares = ", ".join(f"{count} of {total} lines of {html.escape(who)}" for who, (count, total) in marked.items())
    return (f"<details{' open' if is_first else ''}><summary>{html.escape(pair.first)} and {html.escape(pair.second)}: {shares} are alike</summary>"
            f"{''.join(columns)}</details>")


def _program(text: str, marked: set[int]) -> str:
    rows = []
    for number, line in enumerate(plain(text, 10**6).splitlines()[:MOST_LINES], start=1):
        tag = "mark" if number in marked else "span"
        rows.append(f"<{tag}>{number:4} {html.escape(line)}</{tag}>")
    return f"<pre>{''.join(rows)}</pre>"
