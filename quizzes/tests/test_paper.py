"""Does a form that was filled in, printed, and scanned badly become the answers that were given, and a doubt a line for a person?"""
import io
import json
import math
import subprocess

import numpy as np
import pytest
from hpml_quizzes import grade, make
from hpml_quizzes.errors import UsageError

pytest.importorskip("reportlab")
pytest.importorskip("zbar")

from hpml_quizzes.emit import pdf  # noqa: E402
from hpml_quizzes.paper import form, form_pdf, index, scan  # noqa: E402
from PIL import Image, ImageDraw  # noqa: E402

DPI = 150
NUM = {"kind": "num", "points_milli": 1000, "scoring": "whole"}
OPTIONS = {"points_milli": 1000, "scoring": "each_decision", "options": ["one", "two", "three", "four"]}


def part(value, unit="none"):
    return {"value": value, "exact": value, "tolerance": "0.01", "unit": unit}


KEY = {"1": {**OPTIONS, "kind": "mc", "published_order": [3]}, "2": {**OPTIONS, "kind": "ms", "published_order": [1, 4]},
       "3": {**NUM, "parts": [part("-12.50", "GB/s")]}, "4": {**NUM, "kind": "blanks", "parts": [part("24000200"), part("0.07")]},
       "5": {**NUM, "parts": [{"accept": ["29x29x32", "29*29*32"]}]}, "6": {**OPTIONS, "kind": "mc", "published_order": [2]}}
RIGHT = {"1": ["3"], "2": ["14"], "3": ["-12.50"], "4": ["24000200", "0.07"], "5": ["29x29x32"], "6": ["2"]}


def printed(folder, paper, student="ann.ng", key=KEY, name="Ng, Ana Müller"):
    """The first page of a form as a picture, and the folder of its key."""
    out = io.BytesIO()
    canvas = pdf.new_canvas(out, "Quiz", pdf.PAPERS[paper])
    form_pdf.add_form(canvas, key, form.Code("quiz9", "1A2B3C4D", student, paper, 1), "Quiz 9", name)
    canvas.save()
    (folder / "form.pdf").write_bytes(out.getvalue())
    subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "-png", "-singlefile", folder / "form.pdf", folder / "form"], check=True)
    (folder / "keys" / student).mkdir(parents=True)
    (folder / "keys" / student / "key.json").write_text(json.dumps(key))
    (folder / index.NAME).write_text(index.to_csv([index.Entry(student, "Ng, Ana Müller", "1A2B3C4D", 1, 3)]), encoding="utf-8")
    return Image.open(folder / "form.png").convert("L")


def fill(image, centre, radius=1.2, grey=40):
    left, upper, right, lower = ((value + side * radius) * DPI / 25.4 for side in (-1, 1) for value in centre)
    ImageDraw.Draw(image).ellipse((left, upper, right, lower), fill=grey)


def filled(image, paper, answers):
    for field in form.pages(KEY, paper)[0]:
        text = answers.get(field.question, [""] * 9)[field.part]
        if field.kind == "options":
            for place in text:
                fill(image, list(field.option_centres())[int(place) - 1])
        for column, character in enumerate(text if field.kind == "grid" else ""):
            fill(image, list(field.grid_centres(column))[field.rows.index(character)])
    return image


def badly_scanned(image, degrees, scale, sigma):
    small = Image.new("L", image.size, 235)
    size = tuple(round(side * scale) for side in image.size)
    small.paste(image.resize(size, Image.BILINEAR), tuple((whole - side) // 2 for whole, side in zip(image.size, size)))
    turned = np.asarray(small.rotate(degrees, Image.BILINEAR, fillcolor=235), float)
    noisy = turned * 0.85 + 25 + np.random.default_rng(3).normal(0, sigma, turned.shape)    # grey, and less contrast
    noisy[np.random.default_rng(4).random(turned.shape) < 0.002] = 0                        # dust
    return Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8))


def scanned(folder, *images):
    paths = []
    for number, image in enumerate(images):
        paths.append(folder / f"scan{number}.png")
        image.save(paths[-1])
    return scan.read(paths, folder, "quiz9")


@pytest.mark.parametrize(("paper", "degrees", "scale", "sigma"), [
    ("a4", 0, 1, 0), ("a4", 2, 0.9, 15), ("letter", -2, 0.9, 15), ("letter", 181, 0.95, 8)])
def test_a_form_is_read_back_from_a_bad_scan(tmp_path, paper, degrees, scale, sigma):
    found = scanned(tmp_path, badly_scanned(filled(printed(tmp_path, paper), paper, RIGHT), degrees, scale, sigma))
    assert found.doubts == []
    assert scan.as_csv(found) == "student,1,2,3,4,5,6\nann.ng,3,1;4,-12.50,24000200|0.07,29x29x32,2\n"


def test_a_long_name_does_not_touch_the_code_of_the_form(tmp_path):
    found = scanned(tmp_path, filled(printed(tmp_path, "a4", name="Maximiliane von und zu " + "Hohenlohe-" * 20), "a4", RIGHT))
    assert found.doubts == [] and found.responses["ann.ng"]["1"] == ["3"]


def test_a_name_that_the_fonts_cannot_write_is_an_id_on_paper_and_is_told(tmp_path):
    names = {"zhou": "周杰倫", "dina": "دينا", "ann": "Müller Seán", "eve": "eve"}
    *_, note = make.paper("quiz4", "7", names, "a4", tmp_path)
    assert "no letters for the names of zhou, dina;" in note
    text = subprocess.run(["pdftotext", "-layout", tmp_path / "quiz4/exam_a4.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert "Name: zhou" in text and "Name: dina" in text and "Name: Müller Seán" in text
    assert "zhou,周杰倫," in (tmp_path / "quiz4/variants.csv").read_text(encoding="utf-8")


def test_the_responses_are_graded_as_they_are(tmp_path):
    image = filled(printed(tmp_path, "a4"), "a4", {**RIGHT, "6": ["1"], "3": [""]})
    (tmp_path / "responses.csv").write_text(scan.as_csv(scanned(tmp_path, image)))
    marked = grade.grade(tmp_path / "responses.csv", tmp_path)
    assert marked.graded[0].points_milli == {"1": 1000, "2": 1000, "3": 0, "4": 1000, "5": 1000, "6": 0}


def test_what_is_doubtful_is_listed_and_never_guessed(tmp_path):
    image = filled(printed(tmp_path, "a4"), "a4", {**RIGHT, "1": ["13"], "3": ["1.2.3"]})
    fields = {field.label: field for field in form.pages(KEY, "a4")[0]}
    fill(image, list(fields["4(b)"].grid_centres(2))[4])                    # a second character in one column
    fill(image, list(fields["6"].option_centres())[3], radius=0.6)          # half a mark
    found = scanned(tmp_path, badly_scanned(image, 1, 0.95, 5))
    assert scan.as_csv(found).splitlines()[1] == "ann.ng,?,1;4,?,24000200|?,29x29x32,?"
    said = "\n".join(found.doubts)
    for words in ("question 1: 2 options are marked: 1, 3", "question 3: '1.2.3' is no answer", "question 4(b): column 3: 2 bubbles",
                  "question 6: option 4 is neither empty nor filled"):
        assert f"student ann.ng, {words}" in said
    (tmp_path / "responses.csv").write_text(scan.as_csv(found))
    with pytest.raises(UsageError, match=r"responses.csv:2: student ann.ng, question 1: '\?' is not decided yet(.*\n)+.*question 6"):
        grade.grade(tmp_path / "responses.csv", tmp_path)


def test_pages_that_are_no_form_twice_there_or_of_another_variant_are_named(tmp_path):
    image = filled(printed(tmp_path, "a4"), "a4", RIGHT)
    found = scanned(tmp_path, Image.new("L", (1100, 1500), 255), image, image)
    assert "pages without the squares of a form: " in found.doubts[1] and "scan0.png" in found.doubts[1]
    assert "page 1 of ann.ng's form is there twice" in found.doubts[0] and found.responses["ann.ng"]["1"] == ["?"]
    (tmp_path / index.NAME).write_text("student,name,variant\nann.ng,,00000000\n")
    found = scanned(tmp_path, image)
    assert "of variant 1A2B3C4D, the key of 00000000" in found.doubts[0] and found.doubts[1] == "no page of the form of: ann.ng"


def test_every_answer_of_the_bank_has_its_place_on_both_papers(sets, solver):
    from hpml_quizzes.quiz import draw_quiz, key_of
    for quiz_set in sets.values():
        key = key_of(draw_quiz(quiz_set, solver, "tests", "v1"))
        wanted = [(number, place) for number, entry in key.items() for place in range(len(entry.get("parts", [0])))]
        for paper, (width, height) in form.PAPERS.items():
            fields = [field for page in form.pages(key, paper) for field in page]
            assert [(field.question, field.part) for field in fields] == wanted
            assert all(form.TOP <= field.y and field.y + field.height <= height - form.BOTTOM for field in fields)
            edge = form.GRID_LEFT + form.PITCH * form.COLUMNS
            assert all(field.x + edge <= width - 10 for field in fields) and edge <= np.diff(form.columns_of(paper)).min()
            for field in fields:
                centres = list(field.option_centres()) + [one for column in range(form.COLUMNS) for one in field.grid_centres(column)]
                assert all(math.dist(one, other) > 2 * form.RADIUS for one, other in zip(centres, centres[1:]))


def test_an_examination_is_one_pdf_with_names_forms_and_index(tmp_path):
    made = make.paper("quiz1", "7", {"ann": "Ng, Ana Müller", "bob": "Bob Stone"}, "letter", tmp_path)
    assert [name.rsplit("/", 1)[1] for name in made] == ["exam_letter.pdf", "variants.csv"]
    text = subprocess.run(["pdftotext", "-layout", tmp_path / "quiz1/exam_letter.pdf", "-"], capture_output=True, text=True, check=True).stdout
    pages = text.split("\f")
    for row in (tmp_path / "quiz1/variants.csv").read_text().splitlines()[1:]:
        *_, sheet, filled_in = row.split(",")
        name = "Ng, Ana Müller" if row.startswith("ann") else "Bob Stone"
        assert f"Name: {name}" in pages[int(sheet) - 1]
        assert name in pages[int(filled_in) - 1] and row.split(",")[0] in pages[int(filled_in) - 1]
        assert int(sheet) % 2 == int(filled_in) % 2 == 1    # fronts
    assert "who has which variant" in pages[-2] and "Bob Stone" in pages[-2]
    assert (tmp_path / "quiz1/keys/ann/key.json").stat().st_mode & 0o77 == 0
