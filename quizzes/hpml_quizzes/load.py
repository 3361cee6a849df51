"""From a TOML file to a Template."""
import keyword
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import facts
from .errors import UsageError
from .expr import FUNCTIONS, Expression, ExpressionError
from .paths import BANK, relative
from .template import (KINDS, SCORINGS, BlankSpec, FigureSpec, NumberSpec, Official, OptionSpec, Parameter,
                       Published, Step,
                       Template, Text)
from .tomlfile import Table, TomlFile

_STYLE = re.compile(r"|,|\d|[eg]\d+")
_TOLERANCE = re.compile(r"(\d+(?:\.\d+)?) ?%")


def expression(table: Table, key: str, value: Any) -> Expression:
    try:
        if isinstance(value, bool):
            return Expression(str(value))
        if isinstance(value, (int, Fraction)):
            value = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else str(value)
        if not isinstance(value, str):
            raise ExpressionError(f"'{key}' must be an expression, not {value!r}")
        return Expression(value)
    except ExpressionError as error:
        raise table.fail(str(error), key) from None


def text(table: Table, key: str, default: str | None = None) -> Text:
    source = table.get(key) if default is None else table.get(key, str, default)
    return text_of(table, key, source)


def text_of(table: Table, key: str, source: str) -> Text:
    pieces: list[str | tuple[Expression, str]] = []
    at = 0
    for match in re.finditer(r"\{\{|\}\}|\{([^{}]*)\}|[{}]", source):
        pieces.append(source[at:match.start()])
        at = match.end()
        if match[0] in ("{{", "}}"):
            pieces.append(match[0][0])
        elif match[1] is None:
            raise table.fail(f"'{key}': lonely '{match[0]}'; write {match[0] * 2} for the character itself", key)
        else:
            inner, bar, style = match[1].rpartition("|")
            if bar and not _STYLE.fullmatch(style):
                raise table.fail(f"'{key}': '{style}' is no style; there are a number of decimals, gN, eN and ','", key)
            pieces.append((expression(table, key, inner if bar else match[1]), style if bar else ""))
    pieces.append(source[at:])
    return Text(tuple(piece for piece in pieces if piece != ""), table.line(key))


def own_name(table: Table, name: str, *where: str) -> None:
    """Of a parameter or a step: one that expressions can read, and that hides nothing."""
    if not re.fullmatch(r"[a-z]\w*", name) or keyword.iskeyword(name):
        raise table.fail(f"'{name}' cannot be a name; use lower case letters, digits and _, and no word of Python", *where)
    if name in FUNCTIONS or name == "answer":
        raise table.fail(f"'{name}' is taken: it is {'the answer' if name == 'answer' else 'a function'} of expressions",
                         *where)


def parameter(table: Table) -> Parameter:
    name = table.where[-1]
    own_name(table, name)
    choose = table.get("choose", list, None)
    if choose is None:
        first, last = table.get("from", Fraction), table.get("to", Fraction)
        step = table.get("step", Fraction, 1)
        if step <= 0 or last < first:
            raise table.fail(f"parameter {name}: from {first} to {last} by {step} is no range")
        count = int((Fraction(last) - first) / step) + 1
        choose = [first + i * step for i in range(count)]
    values = tuple(int(v) if isinstance(v, Fraction) and v.denominator == 1 else v for v in choose)
    if not values:
        raise table.fail(f"parameter {name} has no value to choose", "choose")
    count = table.get("count", (int, list), None)
    counts = None if count is None else (count, count) if isinstance(count, int) else tuple(count)
    result = Parameter(name, table.line(), values, counts, table.get("distinct", bool, False))
    if result.distinct and (counts is None or counts[1] > len(values)):
        raise table.fail(f"parameter {name}: distinct needs a count, and as many values to choose from", "distinct")
    table.finish()
    return result


def step(table: Table, name: str) -> Step:
    own_name(table, name, name)
    value = table.data[name]
    table.get(name, (str, int, Fraction, dict, bool))
    if not isinstance(value, dict):
        return Step(name, table.line(name), expression(table, name, value))
    inner = Table(table.file, value, (*table.where, name))
    model = inner.get("model")
    inputs = {key: expression(inner, key, f"[{', '.join(map(str, entry))}]" if isinstance(entry, list) else entry)
              for key, entry in value.items() if key != "model"}
    return Step(name, table.line(name), None, model, inputs)


def number(table: Table) -> NumberSpec:
    value = expression(table, "value", table.get("value", (str, int, Fraction)))
    check = table.get("check", (str, int, Fraction), None)
    unit = table.get("unit")
    if not unit.strip():
        raise table.fail("the unit is empty; write unit = \"none\" for a pure number", "unit")
    places = table.get("decimals", int, None)
    tolerance = table.get("tolerance", str, None)
    if places is not None and tolerance is not None:
        raise table.fail("give decimals or tolerance, not both", "tolerance")
    match = _TOLERANCE.fullmatch(tolerance or "0.5 %")
    if match is None:
        raise table.fail(f"tolerance '{tolerance}' must be a percentage such as \"0.5 %\"", "tolerance")
    style = table.get("show", str, "g4" if places is None else str(places))
    if not _STYLE.fullmatch(style):
        raise table.fail(f"show: '{style}' is no style; there are a number of decimals, gN, eN and ','", "show")
    return NumberSpec(table.line("value"), value, None if check is None else expression(table, "check", check), unit,
                      style, None if places is not None else Fraction(match[1]) / 100, places)


def fact(table: Table) -> bool | None:
    """Is the option's claim on the fact list it names? "list: item"."""
    entry = table.get("fact", str, None)
    if entry is None:
        return None
    name, colon, item = entry.partition(": ")
    try:
        return facts.holds(name, item) if colon else facts.holds(entry, "")
    except facts.NoSuchFact as error:
        raise table.fail(str(error), "fact") from None


def option(table: Table, position: int) -> OptionSpec:
    has_text = "text" in table.data
    raw_value, raw_true = table.get("value", (str, int, Fraction), None), table.get("true", (bool, str), None)
    if not has_text and raw_value is None:
        raise table.fail("an option needs text or value")
    result = OptionSpec(
        id=table.get("id", str, f"o{position + 1}"), line=table.line(),
        text=text(table, "text") if has_text else None,
        value=None if raw_value is None else expression(table, "value", raw_value),
        true=None if raw_true is None else expression(table, "true", raw_true),
        fact=fact(table), why=text(table, "why", ""), group=table.get("group", str, ""))
    table.finish()
    return result


def blank(table: Table) -> BlankSpec:
    accept = table.get("accept", list, None)
    label = text(table, "label")
    check = text(table, "check") if accept is not None and "check" in table.data else None
    result = BlankSpec(table.line(), label, number(table) if accept is None else None,
                       tuple(text_of(table, "accept", entry) for entry in accept or ()), check)
    table.finish()
    return result


def figure(table: Table) -> FigureSpec:
    name, alt = table.get("name"), text(table, "alt")
    inputs = {key: expression(table, key, table.get(key, (str, int, Fraction, bool)))
              for key in table.data if key not in ("name", "alt")}
    return FigureSpec(name, table.line(), alt, inputs)


def published(table: Table) -> Published:
    result = Published(table.line(), table.get("quiz"), table.get("number", int), table.get("parameters", dict, {}),
                       tuple(table.get("options", list)), tuple(table.get("printed_key", list)),
                       table.get("verdict"), table.get("repaired", str, ""))
    table.finish()
    return result


def official(table: Table) -> Official:
    result = Official(table.line(), table.get("parameters", dict), table.get("part", int), table.get("key"),
                      table.get("verdict"))
    table.finish()
    return result


def points(table: Table) -> int:
    milli = Fraction(table.get("points", Fraction)) * 1000
    if milli.denominator != 1 or milli <= 0:
        raise table.fail("points must be positive and have at most three decimals", "points")
    return int(milli)


def chosen(table: Table, key: str, words: tuple[str, ...], default: str | None = None) -> str:
    word = table.get(key) if default is None else table.get(key, str, default)
    if word not in words:
        raise table.fail(f"{key} '{word}' must be one of {', '.join(words)}", key)
    return word


def load(path: Path) -> Template:
    file = TomlFile(path)
    root = file.root()
    kind = chosen(root, "kind", KINDS)
    parameters, solve, answer = root.table("parameters"), root.table("solve"), root.table("answer")
    drawing, print_out = root.table("figure"), root.table("published")
    where, must_hold = root.get("where", list, []), root.get("must_hold", list, [])
    accept = None if answer is None else answer.get("accept", list, None)
    week = root.get("week", int)
    if not 1 <= week <= 13:
        raise root.fail(f"week is {week}, must be 1 to 13", "week")
    close = root.get("redraw_when_closer_than", str, None)
    if close is not None and not _TOLERANCE.fullmatch(close):
        raise root.fail("redraw_when_closer_than must be a percentage such as \"5 %\"", "redraw_when_closer_than")
    template = Template(
        id=path.stem, file=file, title=root.get("title"), week=week, kind=kind,
        points_milli=points(root), topic=root.get("topic"), source=root.get("source"),
        static=root.get("static", bool, False), text=text(root, "text"), explanation=text(root, "explanation"),
        parameters=tuple(parameter(Table(file, parameters.get(name, dict), ("parameters", name)))
                         for name in (parameters.data if parameters else ())),
        where=tuple((expression(root, "where", entry), root.line("where")) for entry in where),
        must_hold=tuple((expression(root, "must_hold", entry), root.line("must_hold")) for entry in must_hold),
        solve=tuple(step(solve, name) for name in (solve.data if solve else ())),
        answer=number(answer) if answer and accept is None else None,
        accept=tuple(text_of(answer, "accept", entry) for entry in accept or ()) if answer else (),
        options=tuple(option(table, position) for position, table in enumerate(root.tables("options"))),
        blanks=tuple(blank(table) for table in root.tables("blanks")),
        pick=root.get("pick", int, None), scoring=chosen(root, "scoring", SCORINGS, "each_decision"),
        exhaustive=tuple(root.get("exhaustive_groups", list, [])), all_true=root.get("all_true_because", str, ""),
        redraw_close=Fraction(_TOLERANCE.fullmatch(close)[1]) / 100 if close else None,  # type: ignore[index]
        shuffle=root.get("shuffle", bool, True), figure=figure(drawing) if drawing else None,
        published=published(print_out) if print_out else None,
        official=tuple(official(table) for table in root.tables("official")))
    if answer is not None:
        answer.finish()
    root.finish()
    return template


def load_bank(folder: Path = BANK) -> dict[str, Template]:
    bank: dict[str, Template] = {}
    paths = sorted(folder.rglob("*.toml"))
    if not paths:
        raise UsageError(f"{relative(folder)}: there is no question file (*.toml) in this folder")
    for path in paths:
        template = load(path)
        if template.id in bank:
            raise template.file.fail(f"there is another {template.id}.toml: {relative(bank[template.id].path)}")
        bank[template.id] = template
    return bank
