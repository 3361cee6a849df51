"""The trained network a second time: a checkpoint read, and greedy search in double precision."""
import json
from dataclasses import dataclass

import numpy
from lab6_corpus import END, MOST_TOKENS, PAD, START

MAGIC = b"hpml-chatbot/v1\n"
LONGEST_HEADER = 1 << 20  # bytes


@dataclass
class Checkpoint:
    header: dict
    tensors: dict[str, numpy.ndarray]

    @property
    def words(self) -> list[str]:
        return self.header["words"]


def read_checkpoint(data: bytes) -> Checkpoint:
    """Raises ValueError, KeyError or TypeError for what is none."""
    if not data.startswith(MAGIC):
        raise ValueError("no checkpoint")
    end = data.index(b"\n", len(MAGIC))
    if end > LONGEST_HEADER:
        raise ValueError("a header of megabytes")
    header, at, tensors = json.loads(data[len(MAGIC):end]), end + 1, {}
    for entry in header["tensors"]:
        count = entry["rows"] * entry["columns"]
        if entry["rows"] < 0 or count < 0:  # NumPy would take all that is left
            raise ValueError("a tensor of less than nothing")
        tensors[entry["name"]] = numpy.frombuffer(data, numpy.float32, count, at).astype(numpy.float64).reshape(
            entry["rows"], entry["columns"])
        at += 4 * count
    return Checkpoint(header, tensors)


def sigmoid(x: numpy.ndarray) -> numpy.ndarray:
    return 1 / (1 + numpy.exp(-numpy.clip(x, -500, 500)))


class Network:
    def __init__(self, tensors: dict[str, numpy.ndarray]) -> None:
        self.tensors = tensors
        self.hidden = tensors["embedding.weight"].shape[1]

    def step(self, layer: str, x: numpy.ndarray, state: numpy.ndarray) -> numpy.ndarray:
        """One GRU step of a batch; layer: "encoder.gru.*_l0"."""
        name, suffix = layer.split("*")
        from_x = x @ self.tensors[f"{name}weight_ih{suffix}"].T + self.tensors[f"{name}bias_ih{suffix}"]
        from_state = state @ self.tensors[f"{name}weight_hh{suffix}"].T + self.tensors[f"{name}bias_hh{suffix}"]
        h = self.hidden
        r, z = sigmoid(from_x[:, :h] + from_state[:, :h]), sigmoid(from_x[:, h:2 * h] + from_state[:, h:2 * h])
        n = numpy.tanh(from_x[:, 2 * h:] + r * from_state[:, 2 * h:])
        return (1 - z) * n + z * state

    def layer(self, layer: str, x: numpy.ndarray, lengths: numpy.ndarray, backwards: bool) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Outputs [T][B][H], zero at padding, and the last states."""
        steps, batch = x.shape[:2]
        state, out = numpy.zeros((batch, self.hidden)), numpy.zeros((steps, batch, self.hidden))
        for t in reversed(range(steps)) if backwards else range(steps):
            real = (t < lengths)[:, None]
            state = numpy.where(real, self.step(layer, x[t], state), state)
            out[t] = state * real
        return out, state

    def encode(self, tokens: numpy.ndarray, lengths: numpy.ndarray) -> tuple[numpy.ndarray, list[numpy.ndarray]]:
        x = self.tensors["embedding.weight"][tokens]
        forward, first = self.layer("encoder.gru.*_l0", x, lengths, False)
        backward, second = self.layer("encoder.gru.*_l0_reverse", x, lengths, True)
        x = numpy.concatenate([forward, backward], axis=2)
        return (self.layer("encoder.gru.*_l1", x, lengths, False)[0]
                + self.layer("encoder.gru.*_l1_reverse", x, lengths, True)[0]), [first, second]

    def decode(self, token: numpy.ndarray, states: list[numpy.ndarray], keys: numpy.ndarray,
               lengths: numpy.ndarray) -> tuple[numpy.ndarray, list[numpy.ndarray]]:
        """Logits [B][V] and the new states of one step."""
        low = self.step("decoder.gru.*_l0", self.tensors["embedding.weight"][token], states[0])
        high = self.step("decoder.gru.*_l1", low, states[1])
        scores = numpy.einsum("bh,kbh->bk", high, keys)
        scores[numpy.arange(len(keys))[None, :] >= lengths[:, None]] = -numpy.inf
        weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        joined = numpy.concatenate([high, numpy.einsum("bk,kbh->bh", weights, keys)], axis=1)
        hidden = numpy.tanh(joined @ self.tensors["decoder.concat.weight"].T + self.tensors["decoder.concat.bias"])
        return hidden @ self.tensors["decoder.out.weight"].T + self.tensors["decoder.out.bias"], [low, high]

    def answer(self, questions: list[list[int]]) -> list[list[int]]:
        """Greedy search: the words before END, at most MOST_TOKENS."""
        lengths = numpy.array([len(question) + 1 for question in questions])
        tokens = numpy.full((lengths.max(), len(questions)), PAD)
        for b, question in enumerate(questions):
            tokens[:lengths[b], b] = [*question, END]
        keys, states = self.encode(tokens, lengths)
        token, chosen = numpy.full(len(questions), START), []
        for _ in range(MOST_TOKENS):
            logits, states = self.decode(token, states, keys, lengths)
            token = logits.argmax(axis=1)
            chosen.append(token)
        rows = numpy.array(chosen).T.tolist()
        return [row[:row.index(END)] if END in row else row for row in rows]
