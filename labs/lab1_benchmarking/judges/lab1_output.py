"""The two lines every dpX prints, and their arithmetic."""
import re
from dataclasses import dataclass

LINE = re.compile(r"^N: (\d{1,30}) <T>: (\d+\.\d{9}) sec B: (\d+\.\d{6}) GB/sec F: (\d+\.\d{6}) GFLOP/sec\s*$")
RESULT = re.compile(r"^R: (-?\d+(?:\.\d+)?)\s*$")
EXAMPLE = "N: 1000 <T>: 0.000001234 sec B: 6.482982 GB/sec F: 1.620746 GFLOP/sec"
RELATIVE, ABSOLUTE = 1e-5, 1e-6
T_STEP = 0.5e-9  # T is printed with nine decimals: B and F may come from any value that rounds to it


@dataclass(frozen=True)
class Printed:
    n: int
    t: float
    b: float
    f: float
    r: float


def parse(stdout: str) -> Printed | str:
    """The numbers, or a sentence that says what is not as it should be."""
    lines = stdout.splitlines()
    if len(lines) != 2:
        return f"expected exactly two lines, got {len(lines)}"
    first, second = LINE.match(lines[0]), RESULT.match(lines[1])
    if first is None:
        return f"the first line is {lines[0][:120]!r}, expected the form '{EXAMPLE}'"
    if second is None:
        return f"the second line is {lines[1][:60]!r}, expected the form 'R: 1000.0'"
    n, t, b, f = first.groups()
    return Printed(int(n), float(t), float(b), float(f), float(second.group(1)))


def rate_problem(printed: Printed) -> str:
    """B = 8 N / T / 10^9 and F = 2 N / T / 10^9, as far as the printed decimals can tell."""
    if printed.t <= 0:
        return f"T is {printed.t:.9f}"
    for name, value, per_element in (("B", printed.b, 8), ("F", printed.f, 2)):
        expected = per_element * printed.n / printed.t / 1e9
        allowed = expected * (RELATIVE + T_STEP / printed.t) + ABSOLUTE
        if abs(value - expected) > allowed:
            return (f"with N = {printed.n} and T = {printed.t:.9f} s, expected {name} = {per_element} N / T / 10^9 = "
                    f"{expected:.6f}, got {value:.6f}{_hint(name, value / expected)}")
    return ""


def _hint(name: str, ratio: float) -> str:
    for factor, words in ((1e9 / 2**30, "10^9, not 2^30, bytes are a GB"), (1e-3, "T and the rates disagree by 1000"),
                          (1e3, "T and the rates disagree by 1000"), (4.0, "two operations per element, not 8 bytes"),
                          (0.5, "two vectors are read"), (1.5, "nothing is written: two vectors of 4 bytes")):
        if abs(ratio - factor) < 1e-3 * factor:
            return f" ({words})"
    return ""
