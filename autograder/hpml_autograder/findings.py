"""What the simulator said of a program: the first mistake that it saw, as one sentence with its place in the source.

A finding is a line "gpusim: WHAT" on stderr with lines of details under it, indented by four spaces. The words are for
people only: the process that printed them holds student code, so no points hang on them."""
import re
from collections.abc import Iterator

CHECKERS = "memcheck,racecheck,initcheck,synccheck"
MOST_LETTERS = 500
WARNED = 30  # letters that begin with the tool and, of a warning, that word
_SAID = "gpusim: "
_NO_FINDING = re.compile(r"\S+ \(\w+\): \d+ kernels|check: \d+ errors?,|sampled|--|replay")
_ADVICE = re.compile(r"the program ended while |host code accessed managed memory while |a kernel launch failed ")
_LEAK = re.compile(r"memcheck: warning: \d+ bytes were never freed")
_PLACE_OF_PTX = re.compile(r" \(<[^>]*>:\d+\)|, <[^>]*>:\d+")
_FOLDERS = re.compile(r"(?:(?<= at )|(?<=\()|(?<=, ))/[^:\n()]*/")
_ADDRESS = re.compile(r"address 0x[0-9a-f]+[:;] |, address 0x[0-9a-f]+(?=;)| at 0x[0-9a-f]+(?= \(|$|,)")


def first_finding(stderr: str) -> str:
    """The most telling finding. Empty where the simulator found nothing. Of paths and addresses only what is the same on every
    machine is kept."""
    return _most_telling(list(_findings(stderr.splitlines())))


def cause_in(stderr: str) -> str:
    """The most telling finding that can explain a wrong result. Memory leaks cannot, so they are left out."""
    return _most_telling([one for one in _findings(stderr.splitlines()) if not _LEAK.match(one)])


def _most_telling(findings: list[str]) -> str:
    """Errors come before warnings, and other tools before initcheck, because a race also shows as a read of unwritten memory."""
    return min(findings, key=lambda one: ("warning: " in one[:WARNED], one.startswith("initcheck")), default="")


def advice_in(stderr: str) -> str:
    """What the simulator says of a mistake that CUDA passes over in silence: an access or an end without waiting for the
    kernel, a launch error that the program never asked for. Empty where there is none."""
    return next((finding for finding in _findings(stderr.splitlines()) if _ADVICE.match(finding)), "")


def is_summary(line: str) -> bool:
    """Whether the simulator says with it what a run cost, and nothing of the program."""
    what = line.removeprefix(_SAID)
    return what != line and _NO_FINDING.match(what) is not None


def _findings(lines: list[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        what = line.removeprefix(_SAID)
        if what == line or is_summary(line):
            continue
        details = []
        for more in lines[at + 1:]:
            if not more.startswith("    "):
                break
            if not more.startswith("    the same at this place"):
                details.append(more.strip())
        yield _plain(", ".join([what, *details]))


def _plain(text: str) -> str:
    for pattern in (_PLACE_OF_PTX, _FOLDERS, _ADDRESS):
        text = pattern.sub("", text)
    return text[:MOST_LETTERS]
