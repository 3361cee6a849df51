"""The debugger in a terminal, as a person types: editing, history, and Ctrl-C. In tmux."""
import ctypes.util
import os
import shutil
import subprocess
import time

import pytest
from debug_sessions import GPUSIM, PROMPT

LONG = r"""
__global__ void work(float* out) {
  for (int i = 0; i < 100000000; ++i) {
    out[threadIdx.x] += i;
  }
}
int main() {
  float* out;
  cudaMalloc(&out, 4096);
  work<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
"""
WAIT_S = 60


class Screen:
    def __init__(self, name: str, *command: str) -> None:
        self.tmux = ["tmux", "-L", f"gpusim-{os.getpid()}-{name}", "-f", "/dev/null"]
        self("new-session", "-d", "-x", "120", "-y", "50", "--", *command)

    def __call__(self, *words: str) -> str:
        return subprocess.run([*self.tmux, *words], check=True, capture_output=True, text=True,
                              env=os.environ | {"LC_ALL": "C.UTF-8", "TERM": "xterm"}).stdout

    def type(self, *keys: str) -> None:
        self("send-keys", *keys)

    def wait_for(self, text: str, times: int = 1) -> str:
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            shown = self("capture-pane", "-p")
            if shown.count(text) >= times:
                return shown
            time.sleep(0.05)
        raise AssertionError(f"'{text}' does not come:\n{shown}")

    def close(self) -> None:
        subprocess.run([*self.tmux, "kill-server"], check=False, capture_output=True)


@pytest.fixture
def screen(program, request):
    if shutil.which("tmux") is None:
        pytest.skip("no tmux here")
    one = Screen(str(abs(hash(request.node.name))), str(GPUSIM), "debug", "--", str(program))
    yield one
    one.close()


def test_lines_are_edited_and_remembered(screen):
    if ctypes.util.find_library("edit") is None:
        pytest.skip("no libedit here")
    screen.wait_for(PROMPT.strip())
    screen.type("break worx", "BSpace", "k", "Enter")
    screen.wait_for("in work(")
    screen.type("run", "Enter")
    screen.wait_for("[launch 1: work")
    screen.type("print 40 + 1", "C-a", "C-k", "print 40 + 2", "Enter")
    assert "$1 = 42" in screen.wait_for("$1 = 42")
    screen.type("Up", "Up", "Up", "Enter")
    screen.wait_for("Breakpoint 2 at")


def stop_in_kernel(screen):
    screen.type("break work", "Enter")
    screen.wait_for("Breakpoint 1")
    screen.type("run", "Enter")
    screen.wait_for("[launch 1: work")


def test_an_interrupt_clears_the_line_and_harms_nothing(screen):
    screen.wait_for(PROMPT.strip())
    stop_in_kernel(screen)
    screen.type("never", "C-c")
    screen.wait_for(PROMPT.strip(), times=4)
    screen.type("print 6 * 7", "Enter")
    screen.wait_for("$1 = 42")
    screen.type("print blockDim.x", "Enter")
    assert "ended" not in screen.wait_for("$2 = 64")


def test_an_interrupt_stops_a_kernel_that_runs(tmp_path):
    if shutil.which("tmux") is None:
        pytest.skip("no tmux here")
    from debug_sessions import compile_program
    source = tmp_path / "long.cu"
    source.write_text(LONG, encoding="utf-8")
    screen = Screen("long", str(GPUSIM), "debug", "--", str(compile_program(source, tmp_path / "long", "clang", "-g")))
    try:
        screen.wait_for(PROMPT.strip())
        stop_in_kernel(screen)
        screen.type("continue", "Enter")
        time.sleep(0.5)
        screen.type("C-c")
        screen.wait_for(PROMPT.strip(), times=4)
        screen.type("print i", "Enter")
        screen.wait_for("$1 = ")
    finally:
        screen.close()
