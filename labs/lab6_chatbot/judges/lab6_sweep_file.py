"""S1: sweep files of the table (data/sweep_files.txt) and of a generator that knows what it writes."""
import functools
import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong
from lab6_search import read_lines
from lab6_sweep_varied import varied

TABLE = Path(__file__).parent.parent / "data" / "sweep_files.txt"
AT_A_TIME = 20
DEFAULTS = {"values": [], "probabilities": [], "min": None, "max": None, "q": 1, "mu": 0.0, "sigma": 1.0, "a": 1.0, "b": 1.0}


@dataclass(frozen=True)
class Entry:
    """One sweep file. expected: what it says as JSON, or the line that is wrong."""
    name: str
    text: str
    line: int = 0
    words: str = ""     # one of which the message must hold, separated by |
    expected: str = ""
    of_file: bool = False   # something is missing from the whole file: line 1, wherever that is

    @property
    def valid(self) -> bool:
        return bool(self.expected)


@functools.cache
def table() -> tuple[Entry, ...]:
    """Blocks that begin with `=== valid NAME JSON` or `=== invalid NAME LINE WORDS`. ~T stands for a tab, ~R for a carriage return."""
    found = []
    for block in TABLE.read_text(encoding="utf-8").split("\n=== ")[1:]:
        head, _, text = block.partition("\n")
        kind, name, rest = head.split(" ", 2)
        text = text.replace("~T", "\t").replace("~R", "\r") + "\n"
        if kind == "valid":
            found.append(Entry(name, text, expected=rest))
        else:
            line, _, words = rest.partition(" ")
            found.append(Entry(name, text, 1 if line == "file" else int(line), words, of_file=line == "file"))
    return tuple(found)


def cases(test: Test, entries: Sequence[Entry]) -> list[Case]:
    groups = [entries[i:i + AT_A_TIME] for i in range(0, len(entries), AT_A_TIME)]
    return [Case(test.params["program"], "", env=(("LAB6_FILES", json.dumps([entry.text for entry in group])),)) for group in groups]


def judge_entries(entries: Sequence[Entry], context: Context, runs: Sequence[Run], checked: str) -> Outcome:
    by_text = {entry.text: entry for entry in entries}
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        lines = read_lines(run)
        for number, text in enumerate(json.loads(dict(run.case.env)["LAB6_FILES"])):
            entry = by_text[text]
            said = difference(entry, lines[number] if number < len(lines) else None)
            if said:
                return wrong(f"sweep file '{entry.name}' ({shown(text)}): {said}", checked)
    return accepted(checked)


def shown(text: str) -> str:
    short = "; ".join(text.split("\n")).strip("; ")
    return short if len(short) < 160 else short[:157] + "..."


def difference(entry: Entry, got: Any) -> str:
    if not isinstance(got, dict):
        return "no answer"
    if entry.valid:
        if "error" in got:
            return f"it is valid, but was refused: line {got.get('line')}: {got['error']}"
        return first_difference(normal(json.loads(entry.expected)), {**got, "parameters": [without_line(p) for p in got.get("parameters", [])]})
    if "error" not in got:
        return f"line {entry.line} is wrong ({entry.words.replace('|', ' or ')}), but the file was accepted"
    if got["line"] != entry.line:
        return f"the error is in line {entry.line}, reported for line {got['line']}: {got['error']}"
    if not any(word.lower() in got["error"].lower() for word in entry.words.split("|")):
        return f"the message must name {entry.words.replace('|', ' or ')}: {got['error']!r}"
    return ""


def without_line(parameter: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in parameter.items() if key != "line"}


def normal(sweep: dict[str, Any]) -> dict[str, Any]:
    """With all that a file may leave out, as the program prints it."""
    whole = {"metric": None, "early_terminate": None, "run_cap": None, "texts": {}, **sweep}
    if whole["metric"]:
        whole["metric"] = {"goal": "minimize", "target": None, **whole["metric"]}
    if whole["early_terminate"]:
        whole["early_terminate"] = {"min_iter": None, "max_iter": None, "s": None, "eta": 3.0, "strict": True, **whole["early_terminate"]}
    whole["parameters"] = [{**DEFAULTS, "name": name, **parameter} for name, parameter in
                           sorted(sweep["parameters"].items(), key=lambda pair: pair[0].encode())]
    return whole


def first_difference(expected: Any, got: Any, where: str = "") -> str:
    """Kinds count for what a file chooses (1 is not 1.0), except where the program holds a real number."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in sorted(set(expected) | set(got)):
            if key not in expected or key not in got:
                return f"{where}{key}: {'not expected' if key not in expected else 'missing'}"
            name = expected.get("name", "") if key != "name" else ""
            said = first_difference(expected[key], got[key], f"{where}{f'{name} ' if name and where else ''}{key}: ")
            if said:
                return said
        return ""
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        return next((said for i, pair in enumerate(zip(expected, got)) if (said := first_difference(*pair, f"{where}"))), "")
    real = where.endswith(("mu: ", "sigma: ", " a: ", " b: ", "eta: ", "target: ")) and isinstance(expected, (int, float))
    same_kind = real or type(expected) is type(got)
    close = isinstance(expected, float) and isinstance(got, (int, float)) and math.isclose(expected, got, rel_tol=1e-12)
    if same_kind and (close or expected == got):
        return ""
    return f"{where}expected {json.dumps(expected)}, got {json.dumps(got)}"


# ---- files that are made
def written(value: Any, draw: random.Random) -> str:
    if value is None:
        return draw.choice(("null", "~"))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        quoted = value.replace(".", "").replace("e", "").replace("-", "").isdigit() or draw.random() < 0.3
        return f'"{value}"' if quoted else value
    if isinstance(value, float):
        short = f"{value:e}".split("e")
        mantissa = short[0].rstrip("0").rstrip(".")
        scientific = f"{mantissa}e{int(short[1])}"
        return scientific if float(scientific) == value and draw.random() < 0.5 else repr(value)
    return str(value)


def made_parameter(draw: random.Random) -> dict[str, Any]:
    kind = draw.choice(("constant", "categorical", "int_uniform", "uniform", "q_uniform", "log_uniform_values", "normal", "weighted", "beta"))
    low, high = draw.randint(-5, 5), draw.randint(6, 20)
    choices = draw.sample([None, True, "adam", "1e-4", 3, 0.25, "x y", 1e-4, -2], 3)
    if kind == "constant":
        return {"distribution": kind, "values": choices[:1]}
    if kind == "categorical":
        return {"distribution": kind, "values": choices}
    if kind == "weighted":
        parts = [draw.randint(1, 4) for _ in choices]
        return {"distribution": "categorical_w_probabilities", "values": choices, "probabilities": [part / sum(parts) for part in parts],
                "_parts": parts}
    if kind == "int_uniform":
        return {"distribution": kind, "min": low, "max": high}
    if kind == "uniform":
        return {"distribution": kind, "min": low, "max": high + 0.5}
    if kind == "q_uniform":
        return {"distribution": kind, "min": low, "max": high, "q": draw.choice((2, 0.5))}
    if kind == "log_uniform_values":
        return {"distribution": kind, "min": 1e-5, "max": high}
    if kind == "normal":
        return {"distribution": kind, "mu": low, "sigma": 0.5}
    return {"distribution": kind, "a": 2, "b": 0.5}


OMITTED = ("constant", "categorical", "categorical_w_probabilities", "int_uniform", "uniform")


def made_lines(name: str, parameter: dict[str, Any], draw: random.Random) -> list[str]:
    def listed(values: Sequence[Any]) -> str:
        return "[" + ", ".join(written(value, draw) for value in values) + "]"
    keys = {key: written(value, draw) for key, value in parameter.items() if not isinstance(value, list) and key != "distribution"}
    if parameter["distribution"] == "constant":
        keys["value"] = written(parameter["values"][0], draw)
    elif "values" in parameter:
        keys["values"] = listed(parameter["values"])
    if "_parts" in parameter:
        keys["probabilities"] = listed(parameter["_parts"])
    if parameter["distribution"] not in OMITTED or draw.random() < 0.3:
        keys["distribution"] = parameter["distribution"]
    order = draw.sample(sorted(keys), len(keys))
    if draw.random() < 0.4:
        return [f"  {name}: {{{', '.join(f'{key}: {keys[key]}' for key in order)}}}"]
    return [f"  {name}:", *(f"    {key}: {keys[key]}" for key in order)]


def made(number: int, draw: random.Random) -> Entry:
    """A valid file, or one with a key that is unknown, at a place that the judge knows."""
    names = draw.sample(["lr", "clip", "Beta", "hidden_size", "x.y", "a-b", "_z", "decoder_learning_ratio"], draw.randint(1, 4))
    parameters = {name: made_parameter(draw) for name in names}
    cap, metric = draw.randint(1, 500), {"name": draw.choice(("loss", "exact_match")), "goal": draw.choice(("minimize", "maximize"))}
    rule = draw.choice(({"min_iter": draw.randint(1, 4)}, {"max_iter": 27, "s": draw.randint(1, 3), "eta": 2}))
    head = [["method: random"], [f"run_cap: {cap}"], ["metric:", f"  goal: {metric['goal']}", f"  name: {metric['name']}"],
            ["early_terminate:", "  type: hyperband", *(f"  {key}: {value}" for key, value in rule.items())],
            ["parameters:", *(line for name in names for line in made_lines(name, parameters[name], draw))]]
    draw.shuffle(head)
    lines = [line for block in head for line in ([*block, "# a comment", ""] if draw.random() < 0.3 else block)]
    plain = {name: {key: value for key, value in parameter.items() if key != "_parts"} for name, parameter in parameters.items()}
    expected = {"method": "random", "run_cap": cap, "metric": metric, "early_terminate": rule, "parameters": plain}
    if number % 3 == 2:
        place = draw.choice([i for i, line in enumerate(lines) if line and not line.startswith((" ", "#"))])
        lines.insert(place, f"unknown_{number}: 1")
        return Entry(f"made {number}", "\n".join(lines) + "\n", place + 1, f"unknown_{number}")
    return Entry(f"made {number}", "\n".join(lines) + "\n", expected=json.dumps(expected))


def hidden_entries(test: Test, context: Context) -> list[Entry]:
    draw = random.Random(context.seed(test, 0))
    return [made(number, draw) for number in range(40)]


def entries_of(test: Test, context: Context) -> Sequence[Entry]:
    if test.generator == "hidden_files":
        return hidden_entries(test, context)
    valid = test.generator == "valid_files"
    given = [entry for entry in table() if entry.valid == valid]
    if not context.for_record:
        return given
    draw = random.Random(context.seed(test, 0))
    more = (made(number, draw) for number in range(60))
    return [*given, *(drawn(entry, draw) for entry in given), *(entry for entry in more if entry.valid == valid)]


def drawn(entry: Entry, draw: random.Random) -> Entry:
    """A file of the table in another shape."""
    text, line, expected, words = varied(entry.text, 0 if entry.of_file else entry.line,
                                         json.loads(entry.expected) if entry.valid else None, entry.words, draw)
    return Entry(f"{entry.name}, drawn", text, 1 if entry.of_file else line, words, json.dumps(expected) if expected else "", entry.of_file)


def plan(test: Test, context: Context) -> list[Case]:
    return cases(test, entries_of(test, context))


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    entries = entries_of(test, context)
    return judge_entries(entries, context, runs, f"{len(entries)} sweep files")
