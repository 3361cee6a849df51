"""A Slurm of two nodes on this machine, for one test session: munged, slurmctld and two slurmd on loopback.

Ends exactly the processes that it has started and what they have started: those that carry its configuration in their
environment.
"""
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "setpriv")
SEARCH = "/usr/sbin:/usr/bin:/sbin:/bin"


def why_not() -> str:
    """Empty where it can be started."""
    missing = [program for program in PROGRAMS if shutil.which(program, path=SEARCH) is None]
    if missing:
        return f"{', '.join(missing)} not installed: tools/bootstrap tests"
    return "" if os.getuid() == 0 else "slurmd needs root"


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


CONFIG = """ClusterName=hpmltest
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
SlurmUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MaxArraySize=2001
SlurmdParameters=config_overrides
SlurmdTimeout=10
SchedulerParameters=sched_interval=2,bf_interval=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={n1} CPUs=2 RealMemory=2000 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={n2} CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=60 State=UP
"""


class Slurm:
    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hpml-slurm-"))
        self.folder.chmod(0o755)  # munged's user must get through
        ports = free_ports(3)
        self.config = self.folder / "slurm.conf"
        self.config.write_text(CONFIG.format(host=socket.gethostname().split(".")[0], folder=self.folder, ctld=ports[0],
                                             n1=ports[1], n2=ports[2]), encoding="utf-8")
        for name in ("state", "spool-n1", "spool-n2"):
            (self.folder / name).mkdir()
        self.environment = {**os.environ, "SLURM_CONF": str(self.config), "PATH": SEARCH}
        self.children: dict[str, subprocess.Popen] = {}

    def start(self) -> None:
        munge = self.folder / "munge"
        munge.mkdir()
        (munge / "key").write_bytes(secrets.token_bytes(128))
        (munge / "key").chmod(0o400)
        for path in (munge, munge / "key"):
            shutil.chown(path, "munge", "munge")
        files = [f"--{name}-file={munge / name}" for name in ("key", "log", "pid", "seed")]
        self._start("munged", ["setpriv", "--reuid=munge", "--regid=munge", "--clear-groups", "munged", "--foreground",
                               f"--socket={munge / 'socket'}", *files])
        self.wait_for(lambda: (munge / "socket").exists(), "munged")
        self._start("slurmctld", ["slurmctld", "-D", "-f", str(self.config)])
        for node in ("n1", "n2"):
            self.start_node(node)
        self.wait_for(lambda: self.state("n1") == self.state("n2") == "idle", "nodes")

    def start_node(self, node: str) -> None:
        self._start(node, ["slurmd", "-D", "-N", node, "-f", str(self.config)])

    def _start(self, name: str, command: list[str]) -> None:
        log = open(self.folder / f"{name}.out", "ab")
        self.children[name] = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                               stderr=subprocess.STDOUT, start_new_session=True)
        log.close()

    def run(self, *command: str) -> str:
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, timeout=60)
        return done.stdout.strip()

    def state(self, node: str) -> str:
        return self.run("sinfo", "--noheader", "--nodes", node, "--format=%t")

    def wait_for(self, ready, what: str, seconds: float = 120) -> None:
        end = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > end:
                logs = "".join(path.read_text(errors="replace")[-1500:] for path in self.folder.glob("*.out"))
                raise AssertionError(f"Slurm: {what} did not come:\n{logs}")
            time.sleep(0.2)

    def kill_node(self, node: str) -> None:
        """As when its power fails: slurmd and all that it has started there, at once."""
        tasks = self._own_processes(f"SLURMD_NODENAME={node}")
        parents = [parent for parent in map(_parent, tasks) if _name(parent).startswith("slurmstepd")]
        gone = [self.children[node].pid, *parents, *tasks]
        for number in (signal.SIGSTOP, signal.SIGKILL):  # nobody is left to tell of another's end
            for pid in dict.fromkeys(gone):
                _kill(pid, number)
        self.children[node].wait()
        self.run("scontrol", "update", f"nodename={node}", "state=down", "reason=test")

    def only(self, *nodes: str) -> None:
        for node in ("n1", "n2"):
            state = "resume" if node in nodes else "drain"
            self.run("scontrol", "update", f"nodename={node}", f"state={state}", "reason=test")

    def _own_processes(self, more: str = "") -> list[int]:
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                environment = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if f"SLURM_CONF={self.config}".encode() in environment and (not more or more.encode() in environment):
                found.append(int(path.parent.name))
        return [pid for pid in found if pid != os.getpid()]

    def stop(self) -> None:
        self.run("scancel", "--full", "--user=root")
        for child in self.children.values():
            child.terminate()
        for child in self.children.values():
            try:
                child.wait(timeout=20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        for pid in self._own_processes():
            _kill(pid)
        shutil.rmtree(self.folder, ignore_errors=True)


def _kill(pid: int, number: int = signal.SIGKILL) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
