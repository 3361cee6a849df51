#!/usr/bin/python3
"""The documentation as one site (`make docs`): the pages that docs/site.toml lists, by MkDocs.

    docs/build_site.py                       build/docs/html/index.html; opens without a server
    docs/build_site.py --repository ADDRESS  links to files that are no pages go there, as https://host/owner/name/blob/main
    docs/build_site.py --shots [NAME...]     takes the pictures of the tutorials again (needs chromium and a built simulator)

Exit codes: 0 done, 1 a page or a link is wrong (one sentence says which), 2 usage, 3 MkDocs or a browser is missing.
"""
import argparse
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from hpml_docs import build  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "build/docs", help="folder (default: build/docs)")
    parser.add_argument("--repository", default="", metavar="ADDRESS", help="where links to files go that are no pages")
    parser.add_argument("--shots", nargs="*", metavar="NAME", help="take these pictures again (default: all)")
    options = parser.parse_args()
    if options.shots is not None:
        from hpml_docs import shots
        try:
            shots.take(options.shots)
        except RuntimeError as error:
            print(f"docs/build_site.py: {error}", file=sys.stderr)
            return 3
        return 0
    if shutil.which("mkdocs") is None:
        print("docs/build_site.py: mkdocs is not installed: tools/bootstrap docs", file=sys.stderr)
        return 3
    try:
        build.stage(options.out, options.repository)
        build.html(options.out)
    except ValueError as error:
        print(f"docs/build_site.py: {error}", file=sys.stderr)
        return 1
    print(f"The site: {options.out / 'html/index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
