"""Is the page to practise with complete, offline, and of other draws than anybody's sheet?"""
import json
import re
import shutil
import subprocess

import pytest
from hpml_quizzes import make, quiz
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


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs a browser: chromium")
def test_in_a_browser_the_key_gets_all_points(page, tmp_path):
    copy = tmp_path / "page.html"
    copy.write_text(page.read_text(encoding="utf-8").replace("</body>", ANSWER_ALL), encoding="utf-8")
    done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"file://{copy}"], capture_output=True,
                          text=True, timeout=120, check=True)
    assert "15 of 15 questions answered: 21 of 21 points" in done.stdout
