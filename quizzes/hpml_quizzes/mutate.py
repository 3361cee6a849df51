"""Would a wrong key be noticed? Changes one operator or function at a time in what computes the key, and asks the validator.

Changed are [solve] and each `value`; `check` and `must_hold`, the second ways, stay as they are. A change is noticed when a draw
is refused (the two solvers disagree, a distractor equals the key, ...). A change after which every draw has the same key is none,
and a step that the statement shows to students is data: changed, it makes another question, whose key is right.
"""
import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from .draw import draw_many
from .errors import BadQuestion
from .expr import Expression
from .instance import Instance
from .models import Models
from .numbers import show
from .rng import seed_of
from .template import NumberSpec, Template
from .validate import check_instance, told_of

OPERATORS: dict[type, type] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
                               ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
                               ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
FUNCTIONS = {"ceil": "floor", "floor": "ceil", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    template: Template
    line: int
    change: str          # "a*b -> a/b"


@dataclass
class Result:
    noticed: int = 0
    same_key: int = 0
    survived: list[Mutant] = field(default_factory=list)


def mutants(template: Template) -> Iterator[Mutant]:
    told = told_of(template)
    for place, step in enumerate(template.solve):
        if step.name in told:
            continue
        def with_step(new, place=place):
            return replace(template, solve=(*template.solve[:place], new, *template.solve[place + 1:]))
        if step.value is not None:
            yield from _of(step.value, step.line, lambda one, step=step, put=with_step: put(replace(step, value=one)))
        for name, entry in step.inputs.items():
            yield from _of(entry, step.line, lambda one, step=step, name=name, put=with_step:
                           put(replace(step, inputs={**step.inputs, name: one})))
    if template.answer is not None:
        answer: NumberSpec = template.answer
        yield from _of(answer.value, answer.line, lambda one: replace(template, answer=replace(answer, value=one)))
    for place, blank in enumerate(template.blanks):
        if blank.number is not None:
            number = blank.number
            yield from _of(number.value, number.line, lambda one, place=place, blank=blank, number=number: replace(
                template, blanks=(*template.blanks[:place], replace(blank, number=replace(number, value=one)),
                                  *template.blanks[place + 1:])))


def _of(expression: Expression, line: int, put: Callable[[Expression], Template]) -> Iterator[Mutant]:
    for number in range(sum(1 for _ in ast.walk(expression.tree))):
        tree = copy.deepcopy(expression.tree)
        if _change(list(ast.walk(tree))[number]):
            source = ast.unparse(tree)
            yield Mutant(put(Expression(source)), line, f"{expression.source} -> {source}")


def _change(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            node.op = OPERATORS[type(op)]()
        case ast.Compare(ops=[op]) if type(op) in OPERATORS:
            node.ops = [OPERATORS[type(op)]()]
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            node.func = ast.Name(FUNCTIONS[name], ast.Load())
        case _:
            return False
    return True


def examine(template: Template, models: Models, draws: int) -> Result:
    seeds = [seed_of("stress", template.id, str(number)) for number in range(draws)]
    right = [_key(instance) for instance in draw_many(template, seeds, models)]
    result = Result()
    for mutant in mutants(template):
        try:
            drawn = draw_many(mutant.template, seeds, models)
        except BadQuestion:
            result.noticed += 1
            continue
        if any(check_instance(instance) for instance in drawn):
            result.noticed += 1
        elif [_key(instance) for instance in drawn] == right:
            result.same_key += 1
        else:
            result.survived.append(mutant)
    return result


def _key(instance: Instance) -> list[str]:
    right = sorted(option.id if option.value is None else show(option.value, "") for option in instance.options if option.correct)
    return [*right, *("|".join(part.accept) if part.value is None else show(part.value, "") for part in instance.parts)]
