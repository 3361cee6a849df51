"""The corpus, a second time: the synthetic pairs, the normaliser, the vocabulary (specified in README.md, D1)."""
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from lab6_random import stream_id, uniforms

Pair = tuple[str, str]
MOST_TOKENS, LEAST_COUNT = 10, 3
PAD, START, END = 0, 1, 2
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"


class _Draws:
    def __init__(self, seed: int, stream: str) -> None:
        self.numbers, self.at = uniforms(seed, stream_id(stream), 1 << 14), 0

    def next(self, n: int) -> int:
        self.at += 1
        return int(self.numbers[self.at - 1] * n)


def synthetic_pairs(seed: int) -> list[Pair]:
    letters, used = _Draws(seed, "words"), set()

    def words(count: int) -> list[str]:
        found: list[str] = []
        while len(found) < count:
            word = "".join(CONSONANTS[letters.next(len(CONSONANTS))] + VOWELS[letters.next(len(VOWELS))] for _ in range(3))
            if word not in used:
                used.add(word)
                found.append(word)
        return found

    objects, persons, foods, places, colours, jobs, numbers = (words(n) for n in (60, 60, 40, 12, 10, 12, 10))
    place, colour, job, liked = (_Draws(seed, name) for name in ("place", "colour", "job", "liked"))
    pairs: list[Pair] = []
    for thing in objects:
        where, tint = places[place.next(12)], colours[colour.next(10)]
        pairs += [(question.format(thing), f"it is in the {where} .") for question in (
            "where is the {} ?", "where can i find the {} ?", "do you know where the {} is ?", "i am looking for the {} .")]
        pairs += [(question.format(thing), f"the {thing} is {tint} .") for question in (
            "what colour is the {} ?", "what is the colour of the {} ?", "which colour does the {} have ?",
            "tell me the colour of the {} .")]
        pairs += [(f"is the {thing} in the {asked} ?", "yes it is ." if asked == where else f"no the {thing} is in the {where} .")
                  for asked in places]
        pairs += [(f"is the {thing} {asked} ?", "yes that is right ." if asked == tint else f"no the {thing} is {tint} .")
                  for asked in colours]
    for person in persons:
        work = jobs[job.next(12)]
        pairs += [(question.format(person), f"{person} is a {work} .") for question in (
            "who is {} ?", "what does {} do ?", "what is the job of {} ?", "tell me about {} .")]
        pairs += [(f"hello i am {person} .", f"hello {person} nice to meet you ."),
                  (f"good morning my name is {person} .", f"good morning {person} how are you ?")]
        pairs += [(f"is {person} a {asked} ?", "yes that is right ." if asked == work else f"no {person} is a {work} .")
                  for asked in jobs]
    for food in foods:
        good = liked.next(2) == 1
        pairs += [(f"do you like {food} ?", f"yes i love {food} ." if good else f"no i hate {food} ."),
                  (f"would you eat {food} ?", "yes please ." if good else "no thank you .")]
        pairs += [(f"give me {number} {food} please .", f"here are {number} {food} for you .") for number in numbers]
    return pairs


def held_out(question: str) -> bool:
    value = 0xCBF29CE484222325
    for byte in question.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return (value >> 32) % 103 < 11


def normalise(text: str) -> str:
    letters = []
    for letter in text:
        if 0xC0 <= ord(letter) <= 0x17F:
            letter = "".join(part for part in unicodedata.normalize("NFD", letter) if unicodedata.category(part) != "Mn")
        elif 0x300 <= ord(letter) <= 0x36F:
            letter = ""
        letters.append(letter)
    plain = re.sub(r"[^a-z.!?]+", " ", "".join(c.lower() if c.isascii() else " " for c in "".join(letters)))
    return re.sub(r" +", " ", re.sub(r"([.!?])", r" \1", plain)).strip()


@dataclass
class Prepared:
    words: list[str]
    pairs: list[tuple[list[int], list[int]]]


def prepare(pairs: list[Pair]) -> Prepared:
    kept = []
    for question, answer in pairs:
        sides = normalise(question).split(), normalise(answer).split()
        if all(0 < len(side) < MOST_TOKENS for side in sides):
            kept.append(sides)
    counts = Counter(word for sides in kept for side in sides for word in side)
    words = ["PAD", "SOS", "EOS", *(word for word, count in counts.items() if count >= LEAST_COUNT)]
    ids = {word: number for number, word in enumerate(words)}
    for special in words[:3]:
        ids.pop(special)
    numbered = [tuple([ids[word] for word in side] if all(word in ids for word in side) else None for side in sides)
                for sides in kept]
    return Prepared(words, [(question, answer) for question, answer in numbered if question and answer])


def split(prepared: Prepared) -> tuple[list, list]:
    """Training and held-out pairs."""
    tested = [held_out(" ".join(prepared.words[token] for token in question)) for question, _ in prepared.pairs]
    return ([pair for pair, test in zip(prepared.pairs, tested) if not test],
            [pair for pair, test in zip(prepared.pairs, tested) if test])
