"""MPI programs on a simulated cluster: SimGrid's SMPI (3.32 of Debian 12, 4.0 of Debian 13).

All ranks are threads of one process, MPI_Wtime is the simulated clock, and a run gives the same times on every machine.
The network is the case's (case.Network); with the options below a message takes latency + bytes / bandwidth."""
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .. import process
from ..case import Network, Run
from ..errors import InfraError
from ..labspec import Program
from .base import OWN, Job, installed
from .mpi import Ranks

DEADLOCK = "Deadlock detected"
# Simulated time counts messages and compute() alone. The network model is the textbook's: no protocol overhead, no
# slow start, and a send that waits for its receive (an unsafe exchange is a deadlock, whatever the size).
OPTIONS = ("--cfg=smpi/simulate-computation:no", "--cfg=network/model:CM02", "--cfg=network/TCP-gamma:0",
           "--cfg=network/crosstraffic:0", "--cfg=smpi/send-is-detached-thresh:0", "--cfg=smpi/test:1e-7",
           "--cfg=smpi/grow-injected-times:no", "--log=root.thresh:error")
# smpirun takes a file of hosts whose path holds a space for two words; a descriptor's has none.
WITH_HOSTS = ("/bin/sh", "-c", 'exec 7<"$0"; exec "$@"')


class Smpi(Ranks):
    name = "smpi"
    compilers = {"c": "/usr/bin/smpicc", "c++": "/usr/bin/smpicxx"}
    repeats = True

    def tools(self) -> list[Path]:
        return installed("cc", "smpirun", "smpicc")

    def flags(self, program: Program) -> list[str]:
        return ["-fPIC"]

    def start(self, job: Job) -> tuple[Sequence[str], dict[str, str], tuple[Path, ...]]:
        case = job.case
        if OWN in dict(case.env):
            raise InfraError(f"SMPI's ranks share a process: {OWN} cannot be told to each alone")
        if not Path("/usr/bin/smpirun").is_file():
            raise InfraError("SimGrid's SMPI is not installed: run `make setup` for this lab")
        platform, hosts = job.place / "platform.xml", job.place / "hosts"
        platform.write_text(platform_xml(case.network, case.ranks), encoding="utf-8")
        order = case.network.placement or range(case.ranks)
        hosts.write_text("".join(f"node-{host}\n" for host in order), encoding="utf-8")
        words = [*WITH_HOSTS, str(hosts), "/usr/bin/smpirun", "-np", str(case.ranks), "-platform", str(platform), "-hostfile",
                 "/dev/fd/7", *OPTIONS]
        return words, {}, (platform, hosts)

    def judged(self, run: Run, done: process.Finished, ended: Path) -> Run:
        at = done.stderr.find(DEADLOCK)
        if at >= 0:  # SMPI ends with 0 all the same
            waiting = [line.strip() for line in done.stderr[at:].splitlines()[1:] if line.strip()]
            return replace(run, state="timeout", problem="deadlock: every rank waits. " + " ".join(waiting)[:600])
        return super().judged(run, done, ended)


def platform_xml(network: Network, ranks: int) -> str:
    """A cluster of one switch: between two hosts lie two links, each with half of the latency. Links of another topology
    have a quarter, since a message between two switches crosses four."""
    latency_s = network.latency_s / (4 if network.topology else 2)
    wiring = f'topology="{network.topology}" topo_parameters="{network.wiring}" ' if network.topology else ""
    duplex = 'sharing_policy="SPLITDUPLEX" ' if network.topology else ""
    return ('<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n'
            f'  <cluster id="c" prefix="node-" suffix="" radical="0-{ranks - 1}" speed="10Gf" '
            f'{wiring}{duplex}bw="{network.bytes_per_s:.17g}Bps" lat="{latency_s:.17g}s"/>\n</platform>\n')
