"""Do the pages hold together: formulas and units on one line, long questions over pages, nothing wider than the paper?"""
import re
import subprocess

import pytest
from hpml_quizzes import load, markup, quiz, typeset
from hpml_quizzes.draw import draw
from hpml_quizzes.emit import html
from hpml_quizzes.figures.axes import Axis
from hpml_quizzes.rng import Draws
from test_validator import NUM


def together(text):
    return [" ".join(word.text for word in group) for group in typeset.groups(markup.line(text)) if len(group) > 1]


@pytest.mark.parametrize(("text", "groups"), [
    ("takes 5 µs, and 1.25 GB/s of the 40 GPUs", ["5 µs,", "1.25 GB/s"]), ("at w = 1 with v = 0 it is", ["w = 1", "v = 0"]),
    ("v ← 0.5 v - 0.1 × gradient at", ["v ← 0.5 v − 0.1 × gradient"]), ("a part of 3 of a plan", []),
    ("(max x - min x)/n of it", ["(max x − min x)/n"]), ("s = (x<sub>max</sub> - x<sub>min</sub>)/2, so", ["s = (xmax − xmin)/2,"]),
    ("first x = aaaaaaaaaaaaaaa + bbbbbbbbbb = cccccccccccc last", ["= aaaaaaaaaaaaaaa + bbbbbbbbbb", "= cccccccccccc"])])
def test_formulas_and_units_stay_on_one_line(text, groups):
    assert together(text) == groups


def test_a_formula_that_fits_no_line_is_broken_anywhere():
    assert together("x + " + " + ".join("abcdefgh" for _ in range(9))) == []


@pytest.mark.parametrize(("text", "shown"), [
    ("N(P-1)/P", "N(P−1)/P"), ("from -7 to (-0.5)", "from −7 to (−0.5)"), ("2<sup>n-1</sup>", "2n−1"), ("a 32-byte VGG-19 in 2010-2015", None),
    ("`a - 1` K-batch", None), ("GPT-3 and x-axis", None)])
def test_a_minus_is_a_minus_and_a_hyphen_a_hyphen(text, shown):
    got = " ".join(word.text for word in typeset.words(markup.line(text)))
    assert got == (shown or text.replace("`", ""))


def test_the_words_of_a_page_are_those_of_the_question(quiz1):
    """Spaces inside a formula remain spaces, so that the page can be searched and read aloud."""
    text = re.sub(r"<[^>]+>", "", html.to_html(quiz1, False))
    assert "\u00a0" not in text.replace("&nbsp;", "") and "800 s of CPU time" in text and "160 s" in text


def test_ticks_of_a_linear_axis_are_round():
    assert [label for _, label in Axis(0, 19, False, "").ticks()] == ["0", "5", "10", "15"]
    assert [label for _, label in Axis(0, 0.01, False, "").ticks()] == ["0", "0.002", "0.004", "0.006", "0.008", "0.01"]
    assert [label for _, label in Axis(0.3, 2e7, True, "").ticks()][:3] == ["10⁰", "10¹", "10²"]


@pytest.fixture
def long_quiz(tmp_path, solver):
    """A question longer than a page, with a code line, a word and a table wider than it."""
    parts = "\n\n".join(["What is {a} + {b}, in seconds?", "```\n" + "x" * 300 + "\n```", "w" * 400, "`" + "f(a, b) + " * 60 + "`",
                         "| " + " | ".join(["head"] * 12) + " |\n| --- |\n| " + " | ".join(["cell of words"] * 12) + " |",
                         *["A paragraph of a few words. " * 20] * 40])
    path = tmp_path / "long.toml"
    path.write_text(NUM.replace('"What is {a} + {b}, in seconds?"', f"'''\n{parts}\n'''"), encoding="utf-8")
    return quiz.Quiz("long", "Long", "", (draw(load.load(path), Draws(1), solver),))


def test_a_long_question_goes_on_over_pages_and_nothing_is_cut_off(long_quiz, tmp_path):
    pdf = pytest.importorskip("hpml_quizzes.emit.pdf")
    (tmp_path / "long.pdf").write_bytes(pdf.to_pdf(long_quiz, True))
    try:
        done = subprocess.run(["pdftotext", "-bbox", tmp_path / "long.pdf", "-"], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        pytest.skip("pdftotext is not installed")
    places = [tuple(map(float, match)) for match in re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)"', done.stdout)]
    assert done.stdout.count("<page ") >= 3 and done.stdout.count(">paragraph<") == 800
    assert all(50 < left and top > 30 and right < 545 and bottom < 830 for left, top, right, bottom in places)
