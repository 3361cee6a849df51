"""The markup of questions: paragraphs, "- " lists, ``` code, | tables |; `code`, **bold**, <sup>, <sub> inside. Everything
else is plain text. One tree, which each format writes in its own way."""
import html
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

_INLINE = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*|<sup>(.+?)</sup>|<sub>(.+?)</sub>", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_KINDS = ("code", "bold", "sup", "sub")


@dataclass(frozen=True)
class Span:
    kind: str  # text, code, bold, sup, sub
    text: str


Spans = tuple[Span, ...]


@dataclass(frozen=True)
class Paragraph:
    spans: Spans


@dataclass(frozen=True)
class CodeBlock:
    text: str


@dataclass(frozen=True)
class BulletList:
    items: tuple[Spans, ...]


@dataclass(frozen=True)
class Grid:
    header: tuple[Spans, ...]  # of empty cells: none
    rows: tuple[tuple[Spans, ...], ...]


Block = Paragraph | CodeBlock | BulletList | Grid


@lru_cache(maxsize=8192)
def spans(text: str) -> Spans:
    result: list[Span] = []
    at = 0
    for match in _INLINE.finditer(text):
        if match.start() > at:
            result.append(Span("text", text[at:match.start()]))
        group = next(i for i, value in enumerate(match.groups()) if value is not None)
        result.append(Span(_KINDS[group], match[group + 1]))
        at = match.end()
    if at < len(text):
        result.append(Span("text", text[at:]))
    return tuple(result)


def line(text: str) -> Spans:
    return spans(" ".join(text.split()))


def _cells(row: str) -> tuple[Spans, ...]:
    return tuple(spans(cell.strip()) for cell in row.strip().strip("|").split("|"))


def _block(lines: list[str]) -> Block:
    if all(line.startswith("|") for line in lines) and len(lines) >= 2:
        return Grid(_cells(lines[0]), tuple(_cells(line) for line in lines[1:] if not re.fullmatch(r"[|\s:-]+", line)))
    if all(line.startswith(("- ", "  ")) for line in lines):
        items = re.split(r"(?:^|\n)- ", "\n".join(lines))[1:]
        return BulletList(tuple(spans(" ".join(item.split())) for item in items))
    return Paragraph(spans(" ".join(" ".join(lines).split())))


@lru_cache(maxsize=8192)
def parse(text: str) -> tuple[Block, ...]:
    """Blocks are separated by empty lines; a fence ends at its ```."""
    text = unicodedata.normalize("NFC", text).strip("\n")
    blocks: list[Block] = []
    for number, part in enumerate(re.split(r"^```\w*\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)):
        if number % 2 == 1:
            blocks.append(CodeBlock(part.rstrip("\n")))
            continue
        for chunk in re.split(r"\n\s*\n", part):
            lines = [line.rstrip() for line in chunk.splitlines() if line.strip()]
            if lines:
                blocks.append(_block(lines))
    return tuple(blocks)


@lru_cache(maxsize=4096)
def problem(text: str) -> str | None:
    """What makes this text unfit for every format: control characters, or tags other than ours."""
    control = _CONTROL.search(text)
    if control:
        return f"there is a control character U+{ord(control[0]):04X} in the text"
    outside = re.sub(r"`[^`]*`|^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    tag = re.search(r"</?[a-zA-Z][^>]*>", _INLINE.sub("", outside))
    return f"'{tag[0]}' is no markup of ours; use `code`, **bold**, <sup>, <sub>" if tag else None


_TAGS = {"code": "code", "bold": "b", "sup": "sup", "sub": "sub"}


def inline_html(parts: Spans) -> str:
    return "".join(html.escape(part.text, quote=False) if part.kind == "text" else
                   f"<{_TAGS[part.kind]}>{html.escape(part.text, quote=False)}</{_TAGS[part.kind]}>" for part in parts)


def _block_html(block: Block, inline: Callable[[Spans], str]) -> str:
    if isinstance(block, Paragraph):
        return f"<p>{inline(block.spans)}</p>"
    if isinstance(block, CodeBlock):
        return f"<pre><code>{html.escape(block.text, quote=False)}</code></pre>"
    if isinstance(block, BulletList):
        return "<ul>" + "".join(f"<li>{inline(item)}</li>" for item in block.items) + "</ul>"
    head = "<tr>" + "".join(f"<th>{inline(cell)}</th>" for cell in block.header) + "</tr>" if any(block.header) else ""
    rows = "".join("<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
    return f"<table>{head}{rows}</table>"


def to_html(text: str, inline: Callable[[Spans], str] = inline_html) -> str:
    return "\n".join(_block_html(block, inline) for block in parse(text))


def line_html(text: str) -> str:
    """One line of text, such as an option."""
    return inline_html(line(text))


def _inline_markdown(parts: Spans) -> str:
    out = []
    for part in parts:
        if part.kind == "code":
            out.append(f"`{part.text}`")
        else:
            text = re.sub(r"([\\*_`<>\[\]])", r"\\\1", part.text)
            out.append({"text": text, "bold": f"**{text}**"}.get(part.kind, f"<{part.kind}>{text}</{part.kind}>"))
    return "".join(out)


def _block_markdown(block: Block) -> str:
    if isinstance(block, Paragraph):
        return _inline_markdown(block.spans)
    if isinstance(block, CodeBlock):
        return f"```\n{block.text}\n```"
    if isinstance(block, BulletList):
        return "\n".join(f"- {_inline_markdown(item)}" for item in block.items)
    rows = [block.header, *block.rows]
    lines = ["| " + " | ".join(_inline_markdown(cell) for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(block.header), *lines[1:]])


def to_markdown(text: str) -> str:
    return "\n\n".join(_block_markdown(block) for block in parse(text))


def line_markdown(text: str) -> str:
    return _inline_markdown(line(text))


_SUPERSCRIPT = str.maketrans("0123456789-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿ")
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def plain(text: str) -> str:
    """Without markup, for labels and terminals."""
    out = []
    for part in spans(" ".join(text.split())):
        table = {"sup": _SUPERSCRIPT, "sub": _SUBSCRIPT}.get(part.kind, {})
        out.append(part.text.translate(table))
    return "".join(out)
