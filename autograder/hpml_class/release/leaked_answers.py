"""Searches a release for the keys of written answers, as they are and in the encodings that somebody may think hides them.

A key's word alone tells nothing: the handout lists the words to choose from. It is a leak beside its question's name, as a
string in code that also names the question, or encoded or hashed anywhere. In the lab's own folder it is one as a sentence says it,
with blanks for underscores or with thousands separators. A number is a leak as the value of a constant, also where the constant is
written as a calculation (2 / 8).
"""
import ast
import base64
import codecs
import hashlib
import math
import operator
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake2s", "sha3_256")
HEXADECIMAL, SPREAD = "hexadecimal digits", ("character codes", "escapes")
DIGITS = (HEXADECIMAL, *(f"{algorithm} without salt" for algorithm in HASHES))
LEAST_TEXT = 4     # shorter values are everybody's, encoded or not
NEAR = 60          # letters between a question's name and a string in code
LEAST_DIGITS = 5   # a number of so many digits stands nowhere by chance
MOST = 1e18         # larger numbers are no key, and no calculation gets out of hand
ROUNDED = 1e-3     # keys that are no integers are compared as rounded: 200 / 30 is the key 6.667
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
             ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow}
# NAMES = NUMBERS in Python, C++ and TOML: types before it, a comment behind it.
CONSTANT = re.compile(r"^[ \t]*(?:[\w:<>*&]+[ \t]+)*?(\w+(?:, *\w+)*)[ \t]*(?::[^=\n]+)?=[ \t]*([-+*/%(). ,\w]+?)[ \t]*(?:(?:;|#|//).*)?$",
                      re.MULTILINE)
SUFFIX = re.compile(r"(?<=[\d.])(?:[fF]|[uUlL]+)\b")


def leaks(texts: dict[str, str], keys: Iterable[tuple[str, str]], judges: str, shown: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """(file, what it holds). judges: folder of the lab's judges. shown: names whose values a program of the lab prints, so
    that the number alone is no leak."""
    keys = list(keys)
    folder = str(PurePosixPath(judges).parent) + "/"
    prose = {file: " ".join(text.lower().split()) for file, text in texts.items() if file.startswith(folder)}
    for name, value in keys:
        beside = re.compile(rf"""(?<![\w.]){re.escape(name)}["'\]]*\s*[:=]+\s*["'\[({{]*{re.escape(value)}(?![\w.])""")
        quoted = rf"""["']{re.escape(value)}["']"""
        literal = re.compile(rf"\b{re.escape(name)}\b.{{0,{NEAR}}}{quoted}|{quoted}.{{0,{NEAR}}}\b{re.escape(name)}\b", re.DOTALL)
        number = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w.])")
        said = {value.replace("_", " ")} if value.count("_") >= 2 else {f"{int(value):,}"} if value.isdigit() else set()
        said -= {value}
        rare = value.isdigit() and len(value) >= LEAST_DIGITS and name not in shown
        for file, text in texts.items():
            if name not in shown and any(len(one) > LEAST_DIGITS and one in prose.get(file, "") and
                                         re.search(rf"(?<![\w,.]){re.escape(one)}(?![\w,])", prose[file]) for one in said):
                yield file, f"says the answer to {name}, {', '.join(said)}"
            if value not in text:
                continue
            if beside.search(text):
                yield file, f"answers {name} = {value}"
            elif file.startswith(judges) and literal.search(text):
                yield file, f"holds the answer to {name} as a string near that name, '{value}'"
            elif rare and file in prose and number.search(text):
                yield file, f"holds the answer to {name}, {value}"
    yield from _calculated({file: text for file, text in texts.items() if file.startswith(str(PurePosixPath(judges).parent))},
                           [(name, value) for name, value in keys if name not in shown])
    yield from _encoded(texts, keys)


def _calculated(texts: dict[str, str], keys: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Small integers are everybody's."""
    numbers = [(name, float(value)) for name, value in keys if re.fullmatch(r"-?\d+(\.\d+)?", value)]
    wanted = [(name, key) for name, key in numbers if not key.is_integer() or abs(key) >= 10 ** (LEAST_DIGITS - 1)]
    for file, text in texts.items() if wanted else ():
        for constant, value in constants(text):
            for name, key in wanted:
                if value == key if key.is_integer() else math.isclose(value, key, rel_tol=ROUNDED):
                    yield file, f"holds the answer to {name} as the value of {constant}, {value:.6g}"


def constants(text: str) -> Iterator[tuple[str, float]]:
    """(name, value) of the constants of a file, calculations with earlier ones among them."""
    known: dict[str, float] = {}
    for match in CONSTANT.finditer(text):
        try:
            value = ast.parse(SUFFIX.sub("", match[2]), mode="eval").body
        except (SyntaxError, ValueError):
            continue
        names = re.split(r", *", match[1])
        for name, one in zip(names, value.elts if isinstance(value, ast.Tuple) else [value]):
            if (number := _folded(one, known)) is not None:
                known[name] = number
                yield name, number


def _folded(node: ast.expr, known: dict[str, float]) -> float | None:
    if isinstance(node, ast.Constant):
        return float(node.value) if type(node.value) in (int, float) and abs(node.value) < MOST else None
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _folded(node.operand, known)
        return None if inner is None else -inner
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _folded(node.left, known), _folded(node.right, known)
        try:
            value = None if left is None or right is None else OPERATORS[type(node.op)](left, right)
        except (ZeroDivisionError, OverflowError):
            return None
        return value if isinstance(value, float) and abs(value) < MOST else None
    return None


def _encoded(texts: dict[str, str], keys: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Looked for in what could be one: the distinct words of the tree, which are far fewer than its text."""
    words = "\n".join({word for text in texts.values() for word in re.findall(r"[\w+/-]{4,}", text)})
    digits = "\n".join({word.lower() for text in texts.values() for word in re.findall(r"[0-9a-fA-F]{8,}", text)})
    whole = "\n".join(texts.values())
    for name, value in keys:
        if len(value) < LEAST_TEXT:
            continue
        for encoded, form in encodings(name, value):
            place = digits if form in DIGITS else whole if form in SPREAD else words
            if encoded in place:
                where = next((file for file, text in texts.items() if encoded in text or encoded in text.lower()), "")
                yield where, f"holds the answer to {name} as {form}"


def encodings(name: str, value: str) -> Iterator[tuple[str, str]]:
    """(encoded, what it is called) of a value, alone and beside its name."""
    for text in (value, f"{name}={value}", f"{name}:{value}", f"{name} = {value}", f'{name} = "{value}"', f"{name}{value}"):
        data = text.encode()
        for algorithm in HASHES:
            yield hashlib.new(algorithm, data).hexdigest(), f"{algorithm} without salt"
        yield data.hex(), HEXADECIMAL
        yield base64.b64encode(data).decode().rstrip("="), "base64"
        yield base64.b32encode(data).decode().rstrip("="), "base32"
    data = value.encode()
    yield ", ".join(map(str, data)), SPREAD[0]
    yield "".join(f"\\x{byte:02x}" for byte in data), SPREAD[1]
    if re.fullmatch(r"\w*[A-Za-z]\w*", value):
        if value[::-1] != value:
            yield value[::-1], "reversed letters"
        if (turned := codecs.encode(value, "rot13")) != value:
            yield turned, "rot13"
