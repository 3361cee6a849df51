"""Writes a record in a platform's format, redacted for its audience.

    hpml emit gradescope record.json -o /autograder/results/results.json
    hpml emit github-summary build/results/lab3.json >>"$GITHUB_STEP_SUMMARY"
"""
import argparse
import sys
from pathlib import Path

from hpml_autograder.record import write_atomically

from .. import recordfile
from ..batch import plan as plans
from ..emit import FORMATS, emit
from ..errors import UsageError
from ..redact import AUDIENCES

NAME = "emit"
HELP = "write a record in a platform's format"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    width = max(len(name) for name in FORMATS)
    parser.epilog = "formats:\n" + "\n".join(
        f"  {name:<{width}}  {form.text}" + (f"; needs --set {', '.join(form.options)}" if form.options else "")
        + (f"; may have {', '.join(form.may)}" if form.may else "")
        for name, form in FORMATS.items())
    parser.add_argument("format", metavar="FORMAT", help="one of those below")
    parser.add_argument("record", type=Path, metavar="RECORD", help="a record.json (hpml.grade/v1)")
    parser.add_argument("-o", "--output", type=Path, help="file to write, whole or not at all (default: standard output)")
    parser.add_argument("--audience", default="student", help=f"{', '.join(AUDIENCES)} (default: student)")
    parser.add_argument("--key-file", type=Path, help="course key: takes only a record that was graded with it (its MAC)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="what the format needs and a record does not hold")


def run(options: argparse.Namespace) -> int:
    given = {}
    for pair in options.set:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--set {pair}: write NAME=VALUE")
        given[name] = value
    form = FORMATS.get(options.format)
    if form and (unknown := [name for name in given if name not in (*form.options, *form.may)]):
        known = ", ".join((*form.options, *form.may))
        raise UsageError(f"format {options.format} has no option '{unknown[0]}'; " + (f"there are {known}" if known else "it has none"))
    key = plans.key_of(options.key_file) if options.key_file else None
    text = emit(options.format, recordfile.load(options.record, key), options.audience, given)
    if options.output:
        write_atomically(options.output, text)
    else:
        sys.stdout.buffer.write(text.encode())  # UTF-8 whatever the locale
    return 0
