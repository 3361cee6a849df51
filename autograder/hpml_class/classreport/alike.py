"""alike.html: for pairs of hand-ins that share much, their programs side by side with the lines they share marked. For staff."""
import html
from collections.abc import Mapping, Sequence

from ..emit.escape import plain
from ..similarity import Group, Pair, shared_lines
from .page import head

MOST_PAIRS = 25
MOST_LINES = 1500
STYLE = """<style>main{max-width:none}.two{display:grid;grid-template-columns:1fr 1fr;gap:10px}
.two pre{overflow-x:auto;font-size:.78rem;line-height:1.35;background:var(--card);border:1px solid var(--line);padding:6px;margin:0}
mark{background:#e7b40055;color:inherit;display:block}.two span{display:block;min-height:1.35em}</style>"""

Sources = Mapping[str, str]  # file -> text


def shown(found: Sequence[Pair], many: Sequence[Group]) -> list[tuple[str, str]]:
    """Who stand side by side: the pairs most alike, and two of each group, where code that many have hides who shares it."""
    return list(dict.fromkeys([(pair.first, pair.second) for pair in found[:MOST_PAIRS]] + [group.members[:2] for group in many]))


def render(title: str, found: Sequence[Pair], sources: Mapping[str, Sources], starter: Sources, many: Sequence[Group] = ()) -> str:
    """sources: of every hand-in of shown()."""
    parts = [_pair(first, second, sources.get(first, {}), sources.get(second, {}), starter, place == 0)
             for place, (first, second) in enumerate(shown(found, many))]
    if not parts:
        parts = ['<p>No two hand-ins share more than chance and the starter explain.</p>']
    parts[:0] = [f"<p>{len(group.members)} hand-ins are alike in {html.escape(group.file)}: {html.escape('; '.join(group.members))}</p>"
                 for group in many]
    more = f"<p>{len(found) - MOST_PAIRS} more pairs are in summary.json.</p>" if len(found) > MOST_PAIRS else ""
    return head(f"{title}: alike") + STYLE + (
        '<p class="note">Marked lines stand in both programs, whatever their names and comments; lines of the starter are not '
        "marked. A hint to read them, never a verdict.</p>" + "\n".join(parts) + more + "\n</main></body></html>\n")


def _pair(one: str, other: str, first: Sources, second: Sources, starter: Sources, is_first: bool) -> str:
    both = [name for name in first if name in second]
    columns, marked = [], {one: [0, 0], other: [0, 0]}
    for name in both:
        lines = shared_lines(first[name], second[name], starter.get(name, ""))
        for who, own, at in ((one, first[name], lines[0]), (other, second[name], lines[1])):
            marked[who][0] += len(at)
            marked[who][1] += sum(bool(line.strip()) for line in own.splitlines())
        if lines[0]:
            columns.append(f"<h3>{html.escape(name)}</h3><div class=\"two\">{_program(first[name], lines[0])}"
                           f"{_program(second[name], lines[1])}</div>")
    shares = ", ".join(f"{count} of {total} lines of {html.escape(who)}" for who, (count, total) in marked.items())
    return (f"<details{' open' if is_first else ''}><summary>{html.escape(one)} and {html.escape(other)}: {shares} are alike</summary>"
            f"{''.join(columns)}</details>")


def _program(text: str, marked: set[int]) -> str:
    rows = []
    for number, line in enumerate(plain(text, 10**6).splitlines()[:MOST_LINES], start=1):
        tag = "mark" if number in marked else "span"
        rows.append(f"<{tag}>{number:4} {html.escape(line)}</{tag}>")
    return f"<pre>{''.join(rows)}</pre>"
