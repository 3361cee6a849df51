#!/usr/bin/python3
"""Writes what the simulator says of itself: the pages of this folder and the README's output block; with --all, before
that, the reference times of every GPU, the part B tables of the solution, the pictures and the validation page. To be
run when the timing model, or what it runs, has changed. --pages writes the pages only (seconds)."""
import argparse
import importlib
import json
import re
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "autograder"), str(ROOT / "quizzes"), str(ROOT / "docs")]

from hpml_autograder import record, table  # noqa: E402
from hpml_autograder.check import load_bench  # noqa: E402
from hpml_autograder.errors import InfraError, UsageError  # noqa: E402
from hpml_autograder.machine import machine_report  # noqa: E402
from hpml_autograder.paths import find_gpusim  # noqa: E402
from hpml_autograder.pipeline import Graded, Request, grade, prepare  # noqa: E402
import commands  # noqa: E402
import driver_api  # noqa: E402
import front_ends  # noqa: E402
import lab_toml  # noqa: E402
import metrics_json  # noqa: E402
import mistakes  # noqa: E402
import runtime_api  # noqa: E402
from hpml_class.release import editor_files  # noqa: E402
from hpml_docs import places, walk  # noqa: E402
from hpml_quizzes import audit  # noqa: E402
from hpml_quizzes.models import Models  # noqa: E402

README = ROOT / "README.md"
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


def listed(*arguments: str) -> list[dict]:
    """What gpusim lists as JSON."""
    done = subprocess.run([find_gpusim(), *arguments, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def cell(text: str) -> str:
    return text.replace("|", "\\|") or " "


def isa_page() -> str:
    """The PTX instructions that are executed, by section of the manual, and those that are refused."""
    forms = [form for form in listed("isa") if not form["mnemonic"].startswith("__nv_")]
    variants = sum(len(form["types"]) for form in forms)
    lines = ["# PTX instructions", "",
             f"Written by `docs/update.py --pages` from `gpusim isa`. {len({form['mnemonic'] for form in forms})} "
             f"instructions, {variants} combinations with their types. Sections are those of the PTX ISA manual; PTX "
             "and sm are the first version and target that have the form (every simulated GPU runs every form). A "
             "bound is the error the manual allows an approximation; all other results are exact.", ""]
    by_section = sorted(forms, key=lambda form: form["section"].split(":")[0])
    for section, group in groupby(by_section, key=lambda form: form["section"].split(":")[0]):
        lines += [f"## {section}", "", "| form | types | PTX | sm | bound |", "|---|---|---|---|---|"]
        for form in group:
            types = " ".join(text for text in form["types"] if text)
            lines.append(f"| `{cell(form['syntax'])}` | {types or ' '} | {form['min_ptx']} | {form['min_sm']} | "
                         f"{cell(form['approx'])} |")
        lines.append("")
    lines += ["## Not supported", "",
              "A kernel that reaches one of these stops with `not supported:` and its name; the rest of the program "
              "runs.", "", "| instruction | needs |", "|---|---|"]
    lines += [f"| `{row['mnemonic']}` | {row['what']} |" for row in listed("isa", "--refused")]
    return "\n".join(lines) + "\n"


def audit_page() -> str:
    """What was wrong with the published key of Quiz 1."""
    models = Models()
    try:
        return audit.page(models)
    finally:
        models.close()


def libraries() -> Path:
    return Path(find_gpusim()).parent.parent / "lib"


# Files of this folder that hold what a function returns.
PAGES = {"commands.md": lambda: commands.page(str(find_gpusim())), "lab_toml.md": lab_toml.page,
         "isa.md": isa_page, "quiz1_audit.md": audit_page,
         "runtime_api.md": lambda: runtime_api.page(libraries()), "driver_api.md": lambda: driver_api.page(libraries()),
         "front_ends.md": front_ends.page, "metrics_json.md": metrics_json.page,
         **{f"../{name}": lambda name=name: editor_files.of_tree()[name] for name in editor_files.NAMES}}


def stale_pages() -> list[str]:
    return [name for name, text in PAGES.items()
            if not (ROOT / "docs" / name).exists() or (ROOT / "docs" / name).read_text(encoding="utf-8") != text()]


def update_pages() -> None:
    for drawings in sorted((ROOT / "labs").glob("*/bench/lab*_figures.py")):
        lab = drawings.parents[1]
        load_bench(lab)  # its modules can be imported from now on
        (lab / "figures").mkdir(exist_ok=True)
        for name, draw in importlib.import_module(drawings.stem).FIGURES.items():
            record.write_atomically(lab / "figures" / name, draw())
    for name, text in PAGES.items():
        record.write_atomically(ROOT / "docs" / name, text())


def update_charts() -> None:
    from lab3_charts import draw
    from lab3_series import answers_toml, measure
    prepared = prepare(SOLUTION, say)
    context, runner = prepared.context, prepared.runner
    say("measuring part B")
    result = measure(runner, context.cuda)
    (ROOT / "docs/lab3_partB.json").write_text(json.dumps(result.to_json(), indent=1) + "\n", encoding="utf-8")
    for path in draw(result, ROOT / "docs"):
        if path.suffix == ".png":
            path.unlink()  # the page shows the SVG; a second copy would only grow the repository
    answers = ROOT / "solutions/lab3_cuda/answers.toml"
    text = answers.read_text(encoding="utf-8")
    record.write_atomically(answers, TABLES.sub(lambda match: answers_toml(result) + "\n", text))


def update_lab1_answers() -> None:
    """The points and sums of lab 1's solution, measured on this machine: to be run while nothing else runs."""
    load_bench(ROOT / "labs/lab1_benchmarking")
    import lab1_series as series
    runner = prepare(Request("lab1", solution=True), say).runner
    host = machine_report()
    answers = ROOT / "solutions/lab1_benchmarking/answers.toml"
    machine = (f"{host['processor']}, family {host['family']} model {host['model']}, {host['processors_usable']:g} "
               f"processors, load {host['load_average'].split()[0]} before.")
    points = series.measure_programs(runner, False, say)
    record.write_atomically(answers, series.solved(answers.read_text(encoding="utf-8"), points, machine))


def update_tutorials(whole: bool) -> None:
    """The numbers in the output that the tutorials show; whole: of their expensive commands as well."""
    for page, kind in places.TUTORIALS.items():
        say(f"walking {page}")
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "tree"
            place.mkdir()
            walker = walk.Walk(place, places.made(kind, place), whole=whole)
            record.write_atomically(ROOT / page, walker.refreshed((ROOT / page).read_text(encoding="utf-8")))


def update_validation() -> None:
    for name, what in (("validate.py", "published measurements"), ("profiles.py", "profiled cards")):
        say(f"comparing with {what}")
        done = subprocess.run([ROOT / "simulator/validation" / name, "--write"], stdout=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            raise InfraError(f"{name} --write failed (its message is above)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="reference times, tables and pictures as well (minutes)")
    parser.add_argument("--check", action="store_true", help="compare the pages and the README, change nothing")
    parser.add_argument("--pages", action="store_true", help="the pages of docs/ only")
    parser.add_argument("--mistakes", nargs="*", metavar="LAB", help="only the pages of docs/mistakes, of these labs (default: all): "
                        "makes and grades each mistake (minutes)")
    parser.add_argument("--tutorials", action="store_true", help="only the numbers that the tutorials show (a minute; "
                        "with --all of their expensive commands as well)")
    parser.add_argument("--lab1", action="store_true", help="only the measured part of lab 1's solution (a minute, on a "
                        "machine that does nothing else)")
    options = parser.parse_args()
    if options.mistakes is not None:
        for name in options.mistakes or mistakes.labs():
            record.write_atomically(mistakes.page_of(name), mistakes.page(name, say))
        return 0
    if options.tutorials:
        update_tutorials(options.all)
        return 0
    if options.lab1:
        update_lab1_answers()
        return 0
    stale = stale_pages() if options.check else []
    if stale:
        print(f"{', '.join(stale)} differ: run docs/update.py --pages")
    if not options.check:
        update_pages()
    if options.pages:
        return int(bool(stale))
    lab = load_bench(ROOT / "labs/lab3_cuda")
    if options.all:
        lab.action("reference")(Request("lab3"), False, say)
        update_charts()
        update_validation()
    old = README.read_text(encoding="utf-8")
    new = with_block(old, output_block(grade(SOLUTION, say)))
    if options.check:
        print("README.md is as printed" if new == old else "README.md differs: run docs/update.py")
        return int(new != old or bool(stale))
    record.write_atomically(README, new)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (UsageError, InfraError, walk.Mismatch) as error:
        sys.exit(f"docs/update.py: {error}")
