"""One HTML file of tables and charts that needs no network."""
import html
from collections.abc import Sequence
from pathlib import Path

STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#111}
svg{max-width:100%;height:auto}.wide{overflow-x:auto}table{border-collapse:collapse;margin-bottom:1rem}
td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid #ccc;white-space:nowrap}
th{white-space:normal;vertical-align:bottom}
td:first-child,th:first-child,.words{text-align:left}td.words{white-space:normal}@media print{section{break-inside:avoid}}"""

Rows = Sequence[Sequence[str]]


SENTENCE = 25  # characters; a column with a longer cell is one of words


def table(rows: Rows) -> str:
    words = [any(len(cell) > SENTENCE and " " in cell for cell in column) for column in zip(*rows[1:])]
    kinds = [' class="words"' if is_words else "" for is_words in words]
    cells = ["".join(f"<{tag}{kind}>{html.escape(cell)}</{tag}>" for kind, cell in zip(kinds, row))
             for tag, row in zip(["th", *["td"] * len(rows)], rows)]
    return '<div class="wide"><table>' + "".join(f"<tr>{row}</tr>" for row in cells) + "</table></div>"


def section(title: str, words: str, parts: Sequence["Rows | Path"]) -> str:
    """words: how to read it. parts: rows of a table, or an SVG file."""
    body = "".join(svg(part) if isinstance(part, Path) else table(part) for part in parts)
    return f"<section><h2>{html.escape(title)}</h2><p>{html.escape(words)}</p>{body}</section>"


def svg(path: Path) -> str:
    """Without the XML head; names that the charts' parts refer to by are made different from those of other charts."""
    text = path.read_text(encoding="utf-8")
    return text[text.index("<svg"):].replace('id="', f'id="{path.stem}_').replace("url(#", f"url(#{path.stem}_").replace(
        'href="#', f'href="#{path.stem}_')


def page(title: str, facts: Sequence[str], sections: Sequence[str]) -> str:
    said = "".join(f"<li>{html.escape(fact)}</li>" for fact in facts)
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
            f"<style>{STYLE}</style></head><body><h1>{html.escape(title)}</h1><ul>{said}</ul>{''.join(sections)}</body></html>\n")
