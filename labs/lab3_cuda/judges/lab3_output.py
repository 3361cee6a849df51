"""The output formats of the three programs (handout, section How it is graded)."""
import re

MS = r"(\d+\.\d{6}) millisec"

# Label of each time, in the order in which the program prints them.
TIMES = {
    "vecaddcpu": ("Execution Time", "Total Time"),
    "vecaddgpu00": ("CPU Memory Allocation Time", "GPU Memory Allocation Time", "Mem Copy Time", "Execution Time",
                    "Total Time"),
    "vecaddgpu01": ("Unified Memory Allocation Time", "Execution Time", "Execution Time (warm)", "Total Time"),
}


def line_patterns(program: str) -> list[tuple[str, str]]:
    """(what the line should look like, regular expression) of every line."""
    if program == "vecaddcpu":
        head = ("K: 1 million", r"K: \d+ million")
    else:
        head = ("K: 1 million, Grid size: 3907, Block size: 256", r"K: \d+ million, Grid size: \d+, Block size: \d+")
    times = [(f"{label} : 0.123456 millisec", rf"{re.escape(label)}\s*: {MS}") for label in TIMES[program]]
    return [head, *times, ("Checksum: S0 S1", r"Checksum: \d+ \d+")]


def format_problem(program: str, text: str) -> str:
    """Empty when the output is line by line as asked, else one sentence."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    patterns = line_patterns(program)
    for number, (example, pattern) in enumerate(patterns):
        if number >= len(lines):
            return f"line {number + 1} is missing; expected a line like '{example}'"
        if not re.fullmatch(pattern, lines[number]):
            return f"line {number + 1}: expected a line like '{example}', got '{lines[number][:80]}'"
    if len(lines) > len(patterns):
        surplus = lines[len(patterns)][:80]
        return f"expected {len(patterns)} lines, got {len(lines)}; the first surplus one is '{surplus}'"
    return ""


def time_ms(text: str, label: str) -> float | None:
    match = re.search(rf"^{re.escape(label)}\s*: {MS}\s*$", text, re.MULTILINE)
    return float(match.group(1)) if match else None


def checksum(text: str) -> tuple[int, int] | None:
    match = re.search(r"^Checksum: (-?\d{1,30}) (-?\d{1,30})\s*$", text, re.MULTILINE)
    return (int(match.group(1)), int(match.group(2))) if match else None
