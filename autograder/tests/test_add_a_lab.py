"""A lab is a folder: three of ten lines each, one per kind of program, are graded without a line changed elsewhere."""
import functools
import json
import shutil
from pathlib import Path

import pytest
from hpml_autograder import harness, paths, sandbox
from hpml_autograder.assignment import Request
from hpml_autograder.case import Case
from hpml_autograder.errors import InfraError
from hpml_autograder.pipeline import grade

LABS = Path(__file__).parent / "tiny_labs"
PAGE = paths.ROOT / "docs/add_a_lab.md"
ANSWERS = {
    "lab91": ("squares.cpp", "long squares(long n) {\n  long sum = 0;\n  for (long i = 1; i <= n; ++i) {\n    sum += i * i;\n"
                             "  }\n  return sum;\n}\n"),
    "lab92": ("total.cpp", "#include <mpi.h>\n\nint total(MPI_Comm comm) {\n  int rank = 0, size = 0, sum = 0;\n"
                           "  MPI_Comm_rank(comm, &rank);\n  MPI_Comm_size(comm, &size);\n  if (rank != 0) {\n"
                           "    MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);\n    return 0;\n  }\n"
                           "  for (int other = 1; other < size; ++other) {\n    int got = 0;\n"
                           "    MPI_Recv(&got, 1, MPI_INT, other, 0, comm, MPI_STATUS_IGNORE);\n    sum += got;\n  }\n"
                           "  return sum;\n}\n"),
    "lab93": ("twice.cu", "__global__ void kernel(const float* x, float* y, int n) {\n"
                          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) {\n    y[i] = 2 * x[i];\n  }\n}\n\n"
                          "void twice(const float* x, float* y, int n) {\n  kernel<<<(n + 63) / 64, 64>>>(x, y, n);\n}\n"),
}


@pytest.fixture
def graded(tmp_path, monkeypatch):
    """Grades a hand-in of one of the three, which lie where any checkout has its labs."""
    shutil.copytree(LABS, tmp_path / "labs")
    monkeypatch.setattr(paths, "LABS", tmp_path / "labs")

    def one(lab: str, text: str, backend: str = "", **request):
        if backend:
            path = next((tmp_path / "labs").glob(f"{lab}_*/lab.toml"))
            path.write_text(path.read_text(encoding="utf-8").replace('backend = "mpi"', f'backend = "{backend}"'))
        source = tmp_path / "hand-in"
        source.mkdir()
        (source / ANSWERS[lab][0]).write_text(text, encoding="utf-8")
        return grade(Request(lab, source, cuda="clang", **request), scratch=tmp_path / "HPML Übung")
    return one


def only(result):
    (outcome,) = result.outcomes.values()
    return outcome


@pytest.mark.parametrize("lab", sorted(ANSWERS))
def test_a_right_answer_gets_all_points(graded, lab):
    result = graded(lab, ANSWERS[lab][1])
    assert result.total == 10000, only(result)


@pytest.mark.parametrize("lab", sorted(ANSWERS))
def test_the_starter_gets_none(graded, lab):
    result = graded(lab, next(LABS.glob(f"{lab}_*/src/{ANSWERS[lab][0]}")).read_text(encoding="utf-8"))
    assert (result.total, only(result).verdict.value) == (0, "WA")


@pytest.mark.parametrize("lab", sorted(ANSWERS))
def test_what_does_not_compile_gets_none(graded, lab):
    """Also in a lab without a test of the build, whose judge sees to the end of a list of runs and finds nothing wrong."""
    result = graded(lab, "no program")
    assert (result.total, only(result).verdict.value) == (0, "SK") and "did not compile" in only(result).detail


def test_the_same_mpi_program_runs_on_a_simulated_cluster(graded):
    assert graded("lab92", ANSWERS["lab92"][1], backend="smpi").total == 10000


@pytest.mark.parametrize("level", ["L1", "L0"])
def test_mpi_programs_run_without_bubblewrap(level, graded, monkeypatch):
    protection = sandbox.detect().at_most(level)
    monkeypatch.setattr(sandbox, "detect", lambda: protection)
    result = graded("lab92", ANSWERS["lab92"][1])
    assert result.total == 10000, only(result)


def test_the_same_mpi_program_runs_behind_the_relay_where_its_messages_are_counted_outside(graded):
    result = graded("lab92", ANSWERS["lab92"][1], backend="relay", trusted=True)
    assert (result.total, result.metrics_trust) == (10000, "relay"), only(result)
    (run,) = (run for run in result.runner.runs.values() if run.case.ranks == 5)
    report = json.loads(run.dump.read_text(encoding="utf-8"))
    sent = [region["sent"] for region in (report["outside"], *report["regions"])]
    assert sorted(row[:5] for rows in sent for row in rows) == [[rank, 0, 1, 0, 4] for rank in (1, 2, 3, 4)]


def test_a_deadlock_on_the_simulated_cluster_is_no_right_answer_although_smpi_ends_with_0(graded):
    text = ("#include <mpi.h>\nint total(MPI_Comm comm) {\n  int x = 0;\n"
            "  MPI_Recv(&x, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);\n  return x;\n}\n")
    outcome = only(graded("lab92", text, backend="smpi"))
    assert outcome.verdict.value == "TO" and "deadlock: every rank waits" in outcome.detail, outcome


@pytest.mark.parametrize("body, verdict, words", [
    ("int x; if (rank) { return 0; } MPI_Recv(&x, 1, MPI_INT, size - 1, 0, comm, MPI_STATUS_IGNORE); return x;", "TO", "did not end"),
    ("if (rank == size - 1) { std::exit(0); } return size * (size - 1) / 2;", "RE", ""),
    ("if (rank == 0) { MPI_Abort(comm, 5); } return 0;", "RE", "ended with exit code 5"),
])
def test_ranks_that_wait_leave_or_abort_cost_the_test_and_leave_no_process(graded, body, verdict, words):
    text = ("#include <mpi.h>\n#include <cstdlib>\nint total(MPI_Comm comm) {\n  int rank = 0, size = 0;\n"
            f"  MPI_Comm_rank(comm, &rank);\n  MPI_Comm_size(comm, &size);\n  {body}\n}}\n")
    outcome = only(graded("lab92", text, wall_s=5))
    assert outcome.verdict.value == verdict and words in outcome.detail


# Second channels between ranks, and other processes: each must fail where the sandbox filters system calls.
CHANNELS = {"fork": "fork()", "vfork": "syscall(SYS_vfork)", "socket": "socket(AF_UNIX, SOCK_STREAM, 0)",
            "internet": "socket(AF_INET, SOCK_DGRAM, 0)", "socketpair": "socketpair(AF_UNIX, SOCK_STREAM, 0, pair)",
            "signal": "kill(getppid(), 0)", "queued signal": "sigqueue(getppid(), SIGUSR1, sigval{})",
            "thread's signal": "syscall(SYS_tgkill, getppid(), getppid(), 0)",
            "memory": "process_vm_readv(getppid(), &here, 1, &here, 1, 0)", "ptrace": "ptrace(PTRACE_SEIZE, getppid(), 0, 0)",
            "descriptor": "syscall(SYS_pidfd_open, getppid(), 0)", "System V memory": "shmget(77, 4096, IPC_CREAT | 0666)",
            "semaphore": "semget(77, 1, IPC_CREAT | 0666)", "queue": "msgget(77, IPC_CREAT | 0666)",
            "named pipe": 'mkfifo("/scratch/pipe", 0666)', "name space": "unshare(CLONE_NEWUSER)",
            "io_uring": "syscall(SYS_io_uring_setup, 1, nullptr)", "link": 'symlink("/scratch", "/scratch/link")',
            "priority": "setpriority(PRIO_PROCESS, getppid(), 5)", "key": 'syscall(SYS_add_key, "user", "k", "v", 1, -4)'}


@pytest.mark.skipif(not sandbox.detect().seccomp, reason="no bubblewrap, or no python3-seccomp")
@pytest.mark.parametrize("backend", ["mpi", "smpi"])
def test_ranks_start_no_process_and_find_no_second_channel(graded, tmp_path, backend):
    path = next((tmp_path / "labs").glob("lab92_*/lab.toml"))
    path.write_text(path.read_text(encoding="utf-8") + '[gate]\nallow_undefined = ["*"]\n', encoding="utf-8")
    headers = ("cerrno", "cstdio", "fcntl.h", "mpi.h", "sched.h", "signal.h", "sys/ipc.h", "sys/msg.h", "sys/ptrace.h", "sys/resource.h",
               "sys/sem.h", "sys/shm.h", "sys/socket.h", "sys/stat.h", "sys/syscall.h", "sys/uio.h", "unistd.h")
    tries = "".join(f'  if ({call} >= 0) {{\n    std::puts("open: {name}");\n  }}\n'
                    for name, call in CHANNELS.items())
    text = ("".join(f"#include <{name}>\n" for name in headers) + ANSWERS["lab92"][1].replace(
        "sum = 0;\n", f"sum = 0, pair[2];\n  char byte;\n  iovec here = {{&byte, 1}};\n  (void)pair;\n{tries}", 1))
    result = graded("lab92", text, backend=backend)
    assert result.total == 10000, only(result)


# Each rank says its own number, then tries where it could find the others': the environment, the file, another rank's memory.
LOOKS = """#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern char** environ;

static bool tells(const std::string& path) {
  static char text[1 << 16];
  const int file = open(path.c_str(), O_RDONLY);
  const ssize_t bytes = file < 0 ? 0 : read(file, text, sizeof text);
  const std::string read(text, bytes < 0 ? 0 : bytes);
  return read.find("1717") != std::string::npos || read.find("2929") != std::string::npos;
}

int total(MPI_Comm comm) {
  int rank = 0, seen = 0, elsewhere = 0;
  MPI_Comm_rank(comm, &rank);
  for (char** one = environ; *one != nullptr; ++one) {
    seen += std::strstr(*one, "1717") != nullptr || std::strstr(*one, "2929") != nullptr;
  }
  const std::string ended = getenv("HPML_ENDED");
  elsewhere += tells(ended.substr(0, ended.rfind('/') + 1) + "own");
  for (int process = 2; process < 64; ++process) {
    for (const char* file : {"/environ", "/cmdline", "/mem"}) {
      elsewhere += process != getpid() && tells("/proc/" + std::to_string(process) + file);
    }
  }
  std::printf("rank %d: %s %d %d\\n", rank, getenv("HPML_OWN"), seen, elsewhere);
  return 0;
}
"""


def test_a_rank_is_told_its_own_number_and_finds_no_other(graded):
    case = Case("total", "", (("HPML_OWN", "1717,2929,5"),), ranks=3)
    run = graded("lab92", LOOKS).runner.run_all([case])[case]
    said = sorted(line.split() for line in run.stdout.splitlines() if line.startswith("rank"))
    assert said == [["rank", "0:", "1717", "1", "0"], ["rank", "1:", "2929", "1", "0"], ["rank", "2:", "5", "0", "0"]], run


def test_ranks_that_share_a_process_are_told_nothing_of_their_own(graded):
    runner = graded("lab92", ANSWERS["lab92"][1], backend="smpi").runner
    with pytest.raises(InfraError, match="share a process"):
        runner.run_all([Case("total", "", (("HPML_OWN", "1,2"),), ranks=2)])


def test_the_page_shows_the_files_that_are_graded_here():
    text = PAGE.read_text(encoding="utf-8")
    for path in ("lab.toml", "src/squares.cpp", "src/main.cpp", "judges/checks.py"):
        assert (LABS / "lab91_native" / path).read_text(encoding="utf-8") in text, path
    programs = [line for lab in ("lab92_mpi", "lab93_cuda") for line in (LABS / lab / "lab.toml").read_text(
        encoding="utf-8").splitlines() if line.startswith("program")]
    assert all(line in text for line in programs)


def test_the_handout_of_a_lab_decides_no_score(tmp_path):
    lab = tmp_path / "lab91_native"
    shutil.copytree(LABS / "lab91_native", lab)
    sha = functools.partial(harness.harness_sha.__wrapped__, lab)
    before = sha()
    (lab / "README.md").write_text("A handout.\n", encoding="utf-8")
    (lab / "tests").mkdir()
    (lab / "tests" / "test_checks.py").write_text("", encoding="utf-8")
    assert sha() == before
    (lab / "judges" / "checks.py").write_text("CHECKS = {}\n", encoding="utf-8")
    assert sha() != before
