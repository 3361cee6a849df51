"""Do words with the marks of a format in them arrive unchanged, and is what we write what another program reads?"""
import io
import json
import random
import zipfile
from dataclasses import replace

import jsonschema
import pytest
from hpml_quizzes import load, markup, quiz, validate
from hpml_quizzes.draw import draw
from hpml_quizzes.emit import d2l, gift, moodle, prairielearn, qti, record
from hpml_quizzes.instance import Option
from hpml_quizzes.paths import ROOM
from hpml_quizzes.readback import d2l as read_d2l
from hpml_quizzes.readback import gift as read_gift
from hpml_quizzes.readback import moodle as read_moodle
from hpml_quizzes.readback import prairielearn as read_prairielearn
from hpml_quizzes.readback import qti as read_qti
from hpml_quizzes.rng import Draws
from lxml import etree
from test_validator import MC

PIECES = ["~", "=", "#", "{", "}", ":", "\\", "\\n", "//", "::", "%50%", "%", "->", "$CATEGORY:", "]]>", "<![CDATA[", "&", "&lt;", "<", ">", '"', "'",
          ",", ";", "{{params.x}}", "{{{", "}}", "{#5:1}", "T", "TRUE", "a", "x = 1", "é", "π", "😀", "\u2028", " ", "  ", "=a ~b", "####", "*", "|", "_"]
READERS = {"GIFT": lambda one: read_gift.read(gift.export(one)[0]), "Moodle": lambda one: read_moodle.read(moodle.export(one)[0]),
           "QTI": lambda one: read_qti.read(qti.export(one)[0]), "Brightspace": lambda one: read_d2l.read(d2l.export(one)[0]),
           "PrairieLearn": lambda one: read_prairielearn.read(prairielearn.export(one)[0])}


@pytest.fixture(scope="module")
def question(tmp_path_factory, solver):
    path = tmp_path_factory.mktemp("strict") / "strict.toml"
    path.write_text(MC, encoding="utf-8")
    return draw(load.load(path), Draws(1), solver)


def texts():
    source = random.Random(5)
    return ["".join(source.choice(PIECES) for _ in range(source.randint(1, 12))) for _ in range(3000)]


def with_texts(question, number, words):
    options = tuple(Option(f"o{place}", text, place == 0, words[0]) for place, text in enumerate(words[1:]))
    return replace(question, number=number, stem=words[0] + "\n\n```\n// a comment\n\nint x{1};\n```", options=options)


@pytest.mark.parametrize("name", READERS)
def test_a_thousand_awkward_texts_are_read_back_as_they_are(question, name):
    """Texts that the validator lets through: control characters and tags are its business."""
    words = [text for text in texts() if text.strip() and markup.problem(text) is None and "`" not in text]
    assert len(words) > 1000
    drawn = [with_texts(question, number, [words[4 * number], *dict.fromkeys(words[4 * number + 1:4 * number + 4])])
             for number in range(len(words) // 4)]
    drawn = [replace(one, number=place % 90 + 1) for place, one in enumerate(one for one in drawn if len(one.options) > 1)]
    quizzes = [quiz.Quiz("strict", "Strict ~=#{}: \\ ]]> & <b>", "", tuple(drawn[at:at + 90])) for at in range(0, len(drawn), 90)]
    got = [read for one in quizzes for read in READERS[name](one)]
    assert len(got) == len(drawn) > 250
    for instance, read in zip(drawn, got):
        assert read.stem.strip() == markup.to_html(instance.stem).strip()
        options = [text.removeprefix("<p>").removesuffix("</p>").replace("&#37;", "%") for _, text in read.options]
        assert options == [markup.line_html(option.text) for option in instance.options]
        assert read.percent(frozenset({read.options[0][0]})) == 100


@pytest.mark.parametrize("text", ["a\x07b", "a\x00", "\ud800", "x\ufffey"])
def test_control_characters_are_refused(question, text):
    reasons = [problem.reason for problem in validate.check_instance(replace(question, stem=text))]
    assert any("control character" in reason for reason in reasons)


@pytest.mark.parametrize("name", ["quiz1", "quiz2", "quiz3", "final"])
def test_xml_is_well_formed_for_another_parser(sets, solver, name):
    drawn = quiz.draw_quiz(sets[name], solver, "tests", "v1")
    etree.fromstring(moodle.export(drawn)[0].encode())
    package = zipfile.ZipFile(io.BytesIO(qti.export(drawn)[0]))
    names = [file for file in package.namelist() if file.endswith((".xml", ".svg"))]
    assert len(names) >= 3 and not package.comment
    for file in names:
        etree.fromstring(package.read(file))


@pytest.mark.parametrize("name", ["quiz1", "practice1", "practice2", "quiz2", "quiz3", "quiz4", "quiz5", "final"])
def test_records_follow_their_schema(sets, solver, name):
    schema = json.loads((ROOM / "schema/hpml.quiz.v1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(record.to_json(quiz.draw_quiz(sets[name], solver, "tests", "v3"))))
