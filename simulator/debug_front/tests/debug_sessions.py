"""Programs compiled for the debugger, and sessions with it."""
import os
import subprocess
from pathlib import Path

import pytest

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


def line_of(source: str, text: str) -> int:
    """The first line of the source that holds the text."""
    return next(number for number, line in enumerate(source.splitlines(), 1) if text in line)


def compiled(request, tmp_path_factory, source: Path | str, name: str) -> Path:
    """For fixtures whose parameter is the front end: the program of that name, described for the debugger."""
    if request.param == "nvcc" and not has_nvcc():
        pytest.skip("no nvcc here")
    folder = tmp_path_factory.mktemp(name)
    if isinstance(source, str):
        text, source = source, folder / f"{name}.cu"
        source.write_text(text, encoding="utf-8")
    return compile_program(source, folder / name, request.param, "-g")


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
