"""Runs an MPI program behind the relay (common/relay): each rank is a process that can reach nothing but the router.

The router runs outside the sandbox, without student code; the ranks are started inside it and reach the router over one
socket that is bound into it. What the router counted comes back as a report, schema hpml.relay/v1."""
import contextlib
import fcntl
import json
import os
import re
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import process, sandbox
from ..case import Case, Network, Run
from ..errors import InfraError
from ..labspec import Program
from ..paths import ROOT, build_dir
from ..runs import DUMP
from .base import OWN, Counted, Job, installed
from .native import Native

INCLUDE = ROOT / "common" / "relay" / "rank" / "include"  # mpi.h
EXTRA_PIDS = 8          # besides the ranks: the launcher, and what starts it
FOR_REPORT_S = 30       # from the end of the ranks to the report
PATIENCE = 5            # real seconds for each second of the limit, which is processor time: a verdict depends on no other work
LINK = ("-static",)     # a rank may open no library
TIMELINE = "HPML_TRACE"  # in a case's environment: the report has each message and call, which costs memory
FAT_TREE = re.compile(r"2;(\d+),\d+;1,1;1,1")
PROCESSOR = "/sys/devices/system/cpu/cpu{}/uevent"  # a file of each processor, for a lock that all graders of the machine see
ROUTER, STARTER, ARCHIVE = "bin/hpml-relay", "bin/hpml-relay-ranks", "lib/libhpml_mpi.a"


class Relay(Native):
    """What a run has counted is its dump: the router's report, schema hpml.relay/v1, in which student code has no hand."""
    name = "relay"
    counts = True
    trust = "relay"
    repeats = True
    targets = ("hpml-relay", "hpml-relay-ranks", "hpml_mpi")
    made_of = (ROOT / "common",)

    def tools(self) -> list[Path]:
        return [*installed("cc"), *(path for name in (ROUTER, STARTER, ARCHIVE) if (path := build_dir() / name).is_file())]

    def flags(self, program: Program) -> list[str]:
        return ["-I", str(INCLUDE), *LINK]

    def link_words(self, program: Program) -> list[str]:
        return [*super().link_words(program), str(_built(ARCHIVE))]

    def reads(self, program: Program) -> tuple[Path, ...]:
        return (*super().reads(program), INCLUDE, _built(ARCHIVE))

    def counted(self, case: Case) -> Counted:
        return Counted.OUTSIDE

    def launch(self, job: Job) -> Run:
        case = job.case
        env = dict(case.env)
        relayed = launch(job.program, case.ranks, case.args.split(), job.limits, case.network, env, timeline=TIMELINE in env)
        dump = job.place / DUMP
        dump.write_text(json.dumps(relayed.report), encoding="utf-8")
        said = "".join(one["stdout"] for one in relayed.report["per_rank"])
        problem = "" if relayed.state == "exit" else relayed.problem
        return Run(case, relayed.state, 0, said, relayed.launcher.stderr, dump=dump, problem=problem,
                   wall_s=relayed.launcher.wall_s)


def network_words(network: Network) -> list[str]:
    """One switch, or switches of H hosts with one uplink each (a fat tree "2;H,S;1,1;1,1"), between which a message takes
    latency_s, and half of it inside one. Raises InfraError for what the relay does not know."""
    if network.placement or network.topology not in ("", "FAT_TREE"):
        raise InfraError(f"the relay knows no network like {network}; simulate it with the back end smpi")
    if not network.topology:
        return ["--latency", repr(network.latency_s), "--bandwidth", repr(network.bytes_per_s)]
    tree = FAT_TREE.fullmatch(network.wiring)
    if tree is None:
        raise InfraError(f"the relay knows fat trees of the form 2;HOSTS,SWITCHES;1,1;1,1, not {network.wiring}")
    half, rate = repr(network.latency_s / 2), repr(network.bytes_per_s)
    return ["--latency", half, "--bandwidth", rate, "--group", tree[1], half, rate]


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
        """The verdict in words, with the last line that the rank at fault has printed on standard error."""
        verdict = self.report["verdict"]
        said = self.report["per_rank"][verdict["rank"]]["stderr"].strip() if verdict["rank"] is not None else ""
        return ": ".join(filter(None, (verdict["message"], said.rpartition("\n")[2])))


def launch(program: Path, ranks: int, arguments: Sequence[str], limits: process.ProcessLimits, network: Network = Network(),
           env: Mapping[str, str] | None = None, timeline: bool = False) -> Relayed:
    """Raises InfraError where the router or the launcher cannot do its work, never for what the program does."""
    with tempfile.TemporaryDirectory(prefix="hpml-relay-") as folder, _one_processor() as there:
        place, private = Path(folder), Path(folder, "router")
        place.chmod(0o711)  # another user's ranks reach the socket where no sandbox shows it to them
        private.mkdir(0o700)
        report, meeting = private / "report.json", place / "socket"
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(str(meeting))
            listener.listen(1)
            command = [*there, str(_built(ROUTER)), "--ranks", str(ranks), *network_words(network), "--report", str(report),
                       "--cpu", repr(limits.wall_s), "--wall", repr(limits.wall_s * PATIENCE),
                       "--output-kb", str(max(1, limits.output_bytes >> 10)),
                       "--listen-fd", str(listener.fileno()), *(["--timeline"] if timeline else [])]
            router = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                      pass_fds=[listener.fileno()], text=True)
        try:
            launcher = _start_ranks(program, ranks, arguments, limits, meeting, env or {}, there)
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


@contextlib.contextmanager
def _one_processor() -> Iterator[Sequence[str]]:
    """Words before a command that keep it on a processor that no other run has; none where all are taken. Router and ranks work
    in turns, and on one processor a message takes two thirds of the time, since none of them is woken on another one."""
    with contextlib.ExitStack() as held:
        for number in sorted(os.sched_getaffinity(0)):
            if _lock(PROCESSOR.format(number), held):
                yield "/usr/bin/taskset", "--cpu-list", str(number)
                return
        yield ()


def _lock(path: str, held: contextlib.ExitStack) -> bool:
    """False where another process has it, or the machine has no such file."""
    try:
        file = held.enter_context(open(path, "rb"))
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _start_ranks(program: Path, ranks: int, arguments: Sequence[str], limits: process.ProcessLimits,
                 meeting: Path, env: Mapping[str, str], before: Sequence[str]) -> process.Finished:
    starter = _built(STARTER)
    own = ["--own", env[OWN]] if OWN in env else []
    command = [*before, str(starter), "--connect", str(meeting), *own, "--", str(program), *arguments]
    jail = sandbox.Jail(read=(starter, program), write_files=(meeting,), env={name: env[name] for name in env if name != OWN})
    # The router ends the run at the limit and says which rank was at work; the sandbox's own limit only guards that.
    bounds = replace(limits, wall_s=PATIENCE * limits.wall_s + FOR_REPORT_S / 2, pids=ranks + EXTRA_PIDS)
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
