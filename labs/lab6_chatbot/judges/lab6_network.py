"""The chatbot of a seeded checkpoint (src/harness/seeded.hpp) in NumPy, float64: encoder, decoder step, greedy search."""
import math
from dataclasses import dataclass

import numpy
from hpml_autograder.splitmix import mix, mix_one

U64 = numpy.uint64
PAD, START, END, MOST_TOKENS = 0, 1, 2, 10


def uniforms(seed: int, stream: int, count: int) -> numpy.ndarray:
    """uniform_of(seed, stream, i) of src/sweep.hpp, i = 0 .. count-1."""
    base = U64(mix_one(mix_one(seed) + stream))
    with numpy.errstate(over="ignore"):
        return (mix(base + numpy.arange(count, dtype=U64)) >> U64(11)).astype(float) * 2.0 ** -53


def weights(seed: int, words: int, hidden: int) -> dict[str, numpy.ndarray]:
    found: dict[str, numpy.ndarray] = {}

    def add(name: str, *shape: int) -> None:
        bound = 1.0 if name == "embedding.weight" else 2 / math.sqrt(hidden)
        draws = uniforms(seed, len(found), int(numpy.prod(shape)))
        found[name] = (bound * (2 * draws - 1)).astype(numpy.float32).astype(float).reshape(shape)

    def add_gru(gru: str, part: str, size: int) -> None:
        add(f"{gru}.weight_ih_{part}", 3 * hidden, size)
        add(f"{gru}.weight_hh_{part}", 3 * hidden, hidden)
        add(f"{gru}.bias_ih_{part}", 3 * hidden)
        add(f"{gru}.bias_hh_{part}", 3 * hidden)

    add("embedding.weight", words, hidden)
    for part, size in (("l0", hidden), ("l0_reverse", hidden), ("l1", 2 * hidden), ("l1_reverse", 2 * hidden)):
        add_gru("encoder.gru", part, size)
    add_gru("decoder.gru", "l0", hidden)
    add_gru("decoder.gru", "l1", hidden)
    add("decoder.concat.weight", hidden, 2 * hidden)
    add("decoder.concat.bias", hidden)
    add("decoder.out.weight", words, hidden)
    add("decoder.out.bias", words)
    return found


def question(seed: int, index: int, words: int) -> list[int]:
    draws = uniforms(seed, 1000000 + index, 9)
    return [3 + int((words - 3) * u) for u in draws[1:2 + int(8 * draws[0])]]


def sigmoid(x: numpy.ndarray) -> numpy.ndarray:
    return 1 / (1 + numpy.exp(-x))


@dataclass
class Network:
    w: dict[str, numpy.ndarray]

    def cell(self, gru: str, part: str, x: numpy.ndarray, h: numpy.ndarray) -> numpy.ndarray:
        """PyTorch's GRU cell: the reset gate multiplies the recurrent product with its bias."""
        a = x @ self.w[f"{gru}.weight_ih_{part}"].T + self.w[f"{gru}.bias_ih_{part}"]
        b = h @ self.w[f"{gru}.weight_hh_{part}"].T + self.w[f"{gru}.bias_hh_{part}"]
        size = h.shape[-1]
        r, z = sigmoid((a + b)[..., :size]), sigmoid((a + b)[..., size:2 * size])
        n = numpy.tanh(a[..., 2 * size:] + r * b[..., 2 * size:])
        return (1 - z) * n + z * h

    def layer(self, part: str, x: numpy.ndarray, lengths: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
        steps, batch, _ = x.shape
        h = numpy.zeros((batch, self.w["embedding.weight"].shape[1]))
        y = numpy.zeros((steps, batch, h.shape[1]))
        for t in (range(steps - 1, -1, -1) if part.endswith("reverse") else range(steps)):
            alive = (t < lengths)[:, None]
            h = numpy.where(alive, self.cell("encoder.gru", part, x[t], h), h)
            y[t] = numpy.where(alive, h, 0)
        return y, h

    def encode(self, tokens: numpy.ndarray, lengths: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
        """tokens [T, B] -> outputs [T, B, H], state [2, B, H]."""
        forward, state_forward = self.layer("l0", self.w["embedding.weight"][tokens], lengths)
        reverse, state_reverse = self.layer("l0_reverse", self.w["embedding.weight"][tokens], lengths)
        both = numpy.concatenate([forward, reverse], axis=2)
        outputs = self.layer("l1", both, lengths)[0] + self.layer("l1_reverse", both, lengths)[0]
        return outputs, numpy.stack([state_forward, state_reverse])

    def step(self, tokens: numpy.ndarray, state: numpy.ndarray, outputs: numpy.ndarray,
             mask: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
        """tokens [B], mask [T, B] -> logits [B, V], next state."""
        first = self.cell("decoder.gru", "l0", self.w["embedding.weight"][tokens], state[0])
        second = self.cell("decoder.gru", "l1", first, state[1])
        scores = numpy.where(mask, numpy.einsum("bh,tbh->tb", second, outputs), -numpy.inf)
        share = numpy.exp(scores - scores.max(axis=0))
        context = numpy.einsum("tb,tbh->bh", share / share.sum(axis=0), outputs)
        mixed = numpy.tanh(numpy.concatenate([second, context], axis=1) @ self.w["decoder.concat.weight"].T
                           + self.w["decoder.concat.bias"])
        return mixed @ self.w["decoder.out.weight"].T + self.w["decoder.out.bias"], numpy.stack([first, second])


def padded(questions: list[list[int]]) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """tokens [T, B] with END, lengths [B], mask [T, B]."""
    lengths = numpy.array([len(words) + 1 for words in questions])
    tokens = numpy.full((lengths.max(), len(questions)), PAD)
    for b, words in enumerate(questions):
        tokens[:len(words) + 1, b] = [*words, END]
    return tokens, lengths, numpy.arange(lengths.max())[:, None] < lengths


def greedy(network: Network, questions: list[list[int]]) -> tuple[list[list[int]], numpy.ndarray]:
    """Replies, and of each the smallest margin by which a word won: below rounding, another reply is as good."""
    tokens, lengths, mask = padded(questions)
    outputs, state = network.encode(tokens, lengths)
    words, margin = numpy.full(len(questions), START), numpy.full(len(questions), numpy.inf)
    replies: list[list[int]] = [[] for _ in questions]
    ended = numpy.zeros(len(questions), bool)
    for _ in range(MOST_TOKENS):
        logits, state = network.step(words, state, outputs, mask)
        words = logits.argmax(axis=1)
        best = numpy.partition(logits, -2, axis=1)[:, -2:]
        margin = numpy.where(ended, margin, numpy.minimum(margin, best[:, 1] - best[:, 0]))
        ended |= words == END
        for b, reply in enumerate(replies):
            if not ended[b]:
                reply.append(int(words[b]))
        if ended.all():
            break
    return replies, margin
