"""Template + draws -> Instance."""
import math
from fractions import Fraction
from typing import Any

from .errors import BadQuestion, Problem
from .expr import Expression, ExpressionError, namespace
from .instance import Instance, Option, Part, number_part
from .models import Deferred, ModelError, Models
from .numbers import show
from .rng import Draws
from .template import NumberSpec, OptionSpec, Parameter, Step, Template

ATTEMPTS = 100


class _Redraw(Exception):
    """A guard failed: draw again."""


def same(left: Any, right: Any) -> bool:
    """Do two solvers agree? Exactly where both are exact, within 1e-12 of the value otherwise."""
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right))
    if isinstance(left, (bool, str)) or not (isinstance(left, float) or isinstance(right, float)):
        return left == right
    return math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-15)


def parameters_of(template: Template, draws: Draws) -> dict[str, Any]:
    return {parameter.name: _value_of(parameter, draws) for parameter in template.parameters}


def _value_of(parameter: Parameter, draws: Draws) -> Any:
    if parameter.count is None:
        return draws.choose(parameter.values)
    count = parameter.count[0] + draws.below(parameter.count[1] - parameter.count[0] + 1)
    if parameter.distinct:
        return draws.shuffled(parameter.values)[:count]
    return [draws.choose(parameter.values) for _ in range(count)]


class Solver:
    """Computes everything of one template for given parameters."""

    def __init__(self, template: Template, models: Models):
        self.template, self.models = template, models
        self.plan = self._plan()

    def _plan(self) -> list[Step | Expression]:
        """Steps in file order, each guard as early as its names are known."""
        known = {parameter.name for parameter in self.template.parameters}
        guards = [guard for guard, _ in self.template.where]
        plan: list[Step | Expression] = []
        for step in (None, *self.template.solve):
            if step is not None:
                plan.append(step)
                known.add(step.name)
            ready = [guard for guard in guards if guard.names <= known]
            plan += ready
            guards = [guard for guard in guards if guard not in ready]
        return plan + guards  # type: ignore[operator] - with unknown names, which the evaluation reports

    def fail(self, reason: str, line: int) -> BadQuestion:
        problem = self.template.file.problem(reason)
        return BadQuestion(type(problem)(problem.file, line, problem.question, reason))

    def values(self, parameters: dict[str, Any], guarded: bool) -> dict[str, Any]:
        values = namespace(parameters)
        unknown: set[str] = set()  # names whose model has not answered yet
        for step in self.plan:
            if isinstance(step, Expression):
                if guarded and not step.names & unknown and not self.evaluate(step, values, self.template.where[0][1]):
                    raise _Redraw
            elif step.names & unknown:
                unknown.add(step.name)
            else:
                try:
                    values[step.name] = self._step(step, values)
                except Deferred:
                    unknown.add(step.name)
        if unknown:
            raise Deferred
        if self.template.answer is not None:
            values["answer"] = self.number(self.template.answer, values)
        for condition, line in self.template.must_hold:
            if not self.evaluate(condition, values, line):
                raise self.fail(f"the two solvers disagree: {condition.source} ({_given(self.template, values)})", line)
        return values

    def _step(self, step: Step, values: dict[str, Any]) -> Any:
        if step.value is not None:
            return self.evaluate(step.value, values, step.line)
        inputs = {name: self.evaluate(entry, values, step.line) for name, entry in step.inputs.items()}
        try:
            return self.models(step.model, inputs)
        except ModelError as error:
            raise self.fail(str(error), step.line) from None

    def evaluate(self, expression: Expression, values: dict[str, Any], line: int) -> Any:
        try:
            return expression(values)
        except ExpressionError as error:
            raise self.fail(str(error), line) from None

    def number(self, spec: NumberSpec, values: dict[str, Any]) -> Any:
        value = self.evaluate(spec.value, values, spec.line)
        if isinstance(value, (bool, str, list, dict)) or not math.isfinite(value):
            raise self.fail(f"'{spec.value.source}' is {value!r}, not a number", spec.line)
        if spec.check is not None:
            second = self.evaluate(spec.check, values, spec.line)
            if not same(value, second):
                raise self.fail(f"the two solvers disagree: {spec.value.source} = {value}, "
                                f"{spec.check.source} = {second} ({_given(self.template, values)})", spec.line)
            if isinstance(second, (int, Fraction)) and not isinstance(second, bool):
                return second  # the same number without the error of binary fractions
        return value

    def text(self, text, values: dict[str, Any]) -> str:
        try:
            return text.fill(values)
        except ExpressionError as error:
            raise self.fail(str(error), text.line) from None


def _given(template: Template, values: dict[str, Any]) -> str:
    return ", ".join(f"{p.name} = {show(values[p.name], '') if not isinstance(values[p.name], dict) else '...'}"
                     for p in template.parameters)


def with_unit(value: Any, spec: NumberSpec) -> str:
    return show(value, spec.style) + ("" if spec.unit == "none" else f" {spec.unit}")


def _option(solver: Solver, spec: OptionSpec, values: dict[str, Any]) -> Option:
    value = None if spec.value is None else solver.evaluate(spec.value, values, spec.line)
    answer = solver.template.answer
    if spec.text is not None:
        text = solver.text(spec.text, values)
    elif answer is None:
        raise solver.fail("an option with a value alone needs an [answer], which gives its unit", spec.line)
    else:
        text = with_unit(value, answer)
    truths = [bool(solver.evaluate(spec.true, values, spec.line))] if spec.true is not None else []
    truths += [spec.fact] if spec.fact is not None else []
    if len(set(truths)) == 2:
        raise solver.fail(f"option {spec.id} is keyed {str(truths[0]).lower()}, but its fact says otherwise", spec.line)
    return Option(spec.id, text, bool(truths and truths[0]), solver.text(spec.why, values), value, spec.group)


def _all_options(solver: Solver, values: dict[str, Any]) -> list[Option]:
    options = [_option(solver, spec, values) for spec in solver.template.options]
    answer = solver.template.answer
    if solver.template.kind == "mc" and answer is not None:
        options.insert(0, Option("key", with_unit(values["answer"], answer), True, "", values["answer"]))
    return options


def _pick(template: Template, options: list[Option], draws: Draws) -> list[Option]:
    """The options of one draw out of the pool: with the key (mc), or with a count of right ones from 1 to all (ms)."""
    pick = template.pick or len(options)
    if pick >= len(options):
        return options
    right = [option for option in options if option.correct]
    wrong = [option for option in options if not option.correct]
    if template.kind == "mc":
        chosen = [draws.choose(right)] + draws.sample(wrong, pick - 1) if right else draws.sample(wrong, pick)
    else:
        least, most = max(1, pick - len(wrong)), min(len(right), pick if template.all_true else pick - 1)
        if most < least:
            raise _Redraw
        count = least + draws.below(most - least + 1)
        chosen = draws.sample(right, count) + draws.sample(wrong, pick - count)
    return [option for option in options if option in chosen]


def too_close(template: Template, options: list[Option]) -> bool:
    """May the draw be refused, because numbers in it are nearer to each other than the template wants?"""
    if template.redraw_close is None:
        return False
    numbers = sorted(option.value for option in options if option.value is not None)
    return any(b - a < template.redraw_close * max(abs(a), abs(b)) for a, b in zip(numbers, numbers[1:]))


def _claim(template: Template, options: list[Option], draws: Draws | None, published: str | None) -> Option:
    """The claim of a true/false question: true and false ones equally often."""
    if published is not None:
        return next(option for option in options if option.id == published)
    assert draws is not None
    truth = draws.below(2) == 1
    claims = [option for option in options if option.correct == truth] or options
    return draws.choose(claims)


def _parts(solver: Solver, values: dict[str, Any]) -> tuple[Part, ...]:
    template = solver.template
    if template.kind == "num" and template.answer is not None:
        spec = template.answer
        return (number_part("", values["answer"], spec.unit, spec.tolerance, spec.places),)
    if template.kind == "short":
        return (Part("", accept=tuple(solver.text(entry, values) for entry in template.accept)),)
    parts = []
    for blank in template.blanks if template.kind == "blanks" else ():
        label = solver.text(blank.label, values)
        if blank.number is not None:
            spec = blank.number
            parts.append(number_part(label, solver.number(spec, values), spec.unit, spec.tolerance, spec.places))
            continue
        accept = tuple(solver.text(entry, values) for entry in blank.accept)
        if blank.check is not None and solver.text(blank.check, values) not in accept:
            raise solver.fail(f"the two solvers disagree: {solver.text(blank.check, values)} is none of "
                              f"{', '.join(accept)} ({_given(template, values)})", blank.line)
        parts.append(Part(label, accept=accept))
    return tuple(parts)


def _instance(solver: Solver, values: dict[str, Any], draws: Draws | None, chosen: tuple[str, ...] | None,
              quiz: str, variant: str, number: int, guarded: bool = True) -> Instance:
    """draws: None for a question as published, whose options `chosen` names in their order."""
    template = solver.template
    options = _all_options(solver, values) if template.kind in ("mc", "tf", "ms") else []
    explained = dict(values)
    if template.kind == "tf":
        claim = _claim(template, options, draws, chosen[0] if chosen else None)
        values = explained = {**values, "claim": claim.text, "because": claim.why}
        options = [Option("true", "True", claim.correct, ""), Option("false", "False", not claim.correct, "")]
    elif chosen is not None:
        by_id = {option.id: option for option in options}
        options = [by_id[name] for name in chosen]
    elif draws is not None and options:
        options = _pick(template, options, draws)
        if guarded and too_close(template, options):
            raise _Redraw
        options = draws.shuffled(options) if template.shuffle else options
    figure = template.figure
    return Instance(
        template, quiz, variant, number, solver.text(template.text, values),
        solver.text(template.explanation, explained), tuple(options), _parts(solver, values),
        None if figure is None else {"name": figure.name, **{name: solver.evaluate(entry, values, figure.line)
                                                            for name, entry in figure.inputs.items()}},
        "" if figure is None else solver.text(figure.alt, values), values)


def draw(template: Template, draws: Draws, models: Models, quiz: str = "", variant: str = "", number: int = 1,
         solver: Solver | None = None) -> Instance:
    solver = solver or Solver(template, models)
    for _ in range(ATTEMPTS):
        try:
            values = solver.values(parameters_of(template, draws), guarded=True)
            return _instance(solver, values, draws, None, quiz, variant, number)
        except _Redraw:
            continue
    raise solver.fail(f"{ATTEMPTS} draws in a row fail a guard of `where` or lie too close", template.file.line("where"))


def draw_many(template: Template, seeds: list[int], models: Models, quiz: str = "") -> list[Instance]:
    """The same as draw() for each seed, with few exchanges with the models."""
    solver = Solver(template, models)
    drawn: dict[int, Instance] = {}
    models.deferring = True
    try:
        while len(drawn) < len(seeds):
            for place, seed in enumerate(seeds):
                if place not in drawn:
                    try:
                        drawn[place] = draw(template, Draws(seed), models, quiz, solver=solver)
                    except Deferred:
                        continue
            models.answer_pending()
    finally:
        models.deferring = False
    return [drawn[place] for place in range(len(seeds))]


def exact_parameters(template: Template, given: dict[str, Any], line: int) -> dict[str, Any]:
    """Parameters of a file as the solver wants them; all of them, and no others."""
    missing = {parameter.name for parameter in template.parameters} ^ set(given)
    if missing:
        reason = f"parameters: {', '.join(sorted(missing))} missing or unknown"
        raise BadQuestion(Problem(template.path, line, template.id, reason))
    return {name: _exact(value) for name, value in given.items()}


def _exact(value: Any) -> Any:
    if isinstance(value, list):
        return [_exact(entry) for entry in value]
    if isinstance(value, float):
        return Fraction(repr(value))
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def with_parameters(template: Template, parameters: dict[str, Any], draws: Draws, models: Models) -> Instance:
    """The question for these parameters, guards not asked: as someone else once asked it. It has no number."""
    solver = Solver(template, models)
    return _instance(solver, solver.values(parameters, guarded=False), draws, None, "", "", 0, guarded=False)


def as_published(template: Template, models: Models, quiz: str, number: int) -> Instance:
    published = template.published
    if published is None:
        raise template.file.fail(f"{quiz} wants it as published, but the file has no [published]")
    names = {spec.id for spec in template.options} | {"key"}
    for name in (*published.options, *published.printed_key):
        if name not in names and not (template.kind == "tf" and name in ("true", "false")):
            raise template.file.fail(f"[published] names option '{name}', which is not there", "published", "options")
    solver = Solver(template, models)
    values = solver.values(exact_parameters(template, published.parameters, published.line), guarded=False)
    return _instance(solver, values, None, published.options, quiz, "", number)
