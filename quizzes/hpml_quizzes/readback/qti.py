"""Reads a QTI 1.2 package in Canvas's profile."""
import io
import re
import xml.etree.ElementTree as ElementTree
import zipfile
from decimal import Decimal

from .question import BadFile, ReadQuestion

_Q = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
_M = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"
_C = "{http://canvas.instructure.com/xsd/cccv1p0}"
_NAME = re.compile(r"[A-Za-z_][\w.-]*")


def read(data: bytes) -> list[ReadQuestion]:
    package = zipfile.ZipFile(io.BytesIO(data))
    names = package.namelist()
    if names[0] != "imsmanifest.xml" or "non_cc_assessments/" not in names:
        raise BadFile("imsmanifest.xml or non_cc_assessments/ is missing")
    if any(name.startswith("/") or ".." in name.split("/") for name in names):
        raise BadFile("a path leaves the package")
    manifest = ElementTree.fromstring(package.read("imsmanifest.xml"))
    listed = [file.get("href") or "" for file in manifest.iter(_M + "file")]
    missing = set(listed) ^ ({*names} - {"imsmanifest.xml", "non_cc_assessments/"})
    if missing:
        raise BadFile(f"manifest and package differ: {', '.join(sorted(missing))}")
    resource = next(r for r in manifest.iter(_M + "resource") if r.get("type") == "imsqti_xmlv1p2")
    href = resource[0].get("href") or ""
    meta = next(name for name in listed if name.endswith("assessment_meta.xml"))
    quiz = ElementTree.fromstring(package.read(meta))
    items = [_item(item, names) for item in ElementTree.fromstring(package.read(href)).iter(_Q + "item")]
    total = Decimal(quiz.findtext(_C + "points_possible") or "0")
    if abs(total - sum(item.points or 0 for item in items)) > Decimal("0.005"):
        raise BadFile(f"the items have {sum(item.points or 0 for item in items)} points, the quiz {total}")
    _unique([item.ident for item in items] + [name for item in items for name, _ in item.options])
    return items


def _unique(names: list[str]) -> None:
    for name in names:
        if not _NAME.fullmatch(name):
            raise BadFile(f"'{name}' is no XML name")
    if len(set(names)) != len(names):
        raise BadFile("an identifier is used twice")


def _item(item: ElementTree.Element, names: list[str]) -> ReadQuestion:
    fields = {f.findtext(_Q + "fieldlabel"): f.findtext(_Q + "fieldentry") or "" for f in item.iter(_Q + "qtimetadatafield")}
    presentation = item.find(_Q + "presentation")
    assert presentation is not None
    stem = presentation.findtext(f"{_Q}material/{_Q}mattext") or ""
    for image in re.findall(r'src="%24IMS-CC-FILEBASE%24/([^"]+)"', stem):
        if image not in names:
            raise BadFile(f"image {image} is not in the package")
    condition = _scoring(item)
    question = ReadQuestion(item.get("ident") or "", "", stem, Decimal(fields["points_possible"]))
    kind = fields["question_type"]
    for label in presentation.iter(_Q + "response_label"):
        if kind not in ("numerical_question", "short_answer_question"):
            question.options.append((label.get("ident") or "", label.findtext(f"{_Q}material/{_Q}mattext") or ""))
    several = presentation.find(_Q + "response_lid")
    if kind in ("multiple_choice_question", "true_false_question"):
        question.kind = "one"
        right = {equal.text for equal in condition.findall(_Q + "varequal")}
        question.credit = {name: Decimal(100 if name in right else 0) for name, _ in question.options}
    elif kind == "multiple_answers_question":
        if several is None or several.get("rcardinality") != "Multiple":
            raise BadFile("several answers need rcardinality Multiple")
        _several(question, condition)
    elif kind == "numerical_question":
        question.kind = "number"
        question.low = Decimal(condition.findtext(f".//{_Q}vargte") or "NaN")
        question.high = Decimal(condition.findtext(f".//{_Q}varlte") or "NaN")
    else:
        question.kind, question.accept = "words", [equal.text or "" for equal in condition.findall(_Q + "varequal")]
    if question.options and fields["original_answer_ids"] != ",".join(name for name, _ in question.options):
        raise BadFile("original_answer_ids does not list the options")
    return question


def _scoring(item: ElementTree.Element) -> ElementTree.Element:
    """The condition that scores: the last one, behind those that show feedback."""
    rows = item.findall(f"{_Q}resprocessing/{_Q}respcondition")
    shown = [row.find(_Q + "displayfeedback") for row in rows[:-1]]
    given = {feedback.get("ident") for feedback in item.findall(_Q + "itemfeedback")}
    if not rows or rows[-1].findtext(_Q + "setvar") != "100" or rows[-1].get("continue") != "No":
        raise BadFile("the last condition does not set the score to 100")
    if any(one is None or row.get("continue") != "Yes" or row.find(_Q + "setvar") is not None for one, row in zip(shown, rows)):
        raise BadFile("a condition before the scoring one ends it or scores")
    if {one.get("linkrefid") for one in shown if one is not None} != given or "general_fb" not in given:
        raise BadFile("feedback that is shown and feedback that is there differ")
    condition = rows[-1].find(_Q + "conditionvar")
    assert condition is not None
    return condition


def _several(question: ReadQuestion, condition: ElementTree.Element) -> None:
    question.kind, question.rule = "several", "exact"
    both = condition.find(_Q + "and")
    assert both is not None
    right = {equal.text for equal in both.findall(_Q + "varequal")}
    wrong = {equal.text for equal in both.findall(f"{_Q}not/{_Q}varequal")}
    if right | wrong != {name for name, _ in question.options} or right & wrong:
        raise BadFile("the condition does not name every option once")
    question.credit = {name: Decimal(100 if name in right else 0) for name, _ in question.options}
