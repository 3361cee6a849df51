"""Is a second formula the first one with its terms moved about? Such a check repeats the mistakes of what it checks.

Two expressions count as rearranged when they are equal by commutativity, associativity and inverses alone: a*b/c, b/c*a and
2*a/(c/b)/2 are one product, a - b + c and c - (b - a) one sum, x < y and y > x one comparison. Distributing, or reaching
the value by another road (a sum instead of a closed form, a loop, a function), is a second formula.
"""
import ast
import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .expr import Expression

_FLIPPED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_UNORDERED = {"sum", "min", "max", "gcd", "prod", "mean", "set"}


def rearranged(one: Expression, other: Expression, steps: Mapping[str, Expression]) -> bool:
    """`steps` are the values of [solve] that expressions may name; what a model gives is a name like any other."""
    return _Form(steps).of(one.tree) == _Form(steps).of(other.tree)


class _Form:
    """A hashable form of an expression, the same for all its rearrangements."""

    def __init__(self, steps: Mapping[str, Expression]):
        self.steps = steps

    def of(self, node: ast.AST) -> Any:
        match node:
            case ast.Name(id=name) if name in self.steps:
                return self.of(self.steps[name].tree)
            case ast.Name(id=name):
                return name
            case ast.Constant(value=int() | float() as value):
                return Fraction(str(value) if isinstance(value, float) else int(value))
            case ast.BinOp(op=ast.Add() | ast.Sub()) | ast.UnaryOp(op=ast.USub()):
                return self._group("+", self._terms(node, 1))
            case ast.BinOp(op=ast.Mult() | ast.Div()):
                return self._group("*", self._factors(node, 1))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._comparison(self.of(left), type(op), self.of(right))
            case ast.BoolOp(op=op, values=values):
                return (type(op).__name__, self._bag(map(self.of, values)))
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in _UNORDERED and len(arguments) > 1:
                return (name, self._bag(map(self.of, arguments)))
        return (type(node).__name__, *((name, self._field(value)) for name, value in ast.iter_fields(node)))

    def _field(self, value: Any) -> Any:
        if isinstance(value, list):
            return tuple(self._field(item) for item in value)
        return self.of(value) if isinstance(value, ast.AST) else repr(value)

    def _terms(self, node: ast.AST, sign: int) -> Counter:
        match node:
            case ast.Name(id=name) if name in self.steps:
                return self._terms(self.steps[name].tree, sign)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._terms(operand, -sign)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                return _added(self._terms(left, sign), self._terms(right, -sign if isinstance(op, ast.Sub) else sign))
        form = self.of(node)  # 2*x counts x twice, so that 2*x, x + x and x*4/2 are one sum
        if isinstance(form, tuple) and form[0] == "*":
            return Counter({("*", Fraction(1), form[2]): sign * form[1]})
        return Counter({form: sign} if isinstance(form, Fraction) else {("*", Fraction(1), frozenset({(form, 1)})): sign})

    def _factors(self, node: ast.AST, power: int) -> Counter:
        match node:
            case ast.Name(id=name) if name in self.steps:
                return self._factors(self.steps[name].tree, power)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _added(Counter({Fraction(-1): 1}), self._factors(operand, power))
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
                return _added(self._factors(left, power), self._factors(right, -power if isinstance(op, ast.Div) else power))
        return Counter({self.of(node): power})

    @staticmethod
    def _group(kind: str, parts: Counter) -> Any:
        numbers = [(part, count) for part, count in parts.items() if isinstance(part, Fraction) and (part or kind == "+")]
        number = sum(part * count for part, count in numbers) if kind == "+" else math.prod(part**count for part, count in numbers)
        rest = frozenset((part, count) for part, count in parts.items() if count and (part, count) not in numbers)
        if kind == "+" and not number and len(rest) == 1:  # x + 0, and what of a sum is left as one product
            ((term, number),) = rest
            kind, rest = "*", term[2]
        if not rest:
            return Fraction(number)
        if kind == "*" and number == 1 and [count for _, count in rest] == [1]:
            return next(iter(rest))[0]
        return (kind, Fraction(number), rest)

    @staticmethod
    def _bag(parts) -> frozenset:
        return frozenset(Counter(parts).items())

    @staticmethod
    def _comparison(left: Any, op: type, right: Any) -> Any:
        if op in _FLIPPED:
            left, op, right = right, _FLIPPED[op], left
        sides = frozenset({left, right}) if op in (ast.Eq, ast.NotEq) else (left, right)
        return (op.__name__, sides)


def _added(one: Counter, other: Counter) -> Counter:
    found = Counter(one)
    found.update(other)  # unlike +, keeps what is negative
    return found


def computed_by_both(one: Expression, other: Expression, steps: Mapping[str, Expression]) -> list[str]:
    """The steps with an operator or a function in them that both expressions need: a mistake in one is in both."""
    shared = _needed(one, steps) & _needed(other, steps)
    computes = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.IfExp)
    return sorted(name for name in shared if any(isinstance(node, computes) for node in ast.walk(steps[name].tree)))


def _needed(expression: Expression, steps: Mapping[str, Expression]) -> set[str]:
    own = {name for name in expression.names if name in steps}
    return own.union(*(_needed(steps[name], steps) for name in own))
