"""Do the exported files, read by a reader that knows nothing of the writer, grade as the quiz does?"""
import io
import json
import re
import xml.etree.ElementTree as ElementTree
import zipfile

import pytest
from exported import check
from hpml_quizzes import quiz as quizzes
from hpml_quizzes.emit import d2l, gift, html, markdown, moodle, platforms, prairielearn, qti
from hpml_quizzes.readback import d2l as read_d2l
from hpml_quizzes.readback import gift as read_gift
from hpml_quizzes.readback import moodle as read_moodle
from hpml_quizzes.readback import prairielearn as read_prairielearn
from hpml_quizzes.readback import qti as read_qti
from hpml_quizzes.emit.zipped import stored
from hpml_quizzes.readback.question import BadFile

NAMES = ("quiz1", "practice1", "practice2", "quiz2", "quiz3", "quiz4", "quiz5", "final")


@pytest.fixture(scope="module", params=NAMES)
def drawn(request, sets, solver):
    return quizzes.draw_quiz(sets[request.param], solver, "tests", "v1")


def refused(notes):
    return {note.question for note in notes if note.how == "refused"}


def test_every_set_is_tested(sets):
    assert set(sets) == set(NAMES)


def test_qti_scores_the_key_and_nothing_else_in_full(drawn):
    package, notes = qti.export(drawn)
    assert not refused(notes)
    check(drawn, read_qti.read(package), "exact")


def test_moodle_xml_scores_as_specified(drawn):
    text, notes = moodle.export(drawn)
    check(drawn, read_moodle.read(text), "sum", refused(notes))


def test_gift_scores_as_specified(drawn):
    text, notes = gift.export(drawn)
    check(drawn, read_gift.read(text), "sum", refused(notes), points=False)
    assert all(note.instead for note in notes)


def test_prairielearn_scores_each_decision_exactly(drawn):
    files, notes = prairielearn.export(drawn)
    check(drawn, read_prairielearn.read(files), "each", refused(notes), every=False)


def test_brightspace_csv_scores_each_decision_exactly(drawn):
    text, notes = d2l.export(drawn)
    check(drawn, read_d2l.read(text), "each", refused(notes))
    assert {note.question for note in notes} >= {one.id for one in drawn.instances if one.kind == "num" or one.figure}


@pytest.mark.parametrize(("old", "new"), [("Option,100,<p>160 s", "Option,0,<p>160 s"), ("RightAnswers", "AllOrNothing"),
                                          ("NewQuestion,TF", "NewQuestion,SIG"), ("Points,1.5", "Points,2"), ("\ufeff", "")])
def test_a_damaged_brightspace_file_is_caught(quiz1, old, new):
    text, notes = d2l.export(quiz1)
    assert old in text
    with pytest.raises((AssertionError, BadFile)):
        check(quiz1, read_d2l.read(text.replace(old, new, 1)), "each", refused(notes))


def test_each_variant_of_a_prairielearn_question_has_its_own_key(sets, solver):
    draws = [quizzes.draw_quiz(sets["quiz4"], solver, "tests", f"v{n}") for n in range(3)]
    files, _ = prairielearn.export(draws[0], tuple(draws[1:]))
    for seed, one in enumerate(draws):
        check(one, read_prairielearn.read(files, seed), "each", every=False)


def test_a_part_left_blank_does_not_refuse_the_others_in_prairielearn(sets, solver):
    made, _ = prairielearn.export(quizzes.draw_quiz(sets["quiz3"], solver, "public", "v1"), ())
    pages = [text for name, text in made.items() if name.endswith("question.html")]
    fields = [(page.count("-input answers-name="), re.findall(r"<pl-(?:number|string)-input[^>]*>", page)) for page in pages]
    several = [field for count, found in fields if count > 1 for field in found]
    assert several and all('allow-blank="true"' in field for field in several)
    assert not any("allow-blank" in field for count, found in fields if count == 1 for field in found)


def test_parts_of_a_prairielearn_question_share_one_draw_on_a_server_without_file(sets, solver, tmp_path):
    draws = [quizzes.draw_quiz(sets["quiz3"], solver, "tests", f"v{n}") for n in range(3)]
    files, _ = prairielearn.export(draws[0], tuple(draws[1:]))
    place = next(place for place, one in enumerate(draws[0].instances) if len(one.parts) == 3)
    own = [name for name in files if f"/quiz3_{place + 1:02}_" in name]
    folder = own[0].rsplit("/", 1)[0]
    assert len(own) == 4
    (tmp_path / "variants.json").write_text(files[f"{folder}/variants.json"], encoding="utf-8")
    module: dict = {}
    exec(files[f"{folder}/server.py"], module)  # noqa: S102 - as PrairieLearn does; there is no __file__
    data = {"params": {}, "correct_answers": {}, "variant_seed": "2", "options": {"question_path": str(tmp_path)}}
    module["generate"](data)
    parts = draws[2].instances[place].parts
    assert "__file__" not in module and list(data["correct_answers"].values()) == [part.shown for part in parts]
    assert all(str(part.label)[:20] in data["params"][f"prompt_{letter}"] for letter, part in zip("abc", parts))
    assert draws[2].instances[place].explanation[:10] in data["params"]["solution"]


def test_feedback_goes_with_the_question(quiz1):
    package, _ = qti.export(quiz1)
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        text = next(archive.read(name).decode() for name in archive.namelist() if "/" in name and not name.endswith(("meta.xml", "svg", "/")))
    assert text.count('<itemfeedback ident="general_fb">') == len(quiz1.instances) == gift.export(quiz1)[0].count(" ####") + 4
    for old, new in (('linkrefid="general_fb"', 'linkrefid="other"'), ('continue="Yes"', 'continue="No"')):
        with pytest.raises(BadFile):
            read_qti._scoring(ElementTree.fromstring(text.replace(old, new)).find(".//{*}item"))


def test_what_a_format_cannot_carry_is_reported_with_an_alternative(sets, solver, quiz1):
    report = json.loads(platforms.export(quiz1)["export_report.json"])
    gift_notes = report["formats"]["GIFT"]["notes"]
    assert {note["question"] for note in gift_notes if note["how"] == "refused"} == {
        "q06_moores_law", "q07_peak_flops", "q15_key_properties", "q18_roofline_points"}
    for entry in report["formats"].values():
        assert all(note["instead"] for note in entry["notes"])
        assert len(set(entry["exact"]) | {note["question"] for note in entry["notes"]}) == entry["questions"] == 18


def test_the_same_quiz_gives_the_same_bytes(sets, solver):
    one, two = (platforms.export(quizzes.draw_quiz(sets["quiz3"], solver, "tests", "v1")) for _ in range(2))
    assert one == two


def test_pdf_pages_are_the_same_bytes_and_hold_the_text(quiz1):
    pdf = pytest.importorskip("hpml_quizzes.emit.pdf")
    data = pdf.to_pdf(quiz1, False)
    assert data == pdf.to_pdf(quiz1, False)
    assert data.startswith(b"%PDF") and b"FontFile2" in data and b"CreationDate (D:2000" in data


def test_student_pages_hold_no_key(sets, solver):
    drawn = quizzes.draw_quiz(sets["practice1"], solver, "a secret course key", "v1")
    for text in (markdown.to_markdown(drawn, False), html.to_html(drawn, False)):
        for word in ("[x]", "✓", "Solution", "solution\">", "a secret course key", "data-correct"):
            assert word not in text
        for instance in drawn.instances:
            assert instance.explanation[:40] not in text and instance.template.source not in text
            assert instance.id not in text
            for option in instance.options:
                assert len(option.why) < 20 or option.why not in text
    key = markdown.to_markdown(drawn, True)
    assert key.count("- [x]") == sum(len(instance.key) for instance in drawn.instances)


def test_html_is_one_well_formed_file_without_scripts(drawn):
    for with_key in (False, True):
        text = html.to_html(drawn, with_key)
        ElementTree.fromstring(text.split("\n", 1)[1].replace('<meta charset="utf-8">', "").replace(
            '<meta name="viewport" content="width=device-width, initial-scale=1">', "").replace(
            f'<meta name="quiz-sha256" content="{drawn.sha256}">', "").replace("&nbsp;", " ").replace(
            "<li class=right>", '<li class="right">'))
        assert "<script" not in text and "http" not in text.replace("http://www.w3.org/2000/svg", "")


MUTATIONS = {"a flipped key": ('fraction="100" format="html"', 'fraction="0" format="html"'),
             "a rounded fraction": ("33.33333", "33.33"), "no single": ("<single>false</single>", "")}


@pytest.mark.parametrize("what", MUTATIONS)
def test_a_damaged_moodle_file_is_caught(quiz1, what):
    old, new = MUTATIONS[what]
    text, notes = moodle.export(quiz1)
    assert old in text
    with pytest.raises((AssertionError, BadFile)):
        check(quiz1, read_moodle.read(text.replace(old, new, 1)), "sum", refused(notes))


def test_a_tolerance_of_zero_is_caught(sets, solver):
    drawn = quizzes.draw_quiz(sets["quiz2"], solver, "tests", "v1")
    text, _ = moodle.export(drawn)
    with pytest.raises(AssertionError):
        check(drawn, read_moodle.read(re.sub(r"<tolerance>[^<]*<", "<tolerance>0<", text)), "sum")


@pytest.mark.parametrize(("old", "new"), [("~%50%", "~%100%"), ("{F ", "{T "), ("=160 s", "~160 s")])
def test_a_damaged_gift_file_is_caught(quiz1, old, new):
    text, notes = gift.export(quiz1)
    assert old in text
    with pytest.raises((AssertionError, BadFile)):
        check(quiz1, read_gift.read(text.replace(old, new, 1)), "sum", refused(notes), points=False)


def test_a_decimal_comma_in_gift_is_caught(sets, solver):
    drawn = quizzes.draw_quiz(sets["quiz2"], solver, "tests", "v1")
    text, _ = gift.export(drawn)
    at = text.index("{#") + 2
    with pytest.raises(BadFile, match="accept every answer"):
        read_gift.read(text[:at] + text[at:].replace(".", ",", 1))


def test_a_package_with_a_missing_file_or_a_double_identifier_is_caught(quiz1):
    package, _ = qti.export(quiz1)
    source = zipfile.ZipFile(io.BytesIO(package))
    files = {name: source.read(name) for name in source.namelist()}
    without = {name: data for name, data in files.items() if not name.endswith(".svg")}
    with pytest.raises(BadFile, match="manifest and package differ"):
        read_qti.read(stored(without))
    body = next(name for name in files if name.count("/") == 1 and name.split("/")[0] in name.split("/")[1] and name.endswith(".xml")
                and "meta" not in name)
    idents = [one.ident for one in read_qti.read(package)]
    doubled = {**files, body: files[body].replace(idents[1].encode(), idents[0].encode())}
    with pytest.raises(BadFile, match="used twice"):
        read_qti.read(stored(doubled))
