"""Quiz -> Moodle XML."""
import base64
import re
from xml.sax.saxutils import escape

from .. import markup
from ..numbers import auto, decimals
from ..quiz import Quiz, points_text
from .common import Item, items_of, plain_decimal, tolerance_decimal
from .refusal import Refusal

# Grades Moodle knows; others stop the whole import.
_COUNTS = {*range(1, 11), 20}
_TYPES = {"mc": "multichoice", "ms": "multichoice", "tf": "truefalse", "num": "numerical", "short": "shortanswer"}


def fraction(parts: int) -> str:
    """100/parts in percent as Moodle's list writes it: five decimals."""
    return auto(100 // parts) if 100 % parts == 0 else decimals(100 / parts, 5).rstrip("0")


def _cdata(html: str) -> str:
    return "<![CDATA[" + html.replace("]]>", "]]]]><![CDATA[>") + "]]>"


def _text(tag: str, html: str, extra: str = "") -> str:
    return f'<{tag} format="html"><text>{_cdata(html)}</text>{extra}</{tag}>'


def _answer(percent: str, text: str, extra: str = "") -> str:
    return f'<answer fraction="{percent}">{text}{extra}</answer>'


def _option(percent: str, option) -> str:
    why = "" if option.correct else markup.line_html(option.why)
    feedback = f'<feedback format="html"><text>{_cdata(why)}</text></feedback>'
    return (f'<answer fraction="{percent}" format="html"><text>{_cdata(markup.line_html(option.text))}</text>{feedback}'
            "</answer>")


def weights(item: Item) -> tuple[str, str]:
    """Percent of a right and of a wrong option. Ticking everything earns nothing; the exact set earns all."""
    right = sum(option.correct for option in item.options)
    wrong = len(item.options) - right
    if item.kind != "ms":
        return "100", "0"
    if item.instance.scoring == "net_correct":
        return fraction(right), "-" + fraction(right)
    return fraction(right), "-" + fraction(wrong) if wrong else "0"


def _answers(item: Item) -> str:
    if item.kind == "tf":
        return "\n".join(f'<answer fraction="{100 if option.correct else 0}" format="moodle_auto_format"><text>{option.id}'
                         '</text><feedback format="html"><text></text></feedback></answer>' for option in item.options)
    if item.kind in ("mc", "ms"):
        right, wrong = weights(item)
        head = (f"<single>{'false' if item.kind == 'ms' else 'true'}</single><shuffleanswers>false</shuffleanswers>"
                "<answernumbering>123</answernumbering>")
        return head + "\n" + "\n".join(_option(right if one.correct else wrong, one) for one in item.options)
    part = item.part
    assert part is not None
    if part.value is not None:
        return _answer("100", f"<text>{plain_decimal(part.value)}</text>",
                       f"<tolerance>{tolerance_decimal(part.tolerance)}</tolerance>")
    stars = [entry.replace("*", "\\*") for entry in part.accept]
    return "<usecase>0</usecase>\n" + "\n".join(_answer("100", f"<text>{escape(entry)}</text>") for entry in stars)


def _question(item: Item) -> str:
    svg, picture, file = item.instance.svg, "", ""
    if svg is not None:
        name = f"{item.ident}.svg"
        picture = f'\n<p><img src="@@PLUGINFILE@@/{name}" alt="{escape(item.instance.alt, {chr(34): "&quot;"})}"/></p>'
        file = f'<file name="{name}" encoding="base64">{base64.b64encode(svg.encode()).decode()}</file>'
    return f'''<question type="{_TYPES[item.kind]}">
<name><text>{escape(item.name)}</text></name>
{_text("questiontext", item.stem_html + picture, file)}
{_text("generalfeedback", markup.to_html(item.instance.explanation))}
<defaultgrade>{points_text(item.points_milli)}</defaultgrade><penalty>0</penalty><hidden>0</hidden><idnumber>{item.ident}</idnumber>
{_answers(item)}
</question>'''


def refusals(item: Item) -> list[Refusal]:
    if item.kind != "ms":
        return []
    right = sum(option.correct for option in item.options)
    if not {right, (len(item.options) - right) or 1} <= _COUNTS:
        return [Refusal(item.instance.id, "refused", "Moodle has no grade for this number of options", "PrairieLearn")]
    if item.instance.scoring == "all_or_nothing":
        return [Refusal(item.instance.id, "refused", "Moodle's own types know no all or nothing", "PrairieLearn")]
    exact = item.instance.scoring == "net_correct"
    return [] if exact else [Refusal(item.instance.id, "approximated", "+100/k for each right, -100/w for each wrong check",
                                     "PrairieLearn")]


def export(quiz: Quiz) -> tuple[str, list[Refusal]]:
    notes = [note for item in items_of(quiz) for note in refusals(item)]
    refused = {note.question for note in notes if note.how == "refused"}
    category = re.sub(r"[/$]", " ", quiz.title)
    questions = [_question(item) for item in items_of(quiz) if item.instance.id not in refused]
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
            f"<!-- quiz {quiz.sha256} -->\n"
            f'<question type="category"><category><text>$course$/top/HPML/{escape(category)}</text></category></question>\n'
            + "\n".join(questions) + "\n</quiz>\n"), notes
