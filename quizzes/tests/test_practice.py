"""Is the page to practise with complete, offline, and of other draws than anybody's sheet?"""
import json
import re
import shutil
import subprocess

import pytest
from hpml_quizzes import make, quiz, scoring
from hpml_quizzes.emit import practice

ANSWER_ALL = """<script>
all.forEach((question, place) => {
  const section = document.getElementById("question" + place), draw = question.draws[0];
  [...section.querySelectorAll("input")].forEach((input, i) => {
    if (draw.options) { input.checked = draw.options[i].correct; } else { input.value = draw.parts[i].value || draw.parts[i].accept[0]; }
  });
  section.querySelector("button").click();
});
</script></body>"""

PRESS_CHECK_THEN_DRAW = """<script>
const many = all.findIndex(question => question.draws.length > 1), total_line = document.getElementById("total");
document.querySelectorAll("section").forEach(section => section.querySelector("button").click());
let log = "first:" + total_line.textContent;
const before = document.getElementById("question" + many).children[1].textContent;
document.querySelectorAll("#question" + many + " button")[1].click();
const after = document.getElementById("question" + many).children[1].textContent;
document.title = log + " then:" + total_line.textContent + " stem:" + (before !== after);
</script></body>"""
ANSWERS = ["200", "200 MB", "200MB", "200 kB", "200 mb", "0.2 GB", "200 GFLOPS", "200 gflop/s", "200 s", "200 sec", "200 seconds", "200 %",
           "200 percent", "200x", "200 k", "200 times", "200 blocks", "200 block", "200 thousand cores", "2,00", "200,0", "+200", "2e2", "200e0 MB",
           "\u2212200", "1,200", "200; 5", "about 200", "", "200 <b>", "200.", "200.4", "200.6"]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return make.practice("quiz3", 3, tmp_path_factory.mktemp("practice"))


def test_it_holds_every_question_with_answers_and_asks_nobody(page):
    text = page.read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script type="application/json" id="quiz">(.*?)</script>', text, re.DOTALL)[1])
    assert len(data["questions"]) == 15 and sum(question["points"] for question in data["questions"]) == 21
    assert all(draw["solution"] and ("options" in draw or draw["parts"]) for question in data["questions"] for draw in question["draws"])
    assert "default-src 'none'" in text and "://" not in text.replace("http://www.w3.org/2000/svg", "") and "src=" not in text


def test_no_draw_of_it_is_on_a_sheet_of_the_course(page, sets, solver):
    drawn = quiz.draw_quiz(sets["quiz3"], solver, practice.PRACTICE, f"{practice.PRACTICE}1")
    sheet = quiz.draw_quiz(sets["quiz3"], solver, "a course's key", "v1")
    assert sum(one.stem == other.stem for one, other in zip(drawn.instances, sheet.instances)) < 4


def in_browser(page, tmp_path, script):
    """The page after a script at its end has run."""
    copy = tmp_path / "page.html"
    copy.write_text(page.read_text(encoding="utf-8").replace("</body>", script), encoding="utf-8")
    return subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"file://{copy}"], capture_output=True,
                          text=True, timeout=120, check=True).stdout


needs_browser = pytest.mark.skipif(shutil.which("chromium") is None, reason="needs a browser: chromium")


@needs_browser
def test_in_a_browser_the_key_gets_all_points(page, tmp_path):
    assert "15 of 15 questions answered: 21 of 21 points" in in_browser(page, tmp_path, ANSWER_ALL)


@needs_browser
def test_in_a_browser_nothing_checked_is_worth_the_false_options_and_new_numbers_ask_anew(page, tmp_path):
    said = in_browser(page, tmp_path, PRESS_CHECK_THEN_DRAW)
    assert "first:15 of 15 questions answered: " in said and "21 of 21 points" not in said
    assert "then:14 of 15 questions answered: " in said and "stem:true" in said


@needs_browser
@pytest.mark.parametrize("unit", ["MB", "GFLOP/s", "s", "none", "%", "blocks", "thousand cores"])
def test_the_page_reads_numbers_and_units_as_grading_does(page, tmp_path, unit):
    part = {"value": "200", "exact": "200", "tolerance": "1/2", "unit": unit}
    script = (f"<script>document.title = {json.dumps(ANSWERS)}.map(text => rightPart({{of: {json.dumps('' if unit == 'none' else unit)}, "
              'value: "200", tolerance: "0.5"}, text) ? "1" : "0").join("");</script></body>')
    read = re.search(r"<title>([01]+)</title>", in_browser(page, tmp_path, script))[1]
    assert dict(zip(ANSWERS, read)) == {text: str(int(scoring.part_right(part, text))) for text in ANSWERS}
