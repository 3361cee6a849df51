"""Draws of a quiz -> one HTML page to practise with, offline: a student answers, is corrected with the reason, and draws anew.

The page holds every answer, so its draws are of a key of their own (PRACTICE) and never those of a sheet.
"""
import html
import json

from .. import markup
from ..instance import Instance, Part
from ..quiz import Quiz
from .common import heading, instruction, label_of, part_name, plain_decimal, precision, tolerance_decimal
from .html import STYLE

PRACTICE = "practice"   # instead of the course's key

SCRIPT = """
"use strict";
const quiz = JSON.parse(document.getElementById("quiz").textContent);
const all = quiz.questions;
const shown = all.map(() => 0), earned = all.map(() => null);

function element(tag, text, inner) {
  const made = document.createElement(tag);
  if (text !== undefined) { made.textContent = text; }
  if (inner !== undefined) { made.innerHTML = inner; }
  return made;
}

// As `hpml quiz grade` reads a response (scoring.py): a number, alone or with its unit. The rest is null where it is no unit.
function numberAndUnit(text) {
  const plain = text.trim().replace(/\\u2212/g, "-").replace(/\\u00a0/g, " ").replace(/(\\d)[, '](?=\\d{3}(\\D|$))/g, "$1");
  const match = plain.match(/^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,3})?/);
  if (!match) { return [NaN, null]; }
  const rest = plain.slice(match[0].length).trim();
  return [Number(match[0]), /^[A-Za-z\u00b5\u00b2\u00b3/\u00b7*. %$]*$/.test(rest) ? rest : null];
}

function plainUnit(unit) {
  const symbols = {byte: "B", bytes: "B", second: "s", seconds: "s", percent: "%", dollars: "$"};
  const plain = (symbols[unit.toLowerCase()] || unit).replace(/[\\s\u00b7*./]/g, "");
  const small = plain.slice(0, 1).toLowerCase() + plain.slice(1);
  return small.length > 2 ? small.replace(/[sS]$/, "") : small;
}

function fits(rest, unit) {
  if (unit === "") { return !["%", "percent", "k", "m", "g", "thousand", "million", "billion"].includes(rest.toLowerCase()); }
  const [one, other] = [plainUnit(rest), plainUnit(unit)];
  return rest === "" || one === other || Math.min(one.length, other.length) > 3 && one.toLowerCase() === other.toLowerCase();
}

function words(text) { return text.toLowerCase().replace(/[*\\u00d7]/g, "x").replace(/\\s+/g, ""); }

// Why an answer cannot be right whatever its number is; "" where it can.
function unread(part, text) {
  if (part.accept || text.trim() === "") { return ""; }
  const rest = numberAndUnit(text)[1];
  if (rest === null) { return "that is not a number; "; }
  return fits(rest, part.of) ? "" : part.of ? `that is not in ${part.of}; ` : "the question asks for the plain number; ";
}

function rightPart(part, text) {
  if (part.accept) { return part.accept.map(words).includes(words(text)); }
  return unread(part, text) === "" && Math.abs(numberAndUnit(text)[0] - Number(part.value)) <= Number(part.tolerance) * (1 + 1e-9);
}

function inputs(draw, name) {
  const box = element("div");
  if (draw.options) {
    const list = element("ol");
    list.className = "options";
    draw.options.forEach((option, place) => {
      const row = element("li"), label = element("label"), tick = element("input");
      tick.type = draw.kind === "ms" ? "checkbox" : "radio";
      tick.name = name;
      tick.value = place;
      label.append(tick, " ", element("span", undefined, option.html));
      row.append(label);
      list.append(row);
    });
    box.append(list);
  } else {
    draw.parts.forEach((part, place) => {
      const row = element("p"), label = element("label", undefined, part.prompt + " "), field = element("input");
      field.type = "text";
      field.autocomplete = "off";
      label.append(field, element("span", undefined, " " + part.unit));
      row.append(label);
      box.append(row);
    });
  }
  return box;
}

function correct(draw, box) {
  const said = [];
  let right = 0, count = 1;
  if (draw.options) {
    const ticks = [...box.querySelectorAll("input")], chosen = ticks.map(tick => tick.checked);
    const good = draw.options.map((option, place) => option.correct === chosen[place]);
    if (draw.kind === "ms") {
      count = good.length;
      right = good.filter(one => one).length;
    } else {
      right = good.every(one => one) ? 1 : 0;
    }
    draw.options.forEach((option, place) => {
      const mark = option.correct ? "true" : "false";
      if (!good[place] || chosen[place]) {
        said.push((good[place] ? "\\u2713 " : "\\u2717 ") + `option ${place + 1} is ${mark}` + (option.why && !option.correct ? ": " + option.why : ""));
      }
    });
  } else {
    const fields = [...box.querySelectorAll("input")];
    count = fields.length;
    fields.forEach((field, place) => {
      const part = draw.parts[place], good = rightPart(part, field.value);
      right += good ? 1 : 0;
      said.push((good ? "\\u2713 " : "\\u2717 ") + (part.name ? part.name + " " : "")
                + (good ? "right" : unread(part, field.value) + "the answer is " + part.shown));
    });
  }
  return {share: right / count, said: said};
}

function total() {
  const done = earned.filter(one => one !== null);
  const points = all.reduce((sum, question, place) => sum + (earned[place] || 0) * question.points, 0);
  const most = all.reduce((sum, question) => sum + question.points, 0);
  document.getElementById("total").textContent =
    `${done.length} of ${all.length} questions answered: ${Math.round(1000 * points) / 1000} of ${most} points`;
}

function show(place) {
  const question = all[place], draw = question.draws[shown[place]], section = document.getElementById("question" + place);
  section.replaceChildren(element("h2", question.heading), element("div", undefined, draw.stem + draw.figure));
  if (draw.instruction) { section.append(element("p", draw.instruction)); }
  const box = inputs(draw, "answer" + place), bar = element("p"), check = element("button", "Check"), again = element("button", "New numbers");
  const result = element("div");
  result.setAttribute("aria-live", "polite");
  check.type = again.type = "button";
  check.addEventListener("click", () => {
    const found = correct(draw, box);
    earned[place] = found.share;
    const rows = element("ul");
    found.said.forEach(line => rows.append(element("li", undefined, line)));
    result.className = "solution";
    result.replaceChildren(element("b", found.share === 1 ? "Right." : `Worth ${Math.round(100 * found.share)} % of the points.`), rows,
                           element("div", undefined, draw.solution));
    total();
  });
  again.addEventListener("click", () => {
    shown[place] = (shown[place] + 1) % question.draws.length;
    earned[place] = null;
    show(place);
    total();
  });
  bar.append(check, " ", question.draws.length > 1 ? again : "");
  section.append(box, bar, result);
}

all.forEach((question, place) => {
  const section = element("section");
  section.id = "question" + place;
  document.getElementById("questions").append(section);
  show(place);
});
total();
""".strip()


def _part(instance: Instance, place: int, part: Part) -> dict:
    name = part_name(place) if part.label else ""
    prompt = markup.line_html(label_of(instance, place) or "Answer:")
    unit = markup.line_html(f"{part.unit_words} {precision(part)}".strip())     # behind the field, as on paper
    shown = markup.line_html(f"{part.shown} {part.unit_words}".strip() if part.value is not None else " or ".join(part.accept))
    if part.value is None:
        return {"name": name, "prompt": prompt, "unit": unit, "shown": shown, "accept": list(part.accept)}
    return {"name": name, "prompt": prompt, "unit": unit, "shown": shown, "of": part.unit_words,
            "value": plain_decimal(part.value), "tolerance": tolerance_decimal(part.tolerance)}


def _draw(instance: Instance) -> dict:
    answers: dict = {"parts": [_part(instance, place, part) for place, part in enumerate(instance.parts)]}
    if instance.options:
        answers = {"options": [{"html": markup.line_html(one.text), "correct": one.correct, "why": markup.line_html(one.why) if one.why else ""}
                               for one in instance.options]}
    return {"kind": instance.kind, "stem": markup.to_html(instance.stem), "figure": instance.svg or "",
            "instruction": instruction(instance), "solution": markup.to_html(instance.explanation), **answers}


def data_of(draws: list[Quiz]) -> dict:
    """What the page computes with: by question, each different draw once."""
    questions = []
    for place, first in enumerate(draws[0].instances):
        different = {json.dumps(_draw(quiz.instances[place]), ensure_ascii=False, sort_keys=True): None for quiz in draws}
        questions.append({"heading": heading(first), "points": first.points_milli / 1000, "draws": [json.loads(text) for text in different]})
    return {"questions": questions}


def to_html(draws: list[Quiz]) -> str:
    title = html.escape(f"{draws[0].title}: practice")
    data = json.dumps(data_of(draws), ensure_ascii=False).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    extra = ("button{font:inherit;padding:.2rem .8rem}input[type=text]{font:inherit;width:11rem}label{cursor:pointer}"
             "#total{position:sticky;top:0;background:#fff;padding:.4rem 0;border-bottom:1px solid #bbb}"
             "#question0{border-top:0}")
    return ('<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, '
            'initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
            f'\'unsafe-inline\'; script-src \'unsafe-inline\'"><title>{title}</title><style>{STYLE}\n{extra}</style></head><body>\n'
            f"<h1>{title}</h1>\n<p>Answer, press Check, and read why. New numbers draws the question again. Nothing is sent or kept."
            '</p>\n<p id="total"></p>\n<div id="questions"></div>\n'
            f'<script type="application/json" id="quiz">{data}</script>\n<script>\n{SCRIPT}\n</script>\n</body></html>\n')
