"""A page of the tree as a page of the site: links go where their target is in the site, and Markdown is as GitHub reads it."""
import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path

FENCE = re.compile(r"^( *)(`{3,}|~{3,})")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(`+)(?:(?!\1).)+?\1(?!`)")
ITEM = re.compile(r"^ *([-*+]|\d+\.) ")


def lines_of(text: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it belongs to a block of code: its fences do."""
    closing = ""
    for line in text.splitlines():
        fence = FENCE.match(line)
        yield line, bool(closing or fence)
        if closing:
            closing = "" if line.strip() == closing else closing
        elif fence:
            closing = fence.group(2)


def outside_of_code(text: str, change: Callable[[str], str]) -> str:
    """The text with `change` made to each line outside of fences."""
    return "\n".join(line if is_code else change(line) for line, is_code in lines_of(text)) + "\n"


def with_blank_before_lists(text: str) -> str:
    """GitHub begins a list after a line of text; Python-Markdown wants a blank line between."""
    lines: list[str] = []
    for line, is_code in lines_of(text):
        before = lines[-1] if lines else ""
        if not is_code and ITEM.match(line) and before.strip() and not ITEM.match(before) and not before.startswith(" "):
            lines.append("")
        lines.append(line)
    return "\n".join(lines) + "\n"


class Targets:
    """Where a link of a source goes in the site.

    paths: source -> page of the site. repository: address of the tree's files, such as https://host/owner/name/blob/main;
    empty: files that are no pages are named without a link. `pictures`: the files that pages show, to be copied."""

    def __init__(self, root: Path, paths: dict[str, str], repository: str = "") -> None:
        self.root, self.paths, self.repository = root, paths, repository.rstrip("/")
        self.pictures: dict[str, str] = {}

    def moved(self, source: str) -> str:
        return outside_of_code((self.root / source).read_text(encoding="utf-8"), lambda line: self.line(line, source))

    def line(self, line: str, source: str) -> str:
        kept: list[str] = []

        def hide(match: re.Match[str]) -> str:
            kept.append(match.group())
            return f"\0{len(kept) - 1}\0"
        hidden = CODE.sub(hide, line)
        hidden = LINK.sub(lambda match: self.link(match, source), hidden)
        return re.sub(r"\0(\d+)\0", lambda match: kept[int(match.group(1))], hidden)

    def link(self, match: re.Match[str], source: str) -> str:
        """Raises ValueError for a target that does not exist."""
        picture, text, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group()
        path, _, anchor = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if not (self.root / file).exists():
            raise ValueError(f"{source}: {target} is not there")
        here = posixpath.dirname(self.paths[source])
        if picture:
            self.pictures[file] = file
            return f"![{text}]({posixpath.relpath(file, here)})"
        if (self.root / file).is_dir() and f"{file}/README.md" in self.paths:
            file += "/README.md"
        if file in self.paths:
            return f"[{text}]({posixpath.relpath(self.paths[file], here)}{'#' + anchor if anchor else ''})"
        if self.repository:
            return f"[{text}]({self.repository}/{file})"
        return text if text.startswith("\0") else f"{text} (`{file}`)"
