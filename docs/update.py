#!/usr/bin/python3
"""Writes what depends on the simulator's timing: the README's output block; with --all, before that, the reference
times of every GPU, the part B tables of the solution and the pictures. To be run when the timing model has changed.
With --quizzes only the audit of Quiz 1 (quiz1_audit.md), which depends on the question files."""
import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "autograder"), str(ROOT / "quizzes")]

from hpml_autograder import record, table  # noqa: E402
from hpml_autograder.check import load_bench  # noqa: E402
from hpml_autograder.errors import InfraError, UsageError  # noqa: E402
from hpml_autograder.pipeline import Graded, Request, grade, prepare  # noqa: E402
from hpml_quizzes import audit  # noqa: E402
from hpml_quizzes.models import Models  # noqa: E402

README = ROOT / "README.md"
AUDIT = ROOT / "docs/quiz1_audit.md"
SOLUTION = Request("lab3", solution=True, cuda="clang")
BLOCK = re.compile(r"(<!-- begin output: make lab3 test SOLUTION=1 CUDA=clang -->\n).*?(<!-- end output -->)", re.DOTALL)
TABLES = re.compile(r"^gpu = .*?(?=^# One word each)", re.DOTALL | re.MULTILINE)


def say(text: str) -> None:
    print(f"  {text} ...", file=sys.stderr)


def output_block(graded: Graded) -> str:
    """What the command prints, as a code block."""
    return "```\n" + table.render(graded, load_bench(graded.dirs.lab).timing_rows(graded)) + "```\n"


def with_block(readme: str, block: str) -> str:
    return BLOCK.sub(lambda match: match.group(1) + block + match.group(2), readme)


def audit_page() -> str:
    """Of the published key of Quiz 1."""
    models = Models()
    try:
        return audit.page(models)
    finally:
        models.close()


def update_charts() -> None:
    from lab3_charts import draw
    from lab3_series import answers_toml, measure
    context, runner, _, _ = prepare(SOLUTION, say, None)
    say("measuring part B")
    result = measure(runner, context.cuda)
    (ROOT / "docs/lab3_partB.json").write_text(json.dumps(result.to_json(), indent=1) + "\n", encoding="utf-8")
    for path in draw(result, ROOT / "docs"):
        if path.suffix == ".png":
            path.unlink()  # the page shows the SVG; a second copy would only grow the repository
    answers = ROOT / "solutions/lab3_cuda/answers.toml"
    text = answers.read_text(encoding="utf-8")
    record.write_atomically(answers, TABLES.sub(lambda match: answers_toml(result) + "\n", text))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="reference times, tables and pictures as well (minutes)")
    parser.add_argument("--check", action="store_true", help="compare the README, change nothing")
    parser.add_argument("--quizzes", action="store_true", help="only the audit of Quiz 1")
    options = parser.parse_args()
    if options.quizzes:
        record.write_atomically(AUDIT, audit_page())
        return 0
    lab = load_bench(ROOT / "labs/lab3_cuda")
    if options.all:
        lab.reference(Request("lab3"), False, say)
        update_charts()
    old = README.read_text(encoding="utf-8")
    new = with_block(old, output_block(grade(SOLUTION, say)))
    if options.check:
        print("README.md is as printed" if new == old else "README.md differs: run docs/update.py")
        return int(new != old)
    record.write_atomically(README, new)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (UsageError, InfraError) as error:
        sys.exit(f"docs/update.py: {error}")
