#!/usr/bin/python3
"""`make check`: every test of the project, for people and CI alike.

Runs the steps of tools/hpml_check/steps.py in order, each with its output in build/check/<step>.log, goes on after a failure
where that makes sense, and ends with one plain line: "N passed, N failed" (tests, plus one for each step that is not a test
suite).

    tools/check.py [STEP...]     all steps and the check that they left no trace in the checkout, or only the named ones
    FULL=1 tools/check.py ...    the full depth, with what tools/full_only.toml lists
    tools/check.py --times       where the minutes of the last runs went

Exit codes: 0 all passed, 1 something failed, 2 usage.
"""

import os
import sys
import time

from hpml_check import depth, paths, runner, times
from hpml_check.steps import steps


def main(arguments: list[str]) -> int:
    if arguments == ["--times"]:
        print(times.report(), end="")
        return 0
    if os.environ.get("FULL", "0") not in ("", "0"):
        os.environ[depth.VARIABLE] = "1"
    every = steps()
    unknown = set(arguments) - {step.name for step in every}
    if unknown:
        names = ", ".join(step.name for step in every)
        only_full = "" if depth.is_full() else "; FULL=1 has more"
        print(f"check: no step {', '.join(sorted(unknown))}; steps: {names}{only_full}", file=sys.stderr)
        return 2
    paths.LOGS.mkdir(parents=True, exist_ok=True)

    def say(text: str) -> None:
        print(text, flush=True)

    start = time.monotonic()
    chosen = [step for step in every if step.name in arguments]
    total = runner.run_steps(chosen, say) if chosen else runner.run_all(every, say)
    say(f"{time.monotonic() - start:.0f} s, {total.skipped} tests skipped, depth {'full' if depth.is_full() else 'quick'}")
    say(f"{total.passed} passed, {total.failed} failed")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
