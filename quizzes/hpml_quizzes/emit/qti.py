"""Quiz -> QTI 1.2 package in Canvas's profile."""
from xml.sax.saxutils import escape, quoteattr

from .. import markup
from ..numbers import decimals
from ..quiz import Quiz, points_text
from .common import Item, items_of, plain_decimal, tolerance_decimal
from .idents import ident
from .refusal import Refusal
from .zipped import stored

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_TYPES = {"mc": "multiple_choice_question", "tf": "true_false_question", "ms": "multiple_answers_question",
          "num": "numerical_question", "short": "short_answer_question"}


def _field(label: str, entry: str) -> str:
    return (f"<qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{escape(entry)}</fieldentry>"
            "</qtimetadatafield>")


def _material(html: str) -> str:
    return f'<material><mattext texttype="text/html">{escape(html)}</mattext></material>'


def _choice_idents(quiz: Quiz, item: Item) -> list[str]:
    return [ident(quiz, item.instance, f"option{place}") for place in range(len(item.options))]


def _equal(value: str) -> str:
    return f'<varequal respident="response1">{escape(value)}</varequal>'


def _response(item: Item, choices: list[str]) -> str:
    if item.kind in ("num", "short"):
        decimal = ' fibtype="Decimal"' if item.kind == "num" else ""
        return (f'<response_str ident="response1" rcardinality="Single"><render_fib{decimal}>'
                '<response_label ident="answer1"/></render_fib></response_str>')
    rows = "\n".join(f'<response_label ident="{choice}">{_material(markup.line_html(option.text))}</response_label>'
                     for choice, option in zip(choices, item.options))
    several = "Multiple" if item.kind == "ms" else "Single"
    return (f'<response_lid ident="response1" rcardinality="{several}"><render_choice>\n{rows}\n</render_choice>'
            "</response_lid>")


def _condition(item: Item, choices: list[str]) -> str:
    if item.kind == "short":
        assert item.part is not None
        return "".join(_equal(entry) for entry in item.part.accept)
    if item.kind == "num":
        part = item.part
        assert part is not None and part.value is not None
        slack = tolerance_decimal(part.tolerance)
        value = plain_decimal(part.value)
        low, high = _outward(value, slack)
        return (f'<or>{_equal(value)}<and><vargte respident="response1">{low}</vargte>'
                f'<varlte respident="response1">{high}</varlte></and></or>')
    if item.kind == "ms":
        tests = "".join(_equal(choice) if option.correct else f"<not>{_equal(choice)}</not>"
                        for choice, option in zip(choices, item.options))
        return f"<and>{tests}</and>"
    return "".join(_equal(choice) for choice, option in zip(choices, item.options) if option.correct)


def _outward(value: str, slack: str) -> tuple[str, str]:
    from fractions import Fraction
    low, high = Fraction(value) - Fraction(slack), Fraction(value) + Fraction(slack)
    return plain_decimal(low), plain_decimal(high)


def _image(quiz: Quiz, item: Item) -> tuple[str, str] | None:
    svg = item.instance.svg
    return None if svg is None else (f"{ident(quiz, None, 'assessment')}/{ident(quiz, item.instance, 'figure')}.svg", svg)


def _item(quiz: Quiz, item: Item) -> str:
    choices = _choice_idents(quiz, item)
    html = item.stem_html
    image = _image(quiz, item)
    if image is not None:
        html += f'\n<p><img src="%24IMS-CC-FILEBASE%24/{image[0]}" alt={quoteattr(item.instance.alt)}/></p>'
    original = ",".join(choices) if choices else ident(quiz, item.instance, f"answer{item.ident}")
    metadata = "".join([_field("question_type", _TYPES[item.kind]),
                        _field("points_possible", points_text(item.points_milli)),
                        _field("original_answer_ids", original),
                        _field("assessment_question_identifierref", "g" + item.ident[1:])])
    return f'''<item ident="{item.ident}" title={quoteattr(item.name)}>
<itemmetadata><qtimetadata>{metadata}</qtimetadata></itemmetadata>
<presentation>
{_material(html)}
{_response(item, choices)}
</presentation>
<resprocessing>
<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
{_shown_always(choices)}
<respcondition continue="No"><conditionvar>{_condition(item, choices)}</conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition>
</resprocessing>
{_feedback(item, choices)}
</item>'''


def _shown_always(choices: list[str]) -> str:
    """Conditions that only show feedback; they come before the one that scores."""
    rows = ['<respcondition continue="Yes"><conditionvar><other/></conditionvar>'
            '<displayfeedback feedbacktype="Response" linkrefid="general_fb"/></respcondition>']
    rows += [f'<respcondition continue="Yes"><conditionvar>{_equal(choice)}</conditionvar>'
             f'<displayfeedback feedbacktype="Response" linkrefid="{choice}_fb"/></respcondition>' for choice in choices]
    return "\n".join(rows)


def _feedback(item: Item, choices: list[str]) -> str:
    """Why the key is right, and of each option why somebody chooses it."""
    said = [("general_fb", markup.to_html(item.instance.explanation))]
    said += [(f"{choice}_fb", markup.line_html(option.why) if option.why and not option.correct else
              ("right" if option.correct else "not right")) for choice, option in zip(choices, item.options)]
    return "\n".join(f'<itemfeedback ident="{name}"><flow_mat>{_material(text)}</flow_mat></itemfeedback>' for name, text in said)


def _assessment(quiz: Quiz, items: list[Item]) -> str:
    body = "\n".join(_item(quiz, item) for item in items)
    return f'''{HEAD}<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
<!-- quiz {quiz.sha256} -->
<assessment ident="{ident(quiz, None, 'assessment')}" title={quoteattr(quiz.title)}>
<qtimetadata>{_field("cc_maxattempts", "1")}</qtimetadata>
<section ident="root_section">
{body}
</section>
</assessment>
</questestinterop>
'''


def _meta(quiz: Quiz) -> str:
    assessment, points = ident(quiz, None, "assessment"), decimals(quiz.points_milli / 1000, 3)
    title = escape(quiz.title)
    return f'''{HEAD}<quiz identifier="{assessment}" xmlns="http://canvas.instructure.com/xsd/cccv1p0">
<title>{title}</title><description/>
<shuffle_answers>false</shuffle_answers><scoring_policy>keep_highest</scoring_policy><hide_results/>
<quiz_type>assignment</quiz_type><points_possible>{points}</points_possible>
<show_correct_answers>false</show_correct_answers><allowed_attempts>1</allowed_attempts>
<one_question_at_a_time>false</one_question_at_a_time><cant_go_back>false</cant_go_back><available>false</available>
<assignment identifier="{ident(quiz, None, 'assignment')}">
<title>{title}</title><due_at/><lock_at/><unlock_at/><workflow_state>unpublished</workflow_state>
<quiz_identifierref>{assessment}</quiz_identifierref><points_possible>{points}</points_possible>
<grading_type>points</grading_type><submission_types>online_quiz</submission_types>
</assignment>
<assignment_group_identifierref>{ident(quiz, None, 'group')}</assignment_group_identifierref>
</quiz>
'''


def _lifecycle(quiz: Quiz) -> str:
    if not quiz.date:
        return ""
    return (f"<imsmd:lifecycle><imsmd:contribute><imsmd:date><imsmd:dateTime>{quiz.date}</imsmd:dateTime></imsmd:date>"
            "</imsmd:contribute></imsmd:lifecycle>")


def _manifest(quiz: Quiz, images: list[str]) -> str:
    assessment, meta = ident(quiz, None, "assessment"), ident(quiz, None, "meta")
    kind = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
    extra = "".join(f'\n<resource identifier="{ident(quiz, None, name)}" type="webcontent" href="{name}">'
                    f'<file href="{name}"/></resource>' for name in images)
    return f'''{HEAD}<manifest identifier="{ident(quiz, None, 'manifest')}" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1" xmlns:lom="http://ltsc.ieee.org/xsd/imsccv1p1/LOM/resource" xmlns:imsmd="http://www.imsglobal.org/xsd/imsmd_v1p2">
<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion><imsmd:lom><imsmd:general><imsmd:title><imsmd:string>{escape(quiz.title)}</imsmd:string></imsmd:title></imsmd:general>{_lifecycle(quiz)}</imsmd:lom></metadata>
<organizations/>
<resources>
<resource identifier="{assessment}" type="imsqti_xmlv1p2"><file href="{assessment}/{assessment}.xml"/><dependency identifierref="{meta}"/></resource>
<resource identifier="{meta}" type="{kind}" href="{assessment}/assessment_meta.xml"><file href="{assessment}/assessment_meta.xml"/></resource>{extra}
</resources>
</manifest>
'''


def export(quiz: Quiz) -> tuple[bytes, list[Refusal]]:
    items, images = items_of(quiz), {}
    for item in items:
        image = _image(quiz, item)
        if image is not None:
            images[image[0]] = image[1].encode()
    assessment = ident(quiz, None, "assessment")
    files = {"imsmanifest.xml": _manifest(quiz, list(images)).encode(), "non_cc_assessments/": b"",
             f"{assessment}/assessment_meta.xml": _meta(quiz).encode(),
             f"{assessment}/{assessment}.xml": _assessment(quiz, items).encode(), **images}
    notes = [Refusal(item.instance.id, "approximated", "Canvas scores several answers by its own rule; full points for "
                     "exactly the key are exact", "PrairieLearn") for item in items if item.kind == "ms"]
    return stored(files), notes
