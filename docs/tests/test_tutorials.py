"""Is what a tutorial tells its reader to do, and what it says is printed, what happens?"""
import os
import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
sys.path.insert(0, str(DOCS))

from hpml_docs import places, walk  # noqa: E402

TUTORIALS = places.TUTORIALS
built = pytest.mark.skipif(not (places.build_dir() / "bin/gpusim").is_file(), reason="the simulator is not built")


def walked(page: str, place: Path, *, whole: bool) -> int:
    if page.endswith("instructor.md") and os.geteuid() != 0:
        pytest.skip("a score of record needs root")
    place.mkdir()
    return walk.Walk(place, places.made(TUTORIALS[page], place), whole=whole).page((ROOT / page).read_text(encoding="utf-8"))


@built
@pytest.mark.parametrize("page", TUTORIALS)
def test_the_cheap_commands_of_a_tutorial_print_what_it_shows(page, tmp_path):
    assert walked(page, tmp_path / "HPML Übung", whole=False) >= 3


@built
@pytest.mark.parametrize("page", TUTORIALS)
def test_every_command_of_a_tutorial_prints_what_it_shows(page, tmp_path):
    assert walked(page, tmp_path / "HPML Übung", whole=True) >= 3


@pytest.mark.parametrize("page", TUTORIALS)
def test_a_tutorial_leaves_few_commands_untried_and_says_why(page):
    steps = [one for one in walk.steps((ROOT / page).read_text(encoding="utf-8")) if one.kind == "console"]
    assert len(steps) >= 2 and sum(one.never for one in steps) <= 1


def test_every_tutorial_is_walked():
    assert {str(path.relative_to(ROOT)) for path in (*DOCS.glob("tutorials/*.md"), *ROOT.glob("labs/*/tutorial.md"))} <= TUTORIALS.keys()


CONSOLE = "```console\n$ printf 'one\\ntwo\\n'\n{}```\n"


def printed(text: str, place: Path) -> int:
    return walk.Walk(place, {}, whole=False).page(text)


@pytest.mark.parametrize("shown", ["one\ntwo\n", "...\ntwo\n", "o...e\ntwo\n", "...\n", "one\n...\n"])
def test_what_is_shown_may_leave_out_lines_and_words(shown, tmp_path):
    assert printed(CONSOLE.format(shown), tmp_path) == 1


@pytest.mark.parametrize("shown", ["", "one\n", "two\n", "one\nthree\n", "...\none\n", "t...o\n"])
def test_other_words_than_are_printed_are_seen(shown, tmp_path):
    with pytest.raises(walk.Mismatch, match="the page shows"):
        printed(CONSOLE.format(shown), tmp_path)


def test_a_command_that_fails_is_seen_unless_the_page_says_so(tmp_path):
    text = "```console\n$ exit 3\n```\n"
    with pytest.raises(walk.Mismatch, match="status 3, expected 0"):
        printed(text, tmp_path)
    assert printed("<!-- walk: exits 3 -->\n" + text, tmp_path) == 1


def test_files_and_changes_are_made_in_the_readers_tree(tmp_path):
    text = ("<!-- walk: file a/b.txt -->\n```text\none\n```\n\n```diff\n--- a/a/b.txt\n+++ b/a/b.txt\n@@ -1 +1 @@\n-one\n+two\n```\n\n"
            "```console\n$ cat a/b.txt\ntwo\n```\n")
    assert printed(text, tmp_path) == 1
    with pytest.raises(walk.Mismatch, match="does not fit"):
        printed(text[text.index("```diff"):], tmp_path)


def test_what_is_expensive_or_impossible_is_left_out(tmp_path):
    text = "<!-- walk: full, long -->\n```console\n$ echo long\nlong\n```\n\n<!-- walk: not, no such thing -->\n```console\n$ exit 9\n```\n"
    assert printed(text, tmp_path) == 0
    assert walk.Walk(tmp_path, {}, whole=True).page(text) == 1


@pytest.mark.parametrize("text, words", [
    ("```bash\nmake\n```\n", "a block of 'bash'"), ("```\nmake\n```\n", "no language"), ("    make lab3 test\n", "an indented block"),
    ("<!-- walk: full, long -->\nwords\n", "before no block"), ("```console\nmake\n```\n", "begins with '\\$ '")])
def test_a_command_cannot_hide_from_the_walk(text, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        printed(text, tmp_path)


@pytest.mark.parametrize("shown, prints, fresh", [
    ("took 7 ms\n", "took 12.5 ms", "took 12.5 ms\n"),
    ("a   9.10 | 1\na  10.10 | 2\n", "a  10.20 | 3' 'a   9.20 | 4", "a  10.20 | 3\na   9.20 | 4\n"),
    ("...\nb 5 and ... more\n", "x 1' 'b 6 and 7 more", "...\nb 6 and ... more\n")])
def test_the_numbers_that_are_shown_can_be_brought_up_to_date(shown, prints, fresh, tmp_path):
    page = "# 7 words\n\n```console\n$ printf '%s\\n' '{}'\n{}```\n\ntook 7 ms\n"
    assert walk.Walk(tmp_path, {}, whole=False).refreshed(page.format(prints, shown)) == page.format(prints, fresh)


def test_other_words_are_not_brought_up_to_date(tmp_path):
    with pytest.raises(walk.Mismatch, match="the page shows"):
        walk.Walk(tmp_path, {}, whole=False).refreshed("```console\n$ echo took 12 s\ntook 7 ms\n```\n")


def test_what_a_terminal_overwrites_is_not_printed():
    assert walk.tidy("building 1 of 2\rbuilding 2 of 2\r\n\x1b[1mdone\x1b[0m  \r\n") == "building 2 of 2\ndone\n"


def test_the_line_about_waiting_for_another_command_is_left_out():
    held = "  another command works on lab3 in this checkout; waiting for its end ...\r\n"
    assert walk.tidy(f"one\r\n{held}two\r\n") == "one\ntwo\n"


def test_a_release_has_the_students_tutorial_with_its_picture(tmp_path):
    places.released(tmp_path, "lab3")
    page = tmp_path / "labs/lab3_cuda/tutorial.md"
    targets = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert len(targets) > 4 and [one for one in targets if not (page.parent / one).is_file()] == []
