"""`make lab4 namespaces`: the student's all-reduce over real TCP, on links shaped by the kernel, beside the cost model.

Each rank is a process in a network namespace of its own; `tc` limits its link in both directions (namespaces.sh). All of it is
inside a user namespace, so it needs no privilege where the machine allows those, and changes nothing of the machine's network."""
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import lab4_cost as cost
import lab4_observation as observations
from hpml_autograder.lab import Case, Runner
from lab4_cost import Machine
from lab4_table import FLOAT

RANKS, ELEMENTS, CALLS = 4, 1 << 18, 3
# At 200 Mbit/s on two processors, what sends and receives at a time took twice the model's time, the server's one way 1.0
# times; at 50 Mbit/s the ring took 1.1 times.
BITS_PER_S = 50_000_000
# The model's latency is not measured here: 1 MiB takes 168 ms on such a link, a message's way some 0.1 ms.
MACHINE = Machine(alpha=0.0, beta=8 / BITS_PER_S)
ALGORITHMS = ("ring", "ps", "tree", "rd", "rabenseifner")
HARNESS = ("wall_main", "cells", "observe", "fail", "traffic", "data", "compute")
COMMANDS = {"ip": "iproute2", "tc": "iproute2", "unshare": "util-linux", "nsenter": "util-linux", "setpriv": "util-linux",
            "mpicxx.openmpi": "libopenmpi-dev"}
HOW_TO_READ = ("theory_seconds is N beta alone; times_theory is the measured time divided by it. It lies above 1 where ranks send and "
               "receive at the same time, because the packets that acknowledge one direction wait behind the data of the other, and "
               "where a busy processor serves the links late. It lies below 1 where calls overlap: a worker that has its result begins the next "
               "call while the server still sends to the others. Expect the order of the algorithms to be that of the theory; if it is not, "
               "repeat on an idle machine.")
NOBODY = "65534"
LONGEST_S = 120
INSIDE = ("unshare", "--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child")
OPTIONS = {"btl": "tcp,self", "pml": "ob1", "btl_tcp_if_include": "10.77.0.0/24", "oob_tcp_if_include": "10.77.0.0/24",
           "btl_tcp_eager_limit": "16777216", "btl_tcp_rndv_eager_limit": "16777216", "mpi_yield_when_idle": "1",
           "hwloc_base_binding_policy": "none", "plm_rsh_no_tree_spawn": "1"}
TRY = "ip link add one type veth peer name other && tc qdisc add dev one root tbf rate 1mbit burst 32kb latency 1ms"


def why_not() -> str:
    """One sentence where this machine cannot do it, else empty."""
    for command, package in COMMANDS.items():
        if shutil.which(command, path=_path()) is None:
            return f"{command} is not installed (package {package})"
    tried = subprocess.run([*_unprivileged(), *INSIDE, "sh", "-c", TRY], capture_output=True, text=True, check=False,
                           env={"PATH": _path()}, timeout=LONGEST_S)
    if tried.returncode:
        return f"this machine allows no user namespace with shaped links: {tried.stderr.strip()[-200:]}"
    return ""


def measure(runner: Runner, src: Path, progress: Callable[[str], None]) -> list[Sequence[Any]]:
    """Rows of a table: each algorithm that runs, 1 MiB on 4 ranks, in seconds for one all-reduce."""
    rows: list[Sequence[Any]] = [("algorithm", "ranks", "bytes", "seconds", "theory_seconds", "times_theory")]
    for name in ALGORITHMS:
        if not runner.can_run(Case(f"{name}_mpi", "")):
            progress(f"{name}: left out, it does not compile yet")
            continue
        progress(f"{name}: {CALLS} all-reduces over links of {BITS_PER_S // 1_000_000} Mbit/s")
        with tempfile.TemporaryDirectory(prefix="hpml-namespaces-") as folder:
            seconds = _run(name, src, Path(folder), progress)
        if seconds is not None:
            theory = cost.predict(name, RANKS, ELEMENTS * FLOAT, MACHINE)
            rows.append((name, RANKS, ELEMENTS * FLOAT, round(seconds, 4), round(theory, 4), round(seconds / theory, 2)))
    return rows


def _run(name: str, src: Path, folder: Path, progress: Callable[[str], None]) -> float | None:
    program, dump = folder / name, folder / "dump"
    students = [src / f"{file}.cpp" for file in dict.fromkeys(("chunk", name))]
    given = [src / "harness" / f"{file}.cpp" for file in (f"{name}_run", *HARNESS)]
    subprocess.run(["mpicxx.openmpi", "-DOMPI_SKIP_MPICXX", "-O2", "-std=c++20", *map(str, (*students, *given)), "-o", str(program)],
                   check=True)
    script = shutil.copy(Path(__file__).with_name("namespaces.sh"), folder)
    dump.touch()
    for path in (folder, dump):
        path.chmod(0o777)  # started by root, the ranks run as the user nobody
    env = {"PATH": _path(), "HOME": str(folder), "HPML_DUMP": str(dump), "OMPI_ALLOW_RUN_AS_ROOT": "1",
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_plm_rsh_agent": f"{folder}/agent",
           "PRTE_MCA_plm_ssh_agent": f"{folder}/agent", **{f"OMPI_MCA_{key}": value for key, value in OPTIONS.items()}}
    words = [*_unprivileged(), *INSIDE, "bash", script, str(RANKS), f"{BITS_PER_S}bit", str(folder), str(program),
             f"none:{ELEMENTS}:{CALLS}", f"{name}:{ELEMENTS}:{CALLS}"]
    try:
        done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=LONGEST_S, check=False, cwd=folder)
    except subprocess.TimeoutExpired:
        progress(f"{name}: it did not end within {LONGEST_S} s: see `make lab4 test`")
        return None
    if done.returncode:
        progress(f"{name}: it ended with exit code {done.returncode}: {done.stderr.strip()[-300:]}")
        return None
    found = observations.load(dump)
    none, took = (max(record["seconds"] for record in found.all_json(cell).values()) for cell in (0, 1))
    return (took - none) / CALLS


def _unprivileged() -> Sequence[str]:
    """Student code never runs as the machine's root."""
    return ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups") if os.geteuid() == 0 else ()


def _path() -> str:
    return "/usr/sbin:/usr/bin:/sbin:/bin"
