"""MPI programs under Open MPI: N ranks in one sandbox, on this machine's processors.

Open MPI 4.1 (Debian 12, Ubuntu 24.04) and 5.0 (Debian 13) name their options differently: OPTIONS is the one place that
knows. What ranks count of themselves is their word; traffic and time of record come from the back end `relay`."""
import functools
import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .. import process, sandbox
from ..case import Case, Run
from ..errors import InfraError
from ..labspec import Program
from ..paths import ROOT
from ..runs import DUMP
from .base import OWN, Backend, Counted, Job, finished, installed
from .native import Native

RANK = Path(__file__).with_name("mpi_rank.c")  # part of every program: the filter at MPI_Init, a byte after MPI_Finalize
OWN_PROCESS = ROOT / "common" / "worker" / "own_process.h"  # what it includes
# What a rank that failed says through its launcher: Open MPI's handler of errors and mpirun's last words; SMPI's log lines,
# which begin with [HOST:RANK:(PROCESS) TIME]; and the C++ library of an exception.
FAILED_RANK = re.compile(r"reported by process \[\d+,(\d+)\]|noticed that process rank (\d+)|^\[[\w-]+:(\d+):\(\d+\) ", re.MULTILINE)
FAILED_CALL = re.compile(r"An error occurred in (MPI_\w+)")
REASON = re.compile(r"(MPI_ERR_(?!.*FATAL)\w+)|^\s*what\(\):\s*(.*)|Uncaught exception (.*)", re.MULTILINE)
MEANING = {"MPI_ERR_TRUNCATE": "a message is longer than the receive that takes it", "MPI_ERR_RANK": "there is no such rank",
           "MPI_ERR_COUNT": "the count is negative", "MPI_ERR_TAG": "the tag is negative or too large",
           "MPI_ERR_BUFFER": "the address of the data is null"}
# Open MPI ends a rank with the number of the error's class, and its text may be lost. Smaller ones are the harness's as well.
CODES = {4: "MPI_ERR_TAG", 6: "MPI_ERR_RANK", 15: "MPI_ERR_TRUNCATE"}
LOST = re.compile(r"ERROR.*show_help")  # the launcher could not pass the text on: then the code is a class
LOST_CODES = {1: "MPI_ERR_BUFFER", 2: "MPI_ERR_COUNT", 4: "MPI_ERR_TAG"}
FRAME = re.compile(r"^-{20,}\n.*?^-{20,}$", re.MULTILINE | re.DOTALL)  # what mpirun says of a rank's exit code
ENDED = "ended"                              # file of a run: one byte of each rank that came to its end
OWN_LINES = "own"                            # file of a run: a line of OWN_LINE for each rank, until all have read theirs
OWN_LINE = "{:>20}\n"                        # OWN_BYTES of mpi_rank.c
PIDS_PER_RANK = 8                            # threads of Open MPI's own
PIDS = 64
OPEN_FILES = 1024

# Every rank gives its processor away while it waits: on two processors an all-reduce of eight ranks takes microseconds
# with this and milliseconds without. No shared memory that needs ptrace rights, and none outside the sandbox's own folder.
COMMON = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
          "OMPI_MCA_pml": "ob1"}
OPTIONS = {
    4: (("--oversubscribe", "--bind-to", "none"),
        {"OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
         "OMPI_MCA_btl_vader_backing_directory": sandbox.SCRATCH,
         "OMPI_MCA_odls_base_sigkill_timeout": "0"}),  # where one rank has failed, the others end at once
    5: (("--map-by", ":OVERSUBSCRIBE", "--bind-to", "none"),
        {"OMPI_MCA_btl": "self,sm", "OMPI_MCA_btl_sm_backing_directory": sandbox.SCRATCH, "PRTE_ALLOW_RUN_AS_ROOT": "1",
         "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}),
}


class Ranks(Native):
    """What every way to start N ranks has in common. What starts them needs processes and sockets, the ranks themselves none:
    they enter the filter of system calls in MPI_Init."""
    profile = "mpi"
    enters_filter = True
    made_of = (OWN_PROCESS,)

    def added_sources(self) -> list[str]:
        return [str(RANK)]

    def header_words(self, program: Program) -> list[str]:
        return [*super().header_words(program), f"-I{OWN_PROCESS.parent}"]

    def reads(self, program: Program) -> tuple[Path, ...]:
        return (*super().reads(program), OWN_PROCESS)

    def counted(self, case: Case) -> Counted:
        return Backend.counted(self, case)

    def start(self, job: Job) -> tuple[Sequence[str], dict[str, str], tuple[Path, ...]]:
        """The launcher's words, its environment, and the files it reads."""
        raise NotImplementedError

    def launch(self, job: Job) -> Run:
        dump, ended = job.place / DUMP, job.place / ENDED
        for file in (dump, ended):
            file.touch()
        before, env, read = self.start(job)
        copies_mb = job.program.stat().st_size * job.case.ranks >> 20  # SMPI gives each rank a copy of the program
        quiet, own = self.told_apart(job)
        jail = sandbox.Jail(scratch_mb=sandbox.Jail.scratch_mb + copies_mb, read=read, write_files=(dump, ended, *own),
                            env={**env, "HPML_ENDED": str(ended), **{"HPML_OWN_LINES": str(file) for file in own}})
        limits = replace(job.limits, pids=max(job.limits.pids or 0, PIDS + PIDS_PER_RANK * job.case.ranks),
                         nofile=OPEN_FILES)
        done = self.jailed(quiet, before, jail, limits=limits)
        return self.judged(finished(job, done), done, ended)

    def told_apart(self, job: Job) -> tuple[Job, tuple[Path, ...]]:
        """The job with an environment that all ranks may see, and the file that tells each rank its own number."""
        numbers = [number for name, numbers in job.case.env if name == OWN for number in numbers.split(",")]
        if not numbers:
            return job, ()
        own = job.place / OWN_LINES
        own.write_text("".join(map(OWN_LINE.format, numbers)), encoding="ascii")
        env = tuple(pair for pair in job.case.env if pair[0] != OWN)
        return replace(job, case=replace(job.case, env=env)), (own,)

    def judged(self, run: Run, done: process.Finished, ended: Path) -> Run:
        """A launcher's exit code says little: of ranks that left early, Open MPI may say 0, and SMPI says 0 of a deadlock."""
        if (done.state, done.code) != ("exit", 0):
            return replace(run, problem=failed_rank(done.stderr, done.code)) if done.state in ("exit", "signal") else run
        there = ended.stat().st_size
        if there == run.case.ranks:
            return run
        return replace(run, state="ended_early", problem=f"{there} of {run.case.ranks} ranks came to the end of "
                                                         "MPI_Finalize")


def failed_rank(stderr: str, code: int = 0) -> str:
    """Which rank failed, and why, out of what its launcher printed and its exit code; empty where these say neither."""
    rank, call, reason = (next(filter(None, found.groups())) if (found := pattern.search(stderr)) else ""
                          for pattern in (FAILED_RANK, FAILED_CALL, REASON))
    reason = reason or CODES.get(code, "") or (LOST_CODES.get(code, "") if LOST.search(stderr) else "")
    if not (rank or call or reason) and FRAME.search(stderr):
        own = [line.strip() for line in FRAME.sub("", stderr).splitlines() if re.search(r"\w", line) and not line.startswith("[")]
        return f"it said: {own[-1][:200]}" if own else ""
    who = " ".join(filter(None, (f"rank {rank}" if rank else "", f"in {call}" if call else "")))
    why = f"{reason} ({MEANING[reason]})" if reason in MEANING else reason
    return ": ".join(filter(None, (who, why))) if why or not who else f"the one that failed is {who}"


class Mpi(Ranks):
    name = "mpi"
    compilers = {"c": "/usr/bin/mpicc.openmpi", "c++": "/usr/bin/mpicxx.openmpi"}

    def tools(self) -> list[Path]:
        return installed("cc", "mpirun.openmpi")

    def flags(self, program: Program) -> list[str]:
        return ["-DOMPI_SKIP_MPICXX"]  # the C++ bindings would add 150 names to every object

    def start(self, job: Job) -> tuple[Sequence[str], dict[str, str], tuple[Path, ...]]:
        words, env = OPTIONS[min(max(OPTIONS), max(min(OPTIONS), open_mpi_version()))]
        return ["/usr/bin/mpirun.openmpi", *words, "-np", str(job.case.ranks)], {**COMMON, **env}, ()


@functools.cache
def open_mpi_version() -> int:
    try:
        said = subprocess.run(["/usr/bin/mpirun.openmpi", "--version"], capture_output=True, text=True, timeout=60,
                              check=False).stdout
    except OSError as error:
        raise InfraError("Open MPI is not installed: run `make setup` for this lab") from error
    found = re.search(r"(\d+)\.\d+", said)
    if not found:
        raise InfraError(f"mpirun says '{said.strip()[:100]}' of its version, which is no version of Open MPI")
    return int(found[1])
