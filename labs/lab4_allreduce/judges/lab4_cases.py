"""Runs of this lab's programs, as tests of lab.toml ask for them."""
from collections.abc import Iterable

import lab4_data as data
from hpml_autograder.lab import OWN, Case, Context, Network, Test

FAT_TREE = Network(topology="FAT_TREE", wiring="2;8,8;1,1;1,1")  # 8 switches of 8 hosts, one uplink for each switch
PUBLIC_SEED = 1


def correct_case(program: str, ranks: int, cells: Iterable[str], seed: int = PUBLIC_SEED) -> Case:
    """On Open MPI, where no rank can compute another's numbers. Cells: OPERATION:N:KIND."""
    env = (("HPML_DATA", str(data.told(seed))), told_apart(seed, ranks))
    return Case(f"{program}_mpi", " ".join(cells), env, dump=True, ranks=ranks)


def measured_case(program: str, ranks: int, cells: Iterable[str], network: Network = Network(), seed: int = PUBLIC_SEED) -> Case:
    """In virtual time, by a program of lab.toml whose back end counts it. Cells: OPERATION:N; the numbers follow from the
    seed, so that a rank learns of the others' by messages alone."""
    first = data.told(seed)
    words = " ".join(f"{cell}:{first + index}" for index, cell in enumerate(cells))
    return Case(program, words, own_numbers(program, seed, ranks), dump=True, ranks=ranks, network=network)


def own_numbers(program: str, seed: int, ranks: int) -> tuple[tuple[str, str], ...]:
    """The environment of a run in which no rank can compute another's numbers: behind the relay, where the command line
    holds data.told(seed) and not the seed. SMPI's ranks are threads of one process, where each can read the key of every
    other, so nothing is paid for sums on SMPI alone."""
    return (told_apart(seed, ranks),) if program.endswith("_relay") else ()


def told_apart(seed: int, ranks: int) -> tuple[str, str]:
    """The variable that tells each rank the key of its own numbers."""
    return OWN, ",".join(map(str, data.own_keys(seed, ranks)))


def keys_of(case: Case) -> tuple[int, ...]:
    """What each rank of a case was told; empty: nothing."""
    return tuple(map(int, filter(None, dict(case.env).get(OWN, "").split(","))))


def measured_cells(case: Case) -> list[tuple[str, int, int]]:
    """Operation, elements and seed of each cell of a measured case."""
    words = [word.split(":") for word in case.args.split()]
    return [(operation, int(n), int(seed)) for operation, n, seed in words]


def seed_of(test: Test, context: Context) -> int:
    """Seed of the numbers: a hidden one for a score of record."""
    return context.seed(test, 0) % data.SEEDS


def shared_seed(program: str, context: Context) -> int:
    """Of the numbers of runs that several tests of a program look at, so that each is made once."""
    return context.run_seed(program) % data.SEEDS
