"""Quiz -> one HTML file without scripts, for screens, phones and paper."""
import html
import re
from functools import lru_cache

from .. import markup, typeset
from ..instance import Instance
from ..quiz import Quiz, points_text
from .common import heading, instruction, key_value, label_of, precision, scorings, whys

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; font: 1rem/1.5 "DejaVu Sans", Verdana, sans-serif;
  color: #1a1a1a; background: #fff; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
p { margin: .4rem 0; }
.meta, .rule, .ask, .source { color: #4d4d4d; }
.rule, .ask, .source { font-size: .9rem; }
section { border-top: 1px solid #bbb; padding: .9rem 0; break-inside: avoid; }
ol.options { list-style: none; margin: .4rem 0; padding: 0; }
ol.options > li { display: flex; gap: .6rem; padding: .25rem 0; }
.box { flex: none; width: 1.1rem; height: 1.1rem; margin-top: .2rem; border: 1.5px solid #1a1a1a; text-align: center;
  line-height: .95rem; font-weight: bold; }
.round { border-radius: 50%; }
.place { flex: none; color: #4d4d4d; }
.blank { display: inline-block; min-width: 7rem; border-bottom: 1.5px solid #1a1a1a; }
.scroll { overflow-x: auto; }
pre { background: #f4f4f4; padding: .6rem; overflow-x: auto; font-size: .85rem; margin: .4rem 0; }
code { font-family: "DejaVu Sans Mono", Consolas, monospace; }
sup, sub { line-height: 0; white-space: nowrap; }
.whole { white-space: nowrap; }
.part { margin: .6rem 0; }
.part .ask { display: inline-block; }
table { border-collapse: collapse; margin: .4rem 0; }
th, td { border: 1px solid #888; padding: .2rem .6rem; text-align: left; }
th { background: #eee; }
svg { display: block; width: 100%; height: auto; margin: .5rem 0; }
.right { font-weight: bold; }
.solution { background: #f0f5f0; border-left: 4px solid #00694f; padding: .4rem .8rem; margin-top: .5rem; }
@media print {
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  pre { white-space: pre-wrap; }
  .solution { background: none; }
}
@page { margin: 18mm; }
""".strip()


def _word(word: typeset.Word) -> str:
    return markup.inline_html(word.spans)


@lru_cache(maxsize=8192)
def _inline(spans: markup.Spans) -> str:
    return " ".join(_word(group[0]) if len(group) == 1 else f'<span class="whole">{" ".join(map(_word, group))}</span>'
                    for group in typeset.groups(spans))


def _line(text: str) -> str:
    return _inline(markup.line(text))


def _options(instance: Instance, with_key: bool) -> str:
    shape = "box" if instance.kind == "ms" else "box round"
    rows = []
    for place, option in enumerate(instance.options, start=1):
        right = with_key and option.correct
        rows.append(f'<li{" class=right" if right else ""}><span class="{shape}">{"✓" if right else ""}</span>'
                    f'<span class="place">({place})</span><span>{_line(option.text)}</span></li>')
    return '<ol class="options">\n' + "\n".join(rows) + "\n</ol>"


def _parts(instance: Instance, with_key: bool) -> str:
    rows = []
    for place, part in enumerate(instance.parts):
        blank = f'<span class="whole"><span class="blank">&nbsp;</span> {_line(part.unit_words)}</span>'
        value = f"<b>{_line(key_value(part))}</b>" if with_key else blank
        rows.append(f'<p class="part">{_line(label_of(instance, place))} {value} <span class="ask">'
                    f"{_line(precision(part))}</span></p>")
    return "\n".join(rows)


def _solution(instance: Instance) -> str:
    rows = "".join(f"<li>option {_line(why)}</li>" for why in whys(instance))
    return (f'<div class="solution"><b>Solution</b>\n{markup.to_html(instance.explanation, _inline)}\n'
            + (f"<ul>{rows}</ul>" if rows else "")
            + f'<p class="source">Source: {html.escape(instance.template.source)}</p></div>')


def _figure(instance: Instance) -> str:
    svg = instance.svg
    if svg is None:
        return ""
    width = re.search(r'width="([\d.]+)"', svg)
    svg = re.sub(r' width="[\d.]+" height="[\d.]+"', "", svg, count=1)
    return f'<div style="max-width:{float(width[1]) * 1.25:.0f}px">{svg}</div>'  # type: ignore[index]


def _question(instance: Instance, with_key: bool) -> str:
    title = f": {html.escape(instance.template.title)}" if with_key else ""
    stem = markup.to_html(instance.stem, _inline).replace("<table>", '<div class="scroll"><table>').replace(
        "</table>", "</table></div>")
    blocks = [f"<h2>{heading(instance)}{title}</h2>", stem, _figure(instance),
              f'<p class="rule">{instruction(instance)}</p>\n{_options(instance, with_key)}' if instance.options else "",
              _parts(instance, with_key),
              _solution(instance) if with_key else ""]
    return "<section>\n" + "\n".join(block for block in blocks if block) + "\n</section>"


def to_html(quiz: Quiz, with_key: bool) -> str:
    title = html.escape(quiz.title) + (": answer key" if with_key else "")
    variant = f", variant {quiz.variant}" if quiz.variant else ""
    head = [f"<h1>{title}</h1>", f'<p class="meta">{points_text(quiz.points_milli)} points, {len(quiz.instances)} '
            f"questions{variant}.</p>"]
    if not with_key:
        head.append('<p>Name: <span class="blank" style="min-width:16rem">&nbsp;</span></p>')
    head += [f'<p class="rule">{rule}</p>' for rule in scorings(quiz)]
    body = "\n".join(_question(instance, with_key) for instance in quiz.instances)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="quiz-sha256" content="{quiz.sha256}">\n<title>{title}</title>\n'
            f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n" + "\n".join(head) + f"\n{body}\n</body>\n</html>\n")
