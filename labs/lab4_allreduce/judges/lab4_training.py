"""Exercise E9: synchronous training behind the relay. Losses are computed here, from the weights that a run leaves; times and
messages are the relay's."""
from collections.abc import Sequence
from dataclasses import dataclass

import lab4_cost as cost
import lab4_data as data
import lab4_softmax as softmax
import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted, wrong
from lab4_cases import keys_of, own_numbers, seed_of
from lab4_observation import Observation, sent
from lab4_softmax import WEIGHTS
from lab4_table import FLOAT
from lab4_traffic import too_little
from lab4_waiting import named, observe

STEP_S = 0.005
SERIAL_TOLERANCE = 1e-5   # of a loss
WEIGHT_TOLERANCE = 1e-4


def case(program: str, ranks: int, **settings: float | str) -> Case:
    """With a seed each rank has samples that follow from a value of its own; a compressor's gradient is the same for all."""
    program = f"{program}_relay"
    own: tuple[tuple[str, str], ...] = ()
    if "seed" in settings:
        seed = int(settings["seed"])
        own = () if "elements" in settings else own_numbers(program, seed, ranks)
        settings["seed"] = data.told(seed)
    return Case(program, " ".join(f"{name}={value}" for name, value in settings.items()), own, dump=True, ranks=ranks)


def setting(run: Run, name: str, otherwise: str = "0") -> str:
    return dict(word.split("=") for word in run.case.args.split()).get(name, otherwise)


@dataclass(frozen=True)
class Drawn:
    """What a run is asked for, of a seed: a program that knows the times and weights of one training knows none of this one."""
    seed: int

    def whole(self, which: int, low: int, high: int) -> int:
        """From low to high, both included. which: another number each."""
        return low + data.mix_one(self.seed + which) % (high - low + 1)

    def settings(self) -> dict[str, float]:
        """Seconds of a gradient, 4 to 6 ms; the learning rate; and the seed of the samples."""
        return {"compute": self.whole(0, 16, 24) / 4000, "rate": self.whole(1, 10, 20) / 200, "seed": self.seed}

    @property
    def slow(self) -> float:
        """How many times longer a slow rank computes."""
        return self.whole(2, 4 * SLOW - 4, 4 * SLOW + 4) / 4


def trained(run: Run, context: Context) -> tuple[Observation | None, Outcome | None]:
    """A run in which all ranks ended with the same weights, or why it is none."""
    observed, problem = observe(run, context)
    if problem or observed is None:
        return None, problem
    if len({record["hash"] for record in observed.all_json(0).values()}) != 1:
        return None, wrong(f"`{named(run.case)}`: the ranks end with different weights: add up what all ranks send in the order of the "
                           "ranks")
    return observed, None


def weights(observed: Observation) -> np.ndarray:
    """Of rank 0; not a number where it left none."""
    found = observed.floats(0, 0)
    return found if found is not None and len(found) == WEIGHTS else np.full(WEIGHTS, np.nan, dtype=np.float32)


def seconds(observed: Observation) -> float:
    """From the beginning to the last rank's return."""
    return max(record["end"] for record in observed.all_json(0).values())


DENSE_STEPS, STRAGGLER_STEPS, STRAGGLER_RANKS, SLOW = 100, 50, 9, 5
RATE = 0.1  # of SgdConfig
LOSS_STEPS, LOSS_RANKS = 300, 8
SLACK = 1.05  # times the seconds of the computations and the rings
NEAR_DENSE, BETTER = 0.02, 0.05   # loss with error feedback: at most so far above dense; without it so much worse
CODECS = ((641, "top_k", 0.05), (100, "top_k", 0.01), (9, "top_k", 0.01), (641, "sign", 0), (8, "sign", 0), (641, "int8", 0))


def plan_dense(test: Test, context: Context) -> list[Case]:
    return [case("sync", ranks, steps=DENSE_STEPS, seed=seed_of(test, context)) for ranks in (2, 5)]


def judge_dense(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"loss after {DENSE_STEPS} steps against the same training in one process; bytes of all ranks"
    for run in runs:
        observed, problem = trained(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        problem = not_as_in_one_process(run, observed, checked) or unheard(observed, DENSE_STEPS)
        if problem:
            return problem
    return accepted(checked)


def not_as_in_one_process(run: Run, observed: Observation, checked: str) -> Outcome | None:
    """Wrong weights of a synchronous training without compressor."""
    steps, rate, got = int(setting(run, "steps")), float(setting(run, "rate", str(RATE))), weights(observed)
    expected = softmax.synchronous(keys_of(run.case), steps, rate)
    loss, serial = softmax.loss(got), softmax.loss(expected)
    if abs(loss - serial) <= SERIAL_TOLERANCE and np.abs(got - expected).max() <= WEIGHT_TOLERANCE:
        return None
    return wrong(f"P = {run.case.ranks}: the loss is {loss:.7f}, training with all ranks' batches in one process gives "
                 f"{serial:.7f}: subtract learning_rate times the mean over the ranks of the mean gradients", checked)


def unheard(observed: Observation, steps: int) -> Outcome | None:
    """No average of all ranks can have been made of fewer bytes. How the ring cuts them up is E3's affair."""
    flows = {rank: sent(record) for rank, record in observed.all_json(0).items()}
    below = too_little(flows, observed.ranks, WEIGHTS * steps)
    return Outcome(Verdict.PV, f"P = {observed.ranks}, {steps} steps: {below}") if below else None


def plan_codec(test: Test, context: Context) -> list[Case]:
    return [case("sync", 2, compressor=name, fraction=fraction, elements=n, seed=seed_of(test, context))
            for n, name, fraction in CODECS]


def judge_codec(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "size of each payload, and what it stands for"
    for (n, name, fraction), run in zip(CODECS, runs):
        observed, problem = observe(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        sentence = wrong_code(name, fraction, data.vector("mixed", int(setting(run, "seed")), 0, n), observed)
        if sentence:
            return wrong(f"{name}, {n} elements: {sentence}", checked)
    return accepted(checked)


def wrong_code(name: str, fraction: float, gradient: np.ndarray, observed: Observation) -> str:
    n = len(gradient)
    kept = max(1, int(n * fraction))
    size = {"top_k": 8 * kept, "sign": (n + 7) // 8 + 4, "int8": n + 4}[name]
    payload, decoded = observed.bytes(0, 0), observed.floats(0, 1)
    record = observed.json(0, 0) or {}
    if payload is None or decoded is None or len(payload) != size or record.get("payload") != size:
        return f"the payload has {len(payload or b'')} bytes, expected {size}"
    stands_for = decoded.astype(np.float64) - 1  # it was added to ones
    return {"top_k": _wrong_top_k, "sign": _wrong_sign, "int8": _wrong_int8}[name](gradient, stands_for, kept)


def _rounding(expected: np.ndarray) -> np.ndarray:
    """Of adding a float to 1."""
    return 2.0**-23 * (1 + np.abs(expected))


def _element(expected: np.ndarray, got: np.ndarray, bad: np.ndarray) -> str:
    at = int(np.flatnonzero(bad)[0])
    return f"decode_add adds {got[at]:.6g} to element {at}, expected {expected[at]:.6g}"


def _wrong_top_k(gradient: np.ndarray, got: np.ndarray, kept: int) -> str:
    order = np.argsort(-np.abs(gradient), kind="stable")[:kept]
    expected = np.zeros(len(gradient))
    expected[order] = gradient[order]
    bad = ~(np.abs(got - expected) <= _rounding(expected))  # NaN is wrong
    return _element(expected, got, bad) if bad.any() else ""


def _wrong_sign(gradient: np.ndarray, got: np.ndarray, kept: int) -> str:
    expected = np.where(gradient >= 0, 1.0, -1.0) * np.abs(gradient).mean(dtype=np.float64)
    bad = ~(np.abs(got - expected) <= 2 * _rounding(expected))
    return _element(expected, got, bad) if bad.any() else ""


def _wrong_int8(gradient: np.ndarray, got: np.ndarray, kept: int) -> str:
    """Either neighbour is right for an element; rounding to the nearest one, always, is not unbiased."""
    step = float(np.abs(gradient).max()) / 127
    bad = ~(np.abs(got - gradient) <= step * 1.001 + _rounding(gradient))
    if bad.any():
        return _element(gradient, got, bad)
    exact = gradient / step
    away = np.abs(np.round(got / step) - exact)
    if not (away[np.abs(exact - np.round(exact)) > 0.05] > 0.5).any():
        return "every element is rounded to the nearest step: then small gradients are lost for ever; round at random"
    return ""


def plan_feedback(test: Test, context: Context) -> list[Case]:
    own = {"steps": LOSS_STEPS, "seed": seed_of(test, context)}
    top = {"compressor": "top_k", "fraction": 0.01}
    return [case("sync", LOSS_RANKS, **own), case("sync", LOSS_RANKS, **own, **top, feedback=1),
            case("sync", LOSS_RANKS, **own, **top, feedback=0),
            *(case("sync", LOSS_RANKS, **own, compressor=name, feedback=1) for name in ("sign", "int8"))]


PAYLOADS = (WEIGHTS * FLOAT, 8 * 6, 8 * 6, WEIGHTS // 8 + 4, WEIGHTS + 4)  # bytes, of the five runs


def judge_feedback(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"loss after {LOSS_STEPS} steps: dense, the largest 1 % with and without error feedback, signs, int8"
    losses, sizes = [], []
    for run, size in zip(runs, PAYLOADS):
        observed, problem = trained(run, context)
        problem = problem or (wrong_payloads(observed, size) if observed and "compressor" in run.case.args else None)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        losses.append(softmax.loss(weights(observed)))
        sizes.append((observed.json(0, 0) or {}).get("payload"))
    if tuple(sizes) != PAYLOADS:
        return wrong(f"payload_bytes of the five runs are {sizes}, expected {list(PAYLOADS)}", checked)
    dense, feedback, without = losses[:3]
    if not np.isfinite(losses).all():
        return wrong("a loss is infinite or not a number", checked)
    for name, loss in zip(("the largest 1 %", "signs", "int8"), (feedback, *losses[3:])):
        if loss > dense + NEAR_DENSE:
            return wrong(f"{name} with error feedback: loss {loss:.4f}, dense {dense:.4f}; at most {NEAR_DENSE} more is allowed: "
                         "add to each gradient what the payloads before have left out of the earlier ones", checked)
    if without < feedback + BETTER:
        return wrong(f"without error feedback the loss is {without:.4f}, with it {feedback:.4f}: config.error_feedback must "
                     "make a difference", checked)
    return accepted(checked, dense=round(dense, 6), feedback=round(feedback, 6), without=round(without, 6))


def wrong_payloads(observed: Observation, size: int) -> Outcome | None:
    """Every rank sends its payload to each other rank in each step."""
    expected = LOSS_STEPS * size
    for rank, record in observed.all_json(0).items():
        flows = sent(record)
        for peer in range(observed.ranks):
            bytes_sent = flows[peer].bytes if peer in flows else 0
            if peer != rank and bytes_sent != expected:
                return wrong(f"P = {observed.ranks}: rank {rank} sends {bytes_sent} bytes to rank {peer}; {LOSS_STEPS} payloads of "
                             f"{size} bytes are {expected}")
    return None


def plan_slow(test: Test, context: Context) -> list[Case]:
    drawn = Drawn(seed_of(test, context))
    return [case("sync", STRAGGLER_RANKS, steps=drawn.whole(3, STRAGGLER_STEPS - 10, STRAGGLER_STEPS + 10), slow=slow, **drawn.settings())
            for slow in (1, drawn.slow)]


def judge_slow(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    slowest = setting(runs[-1], "slow")
    checked = f"weights and time of {setting(runs[0], 'steps')} steps, with and without a rank that is {slowest} times slower"
    times = []
    for name, run in zip(("equal ranks", "one slow rank"), runs):
        observed, problem = trained(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        steps, took = int(setting(run, "steps")), seconds(observed)
        if problem := unheard(observed, steps) or not_as_in_one_process(run, observed, checked):
            return problem
        least = steps * float(setting(run, "compute")) * float(setting(run, "slow"))
        most = SLACK * (least + steps * cost.predict("ring", run.case.ranks, WEIGHTS * FLOAT, cost.Machine()))
        if not least <= took <= most:
            return wrong(f"{name}: {took:.4f} s, expected {least:.4f} to {most:.4f} s: call compute(config.compute_s) once per step",
                         checked)
        times.append(took)
    return accepted(checked, ratio=round(times[1] / times[0], 4))
