"""What a question must not be. check_template() reads the file, check_instance() one draw, stress() many."""
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from . import figures, markup
from .draw import draw_many
from .errors import Problem
from .expr import Expression
from .instance import Instance
from .logic import key_reasons
from .models import Models
from .numbers import auto, parse_shown
from .rearranged import computed_by_both, rearranged
from .rng import seed_of
from .template import Template, Text

WIDEST = 0.2                    # tolerance as a share of an answer that is no whole number
SMALLEST, LARGEST = 1e-4, 1e6   # beyond, learning platforms round to zero or write an exponent
FIGURES_DRAWN = 50              # of the draws of stress()
TF_NAMES = {"claim", "because"}


# --- the file ---------------------------------------------------------------------------------------------------------

def check_template(template: Template) -> list[Problem]:
    file = template.file
    found: list[Problem] = []
    if not template.source.strip():
        found.append(file.problem("the source is empty; name the lecture, page or paper the fact is from", "source"))
    found += [file.problem(reason, *where) for reason, where in _shape(template)]
    found += _names(template)
    found += _figure(template)
    if not template.static and not template.parameters and template.pick is None and template.kind != "tf":
        found.append(file.problem("nothing varies between draws; give it parameters or pick, or write static = true"))
    return found


def _shape(template: Template) -> Iterable[tuple[str, tuple]]:
    kind, options = template.kind, len(template.options)
    if kind == "mc" and options + (template.answer is not None) < 2:
        yield "an mc question needs an [answer] and [[options]], or at least two [[options]]", ("kind",)
    if kind in ("ms", "tf") and options < 2:
        yield f"a {kind} question needs at least two [[options]]", ("kind",)
    if kind == "num" and template.answer is None:
        yield "a num question needs an [answer] with value and unit", ("kind",)
    if kind == "short" and not template.accept:
        yield "a short question needs an [answer] with accept = [...]", ("kind",)
    if kind == "blanks" and not template.blanks:
        yield "a blanks question needs [[blanks]]", ("kind",)
    if kind in ("num", "short", "blanks") and options:
        yield f"a {kind} question has no [[options]]", ("options", 0)
    if template.pick is not None and not 2 <= template.pick <= options + (template.answer is not None):
        yield f"pick is {template.pick}, but there are {options + (template.answer is not None)} options", ("pick",)
    ids = Counter(spec.id for spec in template.options)
    for name, count in ids.items():
        if count > 1 or name == "key":
            yield f"option id '{name}' is taken", ("options",)
    for group in template.exhaustive:
        if group not in {spec.group for spec in template.options}:
            yield f"exhaustive_groups names '{group}', which no option belongs to", ("exhaustive_groups",)
    yield from _solved_twice(template)


def _solved_twice(template: Template) -> Iterable[tuple[str, tuple]]:
    """A model has a second implementation in the tests; an expression alone must bring its own."""
    answer = template.answer
    modelled = any(step.model for step in template.solve)
    if answer is not None and answer.check is None and not modelled and template.parameters:
        yield "the answer is computed in one way only; give check, a second formula, or use a model", ("answer",)
    for position, blank in enumerate(template.blanks):
        single = blank.number is not None and blank.number.check is None or blank.number is None and blank.check is None
        if single and not modelled and template.parameters:
            yield "the blank is computed in one way only; give check, or use a model", ("blanks", position)
    steps = {step.name: step.value for step in template.solve if step.value is not None}
    for spec, where in [(answer, ("answer", "check")), *((blank.number, ("blanks", at, "check")) for at, blank in enumerate(template.blanks))]:
        if spec is not None and spec.check is not None:
            if rearranged(spec.value, spec.check, steps):
                yield "check only rearranges the value and repeats its mistakes; reach the number by another road", where
            for name in computed_by_both(spec.value, spec.check, steps):
                yield f"value and check both use the step {name}: what is wrong there, nobody sees; let check do without it", where


def _texts(template: Template) -> list[Text]:
    """What the student sees."""
    shown = [template.text, *(spec.text for spec in template.options if spec.text is not None)]
    return shown + [blank.label for blank in template.blanks]


def _expressions(template: Template) -> Iterable[tuple[Expression, int, bool]]:
    """(expression, line, is it run after all of [solve])."""
    for spec in [template.answer, *(blank.number for blank in template.blanks)]:
        if spec is not None:
            yield spec.value, spec.line, True
            if spec.check is not None:
                yield spec.check, spec.line, True
    for option in template.options:
        for one in (option.value, option.true):
            if one is not None:
                yield one, option.line, True
    texts = [*_texts(template), template.explanation, *(spec.why for spec in template.options), *template.accept]
    texts += [entry for blank in template.blanks for entry in blank.accept]
    for text in texts:
        yield from ((piece[0], text.line, True) for piece in text.pieces if not isinstance(piece, str))
    if template.figure is not None:
        yield from ((entry, template.figure.line, True) for entry in template.figure.inputs.values())
    yield from ((guard, line, True) for guard, line in (*template.where, *template.must_hold))


def _names(template: Template) -> list[Problem]:
    file, parameters = template.file, {parameter.name for parameter in template.parameters}
    found, known = [], set(parameters)
    used: set[str] = set()
    for step in template.solve:
        for entry in [step.value] if step.value is not None else step.inputs.values():
            used |= entry.names
            for name in sorted(entry.names - known):
                found.append(file.problem(f"'{entry.source}': there is no '{name}' (yet)", "solve", step.name))
        known.add(step.name)
    known |= {"answer"} if template.answer is not None else set()
    known |= TF_NAMES if template.kind == "tf" else set()
    for expression, line, _ in _expressions(template):
        used |= expression.names
        for name in sorted(expression.names - known):
            found.append(Problem(file.path, line, template.id, f"'{expression.source}': there is no '{name}'"))
    for name in sorted(parameters - used):
        found.append(file.problem(f"parameter {name} is never used", "parameters", name))
    told = told_of(template)
    for name in sorted((parameters & used) - told):
        found.append(file.problem(f"parameter {name} decides the answer, but the student is not told its value",
                                  "parameters", name))
    return found


def told_of(template: Template) -> set[str]:
    """Parameters whose value the text or the figure gives, itself or through an expression of [solve]."""
    seen = set().union(*(text.names for text in _texts(template)))
    if template.figure is not None:
        seen |= set().union(*(entry.names for entry in template.figure.inputs.values()))
    for step in reversed(template.solve):
        if step.name in seen and step.value is not None:
            seen |= step.value.names
    return seen


def _figure(template: Template) -> list[Problem]:
    spec = template.figure
    if spec is None:
        return []
    if spec.name not in figures.FIGURES:
        known = ", ".join(sorted(figures.FIGURES))
        return [Problem(template.path, spec.line, template.id, f"no figure '{spec.name}'; there are {known}")]
    if not any(isinstance(piece, str) and piece.strip() for piece in spec.alt.pieces):
        return [Problem(template.path, spec.line, template.id, "the figure has no alt text")]
    return []


# --- one draw ---------------------------------------------------------------------------------------------------------

def check_instance(instance: Instance) -> list[Problem]:
    template = instance.template
    reasons = [*_markup_reasons(instance), *_option_reasons(instance), *_part_reasons(instance)]
    if instance.options:
        reasons += key_reasons(instance, instance.key)
    rounded = template.text.rounded(instance.values)
    if rounded is not None:
        reasons.append(f"the answer depends on display rounding: {rounded}")
    return [Problem(template.path, template.file.line("text" if "rounding" in reason else "options", 0), template.id,
                    reason) for reason in reasons]


def _markup_reasons(instance: Instance) -> list[str]:
    texts = [instance.stem, instance.explanation, *(option.text for option in instance.options),
             *(part.label for part in instance.parts)]
    return [reason for reason in map(markup.problem, texts) if reason is not None]


def _option_reasons(instance: Instance) -> list[str]:
    reasons = []
    texts = Counter(" ".join(option.text.split()) for option in instance.options)
    reasons += [f"two options read \"{text}\"" for text, count in texts.items() if count > 1]
    spec = instance.template.answer
    numbers = [(float(option.value), option) for option in instance.options if option.value is not None]
    numbers.sort(key=lambda pair: pair[0])
    for (low, first), (high, second) in zip(numbers, numbers[1:]):
        slack = abs(max(low, high, key=abs)) * float(spec.tolerance if spec and spec.tolerance else 0)
        if high - low <= slack:
            kind = "a distractor equals the key" if first.correct or second.correct else "two distractors are equal"
            reasons.append(f"{kind} within the tolerance: {first.id} = {first.text}, {second.id} = {second.text}")
    return reasons + _unit_reasons(instance)


_SCALES = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


def _unit_reasons(instance: Instance) -> list[str]:
    """1.8 TFLOPS and 1800 GFLOPS are one option."""
    values: dict[tuple[float, str], str] = {}
    reasons = []
    for option in instance.options:
        words = markup.plain(option.text).split() if option.text[:1].isdigit() else []
        number = parse_shown(words[0]) if len(words) == 2 else None
        if number is None:
            continue
        prefix = words[1][0] if words[1][0] in _SCALES and len(words[1]) > 1 else ""
        value = (float(f"{float(number) * _SCALES.get(prefix, 1):.12g}"), words[1][len(prefix):])
        if value in values:
            reasons.append(f"two options are the same number: {values[value]} and {option.text}")
        values[value] = option.text
    return reasons


def _part_reasons(instance: Instance) -> list[str]:
    reasons = []
    for part in instance.parts:
        if part.value is None:
            if any(not entry.strip() for entry in part.accept):
                reasons.append("an accepted answer is empty")
            continue
        size = abs(part.value)
        if part.value != 0 and not SMALLEST <= size <= LARGEST:
            reasons.append(f"the answer {float(part.value):g} is not between 1e-4 and 1e6; choose another unit")
        if abs(parse_shown(part.shown) - part.value) > part.tolerance:  # type: ignore[operator]
            reasons.append(f"the printed key {part.shown} lies outside its own tolerance")
        if part.value.denominator != 1 and part.tolerance > WIDEST * size:
            reasons.append(f"any answer within {float(part.tolerance / size):.0%} of {auto(part.value)} is right: give more decimals, or a smaller tolerance")
    return reasons


def check_figure(instance: Instance) -> list[Problem]:
    """Can it be drawn from these inputs?"""
    spec = instance.template.figure
    if spec is None or instance.figure is None:
        return []
    try:
        instance.svg
    except (TypeError, ValueError, ArithmeticError, KeyError, IndexError) as error:
        reason = f"figure {spec.name} cannot be drawn: {error}"
        return [Problem(instance.template.path, spec.line, instance.template.id, reason)]
    return []


# --- many draws -------------------------------------------------------------------------------------------------------

@dataclass
class Stress:
    problems: list[Problem] = field(default_factory=list)
    draws: int = 0
    variants: int = 0
    key_places: Counter = field(default_factory=Counter)
    key_counts: Counter = field(default_factory=Counter)
    truths: dict[str, set[bool]] = field(default_factory=dict)
    parameters: dict[str, set] = field(default_factory=dict)


def stress(template: Template, models: Models, draws: int = 1000) -> Stress:
    """Draws the template many times; every problem is told once, with the first draw that shows it."""
    result = Stress(check_template(template), draws)
    if result.problems:
        return result
    seen = set()
    seeds = [seed_of("stress", template.id, str(number)) for number in range(draws)]
    for number, instance in enumerate(draw_many(template, seeds, models)):
        figure = check_figure(instance) if number < FIGURES_DRAWN else []
        for problem in [*figure, *check_instance(instance)]:
            if _sort(problem) not in map(_sort, result.problems):
                result.problems.append(problem)
        _count(result, instance)
        seen.add((instance.stem, *(option.text for option in instance.options),
                  *((part.label, part.shown) for part in instance.parts), repr(instance.figure)))
    result.variants = len(seen)
    result.problems += [template.file.problem(reason) for reason in _distribution(template, result)]
    return result


def _sort(problem: Problem) -> str:
    """The reason without the numbers and words of one draw."""
    return re.split(r"[\d\":]", problem.reason, maxsplit=1)[0]


def _count(result: Stress, instance: Instance) -> None:
    result.key_places[tuple(instance.key) if instance.kind != "ms" else len(instance.options)] += 1
    result.key_counts[len(instance.key)] += 1
    for option in instance.options:
        result.truths.setdefault(option.id, set()).add(option.correct)
    for parameter in instance.template.parameters:
        value = instance.values[parameter.name]
        drawn = value if isinstance(value, list) and parameter.count is not None else [value]
        result.parameters.setdefault(parameter.name, set()).update(map(repr, drawn))


def _distribution(template: Template, result: Stress) -> Iterable[str]:
    if template.static:
        return
    for parameter in template.parameters:
        missing = [value for value in parameter.values if repr(value) not in result.parameters[parameter.name]]
        if missing and len(parameter.values) <= 30 and result.draws >= 20 * len(parameter.values):
            yield f"parameter {parameter.name}: {len(missing)} of its values are unreachable, such as {missing[0]}"
    if result.variants < min(8, result.draws):
        yield f"only {result.variants} different variants in {result.draws} draws"
    if template.kind == "tf":
        share = result.key_places[(1,)] / result.draws
        if result.draws >= 100 and not 0.4 <= share <= 0.6:
            yield f"true in {100 * share:.0f} % of the draws; 40 to 60 % keep it from being guessed"
    if template.kind == "mc" and template.shuffle and result.draws >= 100:
        yield from _uniform(result)
    if template.kind == "ms":
        yield from _multiple(template, result)


def _uniform(result: Stress) -> Iterable[str]:
    """Place of the key: chi-square against the uniform distribution, refused below p = 1e-4 (Wilson-Hilferty)."""
    places = max(place[0] for place in result.key_places)
    expected = result.draws / places
    if places < 2:
        yield "the key is always the first option"
        return
    square = sum((result.key_places[(place,)] - expected) ** 2 / expected for place in range(1, places + 1))
    freedom = places - 1
    spread = 2 / (9 * freedom)
    if ((square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread) > 3.719:
        yield f"the place of the key is not uniform: {dict(sorted(result.key_places.items()))}"


def _multiple(template: Template, result: Stress) -> Iterable[str]:
    most = max(key for key in result.key_places)
    if set(result.key_counts) == {most} and not template.all_true:
        yield "every option is keyed in every draw"
    for spec in template.options:
        if spec.true is not None and spec.true.names and len(result.truths.get(spec.id, ())) == 1:
            always = next(iter(result.truths[spec.id]))
            yield f"option {spec.id} is {str(always).lower()} in every draw; write true = {str(always).lower()}"
    if template.pick is not None and set(range(1, most)) - set(result.key_counts):
        yield f"numbers of right options never drawn: {sorted(set(range(1, most)) - set(result.key_counts))}"
