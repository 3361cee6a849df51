"""What a rank that failed says through its launcher, in one clause."""
import pytest
from hpml_autograder.backends.mpi import failed_rank

TRUNCATED = """[vm:00006] *** An error occurred in MPI_Sendrecv
[vm:00006] *** reported by process [1828454401,1]
[vm:00006] *** on communicator MPI_COMM_WORLD
[vm:00006] *** MPI_ERR_TRUNCATE: message truncated
[vm:00006] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,
[vm:00006] ***    and potentially your MPI job)
[warn] Epoll MOD(1) on fd 23 failed.
"""
KILLED = """terminate called after throwing an instance of 'std::runtime_error'
  what():  no partner
[vm:00007] *** End of error message ***
mpirun.openmpi noticed that process rank 3 with PID 0 on node vm exited on signal 6 (Aborted).
"""
SIMULATED = """/scratch/ring_smpi --cfg=smpi/privatization:1 /scratch/platform.xml
Execution failed with code 134.
[node-0:0:(1) 100.000010] ./src/smpi/mpi/smpi_request.cpp:1052: [root/CRITICAL] recv - returned MPI_ERR_TRUNCATE instead of MPI_SUCCESS
Aborted
"""
THROWN = "[node-1:1:(2) 100.0] ./src/xbt/exception.cpp:48: [xbt_exception/CRITICAL] Uncaught exception std::runtime_error: no partner\n"


@pytest.mark.parametrize("stderr, words", [
    (TRUNCATED, "rank 1 in MPI_Sendrecv: MPI_ERR_TRUNCATE (a message is longer than the receive that takes it)"),
    (KILLED, "rank 3: no partner"),
    (SIMULATED, "rank 0: MPI_ERR_TRUNCATE (a message is longer than the receive that takes it)"),
    (THROWN, "rank 1: std::runtime_error: no partner"),
    ("mpirun noticed that process rank 2 with PID 0 on node vm exited on signal 11 (Segmentation fault).", "the one that failed is rank 2"),
    ("lab4: there is no compressor 'top_k' yet\n", "")])
def test_the_rank_and_its_reason_are_found(stderr, words):
    assert failed_rank(stderr) == words


def test_an_error_whose_text_is_lost_is_known_by_its_exit_code():
    assert failed_rank("[vm:00002] ORTE_ERROR_LOG: Out of resource\n", 15).startswith("MPI_ERR_TRUNCATE (a message is longer")


def test_the_words_of_the_program_come_before_those_of_its_launcher():
    frame = f"{'-' * 74}\nmpirun.openmpi detected that one or more processes exited\n\n  Exit code:    2\n{'-' * 74}\n"
    assert failed_rank(f"lab4: no cells given; expected OPERATION:N\n{frame}{frame}", 2) == "it said: lab4: no cells given; expected OPERATION:N"
    assert failed_rank(frame, 2) == ""


def test_a_small_code_is_an_error_of_mpi_only_where_the_launcher_lost_its_text():
    lost = "[vm:00002] [[27900,0],0] ORTE_ERROR_LOG: Data unpack would read past end of buffer in file ../../../orte/util/show_help.c at line 507\n"
    assert failed_rank(lost, 1) == "MPI_ERR_BUFFER (the address of the data is null)"
    assert failed_rank("no such file\n", 1) == ""
