"""Programs compiled for the debugger, and sessions with it."""
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
GPUSIM = BUILD / "bin/gpusim"
PROMPT = "(gpusim) "


def compile_program(source: Path, output: Path, frontend: str, *flags: str) -> Path:
    subprocess.run(["/usr/bin/python3", ROOT / "tools/cuda_compile.py", "--frontend", frontend, *flags, "-o", output, source],
                   check=True)
    return output


def has_nvcc() -> bool:
    return subprocess.run(["/usr/bin/python3", ROOT / "tools/cuda_compile.py", "--frontend", "nvcc", "--print-frontend"],
                          check=False, capture_output=True).returncode == 0


class Session:
    """A debugger with a prompt."""

    def __init__(self, program: Path, *arguments: str, options: tuple[str, ...] = (), gpu: str = "t4") -> None:
        self.process = subprocess.Popen([GPUSIM, "debug", "--gpu", gpu, *options, "--", program, *arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
        self.read()

    def read(self) -> str:
        out = b""
        while not out.endswith(PROMPT.encode()):
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                break
            out += piece
        return out.decode().removesuffix(PROMPT)

    def __call__(self, command: str) -> str:
        self.process.stdin.write((command + "\n").encode())
        return self.read().partition("\n")[2]

    def close(self) -> int:
        if self.process.poll() is None:
            self.process.stdin.close()
        return self.process.wait(timeout=60)
