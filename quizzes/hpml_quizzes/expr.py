"""The expressions of question files: a small, exact subset of Python. Decimals and quotients are fractions; a name's
field is `gpu.clock`; functions are those of FUNCTIONS."""
import ast
import math
from fractions import Fraction
from typing import Any, Callable

from .numbers import auto

_NODES = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.IfExp, ast.Name, ast.Load,
          ast.Store, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.List, ast.Tuple, ast.ListComp,
          ast.GeneratorExp, ast.comprehension, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow,
          ast.USub, ast.Not, ast.And, ast.Or, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)


def _divide(left, right):
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    return Fraction(left) / right


def _power(base, exponent):
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        exponent = exponent.numerator
    if isinstance(exponent, int) and isinstance(base, (int, Fraction)):
        return Fraction(base) ** exponent
    return float(base) ** float(exponent)


def _mean(values):
    return _divide(sum(values), len(values))


def _close(values, gap) -> bool:
    """Are two of the values nearer to each other than `gap` of the larger one?"""
    ordered = sorted(float(value) for value in values)
    return any(b - a < gap * max(abs(a), abs(b)) for a, b in zip(ordered, ordered[1:]))


def _plural(count, noun: str) -> str:
    return f"{auto(count)} {noun}" + ("" if count == 1 else "s")


FUNCTIONS: dict[str, Callable] = {
    "sum": sum, "min": min, "max": max, "abs": abs, "len": len, "sorted": sorted, "range": range, "any": any,
    "all": all, "round": round, "floor": math.floor, "ceil": math.ceil, "gcd": math.gcd, "zip": zip,
    "sqrt": lambda x: math.sqrt(x), "log2": lambda x: math.log2(x), "ln": lambda x: math.log(x),
    "exp": lambda x: math.exp(x), "prod": math.prod, "mean": _mean, "set": set, "str": str, "enumerate": enumerate, "float_of": float,
    "apart": lambda gap, *values: not _close(values, gap), "plural": _plural,
}


# What every expression sees: functions and, added as files are read, its decimal constants by name. No builtins.
_BASE: dict[str, Any] = {"__builtins__": {}, "_divide": _divide, "_power": _power, **FUNCTIONS}


def namespace(values: dict[str, Any]) -> dict[str, Any]:
    """The values with all that expressions need beside them."""
    return {**_BASE, **values}


class ExpressionError(ValueError):
    pass


class _Rewrite(ast.NodeTransformer):
    def __init__(self, source: str):
        self.source = source

    def visit(self, node):
        if not isinstance(node, _NODES):
            raise ExpressionError(f"'{ast.unparse(node)}' is not allowed in an expression")
        return super().visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, float):
            value = Fraction(ast.get_source_segment(self.source, node))
            name = f"_f{value.numerator}_{value.denominator}"
            _BASE[name] = value
            return ast.Name(name, ast.Load())
        if not isinstance(node.value, (int, str, bool)):
            raise ExpressionError(f"'{ast.unparse(node)}' is not allowed in an expression")
        return node

    def visit_Attribute(self, node):
        return ast.Subscript(self.visit(node.value), ast.Constant(node.attr), ast.Load())

    def visit_BinOp(self, node):
        self.generic_visit(node)
        function = {ast.Div: "_divide", ast.Pow: "_power"}.get(type(node.op))
        return ast.Call(ast.Name(function, ast.Load()), [node.left, node.right], []) if function else node

    def visit_Call(self, node):
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
            known = ", ".join(sorted(FUNCTIONS))
            raise ExpressionError(f"'{ast.unparse(node.func)}' is no function of expressions; there are {known}")
        node.args = [self.visit(argument) for argument in node.args]
        return node


class Expression:
    """A compiled expression, the tree it was read as, and the names it takes from outside."""

    def __init__(self, source: str):
        self.source = source
        text = " ".join(source.split())
        try:
            tree = ast.parse(text, mode="eval")
        except SyntaxError as error:
            raise ExpressionError(f"'{source}' is not an expression: {error.msg}") from None
        rewrite = _Rewrite(text)
        bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        self.names = frozenset(read - bound - set(FUNCTIONS))
        self.tree: ast.AST = ast.parse(text, mode="eval").body
        self._code = compile(ast.fix_missing_locations(rewrite.visit(tree)), source, "eval")

    def __call__(self, values: dict[str, Any]) -> Any:
        """values: a namespace()."""
        try:
            # As globals, because the inner scope of a comprehension does not see locals of eval().
            return eval(self._code, values)  # noqa: S307 - parsed and restricted above
        except KeyError as error:
            raise ExpressionError(f"'{self.source}': there is no {error}") from None
        except (ArithmeticError, TypeError, ValueError, NameError, IndexError) as error:
            raise ExpressionError(f"'{self.source}': {error}") from None
