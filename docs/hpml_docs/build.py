"""Builds the site: sources of all pages in one folder, a configuration for MkDocs, and MkDocs itself."""
import json
import shutil
import subprocess
from pathlib import Path

from . import links, pages

STYLE = Path(__file__).parent / "style.css"
THEME = Path(__file__).parent / "theme"  # of our own: what distributions pack of MkDocs's themes lacks files
EXTENSIONS = ["tables", "fenced_code", "toc", {"codehilite": {"guess_lang": False}}, "sane_lists", "attr_list", "md_in_html"]


def stage(out: Path, repository: str = "", root: Path = pages.ROOT) -> None:
    """Writes mkdocs.yml and the pages' sources. Raises ValueError for a page or a link without a target."""
    site = pages.read(root)
    targets = links.Targets(root, site.paths, repository)
    sources = out / "sources"
    shutil.rmtree(sources, ignore_errors=True)
    for page in site.pages:
        path = sources / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(links.with_blank_before_lists(targets.moved(page.source)), encoding="utf-8")
    for source, path in targets.pictures.items():
        (sources / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / source, sources / path)
    (sources / "style.css").write_text(STYLE.read_text(encoding="utf-8") + colours(), encoding="utf-8")
    # JSON is YAML.
    (out / "mkdocs.yml").write_text(json.dumps(configuration(site), indent=1) + "\n", encoding="utf-8")


def colours() -> str:
    """Style of the code blocks."""
    from pygments.formatters import HtmlFormatter
    return HtmlFormatter(style="default").get_style_defs(".codehilite") + "\n"


def configuration(site: pages.Site) -> dict:
    menu: list[dict] = []
    for page in site.pages:
        if not page.section:
            menu.append({page.title: page.path})
        elif page.section in menu[-1]:
            menu[-1][page.section].append({page.title: page.path})
        else:
            menu.append({page.section: [{page.title: page.path}]})
    theme = {"name": None, "custom_dir": str(THEME), "static_templates": ["404.html"]}
    return {"site_name": site.title, "docs_dir": "sources", "site_dir": "html", "nav": menu, "theme": theme, "plugins": ["search"],
            "use_directory_urls": False, "extra_css": ["style.css"], "markdown_extensions": EXTENSIONS, "strict": True}


def html(out: Path) -> str:
    """Runs MkDocs over what stage() wrote; the pages are in out/html. Raises ValueError with its words where it finds fault."""
    command = ["mkdocs", "build", "--quiet", "--clean", "--config-file", str(out / "mkdocs.yml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"mkdocs: status {done.returncode}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout + done.stderr
