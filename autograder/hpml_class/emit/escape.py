"""Making words of a student's program harmless in each format they end up in."""
import html
import re

# XML 1.0, section 2.2: everything that is not a Char. Lone surrogates cannot be written as UTF-8 at all.
ILLEGAL_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
# What Markdown or HTML would read, links without markup ("http:", "www.", "@name") among it.
MARKDOWN = re.compile(r"[\\`*_\[\]<>|~@:&$#]|(?<=www)\.", re.IGNORECASE)


def plain(text: str, limit: int = 16 * 1024) -> str:
    """Without terminal sequences, control characters, direction marks and lone surrogates; at most `limit` letters."""
    text = CONTROL.sub("\ufffd", ANSI.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= limit else text[:limit] + f"\n[{len(text) - limit} more characters]"


def xml_text(text: str) -> str:
    return ILLEGAL_XML.sub("\ufffd", plain(text))


def one_line(text: str, limit: int = 400) -> str:
    words = " ".join(plain(text).split())
    return words if len(words) <= limit else words[:limit - 1] + "…"


def markup(text: str, limit: int = 400) -> str:
    """One line for HTML."""
    return html.escape(one_line(text, limit))


def table_cell(text: str, limit: int = 400) -> str:
    """One line for a cell of a Markdown table that may also hold HTML: entities for all that either would read."""
    return MARKDOWN.sub(lambda match: f"&#{ord(match.group())};", one_line(text, limit))
