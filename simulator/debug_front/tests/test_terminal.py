"""Does the debugger stop, show, go back and change things as its users expect?"""
import contextlib
import functools
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from debug_sessions import GPUSIM, HERE, Session, compile_program, has_nvcc, line_of


line_with = functools.partial(line_of, (HERE / "threads.cu").read_text())


STORE = line_with("out[i] = value;")
BARRIER = line_with("__syncthreads();")
CALL = line_with("value = apply(")


def state(text: str) -> int:
    return int(re.search(r"state (\d+)\]", text)[1])


def test_a_conditional_breakpoint_stops_in_the_thread_it_names(session):
    debug = session()
    debug(f"break threads.cu:{STORE} if blockIdx.x == 1 && threadIdx.x == 40")
    text = debug("run")
    assert "Breakpoint 1" in text and "block (1,0,0) thread (40,0,0), warp 1 lane 8" in text
    assert f"threads.cu:{STORE}" in text and "out[i] = value;" in text
    assert debug("print i").strip() == "$1 = 104"
    assert debug("print value").strip() == "$2 = 180"  # in[64 + 23] * 2 + 6
    assert debug("print tile[0]@2").strip() == "$3 = {64, 65}"


def test_the_program_does_what_it_does_without_a_debugger(session, program):
    plain = subprocess.run([GPUSIM, "run", "--mode", "functional", "--", program], capture_output=True, text=True, check=True).stdout
    debug = session(options=("--verify",))
    debug("break work")
    debug("run")
    debug("next 3")
    debug("reverse-next")
    debug("delete")
    text = debug("continue")
    assert plain in text and "ended with status 0" in text
    assert "not what was explored" not in text


def test_stepping_back_leads_through_the_same_states(session):
    debug = session()
    debug("break work")
    start = debug("run")
    forward = [state(start)] + [state(debug("stepi")) for _ in range(12)]
    back = [state(debug("reverse-stepi")) for _ in range(12)]
    assert back == forward[-2::-1]
    lines = [debug("next") for _ in range(4)]
    places = [re.search(r"threads.cu:(\d+)", text)[1] for text in lines]
    back = [re.search(r"threads.cu:(\d+)", debug("reverse-next"))[1] for _ in range(3)]
    assert back == places[-2::-1]


def test_step_goes_into_a_function_and_finish_out_of_it(session):
    debug = session()
    debug(f"tbreak threads.cu:{CALL}")
    debug("run")
    assert "apply" in debug("step")
    stack = debug("backtrace")
    assert "#0" in stack and "apply(float, Scale)" in stack and "#1" in stack and "work(" in stack
    assert debug("print value").strip().endswith("= 31")  # warp 1 opened the barrier and went on
    assert "work(" in debug("up")
    assert "i = 32" in debug("info locals")
    assert debug("print scale.offsets[1]").strip().endswith("= 2")
    assert "nothing on the GPU has called" in debug("finish")  # of the frame that is looked at
    debug("step 2")
    assert "apply" in debug("backtrace")
    assert f"threads.cu:{CALL}" in debug("finish")
    assert "apply" in debug("reverse-step")
    assert f"threads.cu:{CALL}" in debug("reverse-finish")


def test_next_over_a_barrier_runs_the_other_warps(session):
    debug = session()
    debug(f"break threads.cu:{BARRIER}")
    debug("run")
    debug("delete")
    assert debug("print tile[40]").strip() == "$1 = 0"
    debug("next")
    assert debug("print tile[40]").strip() == "$2 = 40"
    assert "1 ................................  finished" in debug("warps")  # it came last, and went on
    debug("reverse-next")
    assert debug("print tile[40]").strip() == "$3 = 0"


def test_a_watchpoint_stops_when_memory_changes_and_backwards_before_it(session):
    debug = session()
    debug("break work")
    debug("run")
    debug("delete")
    assert "4 bytes of global memory" in debug("watch out[37]")
    text = debug("continue")
    assert "old value = 0" in text and "new value = 58" in text  # in[26] * 2 + 6
    assert f"written at threads.cu:{STORE}" in text and "thread (37,0,0)" in text
    at = state(text)
    assert debug("print out[37]").strip() == "$1 = 58"
    assert state(debug("reverse-continue")) == at - 1
    assert debug("print out[37]").strip() == "$2 = 0"


def test_reverse_continue_without_a_stop_ends_at_the_beginning(session):
    debug = session()
    debug(f"tbreak threads.cu:{STORE}")
    debug("run")
    text = debug("reverse-continue")
    assert "beginning of the launch" in text and state(text) == 0


def test_who_wrote_a_value_names_thread_line_and_operands(session):
    debug = session()
    debug(f"break threads.cu:{STORE} if blockIdx.x == 2 && threadIdx.x == 0")
    debug("run")
    text = debug("who out[37]")
    assert f"threads.cu:{STORE}, block (0,0,0) thread (37,0,0)" in text
    assert "st" in text and "= 58" in text
    assert debug("who in[3]").strip() == "in[3]: written by a copy from the host, before the first launch"


def test_lanes_shows_32_values_and_the_active_ones(session):
    debug = session()
    debug(f"break threads.cu:{CALL} if blockIdx.x == 2")
    debug("run")
    text = debug("lanes i")
    assert "######################----------" in text  # threads 128 to 149 take the branch
    assert "21: 149" in text and "31: 159" in text


def test_shared_memory_shows_banks_and_the_lanes_of_the_next_access(session):
    debug = session()
    debug(f"break threads.cu:{BARRIER + 1}")
    debug("run")
    text = debug("shared tile")
    assert "[ " in text or "[6" in text
    assert "1 passes, 1 at least" in text
    assert "2 sectors" not in debug("sectors")


def test_a_variable_can_be_set_and_the_program_goes_on_with_it(session):
    debug = session(options=("--verify",))
    debug(f"break threads.cu:{STORE} if i == 0")
    debug("run")
    assert "value = 1000" in debug("set var value = 999 + 1")
    assert "history forks" in debug("set var value = 1000")
    debug("stepi")
    debug("reverse-stepi")
    assert debug("print value").strip() == "$1 = 1000"
    debug("delete")
    text = debug("continue")
    assert "out[0] 1000," in text and "not what was explored" not in text


def test_set_in_the_past_forks_the_history(session):
    debug = session()
    debug(f"break threads.cu:{CALL} if i == 5")
    debug("run")
    debug("next 2")
    debug("reverse-next 2")
    debug("set var value = 100")
    debug("delete")
    debug(f"break threads.cu:{STORE} if i == 5")
    debug("continue")
    assert debug("print value").strip() == "$1 = 206"


def test_another_thread_can_be_looked_at(session):
    debug = session()
    debug(f"break threads.cu:{BARRIER + 1}")
    debug("run")
    assert "thread (40,0,0), warp 1 lane 8" in debug("cuda thread 40")
    assert debug("print i").strip() == "$1 = 40"
    assert "block 2 is not running" in debug("cuda block 2")
    assert "the grid has 3 blocks" in debug("cuda block 9")


def test_every_launch_can_be_stopped(session):
    debug = session("3")
    debug("catch launch")
    assert "[launch 1: work" in debug("run")
    assert "[launch 2: work" in debug("continue")
    assert "[launch 3: work" in debug("continue")
    assert "ended with status 0" in debug("continue")


def test_memory_and_code_can_be_examined(session):
    debug = session()
    debug("break work")
    debug("run")
    assert re.search(r"0x3[0-9a-f]+:\t0\t1\t2\t3\n", debug("x/8fw in"))
    assert "=>" in debug("code") and "=>" in debug("list")
    assert "0x" in debug("info registers all")


def test_mistakes_are_told_and_do_no_harm(session):
    debug = session()
    assert "not running" in debug("print 1")
    assert "no command 'flyy'" in debug("flyy")
    assert "break where?" in debug("break")
    debug("break nowhere.cu:3")
    debug("break work")
    assert "Breakpoint 2" in debug("run")
    assert "no device code comes from 'nowhere.cu'" in debug("info breakpoints")
    assert "no variable 'valeu'" in debug("print valeu")
    assert "did you mean" in debug("print scael")
    assert "cannot access memory" in debug("print *(int *) 16")
    assert "division by zero" in debug("print 1 / 0")
    assert "is no count" in debug("next two")
    assert "goto takes" in debug("goto")
    assert debug("print n").strip().endswith("= 150")


def test_code_without_debug_information_says_so(tmp_path):
    program = compile_program(HERE / "threads.cu", tmp_path / "plain", "clang")
    debug = Session(program)
    debug(f"break threads.cu:{STORE} if threadIdx.x == 3")
    text = debug("run")
    assert f"threads.cu:{STORE}" in text and text.count("tools/cuda_compile.py -g") == 1
    assert "without device debug information" in debug("print value") and "clang -O0 -g" in debug("info locals")
    assert debug("print threadIdx.x").strip() == "$1 = 3"
    assert "cuda_compile" not in debug("stepi")  # it has been said
    assert debug.close() == 0


def test_optimised_code_says_what_it_has_kept_and_how_to_keep_all(tmp_path, monkeypatch):
    wrapper = tmp_path / "bin" / "clang++"
    wrapper.parent.mkdir()
    wrapper.write_text("#!/bin/bash\nexec " + shutil.which("clang++") + ' "${@/#-O0/--cuda-noopt-device-debug}"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    debug = Session(compile_program(HERE / "threads.cu", tmp_path / "optimised", "clang", "-g"))
    debug(f"break threads.cu:{STORE}")
    text = debug("run")
    assert re.search(r"work was compiled with optimisation, which has kept \d+ of its \d+ variables; to see all, compile it with "
                     r"tools/cuda_compile.py -g", text), text
    assert debug("print value").strip() == "<optimized out>"
    assert debug.close() == 0


def test_a_fault_is_a_stop_that_one_can_go_back_from(tmp_path):
    source = tmp_path / "fault.cu"
    source.write_text("#include <cuda_runtime.h>\n__global__ void bad(int* p) {\n  int i = threadIdx.x;\n  p[i * 100000000] = 1;\n"
                      "}\nint main() {\n  int* p;\n  cudaMalloc(&p, 400);\n  bad<<<1, 32>>>(p);\n"
                      "  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 7;\n}\n")
    debug = Session(compile_program(source, tmp_path / "fault", "clang", "-g"))
    debug("tbreak bad")
    debug("run")
    text = debug("continue")
    assert "Fault:" in text and "out of bounds" in text and "fault.cu:4" in text
    assert "fault.cu" in debug("reverse-step")
    assert "ended with status 7" in debug("continue") + debug("continue")
    assert debug.close() == 7


FAULT = '''#include <cuda_runtime.h>
__global__ void bad(int* p) {
  int i = threadIdx.x * 1000000;
  p[i] = 1;
  if (i == 0) {
    atomicAdd(p, 5);
  }
}
int main(int argc, char** argv) {
  int* p;
  cudaMalloc(&p, 400);
  bad<<<1, 1>>>(p);
  bad<<<1, argc == 1 ? 32 : 1>>>(p);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 7;
}
'''


def test_a_crash_of_the_host_says_where_to_look(tmp_path):
    source = tmp_path / "host.cu"
    source.write_text("""#include <cuda_runtime.h>
__global__ void k() {}
int main(int argc, char** argv) {
  k<<<1, 32>>>();
  cudaDeviceSynchronize();
  volatile int* nowhere = nullptr;
  return *nowhere;
}
""", encoding="utf-8")
    program = compile_program(source, tmp_path / "host", "clang", "-g")
    session = Session(program, "it's", "2")
    text = session("run")
    assert "ended by signal 11 (Segmentation fault) in its own code, not in a kernel; gdb shows the line: gdb --ex run --args" in text
    assert text.rstrip().endswith(f"gpusim run --gpu t4 -- {program} 'it'\\''s' 2]"), text
    session.close()


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    source = tmp_path_factory.mktemp("faulty") / "faulty.cu"
    source.write_text(FAULT, encoding="utf-8")
    return compile_program(source, source.with_suffix(""), "nvcc" if has_nvcc() else "clang", "-g")


def test_a_fault_stops_at_its_thread_though_nothing_was_asked_for(faulty):
    debug = Session(faulty)
    text = debug("run")
    assert "[launch 2: bad" in text and "Fault:" in text and "thread (1,0,0), warp 0 lane 1" in text and "faulty.cu:4" in text
    assert debug("print i").strip() == "$1 = 1000000"
    assert "has executed this launch already" in debug("set var i = 0")
    assert "faulty.cu:3" in debug("who i")
    back = debug("reverse-continue")
    assert "the beginning of the launch" in back and "state 0]" in back
    assert "written by" in debug("who p[0]") or "launch 1" in debug("who p[0]")
    assert "Fault:" in debug("continue")
    assert "ended with status 7" in debug("continue")
    assert debug.close() == 7


def test_a_place_in_a_header_is_told_with_the_line_that_called_it(faulty):
    debug = Session(faulty, "right")
    debug("tbreak faulty.cu:6")
    debug("run")
    debug("next")
    text = debug("who p[0]")
    assert "faulty.cu:6, block (0,0,0) thread (0,0,0)" in text and "atomicAdd(p, 5);" in text, text
    assert re.search(r"faulty.cu:4, block .*\n +4\t +p\[i\] = 1;", text), text
    debug.close()


@pytest.fixture(scope="module")
def long_program(tmp_path_factory):
    """Millions of warp instructions, in 32 warps that take turns."""
    folder = tmp_path_factory.mktemp("long")
    source = folder / "long.cu"
    source.write_text("#include <cuda_runtime.h>\n__global__ void spin(float* out) {\n  float x = threadIdx.x;\n"
                      "  for (int k = 0; k < 8000; ++k) {\n    x = x * 0.5f + 1;\n    out[threadIdx.x] = x;\n  }\n"
                      "  out[threadIdx.x] = x;\n}\nint main() {\n  float* p;\n  cudaMalloc(&p, 4096);\n  spin<<<1, 1024>>>(p);\n"
                      "  cudaDeviceSynchronize();\n}\n")
    return compile_program(source, folder / "long", "clang", "-g")


def far_states(program, *options: str) -> tuple[list[int], int]:
    """The numbers of states on a way back through the launch, and how many checkpoints there were."""
    debug = Session(program, options=options)
    debug("break long.cu:8 if threadIdx.x == 1000")
    out = [state(debug("run"))]
    copies = int(re.search(r"(\d+) checkpoints", debug("info history"))[1])
    out += [state(debug(command)) for command in ("reverse-next", "reverse-stepi", "goto 1500000", "reverse-next", "goto 10")]
    assert debug.close() == 0
    return out, copies


def test_checkpoints_are_made_and_bounded_and_lead_to_the_same_states(long_program):
    states, copies = far_states(long_program)
    assert states[0] > 3_000_000 and states[0] > states[1] > states[2] > states[3] == 1_500_000 > states[4] > states[5] == 10
    assert copies >= 2
    assert far_states(long_program, "--history-memory", "1") == (states, pytest.approx(copies, abs=copies))


def memory_of(process: int) -> int:
    """MiB that the process and all its descendants take, each page once."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            children.setdefault(int(stat.read_text(encoding="latin-1").rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
    todo, kib = [process], 0
    while todo:
        one = todo.pop()
        todo += children.get(one, [])
        with contextlib.suppress(OSError):
            kib += int(re.search(r"^Pss: +(\d+)", Path(f"/proc/{one}/smaps_rollup").read_text(encoding="utf-8"), re.MULTILINE)[1])
    return kib >> 10


def test_the_history_takes_no_more_memory_than_the_flag_allows(tmp_path):
    source = tmp_path / "fill.cu"
    source.write_text("""#include <cuda_runtime.h>
__global__ void fill(float* out) {
  for (int k = 0; k < 8000; ++k) {
    out[k * 1024 + threadIdx.x] = k;
  }
  out[threadIdx.x] = 0;
}
int main() {
  float* p;
  cudaMalloc(&p, 8000 * 1024 * sizeof(float));
  fill<<<1, 1024>>>(p);
  cudaDeviceSynchronize();
}
""", encoding="utf-8")
    program = compile_program(source, tmp_path / "fill", "clang", "-g")
    taken, told = {}, {}
    for limit in (8, 1024):
        debug = Session(program, options=("--history-memory", str(limit)))
        debug("break fill.cu:6 if threadIdx.x == 1000")
        assert "Breakpoint 1" in debug("run")
        told[limit] = int(re.search(r"about (\d+) MiB", debug("info history"))[1])
        taken[limit] = memory_of(debug.process.pid)
        debug.close()
    assert told[8] <= 8 < told[1024] and taken[1024] - taken[8] > (told[1024] - told[8]) / 2 > 8, (told, taken)


def test_a_place_that_was_gone_back_to_has_a_checkpoint_near_however_many_there_are(long_program):
    debug = Session(long_program)
    debug("break long.cu:8 if threadIdx.x == 1000")
    debug("run")
    for place in range(3_000_000, 500_000, -100_000):  # leaves more checkpoints than are kept
        debug(f"goto {place}")
    for command in ("goto 1830000", "goto 930000", "reverse-stepi"):
        place = debug(command)
        found = re.search(r"(\d+) checkpoints, .*, the nearest (\d+) instructions back", debug("info history"))
        assert int(found[1]) > 50 and int(found[2]) < 20_000, place
    assert debug.close() == 0


def test_shared_and_local_memory_are_watched_in_their_own_block_and_thread(session, request):
    debug = session()
    debug("tbreak work if blockIdx.x == 1 && threadIdx.x == 0")
    debug("run")
    assert "4 bytes of shared memory" in debug("watch tile[5]")
    text = debug("continue")
    assert "new value = 69" in text and "block (1,0,0) thread (5,0,0)" in text  # in[64 + 5]
    if "clang" in request.node.name:  # nvcc keeps the variable in a register
        debug("delete")
        debug("cuda thread 3")
        assert "4 bytes of local memory" in debug("watch value")
        text = debug("continue")
        assert "new value = 124" in text and "block (1,0,0) thread (3,0,0)" in text  # tile[63 - 3]
