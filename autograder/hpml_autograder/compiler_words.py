"""What a compiler or linker said first, as one line: the error with its place, the reason that it gives in a note, and how beginners
mend it."""
import re

_ERROR = re.compile(r"\berror\b|undefined reference to|multiple definition of", re.IGNORECASE)
_LINKER_FOLDERS = re.compile(r"^(?:/usr/bin/)?\S*ld: (?:\S+\.o: )?|\(\.text[^)]*\): ")
# A reason that clang gives for the first candidate of a call that matches none.
_REASON = re.compile(r"note: candidate function not viable: (.+)$")
HINTS = (
    (r"kernel call to non-global function|host function call cannot be configured", "write __global__ before the kernel's definition"),
    (r"call to global function \S+ not configured|__global__ function call must be configured",
     "a kernel is launched with its shape: kernel<<<grid, block>>>(arguments)"),
    (r"call to __host__ function from __\w+__ function|calling a __host__ function|reference to __host__ (function|variable)",
     "a kernel can use only functions and variables that are marked __device__"),
    (r"must have (a )?void return type", "a kernel returns nothing: declare it void, and let it write its results to memory"),
    (r"no known conversion from '[^']+ \*' to 'void \*\*'", "it takes the address of the pointer: &pointer"),
    (r"undefined reference to", "it is declared and called, but defined nowhere: compare name and parameters with the header"),
    (r"multiple definition of", "it is defined in two files: define it in one, or make it static"),
)


def first_error(log: str) -> str:
    lines = log.splitlines()
    at = next((at for at, line in enumerate(lines) if _ERROR.search(line)), None)
    if at is None:
        return next((line.strip() for line in lines if line.strip()), "the compiler stopped without a message")
    said = _LINKER_FOLDERS.sub("", lines[at].strip())
    if "no matching function" in said:
        said += "".join(f": {reason}" for reason in _reasons(lines[at + 1:])[:1])
    return "; ".join([said, *(hint for pattern, hint in HINTS if re.search(pattern, said))])


def _reasons(lines: list[str]) -> list[str]:
    """Those of the notes that belong to the error before these lines."""
    found = []
    for line in lines:
        if _ERROR.search(line) and "note:" not in line:
            break
        if reason := _REASON.search(line):
            found.append(reason[1])
    return found
