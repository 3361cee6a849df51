"""Why a sum is wrong: which ranks' terms are missing, or are there twice. And the sentence that a student reads."""
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import lab4_data as data
import numpy as np

LOOKED_AT = 3               # wrong elements that one explanation must fit: one alone could agree by chance
SHOWN = 24                  # kShown of harness/data.cpp
ROUNDED = 2.0**-22          # of a quotient in single precision
FOR_ONE, FOR_SOME = 200, 70_000  # explanations tried for one element, and for more


def explain(got: np.ndarray, terms: np.ndarray, tolerance: np.ndarray | float = 0.0) -> str:
    """`got`: some wrong elements of a vector, float64; `terms`: what each rank added to them, ranks x elements. Empty where no
    simple explanation fits all of them, nor the first alone."""
    bounds = np.broadcast_to(tolerance, got.shape)
    for count in dict.fromkeys((min(LOOKED_AT, len(got)), 1)):
        found = _explain(got[:count], terms[:, :count], bounds[:count])
        if found:
            return found
    return ""


def _explain(got: np.ndarray, terms: np.ndarray, bounds: np.ndarray) -> str:
    ranks, total = len(terms), terms.sum(axis=0)

    def fits(values: np.ndarray) -> np.ndarray:
        return (np.abs(values - got) <= bounds).all(axis=-1)

    if (np.abs(got * ranks - total) <= ranks * bounds + ROUNDED * np.abs(total)).all():
        return f"it is the sum divided by P = {ranks}"
    left = FOR_ONE if len(got) == 1 else FOR_SOME
    for some in _sets(ranks):
        part = terms[some].sum(axis=1)
        for values, words in ((total - part, "the terms of {} are missing"), (total + part, "the terms of {} are there twice"),
                              (part, "only the terms of {} are there")):
            left -= len(some)
            if left < 0:
                return ""
            matching = np.flatnonzero(fits(values))
            if len(matching):
                return words.format(names(some[matching[0]].tolist()))
    return ""


def _sets(ranks: int) -> Iterator[np.ndarray]:
    """Sets of ranks, those of one size as rows: one and two ranks, neighbours (a subtree, a part of the ring), then any."""
    def of_size(sizes: range) -> Iterator[np.ndarray]:
        for size in sizes:
            if math.comb(ranks, size) <= FOR_SOME:
                yield np.array(list(itertools.combinations(range(ranks), size)))

    yield from of_size(range(1, min(3, ranks)))
    yield from (np.arange(size) + np.arange(ranks - size + 1)[:, None] for size in range(3, ranks))
    yield from of_size(range(3, ranks))


def names(ranks: Sequence[int]) -> str:
    """"rank 3", "ranks 0, 3", "ranks 4 to 7"."""
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    if len(ranks) > 2 and ranks[-1] - ranks[0] == len(ranks) - 1:
        return f"ranks {ranks[0]} to {ranks[-1]}"
    return f"ranks {', '.join(map(str, ranks))}"


def wrong_sample(record: Mapping[str, Any], rank: int, ranks: int, n: int, seed: int, keys: tuple[int, ...] = ()) -> str:
    """Of a run that leaves a hash of its sum and some elements of it (wrong_elements of harness/data.cpp): empty if the
    hash is that of the sum, else one sentence. The hash decides; the elements only explain."""
    if record.get("hash") == data.sample_hash(ranks, n, seed, keys):
        return ""
    places, got = _listed(record.get("wrong"), n)
    terms = np.array([data.values_at("int", seed, one, places, keys) for one in range(ranks)], dtype=np.float64)
    differ = np.flatnonzero(terms.sum(axis=0) != got)[:LOOKED_AT]
    if not len(differ):
        return f"the sum on rank {rank} is wrong"
    places, got, terms = places[differ], got[differ], terms[:, differ]
    why = explain(got, terms)
    return (f"rank {rank}, element {places[0]}: expected {terms.sum(axis=0)[0]:.9g}, got {got[0]:.9g}"
            + (f"; {why}" if why else ""))


def _listed(said: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Places and values of [[element, bits], ...], which a student's process has written."""
    rows = said if isinstance(said, list) else []
    good = [row for row in rows[:SHOWN] if isinstance(row, list) and len(row) == 2
            and all(type(value) is int for value in row) and 0 <= row[0] < n and 0 <= row[1] < 1 << 32]
    places = np.array([at for at, _ in good], dtype=np.uint64)
    return places, np.array([bits for _, bits in good], dtype="<u4").view("<f4").astype(np.float64)
