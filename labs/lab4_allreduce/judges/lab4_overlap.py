"""Exercise E7: does communication go on while the program computes? Judged on the relay's times and counts, and the sums."""
import math
from collections.abc import Sequence
from dataclasses import dataclass

import lab4_cost as cost
import lab4_data as data
import lab4_table as table
from hpml_autograder.lab import Case, Context, Network, Outcome, Run, Test, Verdict, accepted, wrong
from lab4_cases import PUBLIC_SEED, keys_of, own_numbers, seed_of
from lab4_cost import Machine
from lab4_observation import Observation, sent
from lab4_sums import wrong_sample
from lab4_table import FLOAT
from lab4_traffic import too_little
from lab4_waiting import named, observe

# The backward pass of the handout (50 layers of 1 MiB, 1 ms each, 1.25 GB/s), with data and bandwidth divided by 128: only
# their quotient counts, and the simulation takes less memory.
SCALE = 128
NETWORK = Network(bytes_per_s=1.25e9 / SCALE)
MACHINE = Machine(alpha=NETWORK.latency_s, beta=1 / NETWORK.bytes_per_s)
LAYERS, LAYER_BYTES, LAYER_S, RANKS = 50, (1 << 20) // SCALE, 1e-3, 8
FULL, NOTHING = 1.10, 1.5     # times the prediction
GAIN = 0.25                   # less than without overlap, at least


@dataclass(frozen=True)
class Pass:
    """A backward pass with buckets of `bucket` bytes."""
    bucket: int
    layers: int = LAYERS
    layer_bytes: int = LAYER_BYTES
    layer_s: float = LAYER_S
    ranks: int = RANKS

    def predicted(self, machine: Machine = MACHINE) -> float:
        """Seconds: the network works from the first full bucket to the end, or the last bucket follows the last layer."""
        size, compute = self.layers * self.layer_bytes, self.layers * self.layer_s
        per_bucket = math.ceil(self.bucket / self.layer_bytes)
        buckets = math.ceil(self.layers / per_bucket)
        last = (self.layers - (buckets - 1) * per_bucket) * self.layer_bytes
        network = (per_bucket * self.layer_s + buckets * 2 * (self.ranks - 1) * machine.alpha
                   + 2 * (self.ranks - 1) / self.ranks * size * machine.beta)
        return max(network, compute + cost.predict("ring", self.ranks, last, machine))

    def without_overlap(self, machine: Machine = MACHINE) -> float:
        """Seconds: all layers are computed, then one ring adds them all up."""
        return self.layers * self.layer_s + cost.predict("ring", self.ranks, self.layers * self.layer_bytes, machine)

    def case(self, mode: str, seed: int = PUBLIC_SEED) -> Case:
        words = f"{mode} {self.layers} {self.layer_bytes // FLOAT} {self.layer_s!r} {self.bucket}"
        return case_of(words, self.ranks, seed, NETWORK)


PASSES = (Pass(2 * LAYER_BYTES), Pass(10 * LAYER_BYTES))


def case_of(words: str, ranks: int, seed: int, network: Network = Network()) -> Case:
    return Case("overlap_relay", f"{words} {data.told(seed)}", own_numbers("overlap_relay", seed, ranks), dump=True, ranks=ranks, network=network)


def plan_ring(test: Test, context: Context) -> list[Case]:
    return [case_of(f"ring 4 {n} 0 0", ranks, seed_of(test, context)) for ranks in (1, 2, 5) for n in (3, 1000)]


def plan_buckets(test: Test, context: Context) -> list[Case]:
    return [case_of(f"scramble 12 1000 0.001 {cap}", ranks, seed_of(test, context))
            for ranks, cap in ((3, 4), (5, 8000), (5, 1 << 20))]


def judge_sums(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"sums of {len(runs)} runs, P = {', '.join(map(str, sorted({run.case.ranks for run in runs})))}"
    for run in runs:
        seconds, problem = _seconds(run, context)
        if problem:
            return problem
    return accepted(checked)


def bucket_sizes(run: Run) -> list[int]:
    """Elements of each all-reduce that the run makes: of each operation, or of each bucket."""
    mode, layers, elements, _, cap, _ = run.case.args.split()
    sizes = [int(elements)] * int(layers)
    if mode == "ring":
        return sizes
    if mode == "scramble":
        for layer in range(1, len(sizes), 2):
            sizes[layer] += int(elements) // 2
            sizes[layer - 1] -= int(elements) // 2
    found = [0]
    for size in reversed(sizes):
        if found[-1] * FLOAT >= int(cap) and found[-1]:
            found.append(0)
        found[-1] += size
    return found


def wrong_traffic(run: Run, observed: Observation) -> Outcome | None:
    """Each bucket is a ring all-reduce: 2 n - c(r+1) - c(r+2) elements from rank r to its neighbour."""
    ranks, sizes = observed.ranks, bucket_sizes(run)
    flows = {rank: sent(record) for rank, record in observed.all_json(0).items()}
    for rank in range(ranks):
        rings = [flow for n in sizes for flow in table.flows("ring", ranks, n, rank).values()]
        size, most = sum(flow.elements for flow in rings) * FLOAT, sum(flow.messages for flow in rings)
        got = flows.get(rank, {})
        if sum(flow.bytes for flow in got.values()) == size and got.keys() <= {(rank + 1) % ranks} and (
                most - sum(flow.empty for flow in rings) <= sum(flow.messages for flow in got.values()) <= most):
            continue
        below = too_little(flows, ranks, sum(sizes))
        told = "; ".join(f"{flow.bytes} bytes in {flow.messages} messages to rank {peer}" for peer, flow in got.items())
        words = (f"`{named(run.case)}`: rank {rank} sends {told or 'nothing'}; {len(sizes)} rings of together {sum(sizes)} floats send "
                 f"{size} bytes in {most} messages to rank {(rank + 1) % ranks}")
        return Outcome(Verdict.PV, f"`{named(run.case)}`: {below}") if below else wrong(words)
    return None


def _seconds(run: Run, context: Context) -> tuple[float, Outcome | None]:
    """Of the slowest rank, once sums and messages are right."""
    observed, problem = observe(run, context)
    if problem or observed is None:
        return 0, problem
    _, layers, elements, *_, seed = run.case.args.split()
    records = observed.all_json(0)
    for rank, record in records.items():
        sentence = wrong_sample(record, rank, observed.ranks, int(layers) * int(elements), int(seed), keys_of(run.case))
        if sentence:
            return 0, wrong(f"`{named(run.case)}`: when the call returns, {sentence}")
    return max(record["end"] for record in records.values()), wrong_traffic(run, observed)


def plan_time(test: Test, context: Context) -> list[Case]:
    return [one.case("overlap", seed_of(test, context)) for one in PASSES]


def judge_time(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked, parts, words, figures = "time of a backward pass against the prediction", [], [], {}
    for one, run in zip(PASSES, runs):
        seconds, problem = _seconds(run, context)
        if problem:
            return problem
        ratio = seconds / one.predicted()
        parts.append(min(1.0, max(0.0, (NOTHING - ratio) / (NOTHING - FULL))))
        figures[f"bucket_{one.bucket * SCALE >> 20}_MiB.ms"] = round(seconds * 1e3, 4)
        if parts[-1] < 1:
            words.append(f"buckets of {one.bucket * SCALE >> 20} MiB: {seconds * 1e3:.1f} ms, predicted "
                         f"{one.predicted() * 1e3:.1f} ms ({ratio:.2f} times; full points up to {FULL:g}, none from {NOTHING:g})")
    if not words:
        return accepted(checked, **figures)
    hint = "does progress() move every operation that is under way, and does grad_ready() start a bucket at once?"
    fraction = sum(parts) / len(parts)
    return Outcome(Verdict.PA if fraction > 0 else Verdict.WA, f"{'; '.join(words)}: {hint}", checked, fraction, figures)


def plan_gain(test: Test, context: Context) -> list[Case]:
    return [PASSES[0].case("overlap", seed_of(test, context))]


def judge_gain(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Beside the prediction: a run without overlap would be the student's program too, which can take as long as it likes."""
    checked = f"at least {GAIN:.0%} faster than without overlap"
    seconds, problem = _seconds(runs[0], context)
    if problem:
        return problem
    without = PASSES[0].without_overlap()
    gain = 1 - seconds / without
    if gain >= GAIN:
        return accepted(checked, gain=round(gain, 4))
    return wrong(f"with overlap {seconds * 1e3:.1f} ms; all computation and then one ring would take {without * 1e3:.1f} ms: "
                 f"{gain:.0%} less, needed are {GAIN:.0%}. Nothing is sent while the program computes unless progress() calls "
                 "MPI_Test and starts the next step", checked)
