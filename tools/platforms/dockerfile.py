"""The steps of a Dockerfile, as far as the tree's own one uses the language."""
import re
import shlex
from dataclasses import dataclass

KNOWN = ("FROM", "RUN", "WORKDIR", "COPY", "USER", "CMD")


@dataclass(frozen=True)
class Step:
    word: str   # RUN, COPY, ...
    text: str   # the rest of the line, continuation lines joined

    def copied(self) -> tuple[list[str], str, dict[str, str]]:
        """Of a COPY: sources, target, and the options chown (owner) and from (stage) where they are given."""
        words, options = shlex.split(self.text), {}
        while words[0].startswith("--"):
            option, _, value = words.pop(0).partition("=")
            if option not in ("--chown", "--from"):
                raise ValueError(f"COPY {option}: only --chown and --from are known")
            options[option.removeprefix("--")] = value
        if len(words) < 2:
            raise ValueError(f"COPY {self.text}: sources and a target are needed")
        return words[:-1], words[-1], options

    def stage(self) -> tuple[str, str]:
        """Of a FROM: what the stage begins with, and its name (empty: it has none)."""
        begin, *name = re.split(r" +AS +", self.text)
        return begin, "".join(name)


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


def stages(steps: list[Step]) -> dict[str, list[Step]]:
    """By name, each with its FROM; "" is the last one, which `docker build` makes unless --target names another."""
    made: list[list[Step]] = []
    for step in steps:
        if step.word == "FROM":
            made.append([])
        made[-1].append(step)
    return {**{one[0].stage()[1]: one for one in made[:-1]}, "": made[-1]}
