"""Does the first mistake that the simulator saw reach the student, with its place and nothing of this machine?"""
import pytest
from hpml_autograder.findings import cause_in, first_finding

OUT_OF_BOUNDS = """gpusim: 4-byte read out of bounds in kernel add(float*) at /home/a b/vecaddKernel01.cu:10, <fat binary 1 of b/p>:79, \
block (7,0,0), thread (127,0,0), address 0x300000209800; 0 bytes behind the end of the device allocation of 38912 bytes at 0x300000200000
vecadd.cu:36: cudaDeviceSynchronize(): an illegal memory access was encountered
gpusim: t4 (auto): 1 kernels, 3 copies, 175.360 ms simulated, 1 calls returned an error
"""
RACE = """gpusim: racecheck: read after write hazard on 4 bytes of shared memory at offset 0x240
    reads: thread (0,4,0) of block (0,0,0) at /tmp/x/matmultKernel01.cu:39 (<fat binary 1 of b/p>:188)
    wrote: thread (0,8,0) of block (0,0,0) at /tmp/x/matmultKernel01.cu:18 (<fat binary 1 of b/p>:93)
    nothing orders the two threads: __syncthreads() between the accesses
    the same at this place 99 more times so far
gpusim: memcheck: another one
"""


@pytest.mark.parametrize("stderr, sentence", [
    (OUT_OF_BOUNDS, "4-byte read out of bounds in kernel add(float*) at vecaddKernel01.cu:10, block (7,0,0), thread (127,0,0); "
                    "0 bytes behind the end of the device allocation of 38912 bytes"),
    (RACE, "racecheck: read after write hazard on 4 bytes of shared memory at offset 0x240, reads: thread (0,4,0) of block (0,0,0) "
           "at matmultKernel01.cu:39, wrote: thread (0,8,0) of block (0,0,0) at matmultKernel01.cu:18, nothing orders the two "
           "threads: __syncthreads() between the accesses"),
    ("ready\ngpusim: t4 (auto): 1 kernels, 3 copies, 175.360 ms simulated\ngpusim: check: 1 error, 0 warnings\n", ""),
    ("gpusim: initcheck: warning: cudaMemcpy reads 4 bytes\ngpusim: memcheck: invalid read\n", "memcheck: invalid read"),
    ("gpusim: initcheck: read of 4 bytes\ngpusim: racecheck: hazard\ngpusim: memcheck: other\n", "racecheck: hazard"),
    ("gpusim: kernel k: block 0 waits (a.cu:3, <fat binary 1 of p>:9); block 1\n", "kernel k: block 0 waits (a.cu:3); block 1"),
    ("gpusim: initcheck: warning: cudaMemcpy reads 4 bytes\n", "initcheck: warning: cudaMemcpy reads 4 bytes"),
    ("", "")])
def test_the_first_finding_is_one_sentence(stderr, sentence):
    assert first_finding(stderr) == sentence


LEAK = "gpusim: memcheck: warning: 4 bytes were never freed\n    0 bytes into the device allocation of 4 bytes\n"


@pytest.mark.parametrize("stderr, cause", [(LEAK, ""), (LEAK + "gpusim: initcheck: read of 4 bytes\n", "initcheck: read of 4 bytes")])
def test_what_is_never_freed_explains_no_wrong_result(stderr, cause):
    assert cause_in(stderr) == cause and first_finding(LEAK).startswith("memcheck: warning: 4 bytes were never freed")


def test_a_finding_is_never_longer_than_a_reason_may_be():
    assert len(first_finding("gpusim: " + "x" * 100_000)) <= 500


@pytest.mark.parametrize("loop, words", [
    ("i <= n; i += stride", "4-byte read out of bounds"), ("i < n; i += n", "cudaMemcpy reads 2976 bytes of device memory that were never written")])
def test_a_wrong_vector_addition_is_told_its_first_mistake(tmp_path, graded, loop, words):
    from hpml_autograder.paths import find_lab
    solution = (find_lab("lab3").solution / "vecaddgpu00.cu").read_text(encoding="utf-8")
    assert "i < n; i += stride" in solution
    (tmp_path / "vecaddgpu00.cu").write_text(solution.replace("i < n; i += stride", loop), encoding="utf-8")
    result = graded("lab3", source=tmp_path, only="B2.correct.one_block", feedback=True)
    assert words in result.outcomes["B2.correct.one_block"].detail


def test_an_endless_kernel_is_told_with_the_line_of_its_lanes(tmp_path):
    from hpml_autograder.backends.base import Job
    from hpml_autograder.backends.gpusim import _ended
    from hpml_autograder.case import Case
    from hpml_autograder.check import trouble
    from hpml_autograder.process import Finished, ProcessLimits
    said = ("gpusim: the launch ran over its time limit; an endless loop? (block 0 warp 0: lanes 0xffffffff are ready "
            "(/tmp/a b/k.cu:4, <fat binary 1 of /tmp/a b/p>:86))\n")
    job = Job(Case("vecaddgpu00", "1 1 1"), tmp_path, {}, tmp_path, ProcessLimits(60, 60, 1, 1))
    outcome = trouble(_ended(job, Finished("exit", 0, "", said, 1.0)), 60)
    assert outcome is not None and outcome.verdict == "TO"
    assert outcome.detail == ("`vecaddgpu00 1 1 1` did not end within 60 s; the simulator: the launch ran over its time limit; an "
                              "endless loop? (block 0 warp 0: lanes 0xffffffff are ready (k.cu:4))")
