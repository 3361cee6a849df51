"""D1: corpus files for a score of record, with drawn ids, texts and places, and what must come of each (handout, D1)."""
import json
import random
from typing import Any

Line = dict[str, Any]
WORDS = ("where", "Here!", "caf\u00e9", "now?", "\u4f60\u597d", "a \"b\"", "c\\d", "Hm", "it's", "9 lives", "\u0141\u00f3d\u017a", "tab\there")


def line(id: str, text: str, reply: "str | None" = None, conversation: str = "c", key: str = "reply-to") -> Line:
    return {"id": id, "conversation_id": conversation, "text": text, "speaker": "s", "meta": {"a": [1]}, key: reply, "timestamp": 1}


def text_of(lines: list[Any]) -> str:
    return "\n".join(one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in lines) + "\n"


def sentence(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(1, 4)))


class Ids:
    def __init__(self, draw: random.Random) -> None:
        self.draw, self.used = draw, set()

    def next(self) -> str:
        while (found := f"{self.draw.choice('Lxu')}{self.draw.randrange(10**6)}") in self.used:
            pass
        self.used.add(found)
        return found


def conversations(draw: random.Random, ids: Ids) -> list[Line]:
    """Trees of replies; some cross from one conversation to another, some texts are empty."""
    found: list[Line] = []
    key = draw.choice(("reply-to", "reply_to"))
    for conversation in draw.sample(("c1", "c2", "films", "x"), draw.randint(2, 3)):
        own: list[Line] = []
        for _ in range(draw.randint(3, 7)):
            others = own if own and (not found or draw.random() < 0.85) else found
            text = draw.choice(("", "  ")) if draw.random() < 0.1 else sentence(draw)
            own.append(line(ids.next(), text, draw.choice(others)["id"] if others else None, conversation, key))
        found += own
    draw.shuffle(found)
    return found


def pairs_of(text: str) -> list[list[str]]:
    """In the order of the replies."""
    lines = [json.loads(one) for one in text.split("\n") if one]
    by_id = {one["id"]: one for one in lines}
    found = []
    for reply in lines:
        target = by_id.get(reply.get("reply-to", reply.get("reply_to")))
        if target and target["conversation_id"] == reply["conversation_id"] and target["text"].strip() and reply["text"].strip():
            found.append([target["text"], reply["text"]])
    return found


def cycle(draw: random.Random, ids: Ids, length: int) -> list[Line]:
    names = [ids.next() for _ in range(length)]
    return [line(name, sentence(draw), names[i - 1]) for i, name in enumerate(names)]


def damaged(kind: str, draw: random.Random) -> tuple[str, int]:
    """A file with one mistake, and the number of the line that must be named."""
    ids = Ids(draw)
    lines: list[Any] = conversations(draw, ids)
    some = draw.choice(lines)["id"]
    whole = line(ids.next(), sentence(draw), some)
    added: list[Any] = {
        "malformed": lambda: [json.dumps(whole)[:-draw.randint(1, 9)]],
        "no_object": lambda: [draw.choice(("[1, 2]", "7", "\"text\"", "null"))],
        "no_id": lambda: [without(whole, "id")],
        "no_text": lambda: [without(whole, "text")],
        "text_is_number": lambda: [whole | {"text": draw.randint(0, 9)}],
        "unknown_target": lambda: [line(whole["id"], sentence(draw), ids.next())],
        "duplicate": lambda: [line(some, sentence(draw))],
        "cycle": lambda: cycle(draw, ids, draw.randint(2, 4)),
        "self_reply": lambda: cycle(draw, ids, 1)}[kind]()
    for one in added:
        lines.insert(draw.randint(0, len(lines)), one)
    places = [number for number, one in enumerate(lines, 1) if any(one is new for new in added)]
    if kind == "duplicate":  # the second of both
        places = [number for number, one in enumerate(lines, 1) if one["id"] == some][1:]
    return text_of(lines), places[0]


def without(one: Line, key: str) -> Line:
    return {name: value for name, value in one.items() if name != key}
