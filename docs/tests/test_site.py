"""Does the site build, and does every link in it lead somewhere?"""
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(DOCS))

from hpml_docs import build, links, pages, places  # noqa: E402, F401  (places knows where the grader is)
import lab_toml  # noqa: E402


class Page(HTMLParser):
    """The links and the places of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids, self.links = {"", "top"}, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.ids |= {named[key] for key in ("id", "name") if named.get(key)}
        self.links += [named[key] for key in ("href", "src") if named.get(key)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if shutil.which("mkdocs") is None:
        pytest.skip("mkdocs is not installed")
    out = tmp_path_factory.mktemp("site")
    build.stage(out)
    assert build.html(out) == ""
    return out / "html"


def test_every_link_of_the_site_leads_to_a_page_and_a_heading(site):
    read = {path: Page(path) for path in site.rglob("*.html")}
    assert len(read) > 50
    broken = []
    for path, page in read.items():
        if path.name == "404.html":
            continue
        for link in page.links:
            target, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:|//", link):
                continue
            file = (path.parent / target).resolve() if target else path
            file = file / "index.html" if file.is_dir() else file
            if not file.is_file() or (file in read and anchor not in read[file].ids):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_a_page_loads_nothing_from_elsewhere(site):
    for path in site.rglob("*.html"):
        assert re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"(?:https?:)?//[^\"]*", path.read_text(encoding="utf-8")) == [], path


def test_code_and_tables_are_rendered(site):
    text = (site / "labs/lab3_cuda/tutorial.html").read_text(encoding="utf-8")
    assert '<span class="gp">$ </span>' in text and "<table" in text and "<!-- walk" not in re.sub(r"(?s)<!--.*?-->", "", text)
    handout = (site / "labs/lab3_cuda/README.html").exists() or (site / "labs/lab3_cuda/index.html").exists()
    assert handout


def tree(root: Path, **files: str) -> links.Targets:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_md", ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return links.Targets(root, {"docs/home.md": "index.md", "labs/README.md": "labs/README.md"}, "https://host/blob/main/")


def test_links_follow_their_pages_and_other_files_go_to_the_repository(tmp_path):
    targets = tree(tmp_path, docs__home_md="", labs__README_md="", x_c="")
    assert targets.line("[a](../labs/README.md#b) `[c](d)` [e](../x_c)", "docs/home.md") == \
        "[a](labs/README.md#b) `[c](d)` [e](https://host/blob/main/x_c)"
    targets.repository = ""
    assert targets.line("[e](../x_c)", "docs/home.md") == "e (`x_c`)"


def test_a_link_to_nothing_is_refused(tmp_path):
    with pytest.raises(ValueError, match="docs/home.md: none.md is not there"):
        tree(tmp_path, docs__home_md="[a](none.md)\n").moved("docs/home.md")


def test_lists_begin_where_github_begins_them():
    assert links.with_blank_before_lists("text\n* one\n* two\n```\ncode\n- no\n```\n") == "text\n\n* one\n* two\n```\ncode\n- no\n```\n"


def test_a_page_that_is_listed_twice_or_is_not_there_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "tracked", lambda root: [])
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").touch()
    head = 'schema = "hpml.site/v1"\ntitle = "T"\nhome = "docs/a.md"\n[[section]]\ntitle = "S"\npages = [["A", "docs/{}.md"]]\n'
    for name, words in (("a", "twice"), ("b", "not there")):
        (tmp_path / "docs/site.toml").write_text(head.format(name), encoding="utf-8")
        with pytest.raises(ValueError, match=words):
            pages.read(tmp_path)


def test_every_key_of_lab_toml_is_on_its_page():
    text = lab_toml.page()
    for key in ("bonus_millipoints", "once", "wall_s", "forks", "generator", "min_level", "exports"):
        assert f"| `{key}` |" in text
