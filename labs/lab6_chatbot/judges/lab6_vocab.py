"""D1: corpus files, good and damaged; normaliser, vocabulary, batches."""
import json
import random
from collections.abc import Sequence
from typing import Any

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab6_corpus import END, PAD, normalise, prepare, synthetic_pairs
from lab6_data import problem_of, wrong_at
from lab6_drawn_files import Ids, conversations, damaged, line, pairs_of, text_of

GOOD: dict[str, tuple[list[dict[str, Any]], list[list[str]]]] = {
    "small": ([line("1", "Where?"), line("2", "Here.", "1"), line("3", "And now?", "2"), line("4", " ", "3"), line("5", "Hm", "4")],
              [["Where?", "Here."], ["Here.", "And now?"]]),
    "conversations": ([line("b", "late", "a", "x"), line("a", "early", None, "x"), line("c", "other", "a", "y"), line("d", "two", "a", "x")],
                      [["early", "late"], ["early", "two"]]),
    "old_keys": ([line("1", "q", key="reply_to"), line("2", "a", "1", key="reply_to"), {"id": "3", "text": "b", "reply-to": "2",
                                                                                    "conversation_id": "c"}],
                 [["q", "a"], ["a", "b"]]),
    "unicode": ([line("1", 'caf\u00e9 "x"\n\u4f60'), line("2", "\\ok\t\u0301", "1")], [['caf\u00e9 "x"\n\u4f60', "\\ok\t\u0301"]]),
}
OK = [line("1", "a"), line("2", "b", "1")]
# name -> (lines, number of the line that must be named)
DAMAGED: dict[str, tuple[list[Any], int]] = {
    "malformed": ([*OK, '{"id": "3", "text": "x"'], 3),
    "no_object": ([OK[0], "[1, 2]"], 2),
    "no_id": ([OK[0], {"text": "x", "reply-to": "1"}], 2),
    "no_text": ([OK[0], OK[1], {"id": "3", "reply-to": "1"}], 3),
    "text_is_number": ([{"id": "1", "text": 5}], 1),
    "unknown_target": ([OK[0], line("2", "b", "7"), line("3", "c", "1")], 2),
    "duplicate": ([*OK, line("1", "c")], 3),
    "cycle": ([line("0", "z"), line("1", "a", "3"), line("2", "b", "1"), line("3", "c", "2")], 2),
    "self_reply": ([*OK, line("3", "c", "3")], 3),
}
DRAWN = " drawn"  # behind the name of a file that is made for a score of record


def file_of(text: str, name: str) -> Case:
    return Case("corpus", name, env=(("HPML_TEXT", text),))


def plan_corpus(test: Test, context: Context) -> list[Case]:
    draw = random.Random(context.seed(test, 0))
    return [*(file_of(text_of(GOOD[name][0]), name) for name in test.shapes),
            *(file_of(text_of(conversations(draw, Ids(draw))), f"{i}{DRAWN}") for i in range(4 * context.for_record))]


def drawn_damages(test: Test, context: Context) -> dict[str, tuple[str, int]]:
    draw = random.Random(context.seed(test, 0))
    return {f"{name}{DRAWN}": damaged(name, draw) for name in test.shapes if context.for_record}


def plan_refused(test: Test, context: Context) -> list[Case]:
    return [*(file_of(text_of(DAMAGED[name][0]), name) for name in test.shapes),
            *(file_of(text, name) for name, (text, _) in drawn_damages(test, context).items())]


def printed(run: Run) -> Any:
    try:
        return json.loads(run.stdout)
    except (ValueError, RecursionError):
        return None


def judge_corpus(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} files"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        drawn = run.case.args.endswith(DRAWN)
        expected = pairs_of(dict(run.case.env)["HPML_TEXT"]) if drawn else GOOD[run.case.args][1]
        if printed(run) != expected:
            return wrong_at(run, f"expected the pairs {expected}, got {run.stdout.strip()[:200]}", checked)
    return accepted(checked)


def judge_refused(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked, drawn = f"{len(runs)} damaged files", drawn_damages(test, context)
    for run in runs:
        problem = problem_of(run, context)
        if problem and run.state != "exit":
            return problem
        number = drawn.get(run.case.args, DAMAGED.get(run.case.args, ("", 0)))[1]
        said = [one for one in run.stderr.splitlines() if one.strip()]
        if run.code != 2 or len(said) != 1 or f"utterances.jsonl:{number}: " not in said[0]:
            return wrong_at(run, f"expected BadInput with one line, \".../utterances.jsonl:{number}: what is wrong\", got exit code "
                            f"{run.code} and {' / '.join(said)[:160] or 'nothing'}", checked)
    return accepted(checked)


TEXTS = ["Aren't you caf\u00e9-bound?", "  A.b..C!?  ", "\u0141\u00f3d\u017a \u00df \u00d8 \u00c6", "e\u0301\u0301x \u1ebf", "1st 2nd, THIRD; fo-urth",
         "", "\u00a0\u4f60\u597d", "?", "na\u00efve \u010cesk\u00fd \u0130stanbul \u0149", "a\tb\nc\u2028d", "Z\u00fcrich!!! \ud83d\ude00 ok"]


def plan_normalise(test: Test, context: Context) -> list[Case]:
    draw = random.Random(context.seed(test, 0))
    letters = "abcXYZ .!?'-,09\u00e9\u00fc\u00d1\u0105\u0141\u017f\u0301\u0308\u2019\u4f60\t"
    texts = TEXTS + ["".join(draw.choice(letters) for _ in range(draw.randint(1, 40))) for _ in range(60)]
    texts += ["".join(map(chr, range(first, first + 32))) for first in range(0xA0, 0x180, 32)]
    return [Case("vocab", "normalise", env=(("HPML_TEXT", json.dumps(texts)),))]


def judge_normalise(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    texts = json.loads(dict(runs[0].case.env)["HPML_TEXT"])
    checked = f"{len(texts)} texts"
    problem = problem_of(runs[0], context)
    if problem:
        return problem
    got = printed(runs[0])
    if not isinstance(got, list) or len(got) != len(texts):
        return wrong_at(runs[0], f"expected {len(texts)} texts, got {runs[0].stdout[:100]}", checked)
    for text, one in zip(texts, got):
        if one != normalise(text):
            return wrong_at(runs[0], f"{text!r}: expected {normalise(text)!r}, got {one!r}", checked)
    return accepted(checked)


def random_pairs(draw: random.Random) -> list[list[str]]:
    """Sides of 0 to 12 words; words of a tail that is mostly rare."""
    words = [f"{a}{b}" for a in "bcdfg" for b in ("a", "e", "i", "o", "\u00e9")]
    side = lambda: " ".join(words[int(draw.paretovariate(0.6)) % 25] + draw.choice(("", "", "", "!", ".")) for _ in range(draw.randint(0, 12)))  # noqa: E731
    return [[side(), side()] for _ in range(40)]


def plan_vocabulary(test: Test, context: Context) -> list[Case]:
    if test.params.get("data") != "hidden":
        return [Case("vocab", shape) for shape in context.shapes(test, 1)]
    draw = random.Random(context.seed(test, 0))
    return [Case("vocab", f"synthetic {draw.randint(2, 1 << 20)}"),
            *(Case("vocab", "prepare 0", env=(("HPML_TEXT", json.dumps(random_pairs(draw))),)) for _ in range(2))]


def prepared_of(run: Run) -> Any:
    what = run.case.args.split()
    if what[0] == "synthetic":
        return prepare(synthetic_pairs(int(what[1])))
    return prepare([tuple(pair) for pair in json.loads(dict(run.case.env)["HPML_TEXT"])])


def judge_vocabulary(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} corpora"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        expected, got = prepared_of(run), printed(run)
        if not isinstance(got, dict):
            return wrong_at(run, f"nothing that can be read: {run.stdout[:80]}", checked)
        if got.get("words") != expected.words:
            return wrong_at(run, f"expected {len(expected.words)} words, {expected.words[3:8]}..., got {str(got.get('words'))[:120]}", checked)
        if got.get("ids") != {word: i for i, word in enumerate(expected.words) if i > END}:
            return wrong_at(run, "ids do not lead from each word to its place in words", checked)
        if got.get("pairs") != [list(map(list, pair)) for pair in expected.pairs]:
            return wrong_at(run, f"expected {len(expected.pairs)} pairs, got {len(got.get('pairs', []))}, or others", checked)
    return accepted(checked)


def plan_batch(test: Test, context: Context) -> list[Case]:
    draw = random.Random(context.seed(test, 0))
    words = ["ka", "ke", "ki", "ko", "ku", "ra", "re"]
    side = lambda: " ".join(draw.choice(words) for _ in range(draw.randint(1, 9)))  # noqa: E731
    text = json.dumps([[side(), side()] for _ in range(30)])
    orders = [[0, 1, 2, 3, 4], [4, 2, 0, 1, 3], [draw.randrange(20)]]
    return [Case("vocab", "prepare " + " ".join(map(str, order)), env=(("HPML_TEXT", text),)) for order in orders]


def expected_batch(pairs: list[tuple[list[int], list[int]]]) -> dict[str, Any]:
    sides = [[one[i] + [END] for one in pairs] for i in (0, 1)]
    steps = [max(map(len, side)) for side in sides]
    columns = [[side[b][t] if t < len(side[b]) else PAD for t in range(n) for b in range(len(pairs))] for side, n in zip(sides, steps)]
    return {"size": len(pairs), "question_steps": steps[0], "answer_steps": steps[1], "question": columns[0],
            "lengths": [len(one) for one in sides[0]], "answer": columns[1], "mask": [float(token != PAD) for token in columns[1]]}


def judge_batch(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} batches"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        prepared, got = prepared_of(run), printed(run)
        batch = got.get("batch") if isinstance(got, dict) else None
        expected = expected_batch([prepared.pairs[int(i)] for i in run.case.args.split()[1:]])
        for key, value in expected.items():
            if not isinstance(batch, dict) or batch.get(key) != value:
                return wrong_at(run, f"{key}: expected {str(value)[:100]}, got {str(batch.get(key) if isinstance(batch, dict) else batch)[:100]}", checked)
    return accepted(checked)
