"""How is it done? Read in the compiled kernel, in the Python source, and in the memory that a call held."""
import ast
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hpml_autograder.lab import (
    Context, InfraError, Outcome, Run, Test, accepted, missing, numbers, worker_trouble, wrong)

# Multiplications of floats: SSE and AVX (scalar and packed, fused or not), NEON.
MULTIPLY = re.compile(r"\t(v?mul[sp]s|vf?n?m(?:add|sub)\w*[sp]s|fmul|fmla|fmadd)\b")
ROUND_NS = 8             # the interpreter takes some times as long for a round with two subscripts
UNSEEN_BYTES = 512 << 10  # Linux counts a process's pages in batches, and an interpreter takes some of its own
BLAS = re.compile(r"^(cblas_|[sd]dot_$)")


def tool(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InfraError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def undefined(path: Path) -> set[str]:
    lines = tool("nm", "--dynamic", "--undefined-only", str(path)).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def disassembly(path: Path, function: str) -> str:
    return tool("objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", str(path))


def judge_symbols(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """blas = true: the kernel calls cblas_sdot and multiplies nothing itself; false: no BLAS at all."""
    function = test.params["symbol"]
    path = context.built[test.params["kernel"]].path
    assert path is not None  # the build test is required before
    used = sorted(name for name in undefined(path) if BLAS.search(name))
    checked = "calls cblas_sdot" if test.params["blas"] else "calls no BLAS"
    if not test.params["blas"]:
        return wrong(f"{function}() uses {used[0]}: this exercise is about your own loop", checked) if used \
            else accepted(checked)
    if "cblas_sdot" not in used:
        got = ", ".join(used) or "no BLAS function"
        return wrong(f"expected a call of cblas_sdot in {function}(), got {got}", checked)
    if MULTIPLY.search(disassembly(path, function)):
        return wrong(f"{function}() multiplies floats itself: cblas_sdot is to do that", checked)
    return accepted(checked)


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
    for run in runs:
        problem = worker_trouble(run, context) or missing(run, test.shapes, checked)
        if problem:
            return problem
        n = int(test.shapes[0])
        _, held, cpu_ns = numbers(run)[0]
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
