"""P2: loss and gradient against finite differences of a second implementation, and what distillation gains in training."""
from collections.abc import Sequence

import numpy as np
from lab5_compress import Results, differs, judge, normal, bits, number, take

SETTINGS = ((1, 1), (4, 1), (100, 1), (4, .9), (2, .5), (4, 0))  # temperature, alpha
STEP = 1e-5


def log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def losses(teacher: np.ndarray, student: np.ndarray, labels: np.ndarray, temperature: float, alpha: float) -> np.ndarray:
    """Of each image."""
    wanted, soft = log_softmax(teacher / temperature), log_softmax(student / temperature)
    divergence = (np.exp(wanted) * (wanted - soft)).sum(axis=1)
    return alpha * temperature**2 * divergence - (1 - alpha) * log_softmax(student)[np.arange(len(labels)), labels]


def gradient(teacher: np.ndarray, student: np.ndarray, labels: np.ndarray, temperature: float, alpha: float) -> np.ndarray:
    """By central differences, of the mean."""
    result = np.empty(student.shape)
    for c in range(student.shape[1]):
        step = np.zeros(student.shape[1])
        step[c] = STEP
        up, down = (losses(teacher, student + sign * step, labels, temperature, alpha) for sign in (1, -1))
        result[:, c] = (up - down) / (2 * STEP)
    return result / len(labels)


def find(results: Results, words: Sequence[str]) -> str:
    batch, classes, seed = map(int, words)
    teacher, student = (normal(seed, which, batch * classes, scale).reshape(batch, classes) for which, scale in ((0, 3), (1, 2)))
    labels = (bits(seed, 2, batch) % np.uint64(classes)).astype(np.int64)
    for place, (temperature, alpha) in enumerate(SETTINGS):
        for tail, own in (("", student), ("_large", student * np.float32(300))):
            logits = teacher.astype(np.float64), own.astype(np.float64)
            about = f"T = {temperature}, alpha = {alpha}{', logits in the hundreds' if tail else ''}"
            expected = losses(*logits, labels, temperature, alpha).mean()
            loss = number(results, f"loss{place}{tail}")
            if not abs(loss - expected) <= 1e-6 * max(1.0, abs(expected)):
                return f"{about}: the loss is {loss:.9g}, expected {expected:.9g}"
            wanted = gradient(*logits, labels, temperature, alpha).reshape(-1)
            # Rounding of the losses in the differences; the gradient itself is float.
            near = 1e-6 * float(np.abs(wanted).max()) + 1e-15 * float(np.abs(logits[1]).max() + expected) / STEP + 1e-9
            said = differs(f"{about}: gradient", take(results, f"gradient{place}{tail}", wanted.size), wanted, near)
            if said:
                return said
    return ""


judge_loss = judge("loss and gradient at six settings, against finite differences", find)
