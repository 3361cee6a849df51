"""Is the page for instructors true?"""
import re

from hpml_quizzes import figures, load, validate
from hpml_quizzes.expr import FUNCTIONS
from hpml_quizzes.paths import ROOT
from hpml_quizzes.template import KINDS, SCORINGS

PAGE = (ROOT / "docs/add_a_question.md").read_text(encoding="utf-8")


def test_the_example_is_a_sound_question(tmp_path, solver):
    path = tmp_path / "my_question.toml"
    path.write_text(re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1], encoding="utf-8")
    assert validate.stress(load.load(path), solver, 300).problems == []


def test_the_page_names_what_there_is():
    for word in (*KINDS, *SCORINGS):
        assert f"`{word}`" in PAGE
    for name in re.search(r"figure\]` with `name` \((.*?), \.\.\.\)", PAGE)[1].split(", "):
        assert name.strip("`") in figures.FIGURES
    for name in re.search(r"`(sum min .*?) apart\(", PAGE, re.DOTALL)[1].split():
        assert name in FUNCTIONS


def test_the_page_is_one_page():
    assert PAGE.count("\n") <= 80
