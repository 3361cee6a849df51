"""Searches a release for the keys of written answers, as they are and in the encodings that somebody may think hides them.

A key's word alone tells nothing: the handout lists the words to choose from. It is a leak beside its question's name, as a
string in code that also names the question, or encoded or hashed anywhere.
"""
import base64
import codecs
import hashlib
import re
from collections.abc import Iterable, Iterator

HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake2s", "sha3_256")
HEXADECIMAL, SPREAD = "hexadecimal digits", ("character codes", "escapes")
DIGITS = (HEXADECIMAL, *(f"{algorithm} without salt" for algorithm in HASHES))
LEAST_TEXT = 4     # shorter values are everybody's, encoded or not
NEAR = 60          # letters between a question's name and a string in code
LEAST_DIGITS = 5   # a number of so many digits stands nowhere by chance


def leaks(texts: dict[str, str], keys: Iterable[tuple[str, str]], judges: str, shown: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """(file, what it holds). judges: folder of the lab's judges. shown: names whose values a program of the lab prints, so
    that the number alone is no leak."""
    keys = list(keys)
    for name, value in keys:
        beside = re.compile(rf"""(?<![\w.]){re.escape(name)}["'\]]*\s*[:=]+\s*["'\[({{]*{re.escape(value)}(?![\w.])""")
        quoted = rf"""["']{re.escape(value)}["']"""
        literal = re.compile(rf"\b{re.escape(name)}\b.{{0,{NEAR}}}{quoted}|{quoted}.{{0,{NEAR}}}\b{re.escape(name)}\b", re.DOTALL)
        number = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w.])")
        rare = value.isdigit() and len(value) >= LEAST_DIGITS and name not in shown
        for file, text in texts.items():
            if value not in text:
                continue
            if beside.search(text):
                yield file, f"answers {name} = {value}"
            elif file.startswith(judges) and literal.search(text):
                yield file, f"holds the answer to {name} as a string near that name, '{value}'"
            elif rare and file.startswith(judges) and number.search(text):
                yield file, f"holds the answer to {name}, {value}"
    yield from _encoded(texts, keys)


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
