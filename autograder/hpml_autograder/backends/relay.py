"""Runs an MPI program behind the relay (common/relay): each rank is a process that can reach nothing but the router.

The router runs outside the sandbox, without student code; the ranks are started inside it and reach the router over one
socket that is bound into it. What the router counted comes back as a report, schema hpml.relay/v1."""
import json
import os
import socket
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import process, sandbox
from ..errors import InfraError
from ..paths import ROOT, build_dir

INCLUDE = ROOT / "common" / "relay" / "rank" / "include"  # mpi.h
EXTRA_PIDS = 8          # besides the ranks: the launcher, and what starts it
FOR_REPORT_S = 30       # from the end of the ranks to the report
LINK = ("-static",)     # a rank may open no library


def archive() -> Path:
    """What ranks are linked with: compile with -I INCLUDE, link with LINK and this."""
    return _built("lib/libhpml_mpi.a")


@dataclass(frozen=True)
class Network:
    """Between two ranks a message of b bytes takes latency_s + b / bytes_per_s. With groups of hosts, the way between two of
    them adds group_latency_s, and all hosts of one share group_bytes_per_s out of it and into it."""
    latency_s: float = 10e-6
    bytes_per_s: float = 1.25e9
    group_hosts: int = 0
    group_latency_s: float = 0.0
    group_bytes_per_s: float = 0.0

    def words(self) -> list[str]:
        group = [self.group_hosts, self.group_latency_s, self.group_bytes_per_s]
        return ["--latency", repr(self.latency_s), "--bandwidth", repr(self.bytes_per_s),
                *(["--group", *map(repr, group)] if self.group_hosts else [])]


@dataclass(frozen=True)
class Relayed:
    """One run. `report` is the router's, in which student code has no hand; `launcher` is how the sandbox ended."""
    report: Mapping[str, Any]
    launcher: process.Finished

    @property
    def state(self) -> str:
        """As process.Finished: "exit" is a run that came to its end."""
        states = {"done": "exit", "deadlock": "timeout", "livelock": "timeout", "timeout": "timeout", "output": "output",
                  "forbidden": "policy", "protocol": "policy", "machine": "infra"}
        if self.launcher.state == "memory":
            return "memory"
        return states.get(self.report["verdict"]["state"], "ended_early")

    @property
    def problem(self) -> str:
        return self.report["verdict"]["message"]


def launch(program: Path, ranks: int, arguments: Sequence[str], limits: process.ProcessLimits, network: Network = Network(),
           timeline: bool = False) -> Relayed:
    """Raises InfraError where the router or the launcher cannot do its work, never for what the program does."""
    with tempfile.TemporaryDirectory(prefix="hpml-relay-") as folder:
        place = Path(folder)
        report, meeting = place / "report.json", place / "socket"
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(str(meeting))
            listener.listen(1)
            command = [str(_built("bin/hpml-relay")), "--ranks", str(ranks), *network.words(), "--report", str(report),
                       "--wall", repr(limits.wall_s), "--output-kb", str(max(1, limits.output_bytes >> 10)),
                       "--listen-fd", str(listener.fileno()), *(["--timeline"] if timeline else [])]
            router = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                      pass_fds=[listener.fileno()], text=True)
        try:
            launcher = _start_ranks(program, ranks, arguments, limits, meeting)
            if launcher.state != "exit" or launcher.code != 0:
                _hang_up(meeting)
            _, said = router.communicate(timeout=FOR_REPORT_S)
        except subprocess.TimeoutExpired as error:
            raise InfraError(f"the relay did not write its report within {FOR_REPORT_S} s") from error
        finally:
            router.kill()
            router.wait()
        if router.returncode not in (0, 1) or not report.is_file():
            raise InfraError(f"the relay failed: {said.strip()[-300:]} {launcher.stderr.strip()[-300:]}")
        return Relayed(json.loads(report.read_text(encoding="utf-8")), launcher)


def _start_ranks(program: Path, ranks: int, arguments: Sequence[str], limits: process.ProcessLimits,
                 meeting: Path) -> process.Finished:
    starter = _built("bin/hpml-relay-ranks")
    command = [str(starter), "--connect", str(meeting), "--", str(program), *arguments]
    jail = sandbox.Jail(read=(starter, program), write_files=(meeting,), env={})
    # The router ends the run at the limit and says which rank was at work; the sandbox's own limit only guards that.
    bounds = replace(limits, wall_s=limits.wall_s + FOR_REPORT_S / 2, pids=ranks + EXTRA_PIDS)
    return sandbox.run(command, jail, bounds)


def _hang_up(meeting: Path) -> None:
    """The launcher has failed, perhaps before it came to the router, which would wait for it until the limit."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line:
        try:
            line.connect(str(meeting))
        except OSError:
            pass


def _built(name: str) -> Path:
    path = build_dir() / name
    if not path.is_file() or not os.access(path, os.R_OK):
        raise InfraError(f"{path} is not built: run `make setup`")
    return path
