"""The class report as one HTML file: no script, nothing from elsewhere, readable on a phone and on paper."""
from collections import Counter

from ..emit.escape import markup
from ..marks import short
from ..similarity import Cluster, clusters
from .data import TRUSTED, ClassData, Row, spread
from .figures import histogram, share_bar

LOOK_AT_FIRST = 20
MOST_ALIKE, MANY_NAMES = 50, 600
STYLE = """
:root{--ink:#1c2330;--soft:#5b6577;--line:#d9dee7;--page:#fff;--card:#f6f8fb;--bar:#3b6fb6;--good:#3f8f5f;--part:#c9a227;
--bad:#c0504d;--skip:#b9c0cc;--wait:#7a6bb0}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#9aa4b5;--line:#333b49;--page:#12161d;--card:#1a202a;
--bar:#6f9fe0;--good:#5fb381;--part:#d9b84a;--bad:#dd7a77;--skip:#4a5362;--wait:#a294d8}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.45 system-ui,sans-serif}
main{max-width:1080px;margin:0 auto;padding:20px 16px 60px}
h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.15rem;margin:2em 0 .6em}h3{font-size:1rem;margin:0 0 .3em}
p.note{color:var(--soft);margin:.2em 0 .8em}
.numbers{display:flex;flex-wrap:wrap;gap:10px;margin:14px 0}
.numbers div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 14px;min-width:104px}
.numbers b{display:block;font-size:1.3rem}.numbers span{color:var(--soft);font-size:.85rem}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));gap:14px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px}
.warn{border-left:4px solid var(--bad);background:var(--card);padding:8px 12px;margin:12px 0}
svg{width:100%;max-width:760px;height:auto;display:block}svg.share{height:10px;border-radius:3px;margin:2px 0 8px}
.bar{fill:var(--bar)}.axis{stroke:var(--soft)}.tick,.count{fill:var(--soft);font:11px system-ui,sans-serif}
.count{text-anchor:middle}
.good{fill:var(--good)}.part{fill:var(--part)}.bad{fill:var(--bad)}.skip{fill:var(--skip)}.wait{fill:var(--wait)}
.key i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin:0 .3em 0 .9em;vertical-align:-1px}
.test{display:flex;justify-content:space-between;font-size:.85rem;gap:8px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--soft);font-weight:600}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.who{overflow-wrap:anywhere;min-width:7em}td ul{margin:0;padding-left:1.1em}
td li{overflow-wrap:anywhere}
td li{margin:0}details{margin-top:.6em}summary{cursor:pointer;color:var(--soft)}
.look td:first-child,.look th:first-child{width:24%}
@media (max-width:560px){body{font-size:15px}.numbers div{flex:1 1 44%}
.look,.look tbody{display:block}.look tr{display:grid;grid-template-columns:1fr auto;border-bottom:1px solid var(--line)}
.look td,.look td:first-child{border:0;width:auto}.look td:last-child{grid-column:1/3}.look tr.head{display:none}}
@media print{.card,.numbers div{break-inside:avoid}body{font-size:11pt}}
"""


def render(data: ClassData) -> str:
    sections = [_head(data), _numbers(data), _warnings(data), _totals(data), _look(data), _exercises(data),
                _alike(data), _slowest(data), _everybody(data)]
    return head(f"{data.title}: class report") + "\n".join(section for section in sections if section) + "\n</main></body></html>\n"


def head(title: str) -> str:
    """The beginning of each page for staff, up to its heading."""
    return ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
            f"<title>{markup(title)}</title><style>{STYLE}</style></head><body><main>\n<h1>{markup(title)}</h1>")


def _head(data: ClassData) -> str:
    harness = ", ".join(f"{sha[:12]} ({count})" for sha, count in sorted(data.harness.items()))
    trust = ", ".join(f"{markup(name)}" for name in sorted(data.trust))
    return (f"<p class=\"note\">Harness {markup(harness)}; metrics from {trust}. For staff: it names people and hidden "
            "tests. What one got and why: students/NAME/feedback.html; test by test: rubric.html; alike side by side: alike.html.</p>")


def _numbers(data: ClassData) -> str:
    totals = spread([row.total for row in data.graded])
    most = short(data.most)
    boxes = [("hand-ins", str(len(data.rows)))]
    if totals:
        boxes += [("mean", f"{totals['mean'] / 1000:.1f} of {most}"), ("median", short(totals["median"])),
                  ("middle half", f"{totals['low'] / 1000:.1f} to {totals['high'] / 1000:.1f}")]
    for status, word in (("inconclusive", "pending"), ("infra_error", "not graded")):
        number = sum(row.status == status for row in data.rows)
        if number:
            boxes.append((word, str(number)))
    return '<div class="numbers">' + "".join(f"<div><b>{markup(value)}</b><span>{name}</span></div>"
                                             for name, value in boxes) + "</div>"


def _warnings(data: ClassData) -> str:
    lines = []
    weak = Counter(row.sandbox for row in data.rows if row.sandbox not in TRUSTED and row.status != "infra_error")
    if weak:
        levels = ", ".join(f"{count} at {level}" for level, count in sorted(weak.items()))
        lines.append(f"Not graded in a full sandbox ({markup(levels)}): feedback only, no scores of record.")
    if len(data.harness) > 1:
        lines.append("Not all were graded with the same harness; hpml regrade brings them to one.")
    return "".join(f'<p class="warn">{line}</p>' for line in lines)


def _look(data: ClassData) -> str:
    found = data.look()
    if not found:
        return "<h2>Who needs a look</h2><p class=\"note\">Nobody.</p>"
    rows = [f'<tr><td class="who">{_who(row)}</td><td class="n">{_score(row)}</td><td><ul>'
            + "".join(f"<li>{markup(reason, 240)}</li>" for reason in reasons) + "</ul></td></tr>" for row, reasons in found]
    text = f"<h2>Who needs a look ({len(found)})</h2>{_look_table(rows[:LOOK_AT_FIRST])}"
    rest = rows[LOOK_AT_FIRST:]
    return text + (f"<details><summary>{len(rest)} more</summary>{_look_table(rest)}</details>" if rest else "")


def _look_table(rows: list[str]) -> str:
    return ('<table class="look"><tr class="head"><th>hand-in</th><th class="n">points</th><th>why</th></tr>'
            + "".join(rows) + "</table>")


def _totals(data: ClassData) -> str:
    drawn = histogram([row.total for row in data.graded], data.most, "total", 480, 150)
    return f'<h2>Points</h2><div class="card">{drawn}</div>'


def _exercises(data: ClassData) -> str:
    key = "".join(f'<i style="background:var(--{style})"></i>{word}' for style, word in (
        ("good", "accepted"), ("part", "partial"), ("bad", "failed"), ("skip", "not run"), ("wait", "pending")))
    cards = []
    for name, most in data.maximum.items():
        values = data.values(name)
        note = _note(data, name, values)
        tests = "".join(f'<div class="test"><span>{markup(test)}</span><span>'
                        f"{sum(row.verdicts.get(test) == 'AC' for row in data.rows)}/{len(data.rows)}</span></div>"
                        + share_bar(Counter(row.verdicts.get(test, "XX") for row in data.rows))
                        for test, exercise in data.tests.items() if exercise == name)
        cards.append(f'<div class="card"><h3>{_heading(data, name)}</h3><p class="note">{note}</p>'
                     f"{histogram(values, most, name)}{tests}</div>")
    return f'<h2>Exercises and tests</h2><p class="note key">{key}</p><div class="cards">{"".join(cards)}</div>'


def _heading(data: ClassData, exercise: str) -> str:
    return markup(exercise) + (" (bonus)" if exercise in data.bonuses else "")


def _note(data: ClassData, exercise: str, values: list[int]) -> str:
    if exercise in data.bonuses and not values:
        return "nobody tried it"
    if not values:
        return "nobody graded"
    tried = f", tried by {len(values)} of {len(data.graded)}" if exercise in data.bonuses else ""
    return f"median {short(spread(values)['median'])} of {short(data.maximum[exercise])}{tried}"


def _alike(data: ClassData) -> str:
    many = "".join(f'<p class="warn">{markup(data.group_line(group))}</p>' for group in data.groups)
    if not data.pairs:
        return f"<h2>Alike</h2>{many}<p class=\"note\">No two hand-ins share much that the starter and the class do not.</p>"
    files = {row.id: row.submission for row in data.rows}
    found = clusters(data.pairs)
    rows = "".join(f'<tr><td class="who">{markup("; ".join(one.members), MANY_NAMES)}</td>'
                   f'<td class="n">{len(one.members)}</td><td class="n">{_range(one)}</td><td class="n">{one.common}</td>'
                   f'<td>{"the same files" if len({files[name] for name in one.members}) == 1 else ""}</td></tr>'
                   for one in found[:MOST_ALIKE])
    rest = f'<p class="note">{len(found) - MOST_ALIKE} more are in summary.json.</p>' if len(found) > MOST_ALIKE else ""
    return (f"<h2>Alike</h2>{many}<p class=\"note\">Share of the shorter program's fingerprints that two of them "
            "have, without the starter's and without common ones; side by side in alike.html. A hint to read them, no more.</p><div class=\"scroll\"><table>"
            "<tr><th>hand-ins</th><th class=\"n\">how many</th><th class=\"n\">share</th><th class=\"n\">fingerprints</th>"
            f"<th></th></tr>{rows}</table></div>{rest}")


def _range(one: Cluster) -> str:
    low, high = (f"{int(100 * share)}%" for share in (one.least, one.most))  # 100 % only where it is
    return high if low == high else f"{low} to {high}"


def _slowest(data: ClassData) -> str:
    if not data.slowest:
        return ""
    rows = "".join(f'<tr><td class="who">{_who(row)}</td><td class="n">{row.wall_s:.1f} s</td>'
                   f'<td class="n">{_score(row)}</td></tr>' for row in data.slowest)
    return (f"<h2>Slowest to grade</h2><div class=\"scroll\"><table><tr><th>hand-in</th><th class=\"n\">time</th>"
            f"<th class=\"n\">points</th></tr>{rows}</table></div>")


def _everybody(data: ClassData) -> str:
    names = list(data.maximum)
    head = "".join(f'<th class="n">{_heading(data, name)}</th>' for name in names)
    rows = "".join(f'<tr><td class="who">{_who(row)}</td>'
                   + "".join(f'<td class="n">{short(row.points.get(name, 0))}</td>' for name in names)
                   + f'<td class="n">{"-" + short(row.deduction) if row.deduction else ""}</td>'
                     f'<td class="n">{_score(row)}</td></tr>' for row in sorted(data.rows, key=lambda row: row.id))
    return (f"<h2>Everybody</h2><div class=\"scroll\"><table><tr><th>hand-in</th>{head}<th class=\"n\">late</th>"
            f"<th class=\"n\">total</th></tr>{rows}</table></div>")


def _who(row: Row) -> str:
    return markup(row.id) + (f" ({markup(row.student)})" if row.student != row.id else "")


def _score(row: Row) -> str:
    return {"infra_error": "not graded", "inconclusive": f"{short(row.total)} + pending"}.get(row.status, short(row.total))
