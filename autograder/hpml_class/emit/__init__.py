"""Records for other people's platforms: one module each, every one a pure function of redact(record, audience)."""
import json
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import UsageError
from ..marks import Record
from ..redact import AUDIENCES, redact
from . import autolab, classroom50, github_actions, github_classroom, gradebook, gradescope, junit, prairielearn

Options = dict[str, str]


@dataclass(frozen=True)
class Format:
    render: Callable[[Record, Options], str]  # of a redacted record
    text: str                                 # for --help
    options: tuple[str, ...] = ()             # what it must be told and a record does not hold
    may: tuple[str, ...] = ()                 # what it can be told


def _json(record: Record, options: Options) -> str:
    return json.dumps(record, sort_keys=True, ensure_ascii=False, indent=1) + "\n"


FORMATS: dict[str, Format] = {
    "gradescope": Format(gradescope.render, "results.json of Gradescope"),
    "classroom50": Format(classroom50.render, "result.json of Classroom 50", classroom50.OPTIONS, classroom50.MAY),
    "github-classroom": Format(github_classroom.render, "step output of GitHub Classroom (archived courses)"),
    "junit": Format(junit.render, "JUnit XML"),
    "github-summary": Format(github_actions.summary, "Markdown for $GITHUB_STEP_SUMMARY"),
    "github-annotations": Format(github_actions.annotations, "workflow commands: one line per lost point's reason"),
    "prairielearn": Format(prairielearn.render, "results.json of PrairieLearn"),
    "autolab": Format(autolab.render, "last line of an Autolab autograder's output"),
    "csv": Format(gradebook.render, "one line of the gradebook, with its heading"),
    "json": Format(_json, "the redacted record itself"),
}


def emit(name: str, record: Record, audience: str = "student", options: Options | None = None) -> str:
    if name not in FORMATS:
        raise UsageError(f"there is no format '{name}'; there are {', '.join(FORMATS)}")
    if audience not in AUDIENCES:
        raise UsageError(f"there is no audience '{audience}'; there are {', '.join(AUDIENCES)}")
    given = options or {}
    missing = [option for option in FORMATS[name].options if not given.get(option)]
    if missing:
        raise UsageError(f"format {name} needs {', '.join(f'--set {option}=...' for option in missing)}")
    return FORMATS[name].render(redact(record, audience), given)
