"""The pages of the site and their sources: reads site.toml."""
import re
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = "hpml.site/v1"


@dataclass(frozen=True)
class Page:
    section: str   # heading of the menu; empty: the home page
    title: str
    source: str    # path from the root of the tree
    path: str      # path in the site's sources


@dataclass(frozen=True)
class Site:
    title: str
    pages: tuple[Page, ...]

    @cached_property
    def paths(self) -> dict[str, str]:
        """Source -> path in the site."""
        return {page.source: page.path for page in self.pages}


def read(root: Path = ROOT) -> Site:
    """Raises ValueError, with one sentence, for a page that is not there or is listed twice."""
    table = tomllib.loads((root / "docs/site.toml").read_text(encoding="utf-8"))
    if table.get("schema") != SCHEMA:
        raise ValueError(f"docs/site.toml: schema is '{table.get('schema')}', expected '{SCHEMA}'")
    home = Page("", "Home", table["home"], "index.md")
    pages, taken = [home], {home.source}
    for section in table["section"]:
        for title, source in [*section.get("pages", []), *matched(root, section, taken | listed(table))]:
            if source in taken:
                raise ValueError(f"docs/site.toml: {source} is listed twice")
            if not (root / source).is_file():
                raise ValueError(f"docs/site.toml: {source} is not there")
            taken.add(source)
            # The file README.md of the root would be the home page.
            pages.append(Page(section["title"], title, source, "overview.md" if source == "README.md" else source))
    return Site(table["title"], tuple(pages))


def listed(table: dict) -> set[str]:
    return {source for section in table["section"] for _, source in section.get("pages", [])}


def matched(root: Path, section: dict, taken: set[str]) -> list[list[str]]:
    """The files of the section's patterns that no other section lists, with their titles."""
    left_out = set(section.get("leave_out", []))
    found = []
    for title, pattern in section.get("match", []):
        for source in tracked(root):
            if PurePosixPath("/" + source).match("/" + pattern if "**" not in pattern else PurePosixPath(pattern).name):
                if source not in taken | left_out:
                    found.append([filled(title, root / source), source])
    return found


def tracked(root: Path) -> list[str]:
    """The Markdown files that git knows or would add."""
    command = ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.md"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return sorted(name for name in done.stdout.split("\0") if name and (root / name).is_file())


def filled(title: str, path: Path) -> str:
    number = re.search(r"lab(\w+?)_", path.name)
    heading = re.search(r"^# (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return title.format(n=number.group(1) if number else "", heading=heading.group(1) if heading else path.parent.name)
