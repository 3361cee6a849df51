"""The measurement series of `make lab4 bench`: simulated runs of the student's programs, and what theory says of each.

A series is a table, first row its header. Series that need a program that does not run yet are left out."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import lab4_agreement as agreement
import lab4_cost as cost
import lab4_downpour as downpour
import lab4_observation as observations
import lab4_overlap as overlap
import lab4_softmax as softmax
import lab4_time
import lab4_training as training
from hpml_autograder.lab import Case, Network, Runner
from lab4_cases import FAT_TREE, measured_case
from lab4_cost import Machine
from lab4_runs import observed, records, seconds
from lab4_table import FLOAT, sends

Rows = list[Sequence[Any]]
ALGORITHMS = {"ps": "ps", "tree": "tree", "ring": "ring", "rd": "rd", "rabenseifner": "rabenseifner", "hier": "hier8"}
MACHINE = Machine()
RANKS = 64
SIZES = tuple(4 ** k for k in range(1, 12))        # bytes, to 4 MiB
MANY_RANKS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096)
MOST_MESSAGES = 3_000_000                          # of one simulated all-reduce; beyond, the formula stands alone
# 4 MiB on many ranks: data and bandwidth are divided by SCALE, since only their quotient counts.
SCALE = 8  # no more: a message carries 16 bytes of its own in the simulation, which must stay few beside the data
SLOW = Network(bytes_per_s=1.25e9 / SCALE)


@dataclass(frozen=True)
class Series:
    name: str
    title: str
    measure: Callable[[Runner], Rows]
    printed: bool = False


def against_size(runner: Runner) -> Rows:
    cases = [measured_case(f"{name}_smpi", RANKS, [f"{operation}:{size // FLOAT}" for size in SIZES])
             for name, operation in ALGORITHMS.items()]
    rows: Rows = [("algorithm", "ranks", "bytes", "seconds", "theory_seconds", "busbw_bytes_per_s")]
    for (name, operation), cells in zip(ALGORITHMS.items(), records(runner, cases)):
        for cell, size in enumerate(SIZES if cells else ()):
            took = seconds(cells[cell])
            bus = 2 * (RANKS - 1) / RANKS * size / took
            rows.append((name, RANKS, size, took, cost.predict(operation, RANKS, size, MACHINE), bus))
    return rows


def messages(operation: str, ranks: int) -> int:
    return sum(len(sends(operation, ranks, 1, rank)) for rank in range(ranks))


def against_ranks(runner: Runner) -> Rows:
    """4 bytes on up to 4096 ranks; 4 MiB, scaled, on up to 256. Columns of the simulation are empty where only the formula is
    known. The last two are the simulator's costs: microseconds of processor time per message, and its memory divided by the ranks."""
    rows: Rows = [("algorithm", "ranks", "bytes", "seconds", "theory_seconds", "cpu_us_per_message", "kib_per_rank")]
    for name in ("ps", "tree", "ring", "rd", "rabenseifner"):
        for size, network, most in ((4, Network(), 4096), (4 << 20, SLOW, 256)):
            elements = 1 if size == 4 else size // FLOAT // SCALE
            for ranks in MANY_RANKS:
                case = replace(measured_case(f"{name}_smpi", ranks, [f"{name}:{elements}"], network), env=(("HPML_COSTS", "1"),))
                able = ranks <= most and messages(name, ranks) <= MOST_MESSAGES
                rows.append((name, ranks, size, *_simulated(runner, runner.resolve(case), able, cost.predict(name, ranks, size, MACHINE),
                                                            messages(name, ranks))))
    return rows


def _simulated(runner: Runner, case: Case, able: bool, theory: float, count: int) -> Sequence[Any]:
    """Columns of a row of against_ranks."""
    cells = records(runner, [case])[0] if able else None
    if cells is None:
        return "", theory, "", ""
    by_rank = cells[0].values()  # threads of one process, whose costs each rank reads
    used = max(one["cpu_end_s"] for one in by_rank) - min(one["cpu_begin_s"] for one in by_rank)
    peak = max(one["peak_kib"] for one in by_rank)
    return seconds(cells[0]), theory, round(used / count * 1e6, 1), round(peak / case.ranks, 1)


def relay_and_smpi(runner: Runner) -> Rows:
    """Times of record, which are the relay's, beside SMPI's; `difference` is empty where the messages were not the same."""
    rows: Rows = [("algorithm", "network", "ranks", "bytes", "relay_seconds", "smpi_seconds", "theory_seconds", "difference")]
    for one in agreement.pairs(runner, agreement.MOST_RANKS):
        if one.relay and one.smpi:
            apart = f"{one.apart:.2e}" if one.apart < float("inf") else ""
            rows.append((one.program, one.network, one.relay.ranks, one.relay.n * FLOAT, one.relay.seconds, one.smpi.seconds,
                         one.relay.expected, apart))
    return rows


def matrices(runner: Runner) -> Rows:
    ranks, rows = 16, [("algorithm", "from", "to", "bytes", "messages")]
    names = [(name, "hier4" if name == "hier" else operation) for name, operation in ALGORITHMS.items()]
    for (name, _), cells in zip(names, records(runner, [measured_case(f"{name}_smpi", ranks, [f"{operation}:4096"])
                                                        for name, operation in names])):
        for rank, record in (cells or {0: {}})[0].items():
            rows += [(name, rank, peer, flow.bytes, flow.messages) for peer, flow in observations.sent(record).items()]
    return rows


def placements() -> dict[str, tuple[int, ...]]:
    """Host of each rank."""
    shuffled = list(range(RANKS))
    Random(4).shuffle(shuffled)
    return {"natural": (), "round robin": tuple(8 * (rank % 8) + rank // 8 for rank in range(RANKS)), "random": tuple(shuffled)}


def topologies(runner: Runner) -> Rows:
    """4 MiB on 64 ranks, scaled."""
    rate = FAT_TREE.bytes_per_s / SCALE
    networks = {"crossbar, natural": Network(bytes_per_s=rate)}
    for name, kind, wiring in (("fat tree", "FAT_TREE", FAT_TREE.wiring), ("torus", "TORUS", "8,8")):
        networks |= {f"{name}, {placing}": Network(10e-6, rate, kind, wiring, hosts)
                     for placing, hosts in placements().items()}
    keys = [(network, name) for network in networks for name in ("ring", "tree", "rd", "rabenseifner", "hier")]
    cases = [measured_case(f"{name}_smpi", RANKS, [f"{ALGORITHMS[name]}:{(4 << 20) // FLOAT // SCALE}"], networks[network])
             for network, name in keys]
    rows: Rows = [("network", "algorithm", "seconds", "theory_seconds")]
    return rows + [(f'"{network}"', name, seconds(cells[0]), _theory(network, ALGORITHMS[name]))
                   for (network, name), cells in zip(keys, records(runner, cases)) if cells]


def _theory(network: str, operation: str) -> float | str:
    """Seconds for 4 MiB on RANKS ranks; empty where transfers share links in a way that no formula of this lab covers."""
    if network.startswith("crossbar"):
        return cost.predict(operation, RANKS, 4 << 20, MACHINE)
    if network == "fat tree, natural" and operation in ("rabenseifner", "hier8"):
        return lab4_time.fat_tree_seconds(operation, RANKS, 4 << 20)
    return ""


def buckets(runner: Runner) -> Rows:
    """The backward pass of the handout with buckets of 1 to 25 layers, and without overlap."""
    passes = [overlap.Pass(layers * overlap.LAYER_BYTES) for layers in (1, 2, 4, 10, 25, 50)]
    cases = [one.case("overlap") for one in passes] + [passes[-1].case("serial")]
    rows: Rows = [("bucket_MiB", "overlap", "seconds", "theory_seconds")]
    for one, case, cells in zip([*passes, passes[-1]], cases, records(runner, cases)):
        if cells:
            theory = one.predicted() if "overlap" in case.args else ""
            rows.append((one.bucket * overlap.SCALE >> 20, int("overlap" in case.args),
                         max(record["end"] for record in cells[0].values()), theory))
    return rows


def server(runner: Runner) -> Rows:
    """Samples per second of an asynchronous server on a slow network, which it saturates."""
    network, batch = Network(bytes_per_s=12.5e6), softmax.BATCH
    exchange = 2 * (network.latency_s + softmax.WEIGHTS * FLOAT / network.bytes_per_s)
    rows: Rows = [("workers", "samples_per_s", "theory_samples_per_s", "mean_staleness", "theory_staleness")]
    counts = (1, 2, 4, 8, 16, 32)
    cases = [replace(downpour.case(workers + 1, steps=40 * workers), network=network) for workers in counts]
    for workers, found in zip(counts, observed(runner, cases)):
        if found:
            pushes = downpour.logged(found)
            theory = min(workers * batch / (training.STEP_S + exchange), batch / exchange)
            stale = sum(staleness for _, staleness in pushes) / len(pushes)
            rows.append((workers, round(len(pushes) * batch / training.seconds(found), 1), round(theory, 1), round(stale, 4),
                         round(downpour.mean_staleness(workers, len(pushes)), 4)))
    return rows


def staleness(runner: Runner) -> Rows:
    slow_factors = (1, downpour.SLOW)
    cases = [downpour.case(downpour.WORKERS + 1, steps=downpour.PUSHES, slow=slow) for slow in slow_factors]
    rows: Rows = [("slow_factor", "staleness", "pushes", "theory_mean")]
    for slow, run in zip(slow_factors, observed(runner, cases)):
        found = [staleness for _, staleness in downpour.logged(run)] if run else []
        theory = downpour.mean_staleness(downpour.WORKERS, len(found)) if slow == 1 and found else ""
        rows += [(slow, value, found.count(value), theory) for value in sorted(set(found))]
    return rows


def losses(runner: Runner) -> Rows:
    """Validation loss against simulated seconds."""
    rows: Rows = [("training", "steps", "seconds", "loss")]
    workers = downpour.WORKERS
    runs = [(f"{kind}{', one slow' if slow > 1 else ''}", steps * (1 if kind == "synchronous" else workers), kind, slow)
            for kind in ("synchronous", "asynchronous") for slow in (1, downpour.SLOW) for steps in (10, 25, 50, 100, 200)]
    cases = [training.case("sync", workers, steps=steps, slow=slow) if kind == "synchronous"
             else downpour.case(workers + 1, steps=steps, slow=slow) for _, steps, kind, slow in runs]
    for (name, steps, _, _), found in zip(runs, observed(runner, cases)):
        if found:
            rows.append((f'"{name}"', steps, training.seconds(found), softmax.loss(training.weights(found))))
    return rows


def compressors(runner: Runner) -> Rows:
    """Loss after 300 steps against the bytes that each gradient is sent in."""
    steps = training.LOSS_STEPS
    settings = [{"compressor": name, "fraction": fraction, "feedback": feedback}
                for name, fraction in (("top_k", 0.05), ("top_k", 0.01), ("sign", 0), ("int8", 0)) for feedback in (0, 1)]
    cases = [training.case("sync", training.LOSS_RANKS, steps=steps, **one) for one in [{}, *settings]]
    rows: Rows = [("compressor", "fraction", "error_feedback", "payload_bytes", "loss")]
    dense = {"compressor": "dense", "fraction": "", "feedback": ""}
    for one, found in zip([dense, *settings], observed(runner, cases)):
        if found:
            rows.append((one["compressor"], one["fraction"], one["feedback"], found.json(0, 0)["payload"],
                         softmax.loss(training.weights(found))))
    return rows


ALL = (Series("size", f"seconds against bytes, P = {RANKS}", against_size, True),
       Series("ranks", "seconds against ranks; the simulator's processor time per message and memory per rank", against_ranks, True),
       Series("agreement", "the relay's times, which pay points, beside SMPI's", relay_and_smpi, True),
       Series("matrix", "bytes from each rank to each, P = 16", matrices),
       Series("topology", f"4 MiB on {RANKS} ranks: networks and placements", topologies, True),
       Series("buckets", "backward pass with buckets", buckets, True),
       Series("server", "asynchronous server: samples per second", server, True),
       Series("staleness", "pushes by staleness", staleness),
       Series("losses", "loss against simulated seconds", losses),
       Series("compressors", "loss against bytes per gradient", compressors, True))
