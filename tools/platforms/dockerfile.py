"""The steps of a Dockerfile, as far as the tree's own one uses the language."""
import re
import shlex
from dataclasses import dataclass

KNOWN = ("FROM", "RUN", "WORKDIR", "COPY", "USER", "CMD")


@dataclass(frozen=True)
class Step:
    word: str   # RUN, COPY, ...
    text: str   # the rest of the line, continuation lines joined

    def copied(self) -> tuple[list[str], str, str]:
        """Of a COPY: sources, target, owner (empty: root)."""
        words = shlex.split(self.text)
        owner = ""
        while words[0].startswith("--"):
            option, _, value = words.pop(0).partition("=")
            if option != "--chown":
                raise ValueError(f"COPY {option}: only --chown is known")
            owner = value
        if len(words) < 2:
            raise ValueError(f"COPY {self.text}: sources and a target are needed")
        return words[:-1], words[-1], owner


def parse(text: str) -> list[Step]:
    """Raises ValueError for an instruction outside of KNOWN, so that no step is left out silently."""
    lines = "".join(f"{line}\n" for line in text.splitlines() if not line.lstrip().startswith("#"))
    steps = []
    for line in re.sub(r"\\\n\s*", " ", lines).splitlines():
        if not line.strip():
            continue
        word, _, rest = line.strip().partition(" ")
        if word not in KNOWN:
            raise ValueError(f"Dockerfile: {word} is not one of {', '.join(KNOWN)}")
        steps.append(Step(word, rest.strip()))
    return steps
