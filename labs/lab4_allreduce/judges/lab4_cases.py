"""Runs of this lab's programs, as tests of lab.toml ask for them."""
from collections.abc import Iterable

from hpml_autograder.lab import Case, Network

FAT_TREE = Network(topology="FAT_TREE", wiring="2;8,8;1,1;1,1")  # 8 switches of 8 hosts, one uplink for each switch
PUBLIC_SEED = 1


def correct_case(program: str, ranks: int, cells: Iterable[str], seed: int = PUBLIC_SEED) -> Case:
    """On Open MPI. Cells: OPERATION:N:KIND."""
    return Case(f"{program}_mpi", " ".join(cells), (("HPML_DATA", str(seed)),), dump=True, ranks=ranks)


def measured_case(program: str, ranks: int, cells: Iterable[str], network: Network = Network()) -> Case:
    """In virtual time, by a program of lab.toml whose back end counts it. Cells: OPERATION:N."""
    return Case(program, " ".join(cells), dump=True, ranks=ranks, network=network)
