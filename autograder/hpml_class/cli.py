"""Command line of this package: one module of `commands` for each, found by the list below."""
import argparse
import os
import signal
import sys

from .commands import emit
from .errors import InfraError, NoScore, UsageError

COMMANDS = (emit,)
# BEGIN STAFF: a student release leaves these out.
from .commands import aggregate, batch, course, grade, package, regrade, release, report  # noqa: E402

COMMANDS = (grade, batch, aggregate, report, regrade, course, release, package, emit)
# END STAFF


def parser(name: str) -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog=name, description="Grading for a class, and what comes of it.")
    actions = top.add_subparsers(dest="action", required=True, metavar="COMMAND")
    for command in COMMANDS:
        action = actions.add_parser(command.NAME, help=command.HELP, description=command.__doc__,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
        command.add_arguments(action)
        action.set_defaults(run=command.run)
    return top


def main(arguments: list[str] | None = None) -> int:
    """0 done (any score), 1 the thing under test failed, 2 usage, 3 our fault or the machine's."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a machine that shuts down: the same as Ctrl-C
    try:
        options = parser(os.environ.get("HPML_PROGRAM", "hpml")).parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        return options.run(options)
    except UsageError as error:
        return _stop(options.action, str(error), 2)
    except (InfraError, NoScore) as error:
        return _stop(options.action, str(error), 3)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough
        return 0
    except OSError as error:
        return _stop(options.action, f"{error.filename or ''}: {error.strerror}", 3)
    except KeyboardInterrupt:
        return _stop(options.action, "interrupted; the same command goes on from here", 3)


def _stop(action: str, text: str, status: int) -> int:
    print(f"hpml {action}: {text}", file=sys.stderr)
    return status
