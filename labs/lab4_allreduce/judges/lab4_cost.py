"""The cost model: seconds of an all-reduce on a network where a message of b bytes takes alpha + b beta seconds."""
import math
from dataclasses import dataclass

from lab4_table import fold


@dataclass(frozen=True)
class Machine:
    alpha: float = 10e-6   # seconds
    beta: float = 0.8e-9   # seconds per byte
    gamma: float = 0.0     # seconds per byte that is added up


@dataclass(frozen=True)
class Terms:
    """Seconds = latency + bandwidth + reduction; the first two are counts times alpha, and bytes times beta."""
    messages: float  # one after the other, on the longest path
    bytes: float
    added: float     # bytes

    def seconds(self, machine: Machine) -> float:
        return self.messages * machine.alpha + self.bytes * machine.beta + self.added * machine.gamma


def terms(operation: str, ranks: int, size: float) -> Terms:
    """Of an algorithm on `size` bytes (lab 4 handout, "What each algorithm costs")."""
    if ranks == 1:
        return Terms(0, 0, 0)
    power, log, rest = fold(ranks)
    steps, folds, share = math.ceil(math.log2(ranks)), 1 if rest else 0, (ranks - 1) / ranks
    if operation in ("ps", "ps_last"):
        return Terms(2 * (ranks - 1), 2 * (ranks - 1) * size, (ranks - 1) * size)
    if operation == "tree":
        return Terms(2 * steps, 2 * steps * size, steps * size)
    if operation == "rd":
        return Terms(log + 2 * folds, (log + 2 * folds) * size, (log + folds) * size)
    if operation == "rabenseifner":
        halves = (power - 1) / power
        return Terms(2 * (log + folds), 2 * (halves + folds) * size, (halves + folds) * size)
    if operation.startswith("hier") and ranks % int(operation[4:]) == 0:
        inside = int(operation[4:])
        return Terms(2 * (inside - 1 + ranks // inside - 1), 2 * share * size, share * size)
    if operation.startswith("dtree"):
        segments = int(operation[5:])
        rounds = segments - 1 + 2 * steps
        return Terms(rounds, rounds * 2 * size / segments, rounds * size / segments)
    return Terms(2 * (ranks - 1), 2 * share * size, share * size)  # ring, and a server in P parts


def lower_bound(ranks: int, size: float, machine: Machine) -> float:
    """No all-reduce is faster: information of all ranks has to reach each, and each sends 2 (P-1)/P of the data."""
    return max(math.ceil(math.log2(ranks)) * machine.alpha, 2 * (ranks - 1) / ranks * size * machine.beta)


MODEL_NAMES = ("ps", "tree", "ring", "rd", "rabenseifner", "hier8")  # in the order of enum class Algo


def predict(name: str, ranks: int, size: int, machine: Machine) -> float:
    return terms(name, ranks, size).seconds(machine)
