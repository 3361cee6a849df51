"""Fingerprints of hand-ins, and pairs that share unusually many of them: hints for a human, never a verdict.

Winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003): a program is a string of tokens without names, numbers and comments;
of every window of hashes of K tokens one is kept. Prints of the starter's files say nothing. Prints that many of the class
have say nothing about two of them; who is made of little else belongs to a group, which is worth one line.
"""
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

K = 12            # tokens of one hash: about two lines
WINDOW = 6
LEAST_PRINTS = 8  # below that a program is too short to say anything
COMMON = 0.2      # a print that more of the class have is the way everybody does it
AT_LEAST = 3      # ... but two or three who share one are what is looked for
THRESHOLD = 0.6
MAX_TOKENS = 200_000

TOKEN = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|\#[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\d[\w.]*|\S""",
                   re.DOTALL)
KEYWORDS = frozenset("""break case class const continue def do double elif else float for goto if import in int lambda long
not return short signed sizeof static struct switch template unsigned void while yield __global__ __shared__
__device__ __syncthreads threadIdx blockIdx blockDim gridDim""".split())


Prints = defaultdict[str, set[str]]  # file -> prints


@dataclass(frozen=True)
class Pair:
    first: str
    second: str
    share: float  # of the shorter one's prints
    common: int


@dataclass(frozen=True)
class Cluster:
    """Hand-ins that pairs connect."""
    members: tuple[str, ...]
    least: float  # share of its pairs
    most: float
    common: int   # fingerprints of the pair that has most


@dataclass(frozen=True)
class Group:
    """More hand-ins than a common print has holders, alike in one file."""
    file: str
    members: tuple[str, ...]  # who is most like the others comes first


def tokens(text: str) -> list[str]:
    return [word for word, _ in _placed(text)]


def _placed(text: str) -> list[tuple[str, int]]:
    """Tokens with their lines, from 1."""
    found: list[tuple[str, int]] = []
    line, at = 1, 0
    for match in TOKEN.finditer(text):
        word = match.group()
        if word.startswith(("//", "/*", "#")):
            continue
        if len(found) >= MAX_TOKENS:
            break
        line, at = line + text.count("\n", at, match.start()), match.start()
        found.append((word if word in KEYWORDS else "n" if word[0].isdigit() else "s" if word[0] in "\"'" else
                      "i" if word[0].isalpha() or word[0] == "_" else word, line))
    return found


def _hashes(words: Sequence[str]) -> list[str]:
    """Of every K tokens."""
    return [hashlib.blake2b(" ".join(words[start:start + K]).encode("utf-8", "replace"), digest_size=6).hexdigest()
            for start in range(len(words) - K + 1)]


def shared_lines(first: str, second: str, starter: str = "") -> tuple[set[int], set[int]]:
    """Lines of each text, from 1, whose tokens stand in both in runs of at least K; not those that the starter has."""
    placed = [_placed(text) for text in (first, second)]
    hashes = [_hashes([word for word, _ in one]) for one in placed]
    common = set(hashes[0]) & set(hashes[1]) - set(_hashes(tokens(starter)))
    lines = [{one[place][1] for start, mark in enumerate(own) if mark in common for place in range(start, start + K)}
             for one, own in zip(placed, hashes)]
    return lines[0], lines[1]


def prints(text: str) -> set[str]:
    hashes = _hashes(tokens(text))
    return {min(hashes[start:start + WINDOW]) for start in range(max(1, len(hashes) - WINDOW + 1)) if hashes}


def pairs(of: Mapping[str, Iterable[str]], starter: Iterable[str] = ()) -> list[Pair]:
    """The suspicious pairs, most alike first."""
    own, seen, limit = _own(of, starter)
    telling = {name: frozenset(mark for mark in marks if seen[mark] <= limit) for name, marks in own.items()}
    holders: dict[str, list[str]] = defaultdict(list)
    for name, marks in sorted(telling.items()):
        for mark in marks:
            holders[mark].append(name)
    shared = Counter(pair for names in holders.values() for pair in combinations(names, 2))
    found = []
    for (first, second), common in shared.items():
        least = min(len(own[first]), len(own[second]))
        if least >= LEAST_PRINTS and common / least >= THRESHOLD:
            found.append(Pair(first, second, common / least, common))
    return sorted(found, key=lambda pair: (-pair.share, pair.first, pair.second))


def clusters(found: Iterable[Pair]) -> list[Cluster]:
    """Pairs that hang together as one, the most alike first: of seven who share a program there are 21 pairs."""
    leader: dict[str, str] = {}

    def lead(name: str) -> str:
        while leader.setdefault(name, name) != name:
            leader[name] = name = leader[leader[name]]
        return name

    of: dict[str, list[Pair]] = defaultdict(list)
    listed = list(found)
    for pair in listed:
        leader[lead(pair.second)] = lead(pair.first)
    for pair in listed:
        of[lead(pair.first)].append(pair)
    made = [Cluster(tuple(sorted({name for pair in own for name in (pair.first, pair.second)})),
                    min(pair.share for pair in own), max(pair.share for pair in own), max(pair.common for pair in own))
            for own in of.values()]
    return sorted(made, key=lambda one: (-one.most, -len(one.members), one.members))


def groups(of: Mapping[str, Iterable[str]], starter: Iterable[str], file: str) -> list[Group]:
    """Those who share most of a file with more of the class than pairs() looks at, the largest group first."""
    own, seen, limit = _own(of, starter)
    shared = {name: frozenset(mark for mark in marks if seen[mark] > limit) for name, marks in own.items()}
    left = {name: marks for name, marks in shared.items()
            if len(marks) >= LEAST_PRINTS and len(marks) >= THRESHOLD * len(own[name])}
    found = []
    while left:
        centre = max(sorted(left), key=lambda name: len(left[name]))
        alike = {name: len(marks & left[centre]) for name, marks in left.items()
                 if len(marks & left[centre]) >= THRESHOLD * len(marks)}
        left = {name: marks for name, marks in left.items() if name not in alike}
        if len(alike) > limit:
            found.append(Group(file, tuple(sorted(alike, key=lambda name: (-alike[name], name)))))
    return sorted(found, key=lambda group: -len(group.members))


def _own(of: Mapping[str, Iterable[str]], starter: Iterable[str]) -> tuple[dict[str, frozenset[str]], Counter, float]:
    """Everybody's prints without the starter's, how many have each, and above which number a print is common."""
    given = set(starter)
    own = {name: frozenset(one) - given for name, one in of.items()}
    return own, Counter(mark for marks in own.values() for mark in marks), max(AT_LEAST, COMMON * len(own))
