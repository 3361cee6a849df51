"""How is it done? Read in the compiled kernel, in the Python source, in the memory that a call held and in its time."""
import ast
import re
from collections.abc import Sequence
from pathlib import Path

from hpml_autograder.lab import (
    Context, Outcome, Run, Test, Verdict, accepted, called_names, missing, numbers, worker_trouble, wrong)
from lab1_kernels import judge as judge_result

ROUND_NS = 8             # the interpreter takes some times as long for a round with two subscripts
UNSEEN_BYTES = 512 << 10  # Linux counts a process's pages in batches, and an interpreter takes some of its own
BLAS = re.compile(r"^(cblas_|[sd]dot_$)")


def judge_symbols(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """No BLAS at all."""
    function = test.params["symbol"]
    path = context.built[test.params["kernel"]].path
    assert path is not None  # the build test is required before
    checked = "calls no BLAS"
    names = called_names(path)
    if isinstance(names, str):
        return wrong(f"its library cannot be read: {names}", checked)
    used = sorted(name for name in names if BLAS.search(name))
    return wrong(f"{function}() uses {used[0]}: this exercise is about your own loop", checked) if used \
        else accepted(checked)


def read_python(path: Path) -> ast.Module:
    """The interpreter has read it in the sandbox, with the whole of its stack; what is too deep for the rest of ours is as
    good as empty."""
    try:
        return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def judge_loop(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """C4 is a loop over elements: its cost, one interpreter round per product, is what is to be seen."""
    checked = "a Python loop over the elements"
    tree = read_python(context.src / f"{test.params['program']}.py")
    function = next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "dp"), None)
    if function is None:
        return wrong("it has no function dp(N, A, B)", checked)
    loops = [node for node in ast.walk(function) if isinstance(node, (ast.For, ast.While))]
    if not any(isinstance(inner, ast.Subscript) for loop in loops for inner in ast.walk(loop)):
        return wrong("expected a for loop in dp() that takes A[j] and B[j], got none", checked)
    return judge_memory(test, context, runs)


def judge_memory(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """A * B, A.tolist() and copies hold another vector; the loop and numpy.dot hold none."""
    checked = "memory held during the call"
    result = judge_result(test, context, runs)
    if result.verdict is not Verdict.AC:
        return result
    for run in runs:
        problem = worker_trouble(run, context) or missing(run, test.shapes, checked)
        if problem:
            return problem
        n = int(test.shapes[0])
        _, held, cpu_ns = numbers(run)[0]
        if test.generator == "dot" and cpu_ns > n * ROUND_NS:
            return wrong(f"dp() with N = {n} takes {cpu_ns / 1e6:.3f} ms of the processor, as a loop in Python does; "
                         f"numpy.dot takes less than {n * ROUND_NS / 1e6:.1f} ms", checked)
        if test.generator == "loop" and cpu_ns < n * ROUND_NS:
            return wrong(f"dp() with N = {n} takes {cpu_ns / 1e6:.3f} ms of the processor; {n} rounds of a Python loop "
                         f"take at least {n * ROUND_NS / 1e6:.1f} ms: the products are made elsewhere", checked)
        if held >= 4 * n - UNSEEN_BYTES:
            return wrong(f"dp() with N = {n} holds {held:.0f} bytes beside A and B, expected none of a vector's size "
                         f"({4 * n} bytes): a copy or a product vector", checked)
    return accepted(checked)


def judge_dot(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "numpy.dot without another vector"
    tree = read_python(context.src / f"{test.params['program']}.py")
    function = next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "dp"), None)
    names = {node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
             for node in ast.walk(function or tree)}
    if "dot" not in names:
        return wrong("expected a call of numpy.dot in dp(), got none", checked)
    return judge_memory(test, context, runs)
